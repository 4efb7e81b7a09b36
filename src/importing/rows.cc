#include "importing/rows.h"

#include <algorithm>
#include <cctype>

#include "base/failure.h"
#include "base/names.h"
#include "base/strings.h"
#include "wordbreadth/error.h"

namespace wordbreadth::importing {
namespace {

constexpr std::array<std::string_view, roles> role_names{"word", "vector", "text", "start", "end", "span", "document"};

std::string name_of(Role role) {
    return std::string(role_names[static_cast<std::size_t>(role)]);
}

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
    : names_{
          {{"word", "lemma", "target", "term", "token", "label"},
           {"vector", "embedding", "embeddings", "vec", "emb"},
           {"text", "context", "sentence"},
           {"start", "start_char", "char_start", "span.start", "indexes_target_token.start", "offsets.start", "begin"},
           {"end", "end_char", "char_end", "span.end", "indexes_target_token.end", "offsets.end", "stop"},
           {"span", "indexes_target_token", "offsets"},
           {"document", "doc", "document_id", "doc_id", "grouping"}}} {
    for (const auto& [role, name] : chosen) {
        const auto found = std::ranges::find(role_names, role);
        if (found == role_names.end())
            throw InputError("column " + base::in_quotes(role) + ": is not one that can be named; expected one of " +
                             base::joined(role_names, ", ", [](std::string_view each) { return std::string(each); }));
        take(static_cast<Role>(found - role_names.begin()), name);
    }
    for (const Role role : {Role::word, Role::vector})
        if (of(role).empty())
            throw InputError("column " + base::in_quotes(name_of(role)) +
                             ": all its usual names were given to others; name it, too");
    follow_chosen_span();
}

void RoleNames::take(Role role, const std::string& name) {
    const auto taken = static_cast<std::size_t>(role);
    if (is_chosen(role)) throw InputError("column " + base::in_quotes(name_of(role)) + ": is named twice");
    for (std::size_t other = 0; other < roles; ++other) {
        if (other == taken) continue;
        if (is_chosen_[other] && names_[other].front() == name)
            throw InputError("column " + base::in_quotes(name) + ": is named for " + name_of(static_cast<Role>(other)) +
                             " and for " + name_of(role) + "; name one for each");
        if (!is_chosen_[other]) std::erase(names_[other], name);
    }
    is_chosen_[taken] = true;
    names_[taken] = {name};
}

// What says where a word stands is not looked for under usual names, too. A span may be a struct, whose fields are
// columns of their own in Parquet.
void RoleNames::follow_chosen_span() {
    const bool has_ends = is_chosen(Role::start) || is_chosen(Role::end);
    if (has_ends && !is_chosen(Role::span)) of(Role::span).clear();
    if (has_ends || !is_chosen(Role::span)) return;
    of(Role::start) = {of(Role::span).front() + ".start"};
    of(Role::end) = {of(Role::span).front() + ".end"};
}

void RoleNames::require_chosen(const std::string& where, std::string_view kind,
                               const std::vector<std::string>& there) const {
    const auto has = [&](const std::string& name) { return std::ranges::find(there, name) != there.end(); };
    for (std::size_t role = 0; role < roles; ++role) {
        if (!is_chosen_[role]) continue;
        const std::string& name = names_[role].front();
        const bool is_struct =
            role == static_cast<std::size_t>(Role::span) && has(name + ".start") && has(name + ".end");
        if (!has(name) && !is_struct)
            base::fail(where, "has no " + std::string(kind) + " " + base::in_quotes(name) + "; it has " +
                                  base::listed(there, 10));
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
