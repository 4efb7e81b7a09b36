#include "encoder/tokenizer/parts.h"
#include "encoder/tokenizer/tokenizer_testing.h"

namespace wordbreadth::encoder::tokenizer {
namespace {

using Words = std::vector<std::string>;

// As they are spelled when the splitter is done.
Words spelled_words_of(const Splitter& splitter, const std::string& utf8) {
    DecodedText text;
    decode(utf8, text);
    std::vector<Range> ranges{{0, text.characters.size()}};
    splitter(text.characters, ranges);
    Words words;
    for (const Range range : ranges) {
        std::string word;
        for (std::size_t i = range.begin; i < range.end; ++i) append_utf8(word, text.characters[i].value);
        words.push_back(word);
    }
    return words;
}

// The parts of the text that they come from.
Words words_of(const Splitter& splitter, const std::string& utf8) {
    DecodedText text;
    decode(utf8, text);
    std::vector<Range> ranges{{0, text.characters.size()}};
    splitter(text.characters, ranges);
    Words words;
    for (const Range range : ranges) {
        const std::uint32_t begin = text.starts[text.characters[range.begin].origin];
        words.push_back(utf8.substr(begin, text.starts[text.characters[range.end - 1].origin + 1] - begin));
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
    EXPECT_EQ(spelled_words_of(splitter, "a b"), (Words{"\u0120a", "\u0120b"}));
    EXPECT_EQ(spelled_words_of(splitter, " a"), Words{"\u0120a"});
}

TEST(ByteLevelSplitter, CanLeaveTheTextWhole) {
    EXPECT_EQ(words_of(byte_level_splitter({.use_regex = false}), "a b!"), Words{"a b!"});
}

TEST(ByteLevelSplitter, SpellsBytes) {
    EXPECT_EQ(spelled_words_of(byte_level_splitter({}), "\u00e9 a\n"), (Words{"\u00c3\u00a9", "\u0120a", "\u010a"}));
}

TEST(Metaspace, ASpaceBeginsAWord) {
    EXPECT_EQ(spelled_words_of(metaspace_splitter({}), "a b  c"), (Words{"\u2581a", "\u2581b", "\u2581", "\u2581c"}));
}

TEST(Metaspace, PrependsToEveryWordOrToTheFirstOrToNone) {
    using Prepend = MetaspaceOptions::Prepend;
    const auto after_spaces = [](Prepend prepend) {
        return in_order(std::vector<Splitter>{split_at_white_space, metaspace_splitter({.prepend = prepend})});
    };
    EXPECT_EQ(spelled_words_of(after_spaces(Prepend::always), "a b"), (Words{"\u2581a", "\u2581b"}));
    EXPECT_EQ(spelled_words_of(after_spaces(Prepend::first), "a b"), (Words{"\u2581a", "b"}));
    EXPECT_EQ(spelled_words_of(after_spaces(Prepend::never), "a b"), (Words{"a", "b"}));
}

TEST(Metaspace, CanLeaveTheTextWhole) {
    EXPECT_EQ(spelled_words_of(metaspace_splitter({.split = false}), "a b"), Words{"\u2581a\u2581b"});
}

TEST(ScriptSplitter, CutsWhereTheScriptChanges) {
    EXPECT_EQ(words_of(split_between_scripts, "ab\u0436\u03b1c, 1"), (Words{"ab", "\u0436", "\u03b1", "c", ", 1"}));
    EXPECT_EQ(words_of(split_between_scripts, "e\u0301e"), (Words{"e", "\u0301", "e"}));
}

TEST(ScriptSplitter, JapaneseIsOneScript) {
    EXPECT_EQ(words_of(split_between_scripts, "\u3069\u3053\u751f\u30b0\u30fc\u3002Yes"),
              (Words{"\u3069\u3053\u751f\u30b0\u30fc", "\u3002", "Yes"}));
}

TEST(ScriptSplitter, ASpaceBelongsToTheWordBeforeIt) {
    EXPECT_EQ(words_of(split_between_scripts, "Apples are \u308a\u3093 \u6797"),
              (Words{"Apples are ", "\u308a\u3093 \u6797"}));
    EXPECT_EQ(words_of(split_between_scripts, "  a "), Words{"a "});
    EXPECT_EQ(words_of(split_between_scripts, "  "), Words{});
}

TEST(ScriptSplitter, WhatUnicode9LacksIsOfAnyScript) {
    EXPECT_EQ(words_of(split_between_scripts, "\U0001fae8a\U0001fae8b"), Words{"a\U0001fae8b"});
}

TEST(Splitter, DelimitersGoOrStayOrJoin) {
    const auto split = [](Delimiter delimiter) {
        return words_of(splitting_at(Expression::of_literal("-"), delimiter, false), "the-final--count-");
    };
    EXPECT_EQ(split(Delimiter::removed), (Words{"the", "final", "count"}));
    EXPECT_EQ(split(Delimiter::isolated), (Words{"the", "-", "final", "-", "-", "count", "-"}));
    EXPECT_EQ(split(Delimiter::merged_with_previous), (Words{"the-", "final-", "-", "count-"}));
    EXPECT_EQ(split(Delimiter::merged_with_next), (Words{"the", "-final", "-", "-count", "-"}));
    EXPECT_EQ(split(Delimiter::contiguous), (Words{"the", "-", "final", "--", "count", "-"}));
}

}  // namespace
}  // namespace wordbreadth::encoder::tokenizer
