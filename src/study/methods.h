// The ways to test a pair that studies compare.
#pragma once

#include <array>
#include <cstddef>

#include "wordbreadth/test.h"

namespace wordbreadth {

struct Method {
    Alignment align = Alignment::none;
    Statistic statistic = Statistic::plain;

    bool operator==(const Method&) const = default;
};

// The paper's baseline, the paper's proposal, and both with the robust statistic.
inline constexpr std::array<Method, 4> methods = {
    Method{Alignment::none, Statistic::plain}, Method{Alignment::householder, Statistic::plain},
    Method{Alignment::none, Statistic::robust}, Method{Alignment::householder, Statistic::robust}};

// A value for each of them, in that order.
template <class Value>
using PerMethod = std::array<Value, methods.size()>;

}  // namespace wordbreadth
