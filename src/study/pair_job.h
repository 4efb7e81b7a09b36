// The file that says what a job of pairs is, job.json, and where its tiles lie.
#pragma once

#include <cstddef>
#include <string>

#include "study/pair_layout.h"
#include "wordbreadth/pair_parts.h"

namespace wordbreadth::study {

struct JobRecord {
    PairJob job;
    std::size_t clouds = 0;  // in the source
    std::size_t listed = 0;  // pairs in the list; 0: every pair
    std::size_t parts = 1;
    std::string identity;  // of all that decides results, 64 hexadecimal digits; tiles have it, too

    [[nodiscard]] PairLayout layout() const {
        return listed > 0 ? PairLayout::of_list(listed, parts) : PairLayout::of_all(clouds, parts);
    }
};

// Identifies the inputs by their hashes: those of the provenance, or else found out here.
[[nodiscard]] JobRecord record_of(const PairJob& job, std::size_t clouds, std::size_t listed, std::size_t parts);

[[nodiscard]] std::string job_path(const std::string& folder);
[[nodiscard]] std::string tile_path(const std::string& folder, const Part& part, std::size_t tile);

// Writes the file where there is none, or else compares the two. Throws InputError, saying what differs, when the
// folder is that of another job.
void enter(const JobRecord& record, const std::string& folder);

// Throws InputError when there is none, or it is damaged.
[[nodiscard]] JobRecord read_job(const std::string& folder);

}  // namespace wordbreadth::study
