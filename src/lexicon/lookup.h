// A map that is asked with any kind of string, without making one.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace wordbreadth::lexicon {

struct StringHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

template <typename Value>
using Lookup = std::unordered_map<std::string, Value, StringHash, std::equal_to<>>;

}  // namespace wordbreadth::lexicon
