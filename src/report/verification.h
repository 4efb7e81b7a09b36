// Results that say how they were computed, and whether computing them again gives the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "report/table/table.h"
#include "wordbreadth/limits.h"
#include "wordbreadth/provenance.h"

namespace wordbreadth::report {

[[nodiscard]] Json json_of(const Provenance& provenance);

// The result with its provenance at the end; without a command, none.
[[nodiscard]] Json with_provenance(Json result, const Provenance& provenance);

// The element of a page that holds its provenance.
[[nodiscard]] std::string provenance_tag();

// A result as it was written: JSON, or a page.
struct RecordedResult {
    std::string path;
    std::string text;
    bool is_page = false;
    Provenance provenance;
};

// Throws InputError when the file cannot be read, is larger than `most_bytes`, is neither JSON nor a page, or does not
// say how it was computed, as results of earlier versions and tab-separated ones do not.
[[nodiscard]] RecordedResult read_result(const std::string& path, std::uint64_t most_bytes = limits::result_bytes);

// A path that a result mentions, and what it is called where the result is computed again.
struct MovedPath {
    std::string then, now;
};

// Where the inputs of the result are now: where they were or, if `folder` is not empty, in that folder under their path
// or their name. Throws InputError when one is missing, or is not what it was, with both hashes.
[[nodiscard]] std::vector<MovedPath> find_inputs(const RecordedResult& recorded, const std::string& folder);

struct Difference {
    std::string where;  // results[3] (bank).p, or a line of a page
    std::string found, recomputed;
};

struct Verification {
    std::size_t compared = 0;  // values, or lines of a page
    std::size_t different = 0;
    std::vector<Difference> differences;  // the first of them
    std::vector<Difference> notes;        // what may differ, and does: the device, the version
    std::size_t rounded = 0;              // values that differ by no more than rounding on another machine does
};

// Compares a result with `recomputed`, the text of the same result now. Times, devices and versions may differ, and so
// may paths, as far as they are in `paths`. Throws InputError when `recomputed` is no such result.
[[nodiscard]] Verification verify(const RecordedResult& recorded, const std::string& recomputed,
                                  const std::vector<MovedPath>& paths);

// The answer, what differs, and the notes.
[[nodiscard]] std::string text_of(const Verification& verification, const RecordedResult& recorded, const Style& style);

}  // namespace wordbreadth::report
