#include "corpus/file_reader.h"

#include <utility>

#include "base/utf8.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::corpus {

bool FileReader::next(Sentence& sentence) {
    if (!read(sentence)) return false;
    sentence.document = documents_ - 1;
    sentence.document_name = document_name_;
    if (sentence.label.empty()) sentence.label = document_name_;
    return true;
}

void FileReader::start_document(std::string_view name) {
    ++documents_;
    document_name_ = name;
}

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

LineFormat::LineFormat(const File& file) : FileReader(file), lines_(text(), limits::line_bytes) {}

bool LineFormat::next_row() {
    do {
        if (!lines_.next()) return false;
    } while (lines_.line().empty());
    split_fields(lines_.line(), fields_);
    return true;
}

void LineFormat::fail_here(std::string_view what) const {
    fail_at(path(), lines_.number(), what);
}

std::unique_ptr<FileReader> read_file(const File& file, const Reading& reading) {
    using Open = std::unique_ptr<FileReader> (*)(const File&, const Reading&);
    constexpr std::pair<Format, Open> all[] = {
        {Format::text, read_text},         {Format::lines, read_lines}, {Format::jsonl, read_jsonl},
        {Format::bnc, read_bnc},           {Format::bccwj, read_bccwj}, {Format::conllu, read_conllu},
        {Format::vertical, read_vertical}, {Format::dwug, read_dwug},   {Format::brown, read_brown}};
    for (const auto& [format, open] : all)
        if (format == file.format) return open(file, reading);
    fail(file.path, "its format was not decided");
}

}  // namespace wordbreadth::corpus
