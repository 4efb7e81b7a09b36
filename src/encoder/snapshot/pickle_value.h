// What the pickle machine handles.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace wordbreadth::encoder::snapshot {

struct PickleValue {
    enum class Kind { none, mark, boolean, integer, text, tuple, list, dictionary, global, storage, tensor };
    Kind kind = Kind::none;
    std::int64_t number = 0;
    std::string text;                       // of a text; of a global: "module name"
    std::vector<const PickleValue*> items;  // of a dictionary: key, value, key, value; of what was made: its arguments
};

// Owns all values of one pickle. They point to each other freely, in circles too if the file says so: nothing that
// recurses ever walks over them.
class PickleValues {
  public:
    PickleValue* make(PickleValue value) { return &values_.emplace_back(std::move(value)); }

  private:
    std::deque<PickleValue> values_;
};

}  // namespace wordbreadth::encoder::snapshot
