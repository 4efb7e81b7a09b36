// The parts of speech that WordNet knows, and how its files write them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace wordbreadth::lexicon {

enum class PartOfSpeech : std::uint8_t { noun, verb, adjective, adverb };

// The ending of its index file, and the name of its list of exceptions: index.adj, adj.exc.
[[nodiscard]] constexpr std::string_view name_in_files(PartOfSpeech part) {
    constexpr std::string_view names[] = {"noun", "verb", "adj", "adv"};
    return names[static_cast<std::size_t>(part)];
}

// The second field of every line of its index file.
[[nodiscard]] constexpr std::string_view letter_in_files(PartOfSpeech part) {
    constexpr std::string_view letters[] = {"n", "v", "a", "r"};
    return letters[static_cast<std::size_t>(part)];
}

}  // namespace wordbreadth::lexicon
