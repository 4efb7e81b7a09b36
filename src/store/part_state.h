// How far a part of an extraction is: a small file that the part writes and others read. No decision depends on it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "wordbreadth/parts.h"

namespace wordbreadth::store {

struct PartState {
    Part part;
    std::string stage;  // "reading", "embedding"
    std::string state;  // "running", "finished", "stopped", "failed"
    double done = 0;    // share of the stage
    // By this process: words read, or tokens embedded, in that many seconds of its own clock.
    std::uint64_t units = 0;
    double seconds = 0;
    std::string error;          // of a part that failed
    std::string host, process;  // that wrote this; filled in by write()
};

// FOLDER/3-of-8.json: of the folder `parts` of a store while it is planned, of `shards` while it is embedded.
[[nodiscard]] std::string part_state_path(const std::string& folder, const Part& part);

// Replaces the file at one moment. What the disk refuses is no error: the state is for people.
void write(const std::string& folder, const PartState& state);

// All that are in the folder and can be read, in the order of their parts.
[[nodiscard]] std::vector<PartState> part_states(const std::string& folder);

}  // namespace wordbreadth::store
