// Numbers out of a plan's tables, which anybody may have changed.
#pragma once

#include <cstdint>
#include <string_view>

#include "store/database.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::store {

struct Bounds {
    std::uint64_t least = 0;
    std::uint64_t most = limits::stored_number;
};

// The whole number in a column of the row that `statement` stands on. Throws InputError, naming file, table, column and
// value, when it is none or out of bounds.
[[nodiscard]] std::uint64_t natural(const Statement& statement, int column, std::string_view table,
                                    const Bounds& bounds = {});

}  // namespace wordbreadth::store
