#include "base/names.h"

#include <unicode/bytestream.h>
#include <unicode/casemap.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/failure.h"
#include "base/utf8.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::base {

namespace {

constexpr std::size_t names_listed = 5;
constexpr std::size_t longest_compared = 64;  // bytes; keeps the search quick in a file of a million names

bool is_control(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7F;
}

// Levenshtein's distance in bytes, where two that changed places count once; three rows of its table at a time.
std::size_t edit_distance(const std::string& a, const std::string& b) {
    std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::swap(before, above);
        std::swap(above, row);
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            row[j + 1] = std::min({above[j] + (a[i] == b[j] ? 0 : 1), row[j] + 1, above[j + 1] + 1});
            const bool swapped = i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j];
            if (swapped) row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
        }
    }
    return row.back();
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
    if (first_fault(name) != std::string::npos) fail(path, "the name of its array is not UTF-8; rename it");
}

void require_storable_name(const std::string& path, const std::string& name) {
    require_good_name(path, name);
    if (name == "__metadata__")
        fail(path, "holds the name " + in_quotes(name) + ", which no array of a .safetensors file may have; rename it");
}

std::string case_fold(const std::string& text) {
    if (is_ascii(text)) return ascii_lower(text);
    std::string folded;
    icu::StringByteSink<std::string> sink(&folded);
    UErrorCode status = U_ZERO_ERROR;
    icu::CaseMap::utf8Fold(0, text, sink, nullptr, status);
    return U_SUCCESS(status) ? folded : text;
}

std::vector<std::string> close_names(const std::string& name, const std::vector<std::string>& available) {
    if (name.size() > longest_compared) return {};
    const std::string wanted = case_fold(name);
    // A name of one letter is close to no other.
    const std::size_t farthest =
        std::min(std::max<std::size_t>(1, wanted.size() / 3), std::max<std::size_t>(1, wanted.size()) - 1);
    std::vector<std::pair<std::size_t, std::string>> close;
    for (const std::string& candidate : available) {
        const std::string folded = case_fold(candidate);
        if (folded.size() > wanted.size() + farthest || wanted.size() > folded.size() + farthest) continue;
        const std::size_t distance = edit_distance(wanted, folded);
        if (distance <= farthest) close.emplace_back(distance, candidate);
    }
    std::ranges::sort(close);
    const bool other_case = !close.empty() && close.front().first == 0;
    std::vector<std::string> nearest;
    for (const auto& [distance, candidate] : close) {
        if (nearest.size() < names_listed && (distance == 0 || !other_case)) nearest.push_back(candidate);
    }
    return nearest;
}

std::string suggestion(const std::vector<std::string>& close) {
    return "did you mean " + listed(close, names_listed) + "?";
}

std::string holdings(const std::vector<std::string>& available) {
    return "it holds " + listed(available, names_listed);
}

void fail_missing(const std::string& path, const std::string& name, const std::vector<std::string>& available,
                  std::string_view kind) {
    const auto close = close_names(name, available);
    fail(path, "has no " + std::string(kind) + " " + in_quotes(name) + "; " +
                   (close.empty() ? holdings(available) : suggestion(close)));
}

}  // namespace wordbreadth::base
