// Folders of models, good and bad.
#include "encoder/tokenizer/tokenizer.h"

#include <random>

#include "encoder/tokenizer/parts.h"
#include "encoder/tokenizer/tokenizer_testing.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::encoder::tokenizer {
namespace {

json small_word_piece() {
    return json::parse(R"({"version": "1.0", "truncation": null, "padding": null,
        "added_tokens": [{"id": 0, "content": "[PAD]", "lstrip": false, "special": true, "normalized": false},
                         {"id": 1, "content": "[UNK]", "special": true}],
        "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
                       "strip_accents": null, "lowercase": true},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "TemplateProcessing",
            "single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
                       {"SpecialToken": {"id": "[SEP]", "type_id": 0}}],
            "special_tokens": {"[CLS]": {"id": "[CLS]", "ids": [2], "tokens": ["[CLS]"]},
                               "[SEP]": {"id": "[SEP]", "ids": [3], "tokens": ["[SEP]"]}}},
        "decoder": null,
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                  "max_input_chars_per_word": 100,
                  "vocab": {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "the": 4, "fox": 5, "##es": 6}}})");
}

json small_byte_pair() {
    return json::parse(R"({"version": "1.0", "added_tokens": [], "normalizer": {"type": "NFC"},
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true},
        "post_processor": null,
        "model": {"type": "BPE", "dropout": null, "unk_token": null, "continuing_subword_prefix": null,
                  "end_of_word_suffix": null, "fuse_unk": false, "byte_fallback": false, "ignore_merges": false,
                  "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": [["a", "b"]]}})");
}

json small_unigram() {
    return json::parse(R"({"version": "1.0", "added_tokens": [], "normalizer": null,
        "pre_tokenizer": {"type": "Metaspace", "replacement": "_", "prepend_scheme": "always", "split": true},
        "post_processor": null,
        "model": {"type": "Unigram", "unk_id": 0, "byte_fallback": false,
                  "vocab": [["<unk>", 0], ["_the", -1], ["_", -2.5]]}})");
}

std::string loading_error(const json& file, const json& configuration = json::object()) {
    Snapshot snapshot;
    snapshot.with_json("tokenizer.json", file).with_json("tokenizer_config.json", configuration);
    return error_of([&] { (void)load_tokenizer(snapshot.path()); });
}

std::vector<std::int32_t> ids_of(const Snapshot& snapshot, std::string_view text) {
    return load_tokenizer(snapshot.path()).encode(text).ids;
}

using Ids = std::vector<std::int32_t>;

TEST(LoadTokenizer, ReadsTokenizerJson) {
    Snapshot snapshot;
    snapshot.with_json("tokenizer.json", small_word_piece());
    EXPECT_EQ(ids_of(snapshot, "The foxes"), (Ids{2, 4, 5, 6, 3}));
}

TEST(LoadTokenizer, ReadsMergesOfEitherSpelling) {
    for (const json& merges : {json::parse(R"([["a", "b"]])"), json::parse(R"(["#version: 0.2", "a b"])")}) {
        json file = small_byte_pair();
        file["model"]["merges"] = merges;
        Snapshot snapshot;
        snapshot.with_json("tokenizer.json", file);
        EXPECT_EQ(ids_of(snapshot, "aab"), (Ids{0, 2}));
    }
}

TEST(LoadTokenizer, ReadsOldFilesThatDoNotSayWhatTheirModelIs) {
    const auto ids_without_type = [](json file, std::string_view text) {
        file["model"].erase("type");
        Snapshot snapshot;
        snapshot.with_json("tokenizer.json", file);
        return ids_of(snapshot, text);
    };
    EXPECT_EQ(ids_without_type(small_byte_pair(), "ab"), Ids{2});
    EXPECT_EQ(ids_without_type(small_word_piece(), "The foxes"), (Ids{2, 4, 5, 6, 3}));
    EXPECT_EQ(ids_without_type(small_unigram(), "the"), Ids{1});
}

TEST(LoadTokenizer, ReadsBertProcessing) {
    json file = small_word_piece();
    file["post_processor"] = json::parse(R"({"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]})");
    Snapshot snapshot;
    snapshot.with_json("tokenizer.json", file);
    EXPECT_EQ(ids_of(snapshot, "the"), (Ids{2, 4, 3}));
}

TEST(LoadTokenizer, AddedTokensGoOnFromTheVocabulary) {
    json file = small_word_piece();
    file["added_tokens"].push_back({{"id", 7}, {"content", "[NEW]"}, {"special", true}});
    Snapshot snapshot;
    snapshot.with_json("tokenizer.json", file);
    EXPECT_EQ(ids_of(snapshot, "the[NEW]"), (Ids{2, 4, 7, 3}));
}

TEST(LoadTokenizer, ReadsUnigram) {
    Snapshot snapshot;
    snapshot.with_json("tokenizer.json", small_unigram());
    EXPECT_EQ(ids_of(snapshot, "the x"), (Ids{1, 2, 0}));
}

TEST(LoadTokenizer, ReadsVocabJsonAndMergesTxt) {
    Snapshot snapshot;
    snapshot.with_json("vocab.json", {{"<s>", 0}, {"</s>", 1}, {"a", 2}, {"b", 3}, {"\u0120", 4}, {"ab", 5}})
        .with("merges.txt", "#version: 0.2\na b\n")
        .with("config.json", R"({"model_type": "roberta"})");
    EXPECT_EQ(ids_of(snapshot, "ab b"), (Ids{0, 5, 4, 3, 1}));
    snapshot.with("tokenizer_config.json", R"({"tokenizer_class": "GPT2TokenizerFast"})");
    EXPECT_EQ(ids_of(snapshot, "ab b"), (Ids{5, 4, 3}));
    snapshot.with("tokenizer_config.json", R"({"tokenizer_class": "OtherTokenizer"})");
    const std::string error = error_of([&] { (void)load_tokenizer(snapshot.path()); });
    EXPECT_TRUE(contains(error, "of the tokenizer \"OtherTokenizer\", which is not supported")) << error;
    snapshot.with("merges.txt", "a b c\n");
    EXPECT_TRUE(contains(error_of([&] { (void)load_tokenizer(snapshot.path()); }),
                         "merges.txt: line 1: is \"a b c\"; expected two tokens"));
}

TEST(LoadTokenizer, RefusesBrokenModelsOfSentencepiece) {
    Snapshot snapshot;
    snapshot.with("config.json", R"({"model_type": "xlm-roberta"})");
    for (const std::string& bytes :
         {std::string(), std::string("\x0A\x7F"), std::string("\xFF\xFF"), std::string("{}")}) {
        snapshot.with("sentencepiece.bpe.model", bytes);
        const std::string error = error_of([&] { (void)load_tokenizer(snapshot.path()); });
        EXPECT_TRUE(contains(error, "sentencepiece.bpe.model: not a SentencePiece model")) << error;
    }
    snapshot.with("tokenizer_config.json", R"({"add_prefix_space": false})");
    EXPECT_TRUE(contains(error_of([&] { (void)load_tokenizer(snapshot.path()); }),
                         "add_prefix_space is false; expected true, or a tokenizer.json: save a fast tokenizer"));
    snapshot.with("config.json", R"({"model_type": "t5"})").with("tokenizer_config.json", "{}");
    EXPECT_TRUE(contains(error_of([&] { (void)load_tokenizer(snapshot.path()); }), "save a fast tokenizer"));
}

TEST(LoadTokenizer, ReadsVocabTxtWithEveryEndOfLine) {
    for (const std::string end : {"\n", "\r\n", "\r"}) {
        Snapshot snapshot;
        std::string vocabulary;
        for (const char* token : {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "the"}) vocabulary += token + end;
        snapshot.with("vocab.txt", vocabulary);
        EXPECT_EQ(ids_of(snapshot, "The [MASK]"), (Ids{2, 4, 1, 1, 1, 3})) << json(end);
    }
}

TEST(LoadTokenizer, SpecialTokensOfVocabTxtCanHaveOtherNames) {
    Snapshot snapshot;
    snapshot.with("vocab.txt", "<pad>\n<unk>\n<s>\n</s>\nthe")
        .with("tokenizer_config.json",
              R"({"unk_token": "<unk>", "cls_token": {"content": "<s>"}, "sep_token": "</s>", "pad_token": "<pad>",
                  "added_tokens_decoder": {"5": {"content": "<new>", "special": true},
                                           "0": {"content": "<pad>", "special": true, "lstrip": true}}})");
    EXPECT_EQ(ids_of(snapshot, "the <pad>x <new>"), (Ids{2, 4, 0, 1, 5, 3}));
}

TEST(LoadTokenizer, AddedTokensJsonCountsWhereTheConfigurationListsNone) {
    Snapshot snapshot;
    snapshot.with("vocab.txt", "[UNK]\n[CLS]\n[SEP]\nthe")
        .with("added_tokens.json", R"({"<b>": 5, "<a>": 4, "[CLS]": 1})");
    EXPECT_EQ(ids_of(snapshot, "the <b><A>"), (Ids{1, 3, 5, 4, 2}));      // in lower case, as the text
    EXPECT_EQ(ids_of(snapshot, "[CLS] [cls]"), (Ids{1, 1, 0, 0, 0, 2}));  // but not the special ones
    snapshot.with("added_tokens.json", R"({"<a>": 4, "<b>": 4})");
    EXPECT_TRUE(contains(error_of([&] { (void)load_tokenizer(snapshot.path()); }), "is also the id of another token"));
    snapshot.with("tokenizer_config.json", R"({"added_tokens_decoder": {"4": {"content": "<c>"}}})");
    EXPECT_EQ(ids_of(snapshot, "the<c>"), (Ids{1, 3, 4, 2}));
}

TEST(LoadTokenizer, CaseOfVocabTxtIsTheConfigurations) {
    Snapshot snapshot;
    snapshot.with("vocab.txt", "[UNK]\n[CLS]\n[SEP]\nthe\nThe")
        .with("tokenizer_config.json", R"({"do_lower_case": false})");
    EXPECT_EQ(ids_of(snapshot, "The the"), (Ids{1, 4, 3, 2}));
}

// As MPNet's: BERT's with RoBERTa's special tokens in front. Both are there.
constexpr const char* mpnet_vocabulary = "<s>\n<pad>\n</s>\n<unk>\n[PAD]\n[UNK]\n[CLS]\n[SEP]\na\n<mask>";

TEST(LoadTokenizer, VocabTxtOfMpnetHasItsOwnSpecialTokens) {
    Snapshot snapshot;
    snapshot.with("vocab.txt", mpnet_vocabulary).with("config.json", R"({"model_type": "mpnet"})");
    const Encoding encoding = load_tokenizer(snapshot.path()).encode("A <mask> x");
    EXPECT_EQ(encoding.ids, (Ids{0, 8, 9, 5, 2}));
    EXPECT_EQ(encoding.characters[2], (Span{2, 8}));  // without the space that the mask takes
    snapshot.with("config.json", "{}").with("tokenizer_config.json", R"({"tokenizer_class": "MPNetTokenizerFast"})");
    EXPECT_EQ(ids_of(snapshot, "a"), (Ids{0, 8, 2}));
    snapshot.with("tokenizer_config.json",
                  R"({"tokenizer_class": "MPNetTokenizer", "cls_token": "[CLS]", "sep_token": "[SEP]"})");
    EXPECT_EQ(ids_of(snapshot, "a"), (Ids{6, 8, 7}));
}

TEST(LoadTokenizer, VocabTxtOfAnotherKindIsRefused) {
    Snapshot snapshot;
    snapshot.with("vocab.txt", mpnet_vocabulary);
    for (const char* type : {"bert", "distilbert", "electra"}) {
        snapshot.with_json("config.json", {{"model_type", type}});
        EXPECT_EQ(ids_of(snapshot, "a"), (Ids{6, 8, 7})) << type;
    }
    snapshot.with("config.json", R"({"model_type": "prophetnet"})");
    const std::string error = error_of([&] { (void)load_tokenizer(snapshot.path()); });
    EXPECT_TRUE(contains(error, "has vocab.txt of the tokenizer \"prophetnet\", which is not supported")) << error;
}

TEST(LoadTokenizer, AdditionalSpecialTokensAreFoundWhole) {
    for (const char* file : {"tokenizer_config.json", "special_tokens_map.json"}) {
        for (const char* key : {"additional_special_tokens", "extra_special_tokens"}) {
            Snapshot snapshot;
            snapshot.with("vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n[E1]\na\nb")
                .with_json(file, {{key, {"[E1]", {{"content", "<E2>"}, {"lstrip", true}}}}});
            const Encoding encoding = load_tokenizer(snapshot.path()).encode("a[E1] b <E2>");
            EXPECT_EQ(encoding.ids, (Ids{2, 6, 5, 7, 8, 3})) << file << key;  // the next one that is free
            EXPECT_EQ(encoding.characters[4], (Span{7, 12})) << file << key;
        }
    }
}

TEST(LoadTokenizer, SpecialTokensWithRolesComeBeforeTheOthersInTheOrderOfTheFile) {
    Snapshot snapshot;
    snapshot.with("vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na")
        .with("tokenizer_config.json", R"({"additional_special_tokens": ["<e>"],
                                           "extra_special_tokens": {"video_token": "<v>", "image_token": "<i>"}})");
    EXPECT_EQ(ids_of(snapshot, "<v><i><e>"), (Ids{2, 6, 7, 8, 3}));
}

TEST(LoadTokenizer, AdditionalSpecialTokensOfAddedTokensJsonAreNotNormalized) {
    Snapshot snapshot;
    snapshot.with("vocab.txt", "[UNK]\n[CLS]\n[SEP]\na")
        .with("added_tokens.json", R"({"<E>": 4})")
        .with("tokenizer_config.json", R"({"additional_special_tokens": ["<E>"]})");
    EXPECT_EQ(ids_of(snapshot, "a<E> <e>"), (Ids{1, 3, 4, 0, 0, 0, 2}));
}

TEST(LoadTokenizer, AdditionalSpecialTokensComeAfterThoseOfTheModelThatTheVocabularyLacks) {
    Snapshot snapshot;
    snapshot.with("vocab.txt", "[UNK]\n[CLS]\n[SEP]\na");
    EXPECT_EQ(ids_of(snapshot, "[MASK]"), (Ids{1, 0, 0, 0, 2}));
    snapshot.with("special_tokens_map.json", R"({"additional_special_tokens": ["<e>"]})");
    EXPECT_EQ(ids_of(snapshot, "a[PAD][MASK]<e>"), (Ids{1, 3, 4, 5, 6, 2}));
}

TEST(LoadTokenizer, TheConfigurationsAddedTokensReplaceTheMapsAdditionalOnes) {
    Snapshot snapshot;
    snapshot.with("vocab.txt", "[UNK]\n[CLS]\n[SEP]\na")
        .with("special_tokens_map.json", R"({"additional_special_tokens": ["<e>"]})")
        .with("tokenizer_config.json", R"({"added_tokens_decoder": {"4": {"content": "<f>"}}})");
    EXPECT_EQ(ids_of(snapshot, "<f>"), (Ids{1, 4, 2}));
    EXPECT_EQ(ids_of(snapshot, "<e>"), (Ids{1, 0, 0, 0, 2}));
}

// A field of a protocol buffer that is a text or a message.
std::string field(int number, const std::string& text) {
    return std::string{static_cast<char>(number << 3 | 2), static_cast<char>(text.size())} + text;
}

// One of sentencepiece with the tokens <unk>, <s>, </s>, the mark of a word's beginning and "a"; of type 1, Unigram, or
// 2, BPE.
std::string small_sentence_piece(char type) {
    std::string model;
    for (const auto& [piece, kind] :
         {std::pair{"<unk>", '\2'}, {"<s>", '\3'}, {"</s>", '\3'}, {"\u2581", '\1'}, {"a", '\1'}})
        model += field(1, field(1, piece) + "\x18" + kind);
    return model + field(2, std::string("\x18") + type);
}

TEST(LoadTokenizer, TheMaskOfCamembertTakesTheSpaceBeforeIt) {
    Snapshot snapshot;
    snapshot.with("sentencepiece.bpe.model", small_sentence_piece('\1'))
        .with("config.json", R"({"model_type": "camembert"})");
    const Encoding encoding = load_tokenizer(snapshot.path()).encode("a <mask>");
    EXPECT_EQ(encoding.ids, (Ids{5, 7, 8, 9, 6}));
    EXPECT_EQ(encoding.characters[3], (Span{1, 8}));
    snapshot.with("special_tokens_map.json", R"({"mask_token": {"content": "<mask>", "lstrip": false}})");
    EXPECT_EQ(load_tokenizer(snapshot.path()).encode("a <mask>").characters[3], (Span{2, 8}));
}

TEST(LoadTokenizer, TheUnknownTokenOfLlamaIsFoundInText) {
    Snapshot snapshot;
    snapshot.with("tokenizer.model", small_sentence_piece('\2')).with("config.json", R"({"model_type": "llama"})");
    EXPECT_EQ(ids_of(snapshot, "a<unk>"), (Ids{1, 3, 4, 0}));
    EXPECT_EQ(load_tokenizer(snapshot.path()).encode("<unk>").size(), 2U);
}

// ---- what is refused

class MalformedTokenizer : public testing::TestWithParam<std::string> {};

TEST_P(MalformedTokenizer, IsRefusedWithAMessageThatSaysWhy) {
    const json base = GetParam() == "bpe"       ? small_byte_pair()
                      : GetParam() == "unigram" ? small_unigram()
                                                : small_word_piece();
    ASSERT_EQ(loading_error(base), "no error");
    const json changes = json_of(std::string(TESTS_DIR) + "/malformed/tokenizers.json");
    for (const json& item : changes[GetParam()]) {
        const std::string error = loading_error(base.patch(item["patch"]));
        EXPECT_TRUE(contains(error, item["expect"])) << item << "\n" << error;
        EXPECT_TRUE(contains(error, "tokenizer.json: ")) << error;
        EXPECT_FALSE(contains(error, "\n")) << error;
    }
}

INSTANTIATE_TEST_SUITE_P(Kinds, MalformedTokenizer, testing::Values("wordpiece", "bpe", "unigram"),
                         [](const auto& kind) { return kind.param; });

TEST(LoadTokenizer, NoFolder) {
    EXPECT_TRUE(contains(error_of([] { (void)load_tokenizer("/no/such/model"); }), "/no/such/model: no such folder"));
}

TEST(LoadTokenizer, AFolderWithoutTokenizer) {
    const Snapshot snapshot;
    const std::string error = error_of([&] { (void)load_tokenizer(snapshot.path()); });
    EXPECT_TRUE(contains(error, "neither tokenizer.json nor vocab.txt")) << error;
}

struct BadText {
    const char* name;
    std::string content;
    const char* expected;
};

class BadTokenizerFile : public testing::TestWithParam<BadText> {};

TEST_P(BadTokenizerFile, IsRefused) {
    Snapshot snapshot;
    snapshot.with("tokenizer.json", GetParam().content);
    const std::string error = error_of([&] { (void)load_tokenizer(snapshot.path()); });
    EXPECT_TRUE(contains(error, GetParam().expected)) << error;
}

INSTANTIATE_TEST_SUITE_P(Kinds, BadTokenizerFile,
                         testing::Values(BadText{"Empty", "", "not JSON at byte 1"},
                                         BadText{"CutOff", R"({"version": "1.0", "mod)", "not JSON at byte"},
                                         BadText{"AList", "[]", "the file is a list; expected an object"},
                                         BadText{"Latin1", "{\"a\": \"caf\xE9\"}", "not JSON at byte"},
                                         BadText{"LoneSurrogate", R"({"a": "\ud800"})", "not JSON at byte"},
                                         BadText{"TwoObjects", "{}{}", "not JSON at byte"}),
                         [](const auto& text) { return std::string(text.param.name); });

std::string nested(std::size_t levels) {
    return R"({"decoder": )" + std::string(levels - 1, '[') + std::string(levels - 1, ']') + "}";
}

TEST(LoadTokenizer, DeepJsonAtTheLimitAndPastIt) {
    Snapshot snapshot;
    const auto error = [&] { return error_of([&] { (void)load_tokenizer(snapshot.path()); }); };
    snapshot.with("tokenizer.json", nested(limits::json_depth));
    EXPECT_TRUE(contains(error(), "has no \"model\"")) << error();
    snapshot.with("tokenizer.json", nested(limits::json_depth + 1));
    EXPECT_TRUE(contains(error(), "nested deeper than 64")) << error();
    snapshot.with("tokenizer.json", nested(1'000'000));
    EXPECT_TRUE(contains(error(), "nested deeper than 64")) << error();
}

TEST(LoadTokenizer, ATokenizerJsonThatIsAFolder) {
    const Snapshot snapshot;
    std::filesystem::create_directory(snapshot.path() + "/tokenizer.json");
    const std::string error = error_of([&] { (void)load_tokenizer(snapshot.path()); });
    EXPECT_TRUE(contains(error, "tokenizer.json: not a regular file")) << error;
}

TEST(LoadTokenizer, AFilePastTheLimitIsNotRead) {
    Snapshot snapshot;
    snapshot.with("tokenizer.json", "{}");
    std::filesystem::resize_file(snapshot.path() + "/tokenizer.json", limits::tokenizer_file_bytes + 1);  // sparse
    const std::string error = error_of([&] { (void)load_tokenizer(snapshot.path()); });
    EXPECT_TRUE(contains(error, std::to_string(limits::tokenizer_file_bytes))) << error;
}

TEST(LoadTokenizer, ConfigurationAndTokenizerThatContradictEachOther) {
    const std::string error = loading_error(small_word_piece(), {{"do_lower_case", false}});
    EXPECT_TRUE(contains(error, "tokenizer_config.json: do_lower_case is false but ")) << error;
    EXPECT_EQ(loading_error(small_word_piece(), {{"do_lower_case", true}, {"strip_accents", nullptr}}), "no error");
}

TEST(LoadTokenizer, AVocabTxtThatIsNotUtf8) {
    Snapshot snapshot;
    snapshot.with("vocab.txt", "[UNK]\n[CLS]\n[SEP]\ncaf\xE9\n");
    const std::string error = error_of([&] { (void)load_tokenizer(snapshot.path()); });
    EXPECT_TRUE(contains(error, "vocab.txt: line 4: a token is not UTF-8 at byte 3")) << error;
}

TEST(LoadTokenizer, AVocabTxtWithoutItsSpecialTokens) {
    Snapshot snapshot;
    snapshot.with("vocab.txt", "[UNK]\n[CLS]\nthe\n");
    const std::string error = error_of([&] { (void)load_tokenizer(snapshot.path()); });
    EXPECT_TRUE(contains(error, "has no token \"[SEP]\", which is sep_token")) << error;
    snapshot.with("vocab.txt", "");
    EXPECT_TRUE(contains(error_of([&] { (void)load_tokenizer(snapshot.path()); }), "has no token \"[UNK]\""));
}

TEST(LoadTokenizer, AnAddedTokensDecoderWithoutNumbers) {
    Snapshot snapshot;
    snapshot.with("vocab.txt", "[UNK]\n[CLS]\n[SEP]")
        .with("tokenizer_config.json", R"({"added_tokens_decoder": {"1x": {"content": "[CLS]"}}})");
    const std::string error = error_of([&] { (void)load_tokenizer(snapshot.path()); });
    EXPECT_TRUE(contains(error, "has the key \"1x\"; expected the id of a token")) << error;
}

TEST(Vocabulary, TokensAtTheLimitAndPastIt) {
    Vocabulary vocabulary;
    vocabulary.add("file", std::string(limits::token_bytes, 'a'), 0);
    const std::string error = error_of([&] { vocabulary.add("file", std::string(limits::token_bytes + 1, 'a'), 1); });
    EXPECT_TRUE(contains(error, "at most 4096 are accepted")) << error;
}

TEST(Vocabulary, IdsAtTheLimitAndPastIt) {
    Vocabulary vocabulary;
    vocabulary.add("file", "a", limits::vocabulary - 1);
    EXPECT_EQ(vocabulary.end(), static_cast<std::int32_t>(limits::vocabulary));
    EXPECT_TRUE(contains(error_of([&] { vocabulary.add("file", "b", limits::vocabulary); }), "expected 0 to"));
}

TEST(Vocabulary, ARepeatedTokenGetsTheLaterId) {
    Vocabulary vocabulary;
    vocabulary.add("file", "a", 0);
    vocabulary.add("file", "a", 1);
    vocabulary.add("file", "b", 0);
    EXPECT_EQ(vocabulary.find("a"), 1);
    EXPECT_EQ(vocabulary.text(0), "b");
}

// Bytes changed at random: the file is read, or InputError is thrown, and nothing else happens.
TEST(LoadTokenizer, ChangedBytes) {
    std::mt19937 random(5);
    const std::string good = small_word_piece().dump();
    Snapshot snapshot;
    for (int i = 0; i < 1500; ++i) {
        std::string bad = good;
        for (int changes = 0; changes < 3; ++changes)
            bad[random() % bad.size()] = static_cast<char>(random() % 96 + 32);
        if (i % 5 == 0) bad.resize(random() % bad.size());
        snapshot.with("tokenizer.json", bad);
        (void)error_of([&] { (void)load_tokenizer(snapshot.path()).encode("the foxes"); });
    }
}

}  // namespace
}  // namespace wordbreadth::encoder::tokenizer
