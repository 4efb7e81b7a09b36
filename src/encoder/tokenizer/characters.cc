#include "encoder/tokenizer/characters.h"

#include "base/failure.h"
#include "base/utf8.h"
#include "wordbreadth/error.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::tokenizer {

namespace {

// The character at `at`, which is moved behind it; negative when it is not whole. Most text is ASCII.
std::int32_t next_character(std::string_view utf8, std::size_t& at) {
    const auto first = static_cast<unsigned char>(utf8[at]);
    if (first >= 0x80) return base::next_character(utf8, at);
    ++at;
    return first;
}

std::string told_as_broken(std::string_view utf8, std::size_t at) {
    return "not UTF-8: byte " + base::hexadecimal(utf8[at]) + " at offset " + std::to_string(at) +
           " does not begin a whole character; convert the text to UTF-8";
}

void require_acceptable_length(std::string_view utf8) {
    if (utf8.size() <= limits::text_bytes) return;
    throw InputError("a text of " + std::to_string(utf8.size()) + " bytes is to be tokenized at once; at most " +
                     std::to_string(limits::text_bytes) + " are accepted: split it into sentences");
}

}  // namespace

void decode(std::string_view utf8, DecodedText& to) {
    require_acceptable_length(utf8);
    to.characters.clear();
    to.starts.clear();
    for (std::size_t at = 0; at < utf8.size();) {
        const std::size_t start = at;
        const std::int32_t character = next_character(utf8, at);
        if (character < 0) throw InputError(told_as_broken(utf8, start));
        to.characters.push_back({static_cast<char32_t>(character), static_cast<std::uint32_t>(to.starts.size())});
        to.starts.push_back(static_cast<std::uint32_t>(start));
    }
    to.starts.push_back(static_cast<std::uint32_t>(utf8.size()));
}

std::optional<std::size_t> find_broken_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t start = at;
        if (next_character(text, at) < 0) return start;
    }
    return std::nullopt;
}

std::u32string to_utf32(std::string_view utf8) {
    std::u32string text;
    for (std::size_t at = 0; at < utf8.size();) text += static_cast<char32_t>(next_character(utf8, at));
    return text;
}

void append_utf8(std::string& to, char32_t character) {
    base::append_character(to, static_cast<std::int32_t>(character));
}

void require_utf8(const std::string& where, const std::string& what, std::string_view text) {
    if (const auto at = find_broken_utf8(text)) {
        base::fail(where, what + " is not UTF-8 at byte " + std::to_string(*at) + "; convert the file to UTF-8");
    }
}

}  // namespace wordbreadth::tokenizer
