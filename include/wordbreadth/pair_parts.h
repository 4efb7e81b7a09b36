// Tests of many pairs in parts, which run independently and write to one folder, and their results, joined.
//
// The folder is all that the parts share; it may be on a network disk. A file appears in it only when it is complete,
// by being renamed, and two processes that write the same file write the same results: nothing is locked, a part may be
// run again or twice at the same time, and one that was killed continues with the tiles that it lacks.
// docs/pairs.md describes the files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "wordbreadth/adjust.h"
#include "wordbreadth/part.h"
#include "wordbreadth/provenance.h"
#include "wordbreadth/test.h"

namespace wordbreadth {

// What is tested, and how: the same in all parts.
struct PairJob {
    std::string clouds;           // a store, or a file of named clouds
    std::string list;             // a file of pairs of names; empty: every pair of clouds
    std::string labels;           // a file of block labels; empty: the documents that the store knows
    std::size_t common_size = 0;  // rows taken of each cloud; 0: all
    TestOptions test{};           // without max_t and null_distribution
    Adjustment adjustment = Adjustment::benjamini_hochberg;  // not max_t, which needs all pairs at once
    std::optional<double> equivalence{};                     // the ratio, where it is asked for
    Provenance provenance{};                                 // of the whole, for the merged result; kept as it is
};

struct PairPartSummary {
    std::uint64_t pairs = 0;  // of the part
    std::uint64_t tiles = 0;  // that these are divided into
    std::uint64_t found = 0;  // of the tiles: those that were there
    double seconds = 0;
};

// Tests the pairs of one part, those excepted whose tiles are in the folder, which is made where it is missing. A pair
// that has no test does not stop the others. Throws InputError for bad options, when a cloud source or a list cannot be
// read, and when the folder holds parts of another job, saying what differs; Cancelled when stopped.
PairPartSummary test_pairs_in_part(const PairJob& job, const Part& part, const std::string& folder);

// Whether parts of such a job were written to the folder.
[[nodiscard]] bool has_pair_parts(const std::string& folder);

// The results of all parts. They stay in the files, which must not be removed while this lives.
class MergedPairs {
  public:
    // Reads and checks every file; of `execution`, threads, progress and stop are looked at. Throws InputError, naming
    // the part, when one is missing, incomplete, damaged or of another job; Cancelled when stopped.
    explicit MergedPairs(const std::string& folder, const Execution& execution = {});
    MergedPairs(MergedPairs&&) noexcept;
    MergedPairs& operator=(MergedPairs&&) noexcept;
    ~MergedPairs();

    [[nodiscard]] const PairJob& job() const;
    [[nodiscard]] std::uint64_t parts() const;

    // In the order in which one call would give them. `seconds` is NaN: the parts took their time elsewhere.
    [[nodiscard]] TestResults results() const;

  private:
    struct Contents;
    std::shared_ptr<const Contents> contents_;
};

}  // namespace wordbreadth
