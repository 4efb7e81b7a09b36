// Japanese: MeCab, then WordPiece. The tokens are those of Python's transformers with unidic-lite; the tests that need
// that dictionary are skipped, saying so, where it is not installed.
#include "encoder/tokenizer/parts.h"

#include <atomic>
#include <thread>

#include "encoder/tokenizer/tokenizer_testing.h"
#include "support/python.h"

namespace wordbreadth::encoder::tokenizer {
namespace {

const std::string& dictionary() {
    static const std::string folder = [] {
        const std::string package = python_package("unidic_lite");
        return package.empty() ? "" : package + "/dicdir";
    }();
    return folder;
}

class Mecab : public testing::Test {
  protected:
    void SetUp() override {
        if (dictionary().empty()) GTEST_SKIP() << "unidic-lite is not installed: " << how_to_install();
    }

    static Tokenizer load(const json& configuration) {
        Snapshot snapshot;
        std::filesystem::copy_file(fixture("japanese/vocab.txt"), snapshot.path() + "/vocab.txt");
        snapshot.with_json("tokenizer_config.json", configuration);
        return load_tokenizer(snapshot.path(), dictionary());
    }
};

json configuration() {
    return json_of(fixture("japanese/tokenizer_config.json"));
}

TEST_F(Mecab, TheSameTokensAsTransformers) {
    const json golden = json_of(fixture("japanese/cases.json"));
    for (const json& item : golden["cases"]) {
        json changed = configuration();
        changed["do_lower_case"] = item["do_lower_case"];
        const Encoding encoding = load(changed).encode(item["text"].get<std::string>());
        EXPECT_EQ(json(encoding.ids), item["ids"]) << item;
    }
}

TEST_F(Mecab, OffsetsAreThoseOfTheTextBeforeNormalization) {
    // Half-width katakana: five characters that NFKC makes three of, and a space that goes.
    const Encoding encoding =
        load(configuration()).encode("\uff76\uff9e\uff97\uff7d \u540d\u524d", {.special_tokens = false});
    EXPECT_EQ(encoding.characters.front(), (Span{0, 4}));
    EXPECT_EQ(encoding.characters.back(), (Span{5, 7}));
    EXPECT_EQ(encoding.bytes.back(), (Span{13, 19}));
}

TEST_F(Mecab, WordsThatWereSplitBefore) {
    const std::vector<std::string_view> words{"\u732b", "\u3067\u3042\u308b"};
    const Encoding encoding = load(configuration()).encode(words, {.special_tokens = false});
    EXPECT_EQ(encoding.words, (std::vector<std::int32_t>{0, 1, 1}));
}

TEST_F(Mecab, AnEmptyTextAndOneOfSpaces) {
    const Tokenizer tokenizer = load(configuration());
    EXPECT_EQ(tokenizer.encode("").size(), 2U);
    EXPECT_EQ(tokenizer.encode(" \u3000\n").size(), 2U);
}

TEST_F(Mecab, ThreadsShareOneTokenizer) {
    const Tokenizer tokenizer = load(configuration());
    const std::string text = "\u540d\u524d\u306f\u307e\u3060\u7121\u3044\u3002";
    const Encoding alone = tokenizer.encode(text);
    std::atomic<int> different = 0;
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            for (int times = 0; times < 50; ++times) different += tokenizer.encode(text).ids == alone.ids ? 0 : 1;
        });
    }
    threads.clear();
    EXPECT_EQ(different, 0);
}

std::string error_with(const json& changed, const std::string& folder) {
    Snapshot snapshot;
    snapshot.with("vocab.txt", "[UNK]\n[CLS]\n[SEP]").with_json("tokenizer_config.json", changed);
    return error_of([&] { (void)load_tokenizer(snapshot.path(), folder); });
}

TEST(MecabErrors, NoDictionaryNamed) {
    const std::string error = error_with(configuration(), "");
    EXPECT_TRUE(contains(error, "needs a dictionary")) << error;
}

TEST(MecabErrors, NoDictionaryThere) {
    const Snapshot empty;
    const std::string error = error_with(configuration(), empty.path());
    EXPECT_TRUE(contains(error, empty.path() + ": no MeCab dictionary: \"sys.dic\" is missing")) << error;
}

TEST(MecabErrors, ADictionaryThatIsNone) {
    Snapshot bad;
    for (const char* name : {"sys.dic", "matrix.bin", "char.bin", "unk.dic", "dicrc"})
        bad.with(name, "not a dictionary");
    const std::string error = error_with(configuration(), bad.path());
    EXPECT_TRUE(contains(error, "MeCab cannot read this dictionary")) << error;
    EXPECT_FALSE(contains(error, "\n")) << error;
}

TEST(MecabErrors, ComponentsThatAreNotKnown) {
    const auto error_after = [](const char* pointer, const json& value) {
        json changed = configuration();
        changed[json::json_pointer(pointer)] = value;
        return error_with(changed, "");
    };
    EXPECT_TRUE(contains(error_after("/word_tokenizer_type", "sudachi"),
                         "word_tokenizer_type is \"sudachi\"; expected \"mecab\""));
    EXPECT_TRUE(
        contains(error_after("/subword_tokenizer_type", "character"), "is \"character\"; expected \"wordpiece\""));
    EXPECT_TRUE(contains(error_after("/do_word_tokenize", false), "do_word_tokenize is false; expected true"));
    EXPECT_TRUE(contains(error_after("/mecab_kwargs/mecab_option", "-Owakati"),
                         "has \"mecab_option\", which is not supported"));
}

}  // namespace
}  // namespace wordbreadth::encoder::tokenizer
