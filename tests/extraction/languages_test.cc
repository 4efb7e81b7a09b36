// Sentences and words of running text, a short one per language.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "corpus/plain_text.h"
#include "encoder/tokenizer/tokenizer.h"
#include "extraction/analyst.h"
#include "support/python.h"
#include "support/temporary.h"

namespace wordbreadth::extraction {
namespace {

using Texts = std::vector<std::string>;

struct Language {
    const char* name;
    std::string text;
    Texts words;            // of all sentences
    std::size_t sentences;  // how many
};

const std::vector<Language> languages{
    {"English",
     "Dr. Smith doesn't pay $3.50. Why? It's 5 p.m. already!",
     {"Dr", "Smith", "doesn't", "pay", "Why", "It's", "p.m", "already"},
     3},
    {"German",
     "Am 3. Mai kam Herr Dr. Groß z. B. über Köln. Das Linux-System läuft.",
     {"Am", "Mai", "kam", "Herr", "Dr", "Groß", "z", "B", "über", "Köln", "Das", "Linux", "System", "läuft"},
     2},
    {"Russian",
     "Ёлка растёт в лесу. Почему? По-моему, это так.",
     {"Ёлка", "растёт", "в", "лесу", "Почему", "По", "моему", "это", "так"},
     3},
    {"Arabic", "ما هذا؟ هذا كتابٌ جديد. شكراً!", {"ما", "هذا", "هذا", "كتابٌ", "جديد", "شكراً"}, 3},
    {"Hindi", "यह हिन्दी है। क्या आप ठीक हैं? हाँ।", {"यह", "हिन्दी", "है", "क्या", "आप", "ठीक", "हैं", "हाँ"}, 3},
    {"Chinese", "我们喜欢自由软件。你呢？", {"我们", "喜欢", "自由", "软件", "你", "呢"}, 2},
};

Texts sentences_of(const std::string& text) {
    corpus::Splitter splitter;
    Texts sentences;
    std::size_t begin = 0;
    for (const std::size_t end : splitter.split(text)) {
        sentences.push_back(text.substr(begin, end - begin));
        begin = end;
    }
    return sentences;
}

class WordsOf : public testing::TestWithParam<Language> {};

TEST_P(WordsOf, RunningText) {
    const Texts sentences = sentences_of(GetParam().text);
    EXPECT_EQ(sentences.size(), GetParam().sentences);
    WordFinder finder;
    Texts words;
    for (const std::string& sentence : sentences)
        for (const auto& [begin, end] : finder.find(sentence)) words.push_back(sentence.substr(begin, end - begin));
    EXPECT_EQ(words, GetParam().words);
}

INSTANTIATE_TEST_SUITE_P(Languages, WordsOf, testing::ValuesIn(languages),
                         [](const auto& language) { return std::string(language.param.name); });

// With a MeCab dictionary, Japanese words are MeCab's: none shares a token with its neighbour.
TEST(WordsOfMecab, AreTheWordsOfPlainText) {
    using encoder::tokenizer::python_package;
    const std::string package = python_package("unidic_lite");
    if (package.empty()) GTEST_SKIP() << "unidic-lite is not installed: " << encoder::tokenizer::how_to_install();
    const auto tokenizer =
        encoder::tokenizer::load_tokenizer(std::string(TESTS_DIR) + "/data/tokenizers/japanese", package + "/dicdir");
    KeptSentence sentence;
    sentence.text = "東京都に住んでいます、ｶﾞﾗｽの㍻。";
    Analysis analysis;
    Analyst(tokenizer, {.subwords = Subwords::mean}).analyse(sentence, analysis);
    Texts words;
    for (const FoundWord& word : analysis.words) {
        words.push_back(sentence.text.substr(word.begin, word.end - word.begin));
        EXPECT_NE(word.use, Use::shared_token) << words.back();
    }
    EXPECT_EQ(words, (Texts{"東京", "都", "に", "住ん", "で", "い", "ます", "ｶﾞﾗｽ", "の"}));
}

// Whatever the model: its tokens stay what they are.
TEST(WordsOfMecab, AreTheWordsForEveryTokenizer) {
    const std::string package = encoder::tokenizer::python_package("unidic_lite");
    if (package.empty()) GTEST_SKIP() << "unidic-lite is not installed: " << encoder::tokenizer::how_to_install();
    const std::string text = "東京都に住んでいます、ｶﾞﾗｽの㍻。";
    for (const std::string name : {"wordpiece", "xlm_roberta"}) {
        const std::string folder = std::string(TESTS_DIR) + "/data/tokenizers/" + name;
        const auto plain = encoder::tokenizer::load_tokenizer(folder);
        const auto tokenizer = encoder::tokenizer::load_tokenizer(folder, package + "/dicdir");
        EXPECT_FALSE(plain.finds_words());
        EXPECT_TRUE(tokenizer.finds_words());
        EXPECT_EQ(tokenizer.encode(text).ids, plain.encode(text).ids) << name;
        KeptSentence sentence;
        sentence.text = text;
        Analysis analysis;
        Analyst(tokenizer, {.subwords = Subwords::mean}).analyse(sentence, analysis);
        Texts words;
        for (const FoundWord& word : analysis.words) words.push_back(text.substr(word.begin, word.end - word.begin));
        EXPECT_EQ(words, (Texts{"東京", "都", "に", "住ん", "で", "い", "ます", "ｶﾞﾗｽ", "の"})) << name;
    }
}

}  // namespace
}  // namespace wordbreadth::extraction
