// Plain text and lines. A file is a document. Of plain text, sentences are found here, and as a unit of text a file is
// one text; of lines, each is one sentence or one text, and blank ones are skipped.
#include <utility>

#include "base/utf8.h"
#include "corpus/file_reader.h"
#include "corpus/line_reader.h"
#include "corpus/plain_text.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::corpus {

namespace {

class TextReader : public FileReader {
  public:
    TextReader(const File& file, Splitter& splitter) : FileReader(file), sentences_(text(), splitter) {
        start_document(file.path);
    }

  private:
    bool read(Sentence& sentence) override {
        sentence.label = file_label();
        return sentences_.next(sentence.text);
    }

    RawSentences sentences_;
};

class WholeTextReader : public FileReader {
  public:
    explicit WholeTextReader(const File& file) : FileReader(file) { start_document(file.path); }

  private:
    bool read(Sentence& sentence) override {
        if (std::exchange(done_, true)) return false;
        read_all();
        sentence.label = file_label();
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

    std::string text_;
    bool done_ = false;
};

class LinesReader : public FileReader {
  public:
    LinesReader(const File& file, std::size_t longest, LineReader::Long treatment)
        : FileReader(file), lines_(text(), longest, treatment) {
        start_document(file.path);
    }

  private:
    bool read(Sentence& sentence) override {
        sentence.label = file_label();
        while (lines_.next()) {
            sentence.text = base::trimmed(lines_.line());
            if (!sentence.text.empty()) return true;
        }
        return false;
    }

    LineReader lines_;
};

}  // namespace

std::unique_ptr<FileReader> read_text(const File& file, const Reading& reading) {
    if (reading.unit == Unit::text) return std::make_unique<WholeTextReader>(file);
    return std::make_unique<TextReader>(file, reading.splitter);
}

std::unique_ptr<FileReader> read_lines(const File& file, const Reading& reading) {
    if (reading.unit == Unit::text)
        return std::make_unique<LinesReader>(file, limits::record_bytes, LineReader::Long::refused);
    return std::make_unique<LinesReader>(file, limits::sentence_bytes, LineReader::Long::in_pieces);
}

}  // namespace wordbreadth::corpus
