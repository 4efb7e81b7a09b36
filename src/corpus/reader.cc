#include <algorithm>
#include <utility>

#include "base/failure.h"
#include "corpus/corpus.h"
#include "corpus/file_reader.h"
#include "corpus/files.h"

namespace wordbreadth::corpus {

Reader::Reader(std::vector<File> files, std::vector<Skipped> skipped, Unit unit)
    : files_(std::move(files)), skipped_(std::move(skipped)), unit_(unit), splitter_(std::make_unique<Splitter>()) {
    for (const File& file : files_) total_bytes_ += file.bytes;
}

Reader::Reader(Reader&&) noexcept = default;
Reader& Reader::operator=(Reader&&) noexcept = default;
Reader::~Reader() = default;

bool Reader::next(Sentence& sentence) {
    while (place_.file < files_.size()) {
        if (!current_) open_file();
        sentence = {};
        if (current_->next(sentence)) {
            sentence.number = sentences_++;
            sentence.document += place_.document;
            return true;
        }
        close_file();
    }
    return false;
}

void Reader::go_to(const Place& place) {
    current_.reset();
    place_ = place;
    sentences_ = place.sentence;
    bytes_before_ = 0;
    for (std::uint64_t i = 0; i < place.file; ++i) bytes_before_ += files_[i].bytes;
}

Progress Reader::progress() const {
    const std::uint64_t done = bytes_before_ + (current_ ? current_->consumed() : 0);
    return {std::min(done, total_bytes_), total_bytes_};
}

std::uint64_t Reader::documents() const {
    return place_.document + (current_ ? current_->documents() : 0);
}

void Reader::open_file() {
    current_ = read_file(files_[place_.file], {unit_, *splitter_});
}

void Reader::close_file() {
    bytes_before_ += files_[place_.file].bytes;
    if (place_.file == files_counted_) {
        invalid_.add(current_->invalid());
        ++files_counted_;
    }
    place_ = {place_.file + 1, sentences_, place_.document + current_->documents()};
    current_.reset();
}

Reader open_corpus(std::span<const std::string> paths, const Options& options) {
    FileList found = find_files(paths, options);
    return {std::move(found.files), std::move(found.skipped), options.unit};
}

bool is_part_of_speech(std::string_view found, std::string_view wanted) {
    if (wanted.empty() || !found.starts_with(wanted)) return false;
    return found.size() == wanted.size() || found[wanted.size()] == '-';
}

std::optional<std::string_view> type_of(const Sentence& sentence, const Word& word, const Selection& selection) {
    const auto is_it = [&](const std::string& wanted) { return is_part_of_speech(word.part_of_speech, wanted); };
    const auto& wanted = selection.parts_of_speech;
    if (!wanted.empty() && std::ranges::none_of(wanted, is_it)) return std::nullopt;
    if (!selection.by_lemma) return sentence.text.substr(word.begin, word.end - word.begin);
    return word.lemma.empty() ? std::nullopt : std::optional(word.lemma);
}

void require_annotations(const Reader& reader, const Selection& selection) {
    for (const File& file : reader.files()) {
        const Traits& traits = traits_of(file.format);
        const bool lacks_lemmas = selection.by_lemma && !traits.lemmas;
        const bool lacks_parts = !selection.parts_of_speech.empty() && !traits.parts_of_speech;
        if (!lacks_lemmas && !lacks_parts) continue;
        base::fail(file.path, "is of the format " + std::string(traits.name) + ", which has no " +
                                  (lacks_lemmas ? "lemmas" : "parts of speech") +
                                  "; expected an annotated corpus (bnc, bccwj, conllu or vertical)");
    }
}

}  // namespace wordbreadth::corpus
