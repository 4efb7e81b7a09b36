#include "corpus/sentence_builder.h"

#include "base/utf8.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::corpus {

void SentenceBuilder::clear() {
    text_.clear();
    annotations_.clear();
    of_words_.clear();
    words_.clear();
    space_ = false;
}

void SentenceBuilder::add_text(std::string_view text) {
    const std::string_view core = base::trimmed(text);
    if (core.empty() || core.data() != text.data()) space_ = space_ || !text.empty();
    if (core.empty()) return;
    append(core);
    space_ = core.data() + core.size() != text.data() + text.size();
}

void SentenceBuilder::add_word(std::string_view surface, std::string_view lemma, std::string_view part_of_speech) {
    const std::string_view core = base::trimmed(surface);
    add_text(surface);
    if (core.empty()) return;
    const auto end = static_cast<std::uint32_t>(text_.size());
    words_.push_back({end - static_cast<std::uint32_t>(core.size()), end, {}, {}});
    const std::size_t begin = annotations_.size();
    annotations_.append(lemma).append(part_of_speech);
    of_words_.push_back({begin, begin + lemma.size(), annotations_.size()});
}

bool SentenceBuilder::full() const {
    return text_.size() >= limits::sentence_bytes;
}

void SentenceBuilder::finish(Sentence& sentence) {
    const std::string_view all = annotations_;  // only now, since the string has stopped growing
    for (std::size_t i = 0; i < words_.size(); ++i) {
        const Annotation& place = of_words_[i];
        words_[i].lemma = all.substr(place.begin, place.lemma_end - place.begin);
        words_[i].part_of_speech = all.substr(place.lemma_end, place.end - place.lemma_end);
    }
    sentence.text = text_;
    sentence.words = words_;
}

void SentenceBuilder::append(std::string_view text) {
    if (space_ && !text_.empty()) text_ += ' ';
    text_ += text;
}

}  // namespace wordbreadth::corpus
