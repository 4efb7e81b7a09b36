// One of several parts of a job, which processes run independently: on one machine or on many, in any order, twice.
#pragma once

#include <cstdint>

namespace wordbreadth {

inline constexpr std::uint64_t most_parts = 100'000;

struct Part {
    std::uint64_t number = 1;  // from 1
    std::uint64_t of = 1;      // how many there are

    friend bool operator==(const Part&, const Part&) = default;
};

// Items begin to end - 1.
struct PartRange {
    std::uint64_t begin = 0, end = 0;
};

// The items that are the part's: consecutive ones, as many as the others have or one more.
[[nodiscard]] constexpr PartRange range_of(const Part& part, std::uint64_t items) {
    const auto begin_of = [&](std::uint64_t number) {
        return items / part.of * number + items % part.of * number / part.of;
    };
    return {begin_of(part.number - 1), begin_of(part.number)};
}

}  // namespace wordbreadth
