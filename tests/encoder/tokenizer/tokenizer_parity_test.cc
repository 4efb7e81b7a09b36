// The same tokens as Python's `tokenizers`: ids, offsets and words, kept in tests/data/tokenizers by
// tests/tools/make_tokenizer_goldens.py.
#include "base/failure.h"
#include "encoder/tokenizer/tokenizer_testing.h"

namespace wordbreadth::encoder::tokenizer {
namespace {

// What `kept` of make_tokenizer_goldens.py wrote: four lists, or their digest.
void expect_as_kept(const Encoding& encoding, const json& kept, const std::string& what) {
    const auto columns = columns_of(encoding);
    if (kept.is_array()) {
        EXPECT_EQ(json(columns), kept) << what;
        return;
    }
    Digest digest;
    for (const auto& column : columns) {
        for (const std::int64_t number : column) digest.add(static_cast<std::uint32_t>(number));
    }
    EXPECT_EQ(encoding.size(), kept["tokens"].get<std::size_t>()) << what;
    EXPECT_EQ(digest.text(), kept["digest"].get<std::string>()) << what;
}

void expect_all_as_kept(const Tokenizer& tokenizer, const json& kept, const EncodeOptions& options) {
    const auto texts = hostile_texts();
    ASSERT_EQ(texts.size(), kept.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
        expect_as_kept(tokenizer.encode(texts[i], options), kept[i], base::in_quotes(texts[i]));
    }
}

class TokenizerParity : public testing::TestWithParam<std::string> {
  protected:
    const std::string folder_ = fixture(GetParam());
    const Tokenizer tokenizer_ = load_tokenizer(folder_);
    const json cases_ = json_of(folder_ + "/cases.json");
};

TEST_P(TokenizerParity, HostileTexts) {
    expect_all_as_kept(tokenizer_, cases_["texts"], {});
}

TEST_P(TokenizerParity, TruncatedTexts) {
    expect_all_as_kept(tokenizer_, cases_["truncated to 7"], {.max_tokens = 7});
}

TEST_P(TokenizerParity, WordsThatWereSplitBefore) {
    for (const json& item : cases_["words"]) {
        const auto words = item["words"].get<std::vector<std::string>>();
        const std::vector<std::string_view> views(words.begin(), words.end());
        expect_as_kept(tokenizer_.encode(views), item["tokens"], item["words"].dump());
    }
}

INSTANTIATE_TEST_SUITE_P(Kinds, TokenizerParity,
                         testing::Values("wordpiece", "bpe", "vocab", "xlm_roberta", "camembert", "deberta", "llama",
                                         "gpt2", "roberta"),
                         [](const auto& kind) { return kind.param; });

class TokenizerVariants : public testing::TestWithParam<std::string> {};

TEST_P(TokenizerVariants, EveryNormalizer) {
    json file = json_of(fixture(GetParam()) + "/tokenizer.json");
    const json variants = json_of(fixture(GetParam()) + "/cases.json")["variants"];
    ASSERT_FALSE(variants.empty());
    for (const json& variant : variants) {
        SCOPED_TRACE(variant["name"].get<std::string>());
        file["normalizer"] = variant["normalizer"];
        Snapshot snapshot;
        snapshot.with_json("tokenizer.json", file);
        expect_all_as_kept(load_tokenizer(snapshot.path()), variant["texts"], {});
    }
}

INSTANTIATE_TEST_SUITE_P(Kinds, TokenizerVariants, testing::Values("wordpiece", "bpe"),
                         [](const auto& kind) { return kind.param; });

}  // namespace
}  // namespace wordbreadth::encoder::tokenizer
