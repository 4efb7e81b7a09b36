// A line of the `breadth` command: one cloud, where it came from, and its breadth.
#pragma once

#include <string>

#include "wordbreadth/breadth.h"

namespace wordbreadth::report {

struct CloudBreadth {
    std::string name;
    std::string file;
    Breadth breadth;        // without a cloud, only n and d
    std::string undefined;  // empty, or why there is no breadth
};

}  // namespace wordbreadth::report
