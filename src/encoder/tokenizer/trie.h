// A set of texts with a number each, and the hash table that it is made of.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "encoder/tokenizer/characters.h"

namespace wordbreadth::encoder::tokenizer {

// A hash table from 64-bit keys to 32-bit values in one block of memory: a look-up is usually one cache line.
// std::unordered_map follows two pointers for each, and the tokenizers do little else than look up.
class FlatMap {
  public:
    // Replaces the value of a key that is already there. No key may be `no_key`.
    void set(std::uint64_t key, std::uint32_t value) {
        if (2 * (size_ + 1) > slots_.size()) grow();
        Slot& slot = slots_[place_of(key)];
        if (slot.key == no_key) ++size_;
        slot = {key, value};
    }

    [[nodiscard]] std::optional<std::uint32_t> find(std::uint64_t key) const {
        if (slots_.empty()) return std::nullopt;
        const Slot& slot = slots_[place_of(key)];
        if (slot.key == no_key) return std::nullopt;
        return slot.value;
    }

    static constexpr std::uint64_t no_key = ~std::uint64_t{0};

  private:
    struct Slot {
        std::uint64_t key = no_key;
        std::uint32_t value = 0;
    };

    // The slot of the key, or the empty one where it belongs. At least half of the slots are empty.
    [[nodiscard]] std::size_t place_of(std::uint64_t key) const {
        const std::size_t mask = slots_.size() - 1;
        const std::uint64_t mixed = key * 0x9E3779B97F4A7C15U;  // Fibonacci hashing: the high bits depend on all
        std::size_t place = static_cast<std::size_t>(mixed >> shift_);
        while (slots_[place].key != no_key && slots_[place].key != key) place = (place + 1) & mask;
        return place;
    }

    void grow() {
        std::vector<Slot> old(slots_.empty() ? 16 : 2 * slots_.size());
        old.swap(slots_);
        shift_ = 64 - std::countr_zero(slots_.size());
        for (const Slot& slot : old) {
            if (slot.key != no_key) slots_[place_of(slot.key)] = slot;
        }
    }

    std::vector<Slot> slots_;  // a power of two
    std::size_t size_ = 0;
    int shift_ = 0;
};

// A set of texts with a number each, asked for the longest one that a text begins with.
class Trie {
  public:
    struct Match {
        std::size_t length = 0;  // in characters, at least 1
        std::int32_t value = 0;
    };

    // `value` is not negative. A text that is already there gets the new value. An empty text is never found.
    void add(std::u32string_view text, std::int32_t value) {
        std::uint32_t node = 0;
        for (const char32_t c : text) {
            const std::uint64_t key = edge(node, c);
            const auto known = edges_.find(key);
            node = known ? *known : static_cast<std::uint32_t>(values_.size());
            if (known) continue;
            edges_.set(key, node);
            values_.push_back(no_value);
        }
        values_[node] = value;
    }

    [[nodiscard]] std::optional<Match> longest(std::span<const Character> text) const {
        std::optional<Match> best;
        std::uint32_t node = 0;
        for (std::size_t i = 0; i < text.size(); ++i) {
            const auto next = edges_.find(edge(node, text[i].value));
            if (!next) break;
            node = *next;
            if (values_[node] != no_value) best = Match{i + 1, values_[node]};
        }
        return best;
    }

    // Calls `found(length, value)` for every text that `text` begins with, the shortest first.
    template <class Found>
    void each(std::span<const Character> text, Found found) const {
        std::uint32_t node = 0;
        for (std::size_t i = 0; i < text.size(); ++i) {
            const auto next = edges_.find(edge(node, text[i].value));
            if (!next) return;
            node = *next;
            if (values_[node] != no_value) found(i + 1, values_[node]);
        }
    }

  private:
    static constexpr std::int32_t no_value = -1;

    [[nodiscard]] static std::uint64_t edge(std::uint32_t node, char32_t c) {
        return std::uint64_t{node} << 21 | c;  // a character has 21 bits
    }

    FlatMap edges_;
    std::vector<std::int32_t> values_{no_value};  // of each node; the first is the root
};

}  // namespace wordbreadth::encoder::tokenizer
