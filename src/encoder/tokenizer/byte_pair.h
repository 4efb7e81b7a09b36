// Byte-level BPE: a word is its bytes, and pairs of neighbours are merged as long as the list of merges has one, the
// earliest of the list first.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "encoder/tokenizer/model.h"
#include "encoder/tokenizer/trie.h"
#include "encoder/tokenizer/vocabulary.h"

namespace wordbreadth::encoder::tokenizer {

struct BytePairOptions {
    std::vector<std::pair<std::string, std::string>> merges = {};
    std::optional<std::string> unknown = {};  // for bytes that the vocabulary lacks, which else leave no trace
    bool fuse_unknown = false;                // neighbouring unknown bytes make one token
    bool ignore_merges = false;               // a word that is a token is that token, whatever the merges say
};

class BytePair : public Model {
  public:
    // Throws InputError, naming `where`, when a merge is of tokens, or makes a token, that the vocabulary lacks.
    BytePair(const std::string& where, const Vocabulary& vocabulary, const BytePairOptions& options);

    void append_pieces(std::span<const Character> word, std::vector<Piece>& to) const override;

  private:
    class Word;  // in the middle of being merged

    struct Merge {
        std::uint32_t rank = 0;
        std::int32_t result = 0;
    };

    void add_merges(const std::string& where, const Vocabulary& vocabulary, const BytePairOptions& options);
    void add_bytes(const Vocabulary& vocabulary);
    void add_whole_words(const Vocabulary& vocabulary, bool ignore_merges);
    [[nodiscard]] const Merge* merge_of(std::int32_t left, std::int32_t right) const;
    void append_merged(std::span<const Character> word, std::vector<Piece>& to) const;

    FlatMap ranks_;              // of pairs of ids
    std::vector<Merge> merges_;  // by rank
    std::array<std::int32_t, 256> bytes_{};
    std::optional<std::int32_t> unknown_;
    bool fuse_unknown_;
    Trie whole_words_;  // words that are known to end as one token, most of any text
};

}  // namespace wordbreadth::encoder::tokenizer
