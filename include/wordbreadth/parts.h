// An extraction in parts, which any scheduler can run: on one machine or on many that share a disk, in any order,
// repeatedly, and twice at the same time. No part takes a lock; what a part has made appears at one moment.
//
//   extract_part(options with plan_only, {i, n})   counts and samples some of the files
//   merge_store(folder)                            merges these parts to the plan of the store
//   extract_part(options with resume, {i, n})      embeds some of its shards; n may be another
//   merge_store(folder)                            joins the shards to clouds
#pragma once

#include <cstdint>
#include <string>

#include "wordbreadth/extract.h"
#include "wordbreadth/part.h"
#include "wordbreadth/test.h"

namespace wordbreadth {

struct PartSummary {
    enum class Made { plan, shards };
    Made made = Made::plan;
    Part part;
    bool merged = false;                                                     // before: there was nothing to do
    std::uint64_t files = 0, documents = 0, sentences = 0, occurrences = 0;  // of a part of a plan
    std::uint64_t shards = 0, shards_found = 0, shards_damaged = 0, tokens_now = 0;
    double seconds = 0;
};

// Makes one part: of a plan (plan_only) the files are divided, which are read as extract() reads them; of a store that
// is resumed its shards. A part that is there is left as it is, and one that is damaged made again. Throws as extract()
// does; also where the parts that are there belong to another plan (other options, model or files), naming one of them
// and both values, and where neither plan_only nor resume is set.
PartSummary extract_part(const ExtractOptions& options, const Part& part);

struct MergeSummary {
    enum class Made { plan, clouds };
    Made made = Made::plan;
    bool found = false;       // it was there already
    std::uint64_t parts = 0;  // of the plan that were merged
    std::uint64_t files = 0, sentences = 0, documents = 0;
    std::uint64_t words = 0, rows = 0, shards = 0;
    std::uint64_t decided_anew = 0;  // sentences that are copies of one in another part, or of none that stays
    double seconds = 0;
};

// Whether merge_store() has something to do in the folder: a store, finished or not, or parts of a plan.
[[nodiscard]] bool can_merge_store(const std::string& folder);

// Merges the parts of a plan, or joins finished shards to clouds, whichever there are; what was merged is removed.
// Does nothing where that is done. The result is the same to the last byte as that of an extraction in one piece. It
// may be repeated, and run twice at the same time. Throws InputError, naming the part, when one is missing, damaged, or
// of another plan, and Resumable when the disk refuses: nothing that is finished is lost. Cancelled when stopped.
MergeSummary merge_store(const std::string& folder, const Execution& execution = {});

}  // namespace wordbreadth
