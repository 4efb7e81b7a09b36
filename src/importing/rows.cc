#include "importing/rows.h"

#include <algorithm>
#include <cctype>

#include "base/names.h"
#include "base/strings.h"
#include "wordbreadth/error.h"

namespace wordbreadth::importing {
namespace {

constexpr std::array<std::string_view, roles> role_names{"word", "vector", "text", "start", "end", "span", "document"};

}  // namespace

void RowBatch::clear() {
    size = 0;
    words.clear();
    places.clear();
    vectors.clear();
    rows.clear();
    kept.clear();
}

// What people have: pandas frames of embeddings, spaCy's start_char, DWUG's tables.
RoleNames::RoleNames(const std::vector<std::pair<std::string, std::string>>& chosen)
    : names_{{{"word", "lemma", "target", "term", "token", "label"},
              {"vector", "embedding", "embeddings", "vec", "emb"},
              {"text", "context", "sentence"},
              {"start", "start_char", "char_start", "span.start", "begin"},
              {"end", "end_char", "char_end", "span.end", "stop"},
              {"span", "indexes_target_token", "offsets"},
              {"document", "doc", "document_id", "doc_id", "grouping"}}} {
    std::array<bool, roles> is_chosen{};
    for (const auto& [role, name] : chosen) {
        const auto found = std::ranges::find(role_names, role);
        if (found == role_names.end())
            throw InputError("column " + base::in_quotes(role) + ": is not one that can be named; expected one of " +
                             base::joined(role_names, ", ", [](std::string_view each) { return std::string(each); }));
        const auto index = static_cast<std::size_t>(found - role_names.begin());
        if (is_chosen[index]) throw InputError("column " + base::in_quotes(role) + ": is named twice");
        is_chosen[index] = true;
        names_[index] = {name};
    }
}

std::optional<RoleNames::Match> RoleNames::match(std::string_view name) const {
    for (std::size_t role = 0; role < roles; ++role) {
        const auto found = std::ranges::find(names_[role], name);
        if (found != names_[role].end())
            return Match{static_cast<Role>(role), static_cast<std::size_t>(found - names_[role].begin())};
    }
    return std::nullopt;
}

bool read_span(std::string_view text, Place& place) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) return false;
    place.start = base::number_in<std::int64_t>(text.substr(0, colon));
    place.end = base::number_in<std::int64_t>(text.substr(colon + 1));
    return place.start && place.end;
}

}  // namespace wordbreadth::importing
