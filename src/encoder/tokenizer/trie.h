// A set of texts with a number each, asked for the longest one that a text begins with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "encoder/tokenizer/characters.h"
#include "encoder/tokenizer/flat_map.h"

namespace wordbreadth::encoder::tokenizer {

class Trie {
  public:
    struct Match {
        std::size_t length = 0;  // in characters, at least 1
        std::int32_t value = 0;
    };

    // `value` is not negative. A text that is already there gets the new value. An empty text is never found.
    void add(std::u32string_view text, std::int32_t value);

    [[nodiscard]] std::optional<Match> longest(std::span<const Character> text) const;

    [[nodiscard]] std::optional<std::int32_t> find(std::u32string_view text) const;

  private:
    static constexpr std::int32_t no_value = -1;

    [[nodiscard]] static std::uint64_t edge(std::uint32_t node, char32_t c) {
        return std::uint64_t{node} << 21 | c;  // a character has 21 bits
    }

    FlatMap edges_;
    std::vector<std::int32_t> values_{no_value};  // of each node; the first is the root
};

}  // namespace wordbreadth::encoder::tokenizer
