// What a tokenizer promises whatever its model: spans, words, truncation, use by many threads.
#include "encoder/tokenizer/tokenizer.h"

#include <atomic>
#include <thread>

#include "encoder/tokenizer/tokenizer_testing.h"

namespace wordbreadth::encoder::tokenizer {
namespace {

const Tokenizer& word_piece() {
    static const Tokenizer tokenizer = load_tokenizer(fixture("wordpiece"));
    return tokenizer;
}

const Tokenizer& byte_pair() {
    static const Tokenizer tokenizer = load_tokenizer(fixture("bpe"));
    return tokenizer;
}

std::string under(std::string_view text, Span bytes) {
    return std::string(text.substr(bytes.begin, bytes.end - bytes.begin));
}

TEST(Tokenizer, SpecialTokensStandAroundTheText) {
    const Encoding encoding = word_piece().encode("the fox");
    EXPECT_EQ(word_piece().spelling(encoding.ids.front()), "[CLS]");
    EXPECT_EQ(word_piece().spelling(encoding.ids.back()), "[SEP]");
    EXPECT_EQ(encoding.bytes.front(), Span());
    EXPECT_EQ(encoding.words.back(), no_word);
}

TEST(Tokenizer, SpecialTokensCanBeLeftOut) {
    const Encoding with = word_piece().encode("the fox");
    const Encoding without = word_piece().encode("the fox", {.special_tokens = false});
    EXPECT_EQ(without.ids, std::vector(with.ids.begin() + 1, with.ids.end() - 1));
}

TEST(Tokenizer, NothingButSpecialTokensOfNothing) {
    EXPECT_EQ(word_piece().encode("").size(), 2U);
    EXPECT_EQ(word_piece().encode(" \t\n").size(), 2U);
    EXPECT_EQ(word_piece().encode(std::span<const std::string_view>()).size(), 2U);
}

TEST(Tokenizer, BytesAndCharactersAreTheSamePlace) {
    for (const Tokenizer* tokenizer : {&word_piece(), &byte_pair()}) {
        for (const std::string& text : hostile_texts()) {
            std::vector<std::uint32_t> starts;
            for (std::uint32_t i = 0; i <= text.size(); ++i) {
                if (i == text.size() || (static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) starts.push_back(i);
            }
            const Encoding encoding = tokenizer->encode(text);
            for (std::size_t i = 1; i + 1 < encoding.size(); ++i) {
                EXPECT_EQ(encoding.bytes[i].begin, starts.at(encoding.characters[i].begin));
                EXPECT_EQ(encoding.bytes[i].end, starts.at(encoding.characters[i].end));
                EXPECT_LT(encoding.bytes[i].begin, encoding.bytes[i].end);
            }
        }
    }
}

TEST(Tokenizer, SpansReferToTheTextAsItWas) {
    const std::string text = "THE  Caf\u00e9";
    const Encoding encoding = word_piece().encode(text, {.special_tokens = false});
    EXPECT_EQ(under(text, encoding.bytes.front()), "THE");
    EXPECT_EQ(encoding.bytes.back().end, text.size());
    EXPECT_EQ(encoding.characters.back().end, 9U);
}

TEST(Tokenizer, WordsOfPreSplitInputAreNumbered) {
    const std::vector<std::string_view> words{"the", "", "foxes", "fox"};
    const Encoding encoding = word_piece().encode(words, {.special_tokens = false});
    EXPECT_EQ(encoding.words.front(), 0);
    EXPECT_EQ(encoding.words.back(), 3);
    EXPECT_EQ(std::count(encoding.words.begin(), encoding.words.end(), 1), 0);
    EXPECT_EQ(encoding.bytes.back(), (Span{0, 3}));
}

TEST(Tokenizer, TruncationKeepsTheSpecialTokens) {
    const Encoding encoding = word_piece().encode("the the the the the", {.max_tokens = 5});
    ASSERT_EQ(encoding.size(), 5U);
    EXPECT_TRUE(encoding.truncated);
    EXPECT_EQ(word_piece().spelling(encoding.ids.back()), "[SEP]");
}

TEST(Tokenizer, ATextThatJustFitsIsNotTruncated) {
    EXPECT_FALSE(word_piece().encode("the the the", {.max_tokens = 5}).truncated);
    EXPECT_TRUE(word_piece().encode("the the the the", {.max_tokens = 5}).truncated);
}

TEST(Tokenizer, TruncationOfWordsIsThatOfTheFrontOfTheWhole) {
    const std::vector<std::string_view> words{"unaffable", "the", "quick", "unaffordable", "fox"};
    const Encoding whole = word_piece().encode(words, {.special_tokens = false});
    for (std::size_t most = 0; most <= whole.size(); ++most) {
        const Encoding front = word_piece().encode(words, {.max_tokens = most, .special_tokens = false});
        EXPECT_EQ(front.ids, std::vector(whole.ids.begin(), whole.ids.begin() + static_cast<std::ptrdiff_t>(most)));
        EXPECT_EQ(front.truncated, most < whole.size());
    }
}

TEST(BufferedTokenizer, GivesTheSameTokensWhateverWasBefore) {
    for (const Tokenizer* tokenizer : {&word_piece(), &byte_pair()}) {
        BufferedTokenizer buffered(*tokenizer);
        const auto expect_same = [](const Encoding& found, const Encoding& expected) {
            EXPECT_EQ(found.ids, expected.ids);
            EXPECT_EQ(found.bytes, expected.bytes);
            EXPECT_EQ(found.characters, expected.characters);
            EXPECT_EQ(found.words, expected.words);
            EXPECT_EQ(found.truncated, expected.truncated);
        };
        for (const std::string& text : hostile_texts()) {
            const std::vector<std::string_view> words{"the", text, "unaffable"};
            for (const EncodeOptions& options : {EncodeOptions(), EncodeOptions{5, true}, EncodeOptions{2, false}}) {
                expect_same(buffered.encode(text, options), tokenizer->encode(text, options));
                expect_same(buffered.encode(words, options), tokenizer->encode(words, options));
            }
            EXPECT_TRUE(contains(error_of([&] { (void)buffered.encode("the \xFF"); }), "not UTF-8"));
        }
    }
}

TEST(Tokenizer, NoRoomForSpecialTokensIsTold) {
    const std::string error = error_of([] { (void)word_piece().encode("the", {.max_tokens = 1}); });
    EXPECT_TRUE(contains(error, "special tokens")) << error;
}

TEST(Tokenizer, BrokenUtf8IsToldWithItsWord) {
    const std::vector<std::string_view> words{"fine", "b\xE9"};
    const std::string error = error_of([&] { (void)word_piece().encode(words); });
    EXPECT_TRUE(contains(error, "word 1: not UTF-8")) << error;
}

TEST(Tokenizer, TokensAreFoundBySpellingAndById) {
    const auto id = byte_pair().id_of("[MASK]");
    ASSERT_TRUE(id.has_value());
    EXPECT_EQ(byte_pair().spelling(*id), "[MASK]");
    EXPECT_FALSE(byte_pair().id_of("no such token").has_value());
    EXPECT_EQ(byte_pair().spelling(byte_pair().vocabulary_end()), "");
}

TEST(Tokenizer, AllIdsAreBelowTheEndOfTheVocabulary) {
    for (const std::string& text : hostile_texts()) {
        for (const std::int32_t id : byte_pair().encode(text).ids) EXPECT_LT(id, byte_pair().vocabulary_end());
    }
}

TEST(Tokenizer, ThreadsShareOneTokenizer) {
    const auto texts = hostile_texts();
    for (const Tokenizer* tokenizer : {&word_piece(), &byte_pair()}) {
        std::vector<Encoding> alone;
        for (const std::string& text : texts) alone.push_back(tokenizer->encode(text));
        std::atomic<int> different = 0;
        std::vector<std::jthread> threads;
        for (int i = 0; i < 4; ++i) {
            threads.emplace_back([&] {
                for (std::size_t t = 0; t < texts.size(); ++t) {
                    if (tokenizer->encode(texts[t]).ids != alone[t].ids) ++different;
                }
            });
        }
        threads.clear();
        EXPECT_EQ(different, 0);
    }
}

}  // namespace
}  // namespace wordbreadth::encoder::tokenizer
