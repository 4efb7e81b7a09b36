// JSONL: one record per line, each of them a document and a text.
#include <optional>

#include "base/utf8.h"
#include "corpus/file_reader.h"
#include "corpus/json_record.h"
#include "corpus/line_reader.h"
#include "corpus/plain_text.h"
#include "corpus/source.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::corpus {

namespace {

class JsonlReader : public FileReader {
  public:
    JsonlReader(const File& file, const Reading& reading)
        : FileReader(file), lines_(text(), limits::record_bytes), reading_(reading) {}

  private:
    bool read(Sentence& sentence) override {
        while (!next_sentence(sentence)) {
            if (!next_record()) return false;
        }
        sentence.label = record_.label ? std::string_view(*record_.label) : std::string_view(file_label());
        return true;
    }

    bool next_sentence(Sentence& sentence) {
        if (!text_) return false;
        if (reading_.unit == Unit::sentence) return sentences_->next(sentence.text);
        sentence.text = base::trimmed(record_.text);
        text_.reset();
        return !sentence.text.empty();
    }

    bool next_record() {
        do {
            if (!lines_.next()) return false;
        } while (base::trimmed(lines_.line()).empty());
        record_ = parse_json_record(path(), lines_.number(), lines_.line());
        require_consistent_labels();
        start_document(record_.id ? *record_.id : path() + ":" + std::to_string(lines_.number()));
        text_.emplace(path(), record_.text);
        if (reading_.unit == Unit::sentence) sentences_.emplace(*text_, reading_.splitter);
        return true;
    }

    // A label that is missing here and there would put texts into an unwanted cloud.
    void require_consistent_labels() {
        const bool has_label = record_.label.has_value();
        if (documents() == 0) {
            first_line_ = lines_.number();
            labelled_ = has_label;
        }
        if (reading_.unit == Unit::sentence || labelled_ == has_label) return;
        fail_at(path(), lines_.number(),
                std::string(has_label ? "has" : "has no") + " \"label\", but line " + std::to_string(first_line_) +
                    (labelled_ ? " has one" : " has none") + "; expected all lines alike");
    }

    LineReader lines_;
    Reading reading_;
    JsonRecord record_;
    std::optional<MemoryBytes> text_;  // of the record, while there is more of it
    std::optional<RawSentences> sentences_;
    std::uint64_t first_line_ = 0;
    bool labelled_ = false;
};

}  // namespace

std::unique_ptr<FileReader> read_jsonl(const File& file, const Reading& reading) {
    return std::make_unique<JsonlReader>(file, reading);
}

}  // namespace wordbreadth::corpus
