// The same tokens as Python's `tokenizers`, running beside us, on the demo corpora: the real demo model's WordPiece,
// byte-level BPE, and tokenizers as other models have them, trained on the demo's texts. Skipped, saying why, where
// Python's library, the model or a corpus is not installed.
#include <cstring>
#include <filesystem>

#include "encoder/tokenizer/tokenizer_testing.h"
#include "support/python.h"
#include "support/temporary.h"

namespace wordbreadth::encoder::tokenizer {
namespace {

// What tests/tools/tokenizer_reference.py wrote, one text after the other.
class Reference {
  public:
    explicit Reference(const std::string& path) : file_(path, std::ios::binary) {}

    bool next() {
        std::int32_t bytes = 0;
        if (!file_.read(reinterpret_cast<char*>(&bytes), sizeof bytes)) return false;
        text_.resize(static_cast<std::size_t>(bytes));
        file_.read(text_.data(), bytes);
        std::int32_t tokens = 0;
        file_.read(reinterpret_cast<char*>(&tokens), sizeof tokens);
        for (auto& column : columns_) {
            std::vector<std::int32_t> numbers(static_cast<std::size_t>(tokens));
            file_.read(reinterpret_cast<char*>(numbers.data()), std::ssize(numbers) * 4);
            column.assign(numbers.begin(), numbers.end());
        }
        return true;
    }

    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] const auto& columns() const { return columns_; }

  private:
    std::ifstream file_;
    std::string text_;
    std::array<std::vector<std::int64_t>, 4> columns_;
};

struct Comparison {
    const char* corpus;
    int every;  // text is compared
};

class Compared {
  protected:
    static void compare(const std::string& folder, const Comparison& comparison) {
        const TemporaryFile out(".bin", "");
        const auto made =
            run_python({std::string(TESTS_DIR) + "/tools/tokenizer_reference.py", folder + "/tokenizer.json",
                        comparison.corpus, std::to_string(comparison.every), out.path()});
        if (made.code == 127) GTEST_SKIP() << "Python's tokenizers is not installed: " << how_to_install();
        if (made.code == 3) GTEST_SKIP() << made.output;
        ASSERT_EQ(made.code, 0) << made.output;
        compare(load_tokenizer(folder), out.path());
        const std::string older = folder + "/older";
        if (std::filesystem::exists(older)) compare(load_tokenizer(older), out.path());
    }

    static void compare(const Tokenizer& tokenizer, const std::string& path) {
        Reference reference(path);
        std::size_t texts = 0;
        std::size_t tokens = 0;
        for (; reference.next(); ++texts) {
            const Encoding encoding = tokenizer.encode(reference.text());
            ASSERT_EQ(columns_of(encoding), reference.columns()) << json(reference.text()).dump();
            tokens += encoding.size();
        }
        EXPECT_GT(texts, 1000U);
        testing::Test::RecordProperty("texts", static_cast<int>(texts));
        std::printf("%zu texts, %zu tokens: ids, offsets and words are the same\n", texts, tokens);
    }
};

class TokenizerLive : public testing::TestWithParam<Comparison>, protected Compared {};

TEST_P(TokenizerLive, WordPieceOfTheDemoModel) {
    const std::string model = demo_model();
    if (model.empty()) GTEST_SKIP() << "the demo's model is not here: " << how_to_install();
    compare(model, GetParam());
}

TEST_P(TokenizerLive, BytePairAsInModernBert) {
    compare(fixture("bpe"), GetParam());
}

INSTANTIATE_TEST_SUITE_P(Corpora, TokenizerLive,
                         testing::Values(Comparison{"scripture", 1}, Comparison{"manuals", 1},
                                         Comparison{"languages", 1}, Comparison{"hostile", 1}),
                         [](const auto& comparison) { return std::string(comparison.param.corpus); });

class TrainedTokenizerLive : public testing::TestWithParam<const char*>, protected Compared {};

TEST_P(TrainedTokenizerLive, HostileTexts) {
    const TemporaryFolder folder;
    const auto made = run_python({std::string(TESTS_DIR) + "/tools/trained_tokenizer.py", GetParam(), folder.path()});
    if (made.code == 127) GTEST_SKIP() << "Python's tokenizers is not installed: " << how_to_install();
    if (made.code == 3) GTEST_SKIP() << made.output;
    ASSERT_EQ(made.code, 0) << made.output;
    compare(folder.path(), {"hostile", 1});
}

INSTANTIATE_TEST_SUITE_P(Kinds, TrainedTokenizerLive,
                         testing::Values("roberta", "llama_3", "qwen_2", "deepseek", "scripts", "llama_2",
                                         "xlm_roberta", "unigram_with_bytes"),
                         [](const auto& kind) { return std::string(kind.param); });

}  // namespace
}  // namespace wordbreadth::encoder::tokenizer
