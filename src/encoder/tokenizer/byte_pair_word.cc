#include "encoder/tokenizer/byte_pair_word.h"

#include "encoder/tokenizer/byte_alphabet.h"

namespace wordbreadth::encoder::tokenizer {

BytePair::Word::Word(const BytePair& model, std::span<const Character> characters) : model_(model) {
    symbols_.reserve(2 * characters.size());
    origins_.reserve(2 * characters.size());
    std::string bytes;
    for (const Character c : characters) {
        bytes.clear();
        append_utf8(bytes, c.value);
        for (const char byte : bytes) append_byte(static_cast<std::uint8_t>(byte), c.origin);
    }
}

void BytePair::Word::append_byte(std::uint8_t byte, std::uint32_t origin) {
    const std::uint32_t length = character_of_byte(byte) < 0x80 ? 1 : 2;
    origins_.insert(origins_.end(), length, origin);
    const std::int32_t id = model_.bytes_[byte];
    if (id == nothing) return append_unknown(length);
    append_symbol(id, length);
    last_is_unknown_ = false;
}

void BytePair::Word::append_symbol(std::int32_t id, std::uint32_t length) {
    const auto place = static_cast<std::int32_t>(symbols_.size());
    symbols_.push_back({id, length, place - 1, nothing});
    if (place > 0) symbols_[place - 1].next = place;
}

void BytePair::Word::append_unknown(std::uint32_t length) {
    if (!model_.unknown_) return;
    if (last_is_unknown_ && model_.fuse_unknown_) {
        symbols_.back().length += length;
    } else {
        append_symbol(*model_.unknown_, length);
    }
    last_is_unknown_ = true;
}

void BytePair::Word::note(std::int32_t place) {
    if (place == nothing || symbols_[place].next == nothing) return;
    const Merge* found = model_.merge_of(symbols_[place].id, symbols_[symbols_[place].next].id);
    if (found != nullptr) candidates_.push({found->rank, place, found->result});
}

// What the pair at that place makes now is compared, not the pair itself: so does the library, and its tokens are ours.
bool BytePair::Word::still_holds(const Candidate& candidate) const {
    const Symbol& left = symbols_[candidate.place];
    if (left.length == 0 || left.next == nothing) return false;
    const Merge* found = model_.merge_of(left.id, symbols_[left.next].id);
    return found != nullptr && found->result == candidate.result;
}

void BytePair::Word::merge_with_next(const Candidate& candidate) {
    Symbol& left = symbols_[candidate.place];
    Symbol& right = symbols_[left.next];
    left.id = candidate.result;
    left.length += right.length;
    left.next = right.next;
    right.length = 0;
    if (left.next != nothing) symbols_[left.next].previous = candidate.place;
}

void BytePair::Word::merge() {
    for (std::int32_t place = 0; place < std::ssize(symbols_); ++place) note(place);
    while (!candidates_.empty()) {
        const Candidate best = candidates_.top();
        candidates_.pop();
        if (!still_holds(best)) continue;
        merge_with_next(best);
        note(symbols_[best.place].previous);
        note(best.place);
    }
}

void BytePair::Word::append_pieces(std::vector<Piece>& to) const {
    std::uint32_t at = 0;
    for (const Symbol& symbol : symbols_) {
        if (symbol.length == 0) continue;
        to.push_back({symbol.id, origins_[at], origins_[at + symbol.length - 1] + 1});
        at += symbol.length;
    }
}

}  // namespace wordbreadth::encoder::tokenizer
