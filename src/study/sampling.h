// Rows of a cloud that are kept when it is cut: r depends on the number of rows, so words that are compared have to
// have as many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wordbreadth/cloud.h"
#include "wordbreadth/store.h"
#include "wordbreadth/test.h"

namespace wordbreadth::study {

// The priority of a row: a pure function of the seed, the word's bytes and the row's number, so that every word is
// sampled by itself, whatever other words there are. With h the FNV-1a hash (64 bits) of the bytes, it is words 0 (low)
// and 1 (high) of Philox4x32-10 with counter (row low, row high, h low, h high) and key (seed low, seed high).
[[nodiscard]] std::uint64_t row_priority(std::string_view word, std::uint64_t row, std::uint64_t seed);

// The `n` rows out of 0 .. rows - 1 of smallest priority (equal ones: the earlier row), in ascending order; all of them
// when there are no more than n. A smaller n gives a subset.
[[nodiscard]] std::vector<std::size_t> sample_rows(std::string_view word, std::size_t rows, std::size_t n,
                                                   std::uint64_t seed);

inline constexpr std::size_t fewest_rows = 2;  // that have a breadth

// The number of rows that all clouds of a study are cut to.
struct CommonSize {
    std::size_t rows = 0;
    std::string smallest;  // the word whose cloud gave it; empty: it was asked for
};

// `asked`, or the rows of the smallest of these clouds (indices into the store's words) that has at least `fewest`.
// Throws InputError when that is fewer than `needed_for` ("breadth", "calibration") takes.
[[nodiscard]] CommonSize common_size(const Store& store, std::span<const std::size_t> words, std::size_t asked,
                                     std::size_t fewest, const std::string& needed_for);

// The same over all words of the store.
[[nodiscard]] CommonSize common_size(const Store& store, std::size_t asked, std::size_t fewest,
                                     const std::string& needed_for);

// Throws InputError when a common size was asked for (is not 0) that is below `fewest`.
void require_size(std::size_t asked, std::size_t fewest, const std::string& needed_for);

// Throw InputError, naming the option: unless a level is between 0 and 1; unless there is any; unless there are gaps,
// from 1 rank on.
void require_level(const std::string& option, double alpha);
void require_any(const std::string& option, std::size_t count);
void require_gaps(const std::string& option, std::span<const std::size_t> gaps);

struct WantedCloud {
    const Store* store = nullptr;
    std::size_t index = 0;  // in its words()
    std::size_t rows = 0;   // to cut it to
    bool blocks = true;     // with its documents, where the store knows them
};

// A cloud, or why there is none: too few rows, all rows alike.
struct CutCloud {
    std::optional<Cloud> cloud;
    std::string reason;
};

// Throws InputError when the store is damaged.
[[nodiscard]] CutCloud cut_cloud(const WantedCloud& wanted, std::uint64_t seed);

// One for each wanted, in their order, whatever the number of threads. Throws InputError when a store is damaged,
// Cancelled when stopped.
[[nodiscard]] std::vector<CutCloud> cut_clouds(std::span<const WantedCloud> wanted, std::uint64_t seed,
                                               const Execution& execution);

// For the end of a message that none of these words has a cloud of `rows` rows: what helps those that only have too
// few. Empty where there are none, all of them being left out for another reason.
[[nodiscard]] std::string advice_for_fewer_rows(const Store& store, std::span<const std::size_t> words,
                                                std::size_t rows);

// Whether documents are known, but all rows are of one: then it has no test that permutes documents.
[[nodiscard]] bool has_one_document(const Cloud& cloud);

// How many clouds of a size may be in memory at once. Many tests go through their clouds in batches of these: large
// enough to share splits, small enough for any machine.
[[nodiscard]] std::size_t clouds_of_a_batch(std::size_t rows, std::size_t dimension);

struct RowSplit {
    std::vector<std::size_t> first, second;  // rows, in ascending order
};

// `first` and `second` rows out of `rows`, at random: the first part is what sample_rows() gives for its size, both
// together what it gives for theirs. Wants first + second <= rows.
[[nodiscard]] RowSplit split_rows(std::string_view word, std::size_t rows, std::size_t first, std::size_t second,
                                  std::uint64_t seed);

// The cloud of some rows of words()[index]. Nothing when they have no breadth (all alike).
[[nodiscard]] std::optional<Cloud> cloud_of(const Store& store, std::size_t index, std::span<const std::size_t> rows,
                                            bool blocks = true);

// make(0) .. make(count - 1), on the threads of `execution`; its progress is not told. Throws Cancelled when stopped.
[[nodiscard]] std::vector<std::optional<Cloud>> make_clouds(
    std::size_t count, const std::function<std::optional<Cloud>(std::size_t)>& make, const Execution& execution);

// Farthest-point sampling: `first`, then again and again the row whose nearest chosen row is farthest by cosine (the
// earliest of ties), until there are `count` or all rows are chosen. In that order, so that a smaller count gives the
// beginning of it.
[[nodiscard]] std::vector<std::size_t> spread_rows(const Cloud& cloud, std::size_t count, std::size_t first);

}  // namespace wordbreadth::study
