#include "encoder/tokenizer/parts.h"
#include "encoder/tokenizer/tokenizer_testing.h"

namespace wordbreadth::encoder::tokenizer {
namespace {

using Words = std::vector<std::string>;

Words words_of(const Splitter& splitter, const std::string& utf8) {
    DecodedText text;
    decode(utf8, text);
    std::vector<Range> ranges;
    splitter(text.characters, ranges);
    Words words;
    for (const Range range : ranges) {
        std::string word;
        for (std::size_t i = range.begin; i < range.end; ++i) append_utf8(word, text.characters[i].value);
        words.push_back(word);
    }
    return words;
}

TEST(BertSplitter, CutsAtWhiteSpaceAndAroundPunctuation) {
    EXPECT_EQ(words_of(split_as_bert, " Hey, you?!  \u00abok\u00bb\t$5"),
              (Words{"Hey", ",", "you", "?", "!", "\u00ab", "ok", "\u00bb", "$", "5"}));
}

TEST(ByteLevelSplitter, WordsKeepTheSpaceBeforeThem) {
    EXPECT_EQ(words_of(byte_level_splitter({}), "Hello my friend, 42 of them"),
              (Words{"Hello", " my", " friend", ",", " 42", " of", " them"}));
}

TEST(ByteLevelSplitter, ARunOfSpacesLeavesOneToTheWord) {
    EXPECT_EQ(words_of(byte_level_splitter({}), "a   b\n\n c \t"), (Words{"a", "  ", " b", "\n\n", " c", " \t"}));
}

TEST(ByteLevelSplitter, ContractionsAreWords) {
    EXPECT_EQ(words_of(byte_level_splitter({}), "I'll 'd we'RE !'s"),
              (Words{"I", "'ll", " '", "d", " we", "'", "RE", " !'", "s"}));
}

TEST(ByteLevelSplitter, NumbersAndLettersArePartedEverywhere) {
    EXPECT_EQ(words_of(byte_level_splitter({}), "x2y\u0663\u4e94"), (Words{"x", "2", "y", "\u0663", "\u4e94"}));
}

TEST(ByteLevelSplitter, CanPutASpaceInFront) {
    const Splitter splitter = byte_level_splitter({.add_prefix_space = true});
    EXPECT_EQ(words_of(splitter, "a b"), (Words{" a", " b"}));
    EXPECT_EQ(words_of(splitter, " a"), Words{" a"});
    EXPECT_EQ(words_of(splitter, ""), Words{});
}

TEST(ByteLevelSplitter, CanLeaveTheTextWhole) {
    EXPECT_EQ(words_of(byte_level_splitter({.use_regex = false}), "a b!"), Words{"a b!"});
}

}  // namespace
}  // namespace wordbreadth::encoder::tokenizer
