// The names of documents beside each other.
#include <algorithm>
#include <string_view>

#include "report/concordance.h"

namespace wordbreadth::report {
namespace {

bool continues_a_character(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

std::size_t bytes_in_common(const std::vector<std::string>& names) {
    std::size_t length = names.front().size();
    for (const std::string& name : names) {
        const auto [end, ignored] = std::ranges::mismatch(names.front(), name);
        length = std::min(length, static_cast<std::size_t>(end - names.front().begin()));
    }
    return length;
}

// Bytes that all names begin with, in whole characters.
std::size_t common_start(const std::vector<std::string>& names) {
    const std::string& first = names.front();
    std::size_t length = bytes_in_common(names);
    while (length > 0 && length < first.size() && continues_a_character(first[length])) --length;
    return length;
}

// The same at their end, past `start`.
std::size_t common_end(const std::vector<std::string>& names, std::size_t start) {
    std::vector<std::string> reversed;
    for (const std::string& name : names) {
        reversed.push_back(name.substr(start));
        std::ranges::reverse(reversed.back());
    }
    const std::string& first = names.front();
    std::size_t length = bytes_in_common(reversed);
    while (length > 0 && continues_a_character(first[first.size() - length])) --length;
    return length;
}

std::size_t widest(const std::vector<std::string>& names) {
    std::size_t width = 0;
    for (const std::string& name : names) width = std::max(width, display_width(name));
    return width;
}

// What is left of `width` columns for a part of a name; an ellipsis needs one.
std::size_t room(std::size_t width, std::size_t taken) {
    return std::max<std::size_t>(width - std::min(width, taken), 1);
}

}  // namespace

DocumentNames document_names(const std::vector<std::string>& documents) {
    if (documents.empty()) return {};
    if (std::ranges::all_of(documents, [&](const std::string& name) { return name == documents.front(); }))
        return {{}, documents.front(), {}};
    const std::string start = documents.front().substr(0, common_start(documents));
    DocumentNames found{start.substr(0, start.rfind('/') + 1), {}, documents};
    for (std::string& name : found.names) name.erase(0, found.folder.size());
    return found;
}

std::vector<std::string> shortened(std::vector<std::string> names, std::size_t width) {
    if (widest(names) <= width) return names;
    const std::size_t start = common_start(names), end = common_end(names, start);
    const std::string& first = names.front();
    std::string before = first.substr(0, start), after = first.substr(first.size() - end);
    for (std::string& name : names) name = name.substr(start, name.size() - start - end);
    const std::size_t differing = widest(names);
    before = clipped_start(before, room(width, differing + display_width(after)));
    after = clipped_end(after, room(width, differing + display_width(before)));
    for (std::string& name : names) name = clipped(before + name + after, width);
    return names;
}

}  // namespace wordbreadth::report
