#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "base/failure.h"
#include "base/utf8.h"
#include "corpus/corpus.h"
#include "corpus/file_reader.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::corpus {

namespace {

constexpr std::array all{
    Traits{Format::automatic, "auto", false, false, false, "", nullptr, nullptr},
    Traits{Format::text, "text", false, false, false, ".txt.text", read_text, nullptr},
    Traits{Format::lines, "lines", false, false, false, ".txt.text.lines", read_lines, nullptr},
    Traits{Format::jsonl, "jsonl", false, false, false, ".jsonl.ndjson.json", read_jsonl, looks_like_jsonl},
    Traits{Format::bnc, "bnc", true, true, true, ".xml", read_bnc, nullptr, TagSet::bnc},
    Traits{Format::bccwj, "bccwj", true, true, true, ".txt.tsv", read_bccwj, looks_like_bccwj, TagSet::unidic},
    Traits{Format::conllu, "conllu", true, true, true, ".conllu.conll", read_conllu, looks_like_conllu},
    Traits{Format::vertical, "vertical", true, true, true, ".vert.vrt.vertical", read_vertical, looks_like_vertical},
    Traits{Format::dwug, "dwug", false, true, true, ".csv.tsv", read_dwug, looks_like_dwug, TagSet::dwug},
    Traits{Format::brown, "brown", true, false, true, "", read_brown, looks_like_brown, TagSet::brown},
};

std::filesystem::path without_gz(std::string_view path) {
    std::filesystem::path name = std::filesystem::path(path).filename();
    return name.extension() == ".gz" ? name.stem() : name;
}

}  // namespace

std::span<const Traits> all_traits() {
    return all;
}

const Traits& traits_of(Format format) {
    return *std::ranges::find(all, format, &Traits::format);
}

Format format_named(std::string_view name) {
    const auto* found = std::ranges::find(all, name, &Traits::name);
    if (found != all.end()) return found->format;
    base::fail("corpus format " + base::in_quotes(name),
               "no such format; expected one of " + base::joined(all, ", ", &Traits::name));
}

bool has_usual_ending(Format format, std::string_view path) {
    const std::string ending = without_gz(path).extension().string();
    if (ending.size() < 2) return false;
    const std::string_view endings = traits_of(format).endings;
    const std::size_t at = endings.find(ending);
    if (at == std::string_view::npos) return false;
    const std::size_t after = at + ending.size();
    return after == endings.size() || endings[after] == '.';
}

std::string stem_of(std::string_view path) {
    return without_gz(path).stem().string();
}

Reader::Reader(std::vector<File> files, std::vector<Skipped> skipped, Unit unit)
    : files_(std::move(files)), skipped_(std::move(skipped)), unit_(unit), splitter_(std::make_unique<Splitter>()) {
    limit_to(0, files_.size());
}

Reader::Reader(Reader&&) noexcept = default;
Reader& Reader::operator=(Reader&&) noexcept = default;
Reader::~Reader() = default;

bool Reader::next(Sentence& sentence) {
    while (place_.file < end_) {
        const File& file = files_[place_.file];
        if (!current_) current_ = traits_of(file.format).open(file, {unit_, *splitter_});
        sentence = {};
        if (current_->next(sentence)) {
            sentence.number = sentences_++;
            sentence.document += place_.document;
            sentence.tags = traits_of(file.format).tags;
            if (unit_ == Unit::sentence && !sentence.usage) sentence.label = {};  // copies are found in any file
            sentence.file = place_;
            return true;
        }
        close_file();
    }
    return false;
}

void Reader::limit_to(std::uint64_t first, std::uint64_t end) {
    place_ = {first, 0, 0};
    files_counted_ = first;
    end_ = end;
    total_bytes_ = 0;
    for (std::uint64_t i = first; i < end; ++i) total_bytes_ += files_[i].bytes;
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

void Reader::close_file() {
    bytes_before_ += files_[place_.file].bytes;
    if (place_.file == files_counted_) {
        invalid_.add(current_->invalid());
        ++files_counted_;
    }
    place_ = {place_.file + 1, sentences_, place_.document + current_->documents()};
    current_.reset();
}

std::optional<std::string_view> type_of(const Sentence& sentence, const Word& word, const Selection& selection) {
    const auto is_it = [&](const std::string& wanted) {
        return is_part_of_speech(word.part_of_speech, wanted, sentence.tags);
    };
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
                                  "; expected an annotated corpus (bnc, bccwj, conllu, vertical" +
                                  (lacks_lemmas ? " or dwug)" : ", dwug or brown)"));
    }
}

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
    if (space_ && !text_.empty()) text_ += ' ';
    text_ += core;
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

}  // namespace wordbreadth::corpus
