#include "extraction/copies.h"

#include <algorithm>
#include <string>
#include <utility>

#include "extraction/mixed.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::extraction {

namespace {

constexpr std::uint64_t whole_entry = ~std::uint64_t{0};
constexpr std::uint64_t upper_half = whole_entry << 32;
constexpr std::size_t shingles_of_a_sentence = 32;  // there is room for, on average
constexpr std::size_t fewest_slots = 1024;

std::uint64_t hash_of(std::string_view bytes) {
    std::uint64_t hash = bytes.size();
    for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;  // as in FNV-1a
    return mixed(hash);
}

// What two sentences must have in common besides their text: the label of texts; the word that a usage is of, and
// where it stands.
std::uint64_t salt_of(const KeptSentence& sentence, std::span<const TextRange> words) {
    if (sentence.words_are_all || sentence.words.empty()) return hash_of(sentence.label);
    const auto& [begin, end, type] = sentence.words.front();
    const auto is_before = [at = begin](const TextRange& word) { return word.begin < at; };
    return mixed(hash_of(type) ^ static_cast<std::uint64_t>(std::ranges::count_if(words, is_before)));
}

void take_shingles(std::string_view text, std::span<const TextRange> words, std::vector<std::uint32_t>& shingles) {
    shingles.clear();
    std::array<std::uint64_t, shingle_words> last{};  // hashes of words, the latest at the end
    std::string lower;
    for (std::size_t i = 0; i < words.size(); ++i) {
        lower.clear();
        append_lowercase(lower, text.substr(words[i].begin, words[i].end - words[i].begin));
        std::rotate(last.begin(), last.begin() + 1, last.end());
        last.back() = hash_of(lower);
        if (i + 1 < shingle_words) continue;
        std::uint64_t shingle = 0;
        for (const std::uint64_t word : last) shingle = mixed(shingle ^ word);
        shingles.push_back(static_cast<std::uint32_t>(shingle >> 32));
    }
    std::ranges::sort(shingles);
    shingles.erase(std::unique(shingles.begin(), shingles.end()), shingles.end());
}

constexpr std::size_t minhashes = minhash_bands * minhashes_of_a_band;

// Of the hash functions x -> factor x + offset, modulo 2^64.
struct Functions {
    std::array<std::uint64_t, minhashes> factors{}, offsets{};

    constexpr Functions() {
        for (std::size_t i = 0; i < minhashes; ++i) {
            factors[i] = mixed(2 * i) | 1U;
            offsets[i] = mixed(2 * i + 1);
        }
    }
};

void take_bands(Fingerprint& fingerprint, std::uint64_t salt) {
    static constexpr Functions functions;
    std::array<std::uint64_t, minhashes> least{};
    least.fill(~std::uint64_t{0});
    for (const std::uint64_t shingle : fingerprint.shingles)
        for (std::size_t i = 0; i < minhashes; ++i)
            least[i] = std::min(least[i], functions.factors[i] * shingle + functions.offsets[i]);
    for (std::size_t band = 0; band < minhash_bands; ++band) {
        std::uint64_t hash = mixed(salt ^ band);
        for (std::size_t i = 0; i < minhashes_of_a_band; ++i)
            hash = mixed(hash ^ least[band * minhashes_of_a_band + i]);
        fingerprint.bands[band] = hash;
    }
}

std::size_t room(Deduplicate deduplicate) {
    return deduplicate == Deduplicate::near ? limits::compared_sentences_near : limits::compared_sentences;
}

}  // namespace

void take_fingerprint(const KeptSentence& sentence, const Analysis& analysis, std::span<const TextRange> words,
                      Deduplicate deduplicate, Fingerprint& fingerprint) {
    fingerprint.is_short = words.size() < shingle_words;
    if (fingerprint.is_short) return;
    const std::uint64_t salt = salt_of(sentence, words);
    fingerprint.tokens = salt;
    for (const std::int32_t id : analysis.ids)
        fingerprint.tokens = mixed(fingerprint.tokens ^ static_cast<std::uint32_t>(id));
    if (deduplicate != Deduplicate::near) return;
    take_shingles(sentence.text, words, fingerprint.shingles);
    take_bands(fingerprint, salt);
}

bool are_near(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
    std::size_t shared = 0;
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        if (a[i] == b[j]) ++shared;
        const bool next_a = a[i] <= b[j], next_b = b[j] <= a[i];
        i += next_a ? 1 : 0;
        j += next_b ? 1 : 0;
    }
    return 10 * shared >= near_tenths * (a.size() + b.size() - shared);
}

void HashSlots::reserve(std::size_t more) {
    std::size_t size = std::max(fewest_slots, slots_.size());
    while (4 * (used_ + more) > 3 * size) size *= 2;
    if (size == slots_.size()) return;
    const std::vector<std::uint64_t> before = std::exchange(slots_, std::vector<std::uint64_t>(size));
    used_ = 0;
    for (const std::uint64_t entry : before)
        if (entry != 0) put(slot_of(entry, whole_entry), entry);
}

std::uint64_t& HashSlots::slot_of(std::uint64_t entry, std::uint64_t mask) {
    const std::size_t last = slots_.size() - 1;
    std::size_t slot = mixed(entry >> 32) & last;
    while (slots_[slot] != 0 && ((slots_[slot] ^ entry) & mask) != 0) slot = (slot + 1) & last;
    return slots_[slot];
}

void HashSlots::put(std::uint64_t& slot, std::uint64_t entry) {
    if (slot != 0) return;
    slot = entry;
    ++used_;
}

Copies::Copies(Deduplicate deduplicate, std::size_t most) : deduplicate_(deduplicate), most_(most) {}

Copies::Copies(Deduplicate deduplicate) : Copies(deduplicate, room(deduplicate)) {}

Copy Copies::add(const Fingerprint& sentence) {
    if (sentence.is_short) return Copy::none;
    if (is_exact(sentence)) {
        ++exact_;
        return Copy::exact;
    }
    if (deduplicate_ == Deduplicate::near && is_near(sentence)) {
        ++near_;
        return Copy::near;
    }
    if (!remember(sentence)) ++not_remembered_;
    return Copy::none;
}

// A near copy is remembered as well, by its tokens: what repeats it is an exact copy.
bool Copies::is_exact(const Fingerprint& sentence) {
    tokens_.reserve(1);
    const std::uint64_t entry = sentence.tokens | 1U;  // never 0
    std::uint64_t& slot = tokens_.slot_of(entry, whole_entry);
    if (slot != 0) return true;
    if (tokens_.size() < most_) tokens_.put(slot, entry);
    return false;
}

std::span<const std::uint32_t> Copies::shingles_of(std::size_t sentence) const {
    const std::size_t begin = sentence == 0 ? 0 : ends_[sentence - 1];
    return std::span(shingles_).subspan(begin, ends_[sentence] - begin);
}

bool Copies::is_near(const Fingerprint& sentence) {
    bands_.reserve(minhash_bands);
    std::uint32_t last = 0;  // the number + 1 of the sentence that was compared last
    for (const std::uint64_t band : sentence.bands) {
        const auto found = static_cast<std::uint32_t>(bands_.slot_of(band & upper_half, upper_half));
        if (found == 0 || found == last) continue;
        if (are_near(sentence.shingles, shingles_of(found - 1))) return true;
        last = found;
    }
    return false;
}

bool Copies::remember(const Fingerprint& sentence) {
    const std::uint64_t entry = sentence.tokens | 1U;
    if (tokens_.slot_of(entry, whole_entry) == 0) return false;  // there was no room
    if (deduplicate_ != Deduplicate::near) return true;
    if (shingles_.size() + sentence.shingles.size() > most_ * shingles_of_a_sentence) return false;
    shingles_.insert(shingles_.end(), sentence.shingles.begin(), sentence.shingles.end());
    ends_.push_back(shingles_.size());
    for (const std::uint64_t band : sentence.bands)
        bands_.put(bands_.slot_of(band & upper_half, upper_half), (band & upper_half) | ends_.size());
    return true;
}

}  // namespace wordbreadth::extraction
