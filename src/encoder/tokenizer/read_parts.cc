// Normalizers and pre-tokenizers of tokenizer.json.
#include <openssl/evp.h>

#include <array>
#include <utility>

#include "base/failure.h"
#include "encoder/tokenizer/read.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::encoder::tokenizer {

namespace {

Normalizer read_bert_normalizer(const JsonValue& json) {
    const bool lowercase = json.at("lowercase").boolean();
    return bert_normalizer({.clean_text = json.at("clean_text").boolean(),
                            .handle_chinese_chars = json.at("handle_chinese_chars").boolean(),
                            .strip_accents = json.boolean_or("strip_accents", lowercase),
                            .lowercase = lowercase});
}

// {"String": "..."} or {"Regex": "..."}
Expression read_pattern(const JsonValue& json) {
    if (const auto text = json.find("String")) {
        if (text->text().empty()) text->fail_expecting("a string that is not empty");
        return Expression::of_literal(text->text());
    }
    const JsonValue regex = json.at("Regex");
    return {regex.where(), regex.text()};
}

Normalizer read_strip(const JsonValue& json) {
    const bool left = json.at("strip_left").boolean();
    return stripping(left, json.at("strip_right").boolean());
}

std::string decoded_base64(const JsonValue& json) {
    const std::string& text = json.text();
    std::string bytes(text.size() / 4 * 3, '\0');
    const auto* from = reinterpret_cast<const unsigned char*>(text.data());
    auto* to = reinterpret_cast<unsigned char*>(bytes.data());
    if (text.size() % 4 != 0 || EVP_DecodeBlock(to, from, static_cast<int>(text.size())) < 0)
        json.fail("is not Base64; download the file again");
    for (std::size_t i = 1; i <= 2 && i <= text.size() && text[text.size() - i] == '='; ++i) bytes.pop_back();
    return bytes;
}

Normalizer read_precompiled(const JsonValue& json) {
    const JsonValue charsmap = json.at("precompiled_charsmap");
    return precompiled(charsmap.where(), decoded_base64(charsmap));
}

template <class Part>
std::vector<Part> read_all(const JsonValue& list, Part (*read)(const JsonValue&)) {
    std::vector<Part> parts;
    for (const JsonValue& item : list.items()) parts.push_back(read(item));
    return parts;
}

char32_t read_character(const JsonValue& json) {
    const std::u32string text = to_utf32(json.text());
    if (text.size() != 1) json.fail_expecting("one character");
    return text.front();
}

Delimiter read_behavior(const JsonValue& json) {
    constexpr auto names = std::to_array<std::pair<std::string_view, Delimiter>>({
        {"Removed", Delimiter::removed},
        {"Isolated", Delimiter::isolated},
        {"MergedWithPrevious", Delimiter::merged_with_previous},
        {"MergedWithNext", Delimiter::merged_with_next},
        {"Contiguous", Delimiter::contiguous},
    });
    for (const auto& [name, delimiter] : names)
        if (json.text() == name) return delimiter;
    json.fail_expecting("Removed, Isolated, MergedWithPrevious, MergedWithNext or Contiguous");
}

// Older files have add_prefix_space, newer ones prepend_scheme, and some both.
Splitter read_metaspace(const JsonValue& json) {
    MetaspaceOptions options{.replacement = read_character(json.at("replacement")),
                             .split = json.boolean_or("split", true)};
    const bool add_prefix_space = json.boolean_or("add_prefix_space", true);
    if (!add_prefix_space) options.prepend = MetaspaceOptions::Prepend::never;
    if (const auto scheme = json.find("prepend_scheme")) {
        const std::string& name = scheme->text();
        if (name == "first")
            options.prepend = MetaspaceOptions::Prepend::first;
        else if (name == "never")
            options.prepend = MetaspaceOptions::Prepend::never;
        else if (name == "always")
            options.prepend = MetaspaceOptions::Prepend::always;
        else
            scheme->fail_expecting("always, first or never");
        if (!add_prefix_space && name != "never") scheme->fail_expecting("never, since add_prefix_space is false");
    }
    return metaspace_splitter(options);
}

Splitter read_byte_level(const JsonValue& json) {
    return byte_level_splitter(
        {.add_prefix_space = json.at("add_prefix_space").boolean(), .use_regex = json.boolean_or("use_regex", true)});
}

Splitter read_split(const JsonValue& json) {
    return splitting_at(read_pattern(json.at("pattern")), read_behavior(json.at("behavior")),
                        json.at("invert").boolean());
}

Splitter read_punctuation(const JsonValue& json) {
    const auto behavior = json.find("behavior");
    return splitting_at_punctuation(behavior ? read_behavior(*behavior) : Delimiter::isolated);
}

Splitter read_fixed_length(const JsonValue& json) {
    const auto length = json.find("length");
    const std::int64_t characters = length ? length->whole_number() : 5;
    if (characters < 1) length->fail_expecting("at least 1");
    return splitting_by_length(static_cast<std::size_t>(characters));
}

}  // namespace

Normalizer read_normalizer(const JsonValue& json) {
    const std::string& type = json.at("type").text();
    if (type == "Sequence") return in_order(read_all(json.at("normalizers"), read_normalizer));
    if (type == "BertNormalizer") return read_bert_normalizer(json);
    if (type == "Lowercase") return make_lowercase;
    if (type == "NFC" || type == "NFD" || type == "NFKC" || type == "NFKD") return normal_form(type);
    if (type == "Replace") return replacing(read_pattern(json.at("pattern")), json.at("content").text());
    if (type == "Prepend") return prepending(json.at("prepend").text());
    if (type == "Strip") return read_strip(json);
    if (type == "StripAccents") return strip_marks;
    if (type == "Nmt") return clean_as_nmt;
    if (type == "Precompiled") return read_precompiled(json);
    if (type == "ByteLevel") return spell_in_bytes;
    fail_unknown_type(json,
                      "BertNormalizer, ByteLevel, Lowercase, NFC, NFD, NFKC, NFKD, Nmt, Precompiled, Prepend, Replace, "
                      "Strip, StripAccents or a Sequence of them");
}

Splitter read_splitter(const JsonValue& json) {
    const std::string& type = json.at("type").text();
    if (type == "Sequence") return in_order(read_all(json.at("pretokenizers"), read_splitter));
    if (type == "BertPreTokenizer") return split_as_bert;
    if (type == "ByteLevel") return read_byte_level(json);
    if (type == "Metaspace") return read_metaspace(json);
    if (type == "Split") return read_split(json);
    if (type == "Whitespace") return split_words_and_signs;
    if (type == "WhitespaceSplit") return split_at_white_space;
    if (type == "Punctuation") return read_punctuation(json);
    if (type == "Digits") return splitting_at_digits(json.at("individual_digits").boolean());
    if (type == "CharDelimiterSplit") return splitting_at_character(read_character(json.at("delimiter")));
    if (type == "FixedLength") return read_fixed_length(json);
    if (type == "UnicodeScripts") return split_between_scripts;
    fail_unknown_type(json,
                      "BertPreTokenizer, ByteLevel, CharDelimiterSplit, Digits, FixedLength, Metaspace, Punctuation, "
                      "Split, UnicodeScripts, Whitespace, WhitespaceSplit or a Sequence of them");
}

}  // namespace wordbreadth::encoder::tokenizer
