// How far a job in parts is, from what its parts wrote about themselves: durations by their own clocks, so that the
// clocks of machines need not agree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "wordbreadth/part.h"

namespace wordbreadth {

// What a part last wrote.
struct PartReport {
    enum class State {
        running,   // or killed on another machine: who is killed writes nothing
        finished,  //
        stopped,   // by a signal, or at its time limit
        failed,    // `error` says why
        killed,    // on this machine, where it can be seen that its process is gone
    };
    Part part;
    State state = State::running;
    double done = 0;  // share of its work
    // By the process that wrote this: words read, tokens embedded or pairs tested, in that many seconds.
    std::uint64_t units = 0;
    double seconds = 0;
    std::string error;
    std::string host;
};

struct JobProgress {
    std::string unit;               // of its work: "word", "token", "pair"
    std::uint64_t of = 0;           // parts of the job; 0: it is in one piece, or no part has begun
    std::vector<PartReport> parts;  // that have begun, in their order
    double units_per_second = 0;    // of all running parts together
    std::optional<double>
        seconds_left{};  // if as many parts run until the end; nothing where none runs, or says how fast

    [[nodiscard]] std::uint64_t count(PartReport::State state) const;
    [[nodiscard]] std::uint64_t not_begun() const { return of - parts.size(); }
};

// Whether parts of a store's plan are being made in the folder, or were made and are not merged yet.
[[nodiscard]] bool is_being_planned(const std::string& folder);

// Of the parts that plan a store (its unit is then a word) or embed it (a token). Throws InputError when the folder is
// neither a store nor one of parts of its plan, was written by a newer version or is damaged.
[[nodiscard]] JobProgress progress_of_store(const std::string& folder);

// Of tests of pairs in parts.
struct PairsProgress {
    std::string clouds;  // that are tested: a store, or a file
    std::uint64_t pairs = 0;
    std::uint64_t tiles = 0, finished_tiles = 0;
    JobProgress job;
};

// Throws InputError when the folder is none that parts of tests were written to.
[[nodiscard]] PairsProgress progress_of_pairs(const std::string& folder);

}  // namespace wordbreadth
