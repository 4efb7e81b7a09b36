#include "wordbreadth/concordance.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "base/utf8.h"
#include "geometry/concentration.h"
#include "geometry/vector_math.h"
#include "study/sampling.h"
#include "wordbreadth/error.h"

namespace wordbreadth {
namespace {

using Lines = std::vector<ConcordanceLine>;
using Words = std::vector<std::u32string>;

bool is_word_character(UChar32 c) {
    const auto kinds = U_GC_L_MASK | U_GC_N_MASK | U_GC_M_MASK;
    return (U_MASK(u_charType(c)) & kinds) != 0 || c == '\'' || c == 0x2019;
}

// Of a script that is written without spaces between words.
bool is_a_word_itself(UChar32 c) {
    const auto kind = u_getIntPropertyValue(c, UCHAR_LINE_BREAK);
    return kind == U_LB_IDEOGRAPHIC || kind == U_LB_CONDITIONAL_JAPANESE_STARTER || kind == U_LB_COMPLEX_CONTEXT;
}

Words words_of(std::string_view text) {
    Words words;
    bool within = false;
    for (std::size_t at = 0; at < text.size();) {
        const UChar32 c = base::next_character(text, at);
        const bool alone = is_a_word_itself(c);
        if (is_word_character(c)) {
            if (!within || alone) words.emplace_back();
            words.back() += static_cast<char32_t>(u_foldCase(c, U_FOLD_CASE_DEFAULT));
        }
        within = is_word_character(c) && !alone;
    }
    return words;
}

Words key_of(const ConcordanceLine& line, ConcordanceOrder order) {
    const Context context = context_of(line.occurrence);
    if (order == ConcordanceOrder::right) return words_of(context.right);
    Words words = words_of(context.left);
    std::ranges::reverse(words);
    return words;
}

void sort_by_words(Lines& lines, ConcordanceOrder order) {
    std::vector<std::pair<Words, ConcordanceLine>> keyed;
    for (ConcordanceLine& line : lines) {
        Words key = key_of(line, order);
        keyed.emplace_back(std::move(key), std::move(line));
    }
    std::ranges::stable_sort(keyed, {}, &std::pair<Words, ConcordanceLine>::first);
    for (std::size_t i = 0; i < lines.size(); ++i) lines[i] = std::move(keyed[i].second);
}

// Nothing for a cloud of one row, or of rows that are all alike: it has occurrences to look at all the same.
std::optional<Cloud> whole_cloud(const Store& store, std::size_t index) {
    return study::cut_cloud({&store, index, store.word(index).rows}, 0).cloud;
}

Lines all_lines(const Store& store, std::size_t index, const std::optional<Cloud>& cloud) {
    const StoredWord word = store.word(index);
    const std::vector<double> influence = cloud ? influences(*cloud) : std::vector<double>(word.rows, std::nan(""));
    Lines lines;
    for (Occurrence& occurrence : store.occurrences(index)) {
        if (occurrence.row != lines.size() || lines.size() == influence.size()) break;
        lines.push_back({std::move(occurrence), influence[lines.size()]});
    }
    if (lines.size() != influence.size())
        throw InputError(store.folder() + ": " + word.word + " has " + std::to_string(influence.size()) +
                         " rows, but where row " + std::to_string(lines.size()) +
                         " comes from is not known; extract the store again");
    return lines;
}

Lines chosen(Lines&& lines, std::span<const std::size_t> rows) {
    Lines kept;
    for (const std::size_t row : rows) kept.push_back(std::move(lines[row]));
    return kept;
}

}  // namespace

std::vector<std::size_t> study::spread_rows(const Cloud& cloud, std::size_t count, std::size_t first) {
    std::vector<double> nearest(cloud.size(), -HUGE_VAL);  // the cosine to the closest row chosen so far
    std::vector<std::size_t> chosen;
    for (std::size_t next = first; chosen.size() < std::min(count, cloud.size());) {
        chosen.push_back(next);
        for (std::size_t i = 0; i < cloud.size(); ++i)
            nearest[i] = std::max(nearest[i], geometry::dot(cloud.row(i), cloud.row(next)));
        for (const std::size_t done : chosen) nearest[done] = HUGE_VAL;
        next = static_cast<std::size_t>(std::ranges::min_element(nearest) - nearest.begin());
    }
    return chosen;
}

std::vector<ConcordanceLine> concordance_of_rows(const Store& store, const std::string& word,
                                                 std::span<const std::size_t> rows) {
    const std::size_t index = store.find(word);
    const std::uint64_t there = store.word(index).rows;
    for (const std::size_t row : rows)
        if (row >= there)
            throw InputError(store.folder() + ": " + word + " has " + std::to_string(there) +
                             " rows; there is no row " + std::to_string(row));
    return chosen(all_lines(store, index, whole_cloud(store, index)), rows);
}

std::vector<ConcordanceLine> concordance(const Store& store, const std::string& word,
                                         const ConcordanceOptions& options) {
    const std::size_t index = store.find(word);
    const std::optional<Cloud> cloud = whole_cloud(store, index);
    Lines lines = all_lines(store, index, cloud);
    const std::size_t count = options.count == 0 ? lines.size() : std::min(options.count, lines.size());
    const auto sample = [&](std::size_t rows) { return study::sample_rows(word, lines.size(), rows, options.seed); };
    if (options.order == ConcordanceOrder::influence) {
        const auto falling = [](const auto& line) { return std::isnan(line.influence) ? HUGE_VAL : -line.influence; };
        std::ranges::stable_sort(lines, {}, falling);
        lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(count), lines.end());
        return lines;
    }
    if (options.order == ConcordanceOrder::spread && cloud)
        return chosen(std::move(lines), study::spread_rows(*cloud, count, sample(1).front()));
    lines = chosen(std::move(lines), sample(count));
    if (options.order == ConcordanceOrder::left || options.order == ConcordanceOrder::right)
        sort_by_words(lines, options.order);
    return lines;
}

Context context_of(const Occurrence& occurrence) {
    const std::string_view text = occurrence.text;
    const auto byte_at = [&](std::uint64_t character) {
        return base::byte_of_character(text, character).value_or(text.size());
    };
    const std::size_t start = byte_at(occurrence.start);
    const std::size_t end = std::max(start, byte_at(occurrence.end));
    return {std::string(text.substr(0, start)), std::string(text.substr(start, end - start)),
            std::string(text.substr(end))};
}

// Leaving out a row takes it from the sum s of the rows: |s - x|^2 = |s|^2 - 2 x.s + 1, so all rows take one pass over
// the cloud.
std::vector<double> influences(const Cloud& cloud) {
    const auto n = static_cast<double>(cloud.size());
    const auto d = static_cast<double>(cloud.dimension());
    const double squared_sum = geometry::dot(cloud.sum(), cloud.sum());
    const double all = geometry::log_v(std::sqrt(squared_sum) / n, d);
    std::vector<double> found;
    found.reserve(cloud.size());
    for (std::size_t i = 0; i < cloud.size(); ++i) {
        const double others = squared_sum - 2 * geometry::dot(cloud.row(i), cloud.sum()) + 1;  // may round below 0
        found.push_back(all - geometry::log_v(std::sqrt(std::max(others, 0.0)) / (n - 1), d));
    }
    return found;
}

}  // namespace wordbreadth
