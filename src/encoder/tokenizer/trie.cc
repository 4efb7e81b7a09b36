#include "encoder/tokenizer/trie.h"

namespace wordbreadth::encoder::tokenizer {

void Trie::add(std::u32string_view text, std::int32_t value) {
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

std::optional<Trie::Match> Trie::longest(std::span<const Character> text) const {
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

std::optional<std::int32_t> Trie::find(std::u32string_view text) const {
    std::uint32_t node = 0;
    for (const char32_t c : text) {
        const auto next = edges_.find(edge(node, c));
        if (!next) return std::nullopt;
        node = *next;
    }
    if (text.empty() || values_[node] == no_value) return std::nullopt;
    return values_[node];
}

}  // namespace wordbreadth::encoder::tokenizer
