// Sentences that repeat an earlier one.
//
// An exact copy is one that the model reads as the same tokens: its vectors are the same, too. A near copy shares most
// of its shingles, three consecutive words in lower case, with an earlier sentence: its Jaccard index (shingles that
// both have, as a share of those that either has) is at least 0.7. Numbers and punctuation are no words, so a notice
// with another date in it is a near copy. Candidates come from MinHash (Broder 1997) in bands (Indyk and Motwani 1998);
// their Jaccard index is then computed, not estimated.
//
// Fingerprints are pure functions of a sentence, which any thread may make. They are compared in the order of the
// corpus, so the first sentence is the one that stays, whatever the number of threads.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "extraction/analyst.h"
#include "wordbreadth/extract.h"

namespace wordbreadth::extraction {

// Sentences with fewer words are no copies: "Yes." and "Thank you." are what people say, again and again.
inline constexpr std::size_t shingle_words = 3;

// Of sentences with a Jaccard index of 0.7, a share of 1 - (1 - 0.7^4)^16 = 0.988 become candidates; of 0.8, 0.9998.
inline constexpr std::size_t minhash_bands = 16;
inline constexpr std::size_t minhashes_of_a_band = 4;

// At least this Jaccard index, in tenths.
inline constexpr std::size_t near_tenths = 7;
inline constexpr std::string_view near_text = "near (Jaccard 0.7)";  // as a store says it

struct Fingerprint {
    bool is_short = true;                              // and so no copy
    std::uint64_t tokens = 0;                          // a hash of them
    std::vector<std::uint32_t> shingles;               // their hashes, ascending, each once; only for near copies
    std::array<std::uint64_t, minhash_bands> bands{};  // likewise
};

// Of a sentence that was analysed; `words` are all of it (Analyst::words_of). Where it is a text, or a usage of one
// word, it is no copy of one with another label or of a usage of another word.
void take_fingerprint(const KeptSentence& sentence, const Analysis& analysis, std::span<const TextRange> words,
                      Deduplicate deduplicate, Fingerprint& fingerprint);

// Shingles that both have, as a share of those that either has, is at least 0.7.
[[nodiscard]] bool are_near(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b);

enum class Copy : std::uint8_t { none, exact, near };

// What becomes of a usable word in such a sentence.
[[nodiscard]] constexpr Use use_in(Copy copy) {
    return copy == Copy::none ? Use::usable : copy == Copy::exact ? Use::exact_copy : Use::near_copy;
}

// Hashes by open addressing. The upper half of an entry says where it stands; a free slot is 0.
class HashSlots {
  public:
    // Makes room for that many more.
    void reserve(std::size_t more);

    // The slot of the entry that equals `entry` in the bits of `mask`, the upper half among them, or else a free one.
    [[nodiscard]] std::uint64_t& slot_of(std::uint64_t entry, std::uint64_t mask);

    // Into a slot; nothing happens where it is not free.
    void put(std::uint64_t& slot, std::uint64_t entry);

    [[nodiscard]] std::size_t size() const { return used_; }

  private:
    std::vector<std::uint64_t> slots_;  // a power of two of them
    std::size_t used_ = 0;
};

class Copies {
  public:
    // Remembers at most that many sentences, and then the first: about 16 bytes of each, 350 for near copies.
    Copies(Deduplicate deduplicate, std::size_t most);
    explicit Copies(Deduplicate deduplicate);

    // Whether the sentence repeats an earlier one. If not, it is remembered.
    [[nodiscard]] Copy add(const Fingerprint& sentence);

    [[nodiscard]] std::uint64_t exact() const { return exact_; }
    [[nodiscard]] std::uint64_t near() const { return near_; }
    // Sentences that came when there was no more room: copies of them are not found.
    [[nodiscard]] std::uint64_t not_remembered() const { return not_remembered_; }

  private:
    [[nodiscard]] bool is_exact(const Fingerprint& sentence);
    [[nodiscard]] bool is_near(const Fingerprint& sentence);
    [[nodiscard]] bool remember(const Fingerprint& sentence);
    [[nodiscard]] std::span<const std::uint32_t> shingles_of(std::size_t sentence) const;

    Deduplicate deduplicate_;
    std::size_t most_;
    std::uint64_t exact_ = 0, near_ = 0, not_remembered_ = 0;
    HashSlots tokens_;
    HashSlots bands_;                      // entries: half of a band's hash, and the number of its sentence + 1
    std::vector<std::uint32_t> shingles_;  // of all sentences that are remembered
    std::vector<std::size_t> ends_;        // of each, in shingles_
};

}  // namespace wordbreadth::extraction
