#include "corpus/conllu_row.h"

#include <algorithm>
#include <charconv>

#include "corpus/failure.h"
#include "corpus/fields.h"

namespace wordbreadth::corpus {

namespace {

constexpr std::size_t number_of_fields = 10;
enum Field : std::size_t { id = 0, form = 1, lemma = 2, universal_tag = 3, own_tag = 4, features = 9 };

std::string_view known(std::string_view field) {
    return field == "_" ? std::string_view() : field;
}

bool has_feature(std::string_view list, std::string_view wanted) {
    while (!list.empty()) {
        const std::size_t bar = std::min(list.find('|'), list.size());
        if (list.substr(0, bar) == wanted) return true;
        list.remove_prefix(std::min(bar + 1, list.size()));
    }
    return false;
}

// Reads "3", "3-4" or "3.1"; false when it is neither.
bool read_id(std::string_view text, ConlluRow& row) {
    const char* end = text.data() + text.size();
    const auto [after, error] = std::from_chars(text.data(), end, row.first);
    row.last = row.first;
    if (error != std::errc{}) return false;
    if (after == end) return true;
    row.kind = *after == '-' ? ConlluRow::Kind::range : ConlluRow::Kind::empty_node;
    if (*after != '-' && *after != '.') return false;
    std::uint32_t second = 0;
    const auto [after_second, second_error] = std::from_chars(after + 1, end, second);
    if (row.kind == ConlluRow::Kind::range) row.last = second;
    return second_error == std::errc{} && after_second == end;
}

}  // namespace

ConlluRow parse_conllu_row(const std::string& path, std::uint64_t line, std::string_view text,
                           std::vector<std::string_view>& fields) {
    split_fields(text, fields);
    if (fields.size() != number_of_fields) {
        fail_at(path, line, count_of(fields.size(), "field") + "; expected 10 with tabs between them, or a blank line");
    }
    ConlluRow row;
    if (!read_id(fields[id], row)) {
        fail_at(path, line, "its ID is " + in_quotes(fields[id]) + "; expected a number such as 3, 3-4 or 3.1");
    }
    if (fields[form].empty()) fail_at(path, line, "its FORM is empty; expected a word");
    row.form = fields[form];
    row.lemma = row.form == "_" ? fields[lemma] : known(fields[lemma]);
    row.part_of_speech = known(fields[universal_tag]).empty() ? known(fields[own_tag]) : fields[universal_tag];
    row.space_after = !has_feature(fields[features], "SpaceAfter=No");
    return row;
}

}  // namespace wordbreadth::corpus
