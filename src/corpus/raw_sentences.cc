#include "corpus/raw_sentences.h"

#include "base/utf8.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::corpus {

RawSentences::RawSentences(base::Bytes& source, Splitter& splitter)
    : lines_(source, limits::sentence_bytes, LineReader::Long::in_pieces), paragraphs_(lines_), splitter_(splitter) {}

bool RawSentences::next(std::string_view& sentence) {
    do {
        while (next_end_ < ends_.size()) {
            sentence = base::trimmed(take());
            if (!sentence.empty()) return true;
        }
    } while (refill());
    return false;
}

// Reads the next paragraph, or a piece of it behind the unfinished sentence that the piece before has left.
bool RawSentences::refill() {
    text_.erase(0, begin_);
    begin_ = next_end_ = 0;
    ends_.clear();
    bool ends = false;
    if (!paragraphs_.next(text_, ends)) return false;
    ends_ = splitter_.split(text_);
    const bool last_is_unfinished =
        !ends && text_.size() - (ends_.size() > 1 ? ends_.end()[-2] : 0) < limits::sentence_bytes;
    if (last_is_unfinished) ends_.pop_back();
    return true;
}

std::string_view RawSentences::take() {
    std::string_view rest = std::string_view(text_).substr(begin_, ends_[next_end_] - begin_);
    if (rest.size() > limits::sentence_bytes) {
        rest = rest.substr(0, base::place_to_cut(rest, limits::sentence_bytes));
    } else {
        ++next_end_;
    }
    begin_ += rest.size();
    return rest;
}

}  // namespace wordbreadth::corpus
