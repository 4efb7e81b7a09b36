// Sentences for the encoder's benchmarks, from a file of 32-bit numbers: of each sentence its length, then its ids.
#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "encoder/encoder.h"

namespace wordbreadth::bench {

struct Tokens {
    std::vector<std::int32_t> ids;
    std::vector<std::size_t> ends, kept;
    [[nodiscard]] encoder::Batch batch() const { return {ids, {}, ends, kept}; }
};

inline void add_sentence(Tokens& to, std::ifstream& file, std::size_t length, bool keeps_all) {
    const std::size_t begin = to.ids.size();
    to.ids.resize(begin + length);
    file.read(reinterpret_cast<char*>(to.ids.data() + begin), static_cast<std::streamsize>(4 * length));
    to.ends.push_back(to.ids.size());
    if (!keeps_all) return to.kept.push_back(begin + length / 2);
    for (std::size_t i = begin; i < to.ids.size(); ++i) to.kept.push_back(i);
}

// Batches of at least `batch_tokens` tokens, until `most` have been read. All tokens are kept, or one of each sentence.
inline std::vector<Tokens> read_batches(const std::string& path, bool keeps_all, std::size_t batch_tokens,
                                        std::size_t most = std::numeric_limits<std::size_t>::max()) {
    std::ifstream file(path, std::ios::binary);
    std::vector<Tokens> batches(1);
    std::size_t tokens = 0;
    for (std::int32_t length = 0; tokens < most && file.read(reinterpret_cast<char*>(&length), sizeof length);) {
        if (batches.back().ids.size() >= batch_tokens) batches.emplace_back();
        add_sentence(batches.back(), file, static_cast<std::size_t>(length), keeps_all);
        tokens += static_cast<std::size_t>(length);
    }
    return batches;
}

}  // namespace wordbreadth::bench
