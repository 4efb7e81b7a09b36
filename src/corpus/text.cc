// Plain text: sentences are found here. A file is a document; as a unit of text it is one text.
#include <utility>

#include "base/utf8.h"
#include "corpus/failure.h"
#include "corpus/file_reader.h"
#include "corpus/raw_sentences.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::corpus {

namespace {

class TextReader : public FileReader {
  public:
    TextReader(const File& file, Splitter& splitter)
        : FileReader(file), sentences_(text(), splitter), label_(file.label) {
        start_document(file.path);
    }

  private:
    bool read(Sentence& sentence) override {
        sentence.label = label_;
        return sentences_.next(sentence.text);
    }

    RawSentences sentences_;
    std::string label_;
};

class WholeTextReader : public FileReader {
  public:
    explicit WholeTextReader(const File& file) : FileReader(file), label_(file.label) { start_document(file.path); }

  private:
    bool read(Sentence& sentence) override {
        if (std::exchange(done_, true)) return false;
        read_all();
        sentence.label = label_;
        sentence.text = base::trimmed(text_);
        return !sentence.text.empty();
    }

    void read_all() {
        LineReader lines(text(), limits::record_bytes);
        while (lines.next()) {
            text_.append(lines.line()) += '\n';
            if (text_.size() <= limits::record_bytes) continue;
            fail(path(), "is longer than the " + std::to_string(limits::record_bytes) +
                             " bytes accepted for one text; split it, or read it in the format lines");
        }
    }

    std::string label_;
    std::string text_;
    bool done_ = false;
};

}  // namespace

std::unique_ptr<FileReader> read_text(const File& file, const Reading& reading) {
    if (reading.unit == Unit::text) return std::make_unique<WholeTextReader>(file);
    return std::make_unique<TextReader>(file, reading.splitter);
}

}  // namespace wordbreadth::corpus
