// Tests that need a GPU say so where there is none.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "wordbreadth/device.h"

namespace wordbreadth {

// Why device `name` cannot be used here; empty when it can.
inline std::string why_not(const std::string& name) {
    for (const Device& device : devices())
        if (device.name == name) return device.unavailable_because;
    return "there is no device of that name";
}

}  // namespace wordbreadth

#define WORDBREADTH_NEEDS_GPU()                                                     \
    if (const std::string because = wordbreadth::why_not("cuda"); !because.empty()) \
    GTEST_SKIP() << "no GPU: " << because
