#include "corpus/tag.h"

#include <algorithm>
#include <array>
#include <utility>

namespace wordbreadth::corpus {

namespace {

constexpr std::string_view white_space = " \t";

bool is_name_start(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

void skip_white_space(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(white_space), text.size()));
}

// Takes the value at the front of `text`, up to its closing quote or the next white space.
std::string_view take_value(std::string_view& text) {
    const bool quoted = text.starts_with('"') || text.starts_with('\'');
    if (quoted) {
        const char quote = text[0];
        text.remove_prefix(1);
        const std::size_t end = std::min(text.find(quote), text.size());
        const std::string_view value = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        return value;
    }
    const std::string_view value = text.substr(0, text.find_first_of(white_space));
    text.remove_prefix(value.size());
    return value;
}

}  // namespace

std::optional<Tag> parse_tag(std::string_view line) {
    if (line.size() < 3 || line.front() != '<' || line.back() != '>') return std::nullopt;
    if (line.find('\t') != std::string_view::npos) return std::nullopt;
    std::string_view inner = line.substr(1, line.size() - 2);
    Tag tag;
    tag.closing = inner.starts_with('/');
    if (tag.closing) inner.remove_prefix(1);
    tag.empty = inner.ends_with('/');
    if (tag.empty) inner.remove_suffix(1);
    if (inner.empty() || !is_name_start(inner[0])) return std::nullopt;
    tag.name = inner.substr(0, inner.find_first_of(white_space));
    tag.attributes = inner.substr(tag.name.size());
    return tag;
}

std::string attribute_of(const Tag& tag, std::string_view name) {
    std::string_view rest = tag.attributes;
    for (skip_white_space(rest); !rest.empty(); skip_white_space(rest)) {
        const std::string_view key = rest.substr(0, rest.find_first_of("= \t"));
        rest.remove_prefix(key.size());
        skip_white_space(rest);
        if (!rest.starts_with('=')) continue;
        rest.remove_prefix(1);
        skip_white_space(rest);
        const std::string_view value = take_value(rest);
        if (key == name) return without_entities(value);
    }
    return {};
}

std::string without_entities(std::string_view text) {
    constexpr std::array<std::pair<std::string_view, char>, 5> entities{
        {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}}};
    std::string resolved;
    while (!text.empty()) {
        const auto* entity = std::ranges::find_if(entities, [&](const auto& e) { return text.starts_with(e.first); });
        const bool found = entity != entities.end();
        resolved += found ? entity->second : text[0];
        text.remove_prefix(found ? entity->first.size() : 1);
    }
    return resolved;
}

}  // namespace wordbreadth::corpus
