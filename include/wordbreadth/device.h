// What can run the permutation test here.
#pragma once

#include <string>
#include <vector>

namespace wordbreadth {

struct Device {
    std::string name;         // what `device` in Execution takes: "cpu", "cuda", "cuda:1", "reference", "cuda-paper"
    std::string description;  // for people
    bool available = false;
    std::string unavailable_because;            // empty when available
    std::vector<std::string> instruction_sets;  // those that can be forced here, slowest first
    std::string instruction_set;                // the one used when none is forced
    bool exact = true;                          // its counts are those of a plain float64 program
};

// All devices this program knows, usable or not, in the order in which `auto` tries them. "cuda" is all GPUs together;
// where there are several, each is listed after it, as "cuda:0", "cuda:1", ...
[[nodiscard]] std::vector<Device> devices();

}  // namespace wordbreadth
