// The figures that the paper reports (Ehara, ACL 2026), to stand beside ours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace wordbreadth::report {

// Baseline: without alignment; proposed: with it.
inline constexpr double papers_alpha = 0.01;
struct PapersGap {
    std::size_t gap;
    double baseline, proposed;  // rejection rates at that alpha, 300 pairs
    double baseline_precision, proposed_precision;
};
[[nodiscard]] std::span<const PapersGap> papers_gaps();
[[nodiscard]] const PapersGap* papers_gap(std::size_t gap);  // null where it has none

struct PapersAdditional {
    std::string_view corpus;
    std::size_t gap;
    double baseline, proposed;  // rejection rates at 0.05, 500 pairs, 5,000 permutations
};
[[nodiscard]] std::span<const PapersAdditional> papers_additional();

struct PapersTime {
    std::string_view device;
    double milliseconds_each, milliseconds;  // of a permutation, of 20,000
};
[[nodiscard]] std::span<const PapersTime> papers_times();

struct PapersWord {
    std::string_view word;
    double v;
    std::size_t senses;
};
[[nodiscard]] std::span<const PapersWord> papers_word_table();

struct PapersHalves {
    std::string_view word;
    std::uint64_t total;
    double baseline_greater, proposed_greater, baseline_two_sided, proposed_two_sided;  // p
};
[[nodiscard]] std::span<const PapersHalves> papers_halves();

}  // namespace wordbreadth::report
