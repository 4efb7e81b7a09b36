// What can run the permutation test here.
#pragma once

#include <string>
#include <vector>

namespace wordbreadth {

struct Device {
    std::string name;         // what `device` in Execution takes: "cpu", "cuda", "reference", "cuda-paper"
    std::string description;  // for people
    bool available = false;
    std::string unavailable_because;            // empty when available
    std::vector<std::string> instruction_sets;  // those that can be forced here, slowest first
    std::string instruction_set;                // the one used when none is forced
    bool exact = true;                          // its counts are those of a plain float64 program
};

// All devices this program knows, usable or not, in the order in which `auto` tries them.
[[nodiscard]] std::vector<Device> devices();

}  // namespace wordbreadth
