#include "store/names.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "store/failure.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::store {

namespace {

constexpr std::size_t names_listed = 5;
constexpr std::size_t longest_compared = 64;  // bytes; keeps the search quick in a file of a million names

bool is_ascii(char c) {
    return static_cast<unsigned char>(c) < 0x80;
}

// The JSON library already knows, since it refuses to write anything else.
bool is_utf8(const std::string& text) {
    if (std::ranges::all_of(text, is_ascii)) return true;
    try {
        (void)nlohmann::json(text).dump();
        return true;
    } catch (const nlohmann::json::type_error&) {
        return false;
    }
}

bool is_control(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7F;
}

// Levenshtein's distance in bytes, one row of its table at a time.
std::size_t edit_distance(const std::string& a, const std::string& b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t substituted = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({substituted, row[j] + 1, diagonal + 1});
        }
    }
    return row.back();
}

// The names at most a third of `name` away, nearest first.
std::vector<std::string> close_names(const std::string& name, const std::vector<std::string>& available) {
    if (name.size() > longest_compared) return {};
    const std::size_t farthest = std::max<std::size_t>(1, name.size() / 3);
    std::vector<std::pair<std::size_t, std::string>> close;
    for (const std::string& candidate : available) {
        if (candidate.size() > name.size() + farthest || name.size() > candidate.size() + farthest) continue;
        const std::size_t distance = edit_distance(name, candidate);
        if (distance <= farthest) close.emplace_back(distance, candidate);
    }
    std::ranges::sort(close);
    std::vector<std::string> nearest;
    for (const auto& found : close) {
        if (nearest.size() < names_listed) nearest.push_back(found.second);
    }
    return nearest;
}

std::string joined(const std::vector<std::string>& names) {
    const std::size_t listed = std::min(names.size(), names_listed);
    std::string text;
    for (std::size_t i = 0; i < listed; ++i) text.append(i > 0 ? ", " : "").append(in_quotes(names[i]));
    if (listed < names.size()) text += " and " + std::to_string(names.size() - listed) + " more";
    return text;
}

}  // namespace

void require_good_name(const std::string& path, const std::string& name) {
    if (name.empty()) fail(path, "holds an array without a name; give it one");
    if (name.size() > limits::name_bytes) {
        fail(path, "holds a name of " + std::to_string(name.size()) + " bytes, " + in_quotes(name) + "; at most " +
                       std::to_string(limits::name_bytes) + " are accepted");
    }
    if (std::ranges::any_of(name, is_control)) {
        fail(path, "holds the name " + in_quotes(name) + " with a control character; rename it");
    }
    if (!is_utf8(name)) fail(path, "the name of its array is not UTF-8; rename it");
}

void fail_missing(const std::string& path, const std::string& name, const std::vector<std::string>& available,
                  std::string_view kind) {
    const auto close = close_names(name, available);
    fail(path, "has no " + std::string(kind) + " " + in_quotes(name) + "; " +
                   (close.empty() ? "it holds " + joined(available) : "did you mean " + joined(close) + "?"));
}

}  // namespace wordbreadth::store
