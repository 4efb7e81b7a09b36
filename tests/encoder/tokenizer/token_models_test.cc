// WordPiece, BPE and Unigram on vocabularies small enough to see what must come out.
#include "encoder/tokenizer/parts.h"
#include "encoder/tokenizer/tokenizer_testing.h"

namespace wordbreadth::encoder::tokenizer {
namespace {

Vocabulary vocabulary_of(const std::vector<std::string>& tokens) {
    Vocabulary vocabulary;
    for (const std::string& token : tokens) vocabulary.add("test", token, std::ssize(vocabulary.ids()));
    return vocabulary;
}

// The pieces of a word as "token@begin-end".
std::vector<std::string> pieces_of(const Model& model, const Vocabulary& vocabulary, const std::string& word,
                                   bool in_bytes = false) {
    DecodedText text;
    decode(word, text);
    if (in_bytes) spell_in_bytes(text.characters);
    std::vector<Piece> pieces;
    model(text.characters, pieces);
    std::vector<std::string> shown;
    for (const Piece& piece : pieces) {
        shown.push_back(std::string(vocabulary.text(piece.id)) + "@" + std::to_string(piece.begin) + "-" +
                        std::to_string(piece.end));
    }
    return shown;
}

using Pieces = std::vector<std::string>;

TEST(WordPiece, TakesTheLongestTokenFirst) {
    const Vocabulary vocabulary = vocabulary_of({"[UNK]", "un", "una", "##aff", "##ff", "##able", "##a"});
    const Model model = word_piece("test", vocabulary, {});
    EXPECT_EQ(pieces_of(model, vocabulary, "unaffable"), (Pieces{"una@0-3", "##ff@3-5", "##able@5-9"}));
}

TEST(WordPiece, AWordWithAnUnknownRestIsUnknown) {
    const Vocabulary vocabulary = vocabulary_of({"[UNK]", "un", "##aff"});
    const Model model = word_piece("test", vocabulary, {});
    EXPECT_EQ(pieces_of(model, vocabulary, "unaffable"), Pieces{"[UNK]@0-9"});
}

TEST(WordPiece, ABeginningIsNoContinuation) {
    const Vocabulary vocabulary = vocabulary_of({"[UNK]", "a", "b"});
    const Model model = word_piece("test", vocabulary, {});
    EXPECT_EQ(pieces_of(model, vocabulary, "ab"), Pieces{"[UNK]@0-2"});
}

TEST(WordPiece, WordsPastTheLongestAreUnknown) {
    const Vocabulary vocabulary = vocabulary_of({"[UNK]", "\u8a9e", "##\u8a9e"});
    const Model model = word_piece("test", vocabulary, {.max_input_chars_per_word = 3});
    EXPECT_EQ(pieces_of(model, vocabulary, "\u8a9e\u8a9e\u8a9e").size(), 3U);
    EXPECT_EQ(pieces_of(model, vocabulary, "\u8a9e\u8a9e\u8a9e\u8a9e"), Pieces{"[UNK]@0-4"});
}

TEST(WordPiece, ThePrefixCanBeAnother) {
    const Vocabulary vocabulary = vocabulary_of({"[UNK]", "a", "@b"});
    const Model model = word_piece("test", vocabulary, {.continuing_prefix = "@"});
    EXPECT_EQ(pieces_of(model, vocabulary, "ab"), (Pieces{"a@0-1", "@b@1-2"}));
}

TEST(WordPiece, NoPrefixMeansThatEveryTokenContinues) {
    const Vocabulary vocabulary = vocabulary_of({"[UNK]", "a", "b"});
    const Model model = word_piece("test", vocabulary, {.continuing_prefix = ""});
    EXPECT_EQ(pieces_of(model, vocabulary, "ab"), (Pieces{"a@0-1", "b@1-2"}));
}

TEST(BytePair, MergesTheEarliestOfTheListFirst) {
    const Vocabulary vocabulary = vocabulary_of({"a", "b", "c", "bc", "ab", "abc"});
    const Model model = byte_pair("test", vocabulary, {.merges = {{"b", "c"}, {"a", "b"}}});
    EXPECT_EQ(pieces_of(model, vocabulary, "abc"), (Pieces{"a@0-1", "bc@1-3"}));
}

TEST(BytePair, MergesFromLeftToRight) {
    const Vocabulary vocabulary = vocabulary_of({"a", "aa"});
    const Model model = byte_pair("test", vocabulary, {.merges = {{"a", "a"}}});
    EXPECT_EQ(pieces_of(model, vocabulary, "aaa"), (Pieces{"aa@0-2", "a@2-3"}));
}

TEST(BytePair, BytesOfOneCharacterShareItsPlace) {
    // U+00E9 is C3 A9, spelled with those two characters of Latin-1.
    const Vocabulary vocabulary = vocabulary_of({"\u00c3", "\u00a9", "x"});
    const Model model = byte_pair("test", vocabulary, {});
    EXPECT_EQ(pieces_of(model, vocabulary, "x\u00e9", true), (Pieces{"x@0-1", "\u00c3@1-2", "\u00a9@1-2"}));
}

TEST(BytePair, AWordThatIsATokenIsMergedAllTheSame) {
    const Vocabulary vocabulary = vocabulary_of({"a", "b", "ab"});
    EXPECT_EQ(pieces_of(byte_pair("test", vocabulary, {}), vocabulary, "ab"), (Pieces{"a@0-1", "b@1-2"}));
    EXPECT_EQ(pieces_of(byte_pair("test", vocabulary, {.ignore_merges = true}), vocabulary, "ab"), Pieces{"ab@0-2"});
}

TEST(BytePair, UnknownBytes) {
    const Vocabulary vocabulary = vocabulary_of({"?", "a"});
    EXPECT_EQ(pieces_of(byte_pair("test", vocabulary, {.unknown = "?"}), vocabulary, "axy"),
              (Pieces{"a@0-1", "?@1-2", "?@2-3"}));
    EXPECT_EQ(pieces_of(byte_pair("test", vocabulary, {.unknown = "?", .fuse_unknown = true}), vocabulary, "axy"),
              (Pieces{"a@0-1", "?@1-3"}));
    EXPECT_EQ(pieces_of(byte_pair("test", vocabulary, {}), vocabulary, "axy"), Pieces{"a@0-1"});
}

TEST(BytePair, BytesStandForCharactersThatAreUnknown) {
    const Vocabulary vocabulary = vocabulary_of({"?", "a", "<0xC3>", "<0xA9>"});
    const Model model = byte_pair("test", vocabulary, {.unknown = "?", .byte_fallback = true});
    EXPECT_EQ(pieces_of(model, vocabulary, "a\u00e9"), (Pieces{"a@0-1", "<0xC3>@1-2", "<0xA9>@1-2"}));
    EXPECT_EQ(pieces_of(model, vocabulary, "az"), (Pieces{"a@0-1", "?@1-2"}));
}

TEST(BytePair, TokensCanSayWhereInAWordTheyStand) {
    const Vocabulary ends = vocabulary_of({"a", "b</w>", "ab</w>", "a</w>"});
    EXPECT_EQ(pieces_of(byte_pair("test", ends, {.merges = {{"a", "b</w>"}}, .end_suffix = "</w>"}), ends, "ab"),
              Pieces{"ab</w>@0-2"});
    const Vocabulary continues = vocabulary_of({"a", "##b", "ab", "##a"});
    const Model model = byte_pair("test", continues, {.merges = {{"a", "##b"}}, .continuing_prefix = "##"});
    EXPECT_EQ(pieces_of(model, continues, "aba"), (Pieces{"ab@0-2", "##a@2-3"}));
}

TEST(Unigram, TakesTheTokensWithTheLargestSum) {
    const Vocabulary vocabulary = vocabulary_of({"<unk>", "a", "b", "ab", "bb"});
    const Model model =
        unigram(vocabulary, {.scores = {{"<unk>", 0}, {"a", -1}, {"b", -1}, {"ab", -3}, {"bb", -1.5}}, .unknown = 0});
    EXPECT_EQ(pieces_of(model, vocabulary, "abb"), (Pieces{"a@0-1", "bb@1-3"}));
}

TEST(Unigram, WhatIsUnknownIsOneToken) {
    const Vocabulary vocabulary = vocabulary_of({"<unk>", "a"});
    const Model model = unigram(vocabulary, {.scores = {{"<unk>", 0}, {"a", -1}}, .unknown = 0});
    EXPECT_EQ(pieces_of(model, vocabulary, "axya"), (Pieces{"a@0-1", "<unk>@1-3", "a@3-4"}));
}

TEST(Unigram, WithoutATokenForWhatIsUnknownATextIsRefused) {
    const Vocabulary vocabulary = vocabulary_of({"a"});
    const Model model = unigram(vocabulary, {.scores = {{"a", -1}}});
    EXPECT_TRUE(contains(error_of([&] { (void)pieces_of(model, vocabulary, "ax"); }), "neither the character \"x\""));
}

TEST(BytePair, LongWordsTakeNoQuadraticTime) {
    const Vocabulary vocabulary = vocabulary_of({"a", "aa", "aaaa"});
    const Model model = byte_pair("test", vocabulary, {.merges = {{"a", "a"}, {"aa", "aa"}}});
    EXPECT_EQ(pieces_of(model, vocabulary, std::string(1'000'000, 'a')).size(), 250'000U);
}

}  // namespace
}  // namespace wordbreadth::encoder::tokenizer
