// One sentence, or one text, a line. A file is a document; blank lines are nothing.
#include "base/utf8.h"
#include "corpus/file_reader.h"
#include "corpus/line_reader.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::corpus {

namespace {

class LinesReader : public FileReader {
  public:
    LinesReader(const File& file, std::size_t longest, LineReader::Long treatment)
        : FileReader(file), lines_(text(), longest, treatment), label_(file.label) {
        start_document(file.path);
    }

  private:
    bool read(Sentence& sentence) override {
        sentence.label = label_;
        while (lines_.next()) {
            sentence.text = base::trimmed(lines_.line());
            if (!sentence.text.empty()) return true;
        }
        return false;
    }

    LineReader lines_;
    std::string label_;
};

}  // namespace

std::unique_ptr<FileReader> read_lines(const File& file, const Reading& reading) {
    if (reading.unit == Unit::text)
        return std::make_unique<LinesReader>(file, limits::record_bytes, LineReader::Long::refused);
    return std::make_unique<LinesReader>(file, limits::sentence_bytes, LineReader::Long::in_pieces);
}

}  // namespace wordbreadth::corpus
