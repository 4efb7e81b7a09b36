#include "corpus/detect.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "base/strings.h"
#include "base/utf8.h"
#include "corpus/decoder.h"
#include "corpus/file_reader.h"

namespace wordbreadth::corpus {

namespace {

using namespace std::string_view_literals;

struct Signature {
    std::string_view bytes;
    std::string_view reason;
};

// What people put into a folder of texts, or pack them in.
constexpr std::array signatures{
    Signature{"%PDF"sv, "is a PDF file; save it as text first, for example with pdftotext"},
    Signature{"PK\x03\x04"sv, "is a zip archive or an office document; unpack it, or save it as text"},
    Signature{"BZh"sv, "is packed with bzip2; unpack it, or pack it with gzip instead"},
    Signature{"\xFD\x37zXZ\0"sv, "is packed with xz; unpack it, or pack it with gzip instead"},
    Signature{"\x28\xB5\x2F\xFD"sv, "is packed with zstd; unpack it, or pack it with gzip instead"},
};

std::size_t count_nul(std::string_view start, std::size_t unit_bytes) {
    std::size_t count = 0;
    for (std::size_t at = 0; at + unit_bytes <= start.size(); at += unit_bytes)
        if (start.substr(at, unit_bytes).find_first_not_of('\0') == std::string_view::npos) ++count;
    return count;
}

// Western text in UTF-16 has a NUL in most of its pairs of bytes, always on the same side.
std::string_view reason_for_nul(std::string_view start) {
    std::array<std::size_t, 2> found{};
    for (std::size_t i = 0; i < start.size(); ++i) found[i % 2] += start[i] == '\0' ? 1 : 0;
    if (found[0] == 0 && found[1] * 4 >= start.size())
        return "is a binary file, or UTF-16LE text without a byte order mark; if so, name this encoding";
    if (found[1] == 0 && found[0] * 4 >= start.size())
        return "is a binary file, or UTF-16BE text without a byte order mark; if so, name this encoding";
    return "is a binary file; expected text";
}

// What the file is instead of text in units of `unit_bytes`, for a message: "is a PDF file; ...". Empty when it may be
// text. `nul_is_fine`: a few units may be NUL, as damaged text has them.
std::string_view sign_of_binary(std::string_view start, std::size_t unit_bytes, bool nul_is_fine) {
    for (const Signature& signature : signatures) {
        if (start.starts_with(signature.bytes)) return signature.reason;
    }
    if (start.size() > 262 && start.substr(257, 5) == "ustar") return "is a tar archive; unpack it and name the folder";
    const std::size_t accepted = nul_is_fine ? start.size() / unit_bytes / 100 : 0;
    if (count_nul(start, unit_bytes) <= accepted) return {};
    return unit_bytes == 1 ? reason_for_nul(start) : "is a binary file; expected text";
}

constexpr std::size_t bytes_looked_at = 64 * 1024;
constexpr std::size_t lines_looked_at = 1000;

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

std::string in_utf8(const std::string& where, const std::string& start, const std::string& encoding) {
    if (encoding == utf_8) return start;
    MemoryBytes bytes(where, start);
    Decoder decoder(bytes, {encoding, InvalidBytes::replace});
    std::string text;
    decoder.append_to(text, bytes_looked_at);
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
        return other(Content::markup, "is JSON, but not one object per line; convert it, for example with jq -c '.[]'");
    }
    for (const Traits& traits : all_traits())
        if (traits.looks_like != nullptr && traits.looks_like(lines)) return corpus(traits.format);
    return corpus(Format::text);
}

Detected detect_format_of(Source& source, const Decoding& decoding) {
    std::string start;
    const bool whole = !source.append_to(start, bytes_looked_at);
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
