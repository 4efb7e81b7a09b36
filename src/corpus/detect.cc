#include "corpus/detect.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "base/utf8.h"
#include "corpus/decoder.h"
#include "corpus/fields.h"
#include "corpus/memory_bytes.h"
#include "corpus/signatures.h"
#include "corpus/tag.h"

namespace wordbreadth::corpus {

namespace {

constexpr std::size_t bytes_looked_at = 64 * 1024;
constexpr std::size_t lines_looked_at = 1000;

using Lines = std::vector<std::string_view>;
using Fields = std::vector<std::string_view>;

// Complete lines that are not blank, a sample of them.
Lines lines_of(std::string_view start, bool whole) {
    Lines lines;
    while (!start.empty() && lines.size() < lines_looked_at) {
        const std::size_t end = start.find('\n');
        if (end == std::string_view::npos && !whole && !lines.empty()) break;
        std::string_view line = start.substr(0, end);
        start.remove_prefix(std::min(line.size() + 1, start.size()));
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (!base::trimmed(line).empty()) lines.push_back(line);
    }
    return lines;
}

bool starts_without_case(std::string_view text, std::string_view lower) {
    return base::ascii_lower(text.substr(0, lower.size())) == lower;
}

bool looks_like_html(std::string_view start) {
    return starts_without_case(start, "<!doctype html") || starts_without_case(start, "<html") ||
           (start.starts_with("<?xml") && start.find("<html") != std::string_view::npos);
}

bool looks_like_xml(std::string_view start) {
    return start.starts_with("<?xml") || start.starts_with("<!");
}

Detected corpus(Format format) {
    return {Content::corpus, format, {}, {}};
}

Detected other(Content content, std::string_view reason) {
    return {content, Format::automatic, std::string(reason), {}};
}

// A list of records, or one record over several lines.
bool looks_like_other_json(const Lines& lines) {
    const std::string_view first = base::trimmed(lines.front());
    return first == "{" || first == "[" || (first.starts_with('[') && base::trimmed(first.substr(1)).starts_with('{'));
}

bool looks_like_jsonl(const Lines& lines) {
    const std::string_view first = base::trimmed(lines.front());
    if (!first.starts_with('{')) return false;
    const std::string_view inner = base::trimmed(first.substr(1));
    return inner.starts_with('"') || inner == "}";
}

bool looks_like_dwug(const Lines& lines) {
    Fields fields;
    split_fields(lines.front(), fields);
    const auto has = [&](std::string_view name) { return std::ranges::find(fields, name) != fields.end(); };
    return has("lemma") && has("context") && has("indexes_target_token");
}

bool looks_like_bccwj(const Lines& lines) {
    Fields fields;
    split_fields(lines.front(), fields);
    return fields.size() == 25 && (fields[9] == "B" || fields[9] == "I");
}

bool looks_like_conllu(const Lines& lines) {
    const auto word = std::ranges::find_if(lines, [](std::string_view line) { return !line.starts_with('#'); });
    if (word == lines.end()) return false;
    Fields fields;
    split_fields(*word, fields);
    return fields.size() == 10 && !fields[0].empty() && fields[0][0] >= '0' && fields[0][0] <= '9';
}

bool looks_like_vertical(const Lines& lines) {
    const auto is_tag = [](std::string_view line) { return parse_tag(line).has_value(); };
    const auto word = std::ranges::find_if_not(lines, is_tag);
    if (word == lines.end() || std::ranges::none_of(lines, is_tag)) return false;
    Fields fields;
    split_fields(*word, fields);
    return fields.size() >= 3;
}

bool is_word_and_tag(std::string_view token) {
    const std::size_t slash = token.rfind('/');
    return slash != std::string_view::npos && slash > 0 && slash + 1 < token.size();
}

// Every word of the first lines, and a few of them at least: "and/or" makes no corpus.
bool looks_like_brown(const Lines& lines) {
    constexpr std::size_t enough = 4;
    std::size_t tokens = 0;
    for (std::string_view line : std::span(lines).first(std::min<std::size_t>(lines.size(), 10))) {
        for (;;) {
            line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
            if (line.empty()) break;
            const std::string_view token = line.substr(0, line.find_first_of(" \t"));
            if (!is_word_and_tag(token)) return false;
            line.remove_prefix(token.size());
            ++tokens;
        }
    }
    return tokens >= enough;
}

constexpr std::array<std::pair<Format, bool (*)(const Lines&)>, 6> by_lines{{
    {Format::jsonl, looks_like_jsonl},
    {Format::dwug, looks_like_dwug},
    {Format::bccwj, looks_like_bccwj},
    {Format::conllu, looks_like_conllu},
    {Format::vertical, looks_like_vertical},
    {Format::brown, looks_like_brown},
}};

std::string in_utf8(const std::string& where, const std::string& start, const std::string& encoding) {
    if (encoding == utf_8) return start;
    MemoryBytes bytes(where, start);
    Decoder decoder(bytes, {encoding, InvalidBytes::replace});
    std::string text(bytes_looked_at, '\0');
    text.resize(decoder.read(std::as_writable_bytes(std::span(text))));
    return text;
}

}  // namespace

Detected detect_format(std::string_view start, bool whole) {
    if (start.starts_with(base::byte_order_mark)) start.remove_prefix(base::byte_order_mark.size());
    const Lines lines = lines_of(start, whole);
    if (lines.empty() && whole) return other(Content::nothing, start.empty() ? "is empty" : "holds only white space");
    if (lines.empty()) return corpus(Format::text);
    start = base::trimmed(start);
    if (looks_like_html(start))
        return other(Content::markup, "is HTML; save it as text first, for example with w3m -dump");
    if (start.starts_with('<') && start.find("<bncDoc") != std::string_view::npos) return corpus(Format::bnc);
    if (looks_like_xml(start) && start.find("<svg") != std::string_view::npos) {
        return other(Content::binary, "is a picture (SVG)");
    }
    if (looks_like_xml(start))
        return other(Content::markup, "is XML, but not the BNC's (<bncDoc>); save it as text first");
    if (looks_like_other_json(lines)) {
        return other(Content::markup, "is JSON, but not an object a line; convert it, for example with jq -c '.[]'");
    }
    for (const auto& [format, looks_like] : by_lines) {
        if (looks_like(lines)) return corpus(format);
    }
    return corpus(Format::text);
}

Detected detect_format_of(Source& source, const Decoding& decoding) {
    std::string start(bytes_looked_at, '\0');
    start.resize(source.read(std::as_writable_bytes(std::span(start))));
    const bool whole = start.size() < bytes_looked_at;
    const std::string_view marked = encoding_of_mark(start);
    const std::string encoding = marked.empty() ? decoding.encoding : std::string(marked);
    const std::string_view binary =
        sign_of_binary(start, unit_bytes(encoding), decoding.invalid != InvalidBytes::error);
    Detected found = binary.empty() ? detect_format(in_utf8(source.where(), start, encoding), whole)
                                    : other(Content::binary, binary);
    found.encoding = encoding;
    return found;
}

}  // namespace wordbreadth::corpus
