// BCCWJ: one short unit word per line, 25 tab-separated fields. A sample is a document.
//
// The text is that of the field "original text". Where numbers were regrouped, a unit may have none, and is not
// a word here.
#include <array>

#include "corpus/file_reader.h"

namespace wordbreadth::corpus {

namespace {

constexpr std::size_t number_of_fields = 25;
enum Field : std::size_t { sample = 1, sentence_label = 9, lexeme = 12, part_of_speech = 16, original_text = 23 };

class BccwjReader : public LineFormat {
  public:
    explicit BccwjReader(const File& file) : LineFormat(file) {}

  private:
    bool read(Sentence& sentence) override {
        builder_.clear();
        if (held_) add_unit();  // that began this sentence, and ended the one before
        while (next_unit()) {
            held_ = starts_sentence() || builder_.full();
            if (held_ && !builder_.empty()) break;
            add_unit();
        }
        builder_.finish(sentence);
        return !builder_.empty();
    }

    bool next_unit() {
        if (!next_row()) return held_ = false;
        if (fields_.size() != number_of_fields) {
            fail_here(count_of(fields_.size(), "field") + "; expected the 25 of BCCWJ's short unit words");
        }
        if (fields_[sentence_label] == "B" || fields_[sentence_label] == "I") return true;
        fail_here("the sentence label (field 10) is " + in_quotes(fields_[sentence_label]) + "; expected B or I");
    }

    [[nodiscard]] bool starts_sentence() const { return fields_[sentence_label] == "B" || fields_[sample] != sample_; }

    void add_unit() {
        held_ = false;
        if (documents() == 0 || fields_[sample] != sample_) {
            sample_ = fields_[sample];
            start_document(sample_);
        }
        builder_.add_word(fields_[original_text], fields_[lexeme], fields_[part_of_speech]);
    }

    std::string sample_;
    bool held_ = false;  // fields_ belongs to the next sentence
};

}  // namespace

std::unique_ptr<FileReader> read_bccwj(const File& file, const Reading&) {
    return std::make_unique<BccwjReader>(file);
}

}  // namespace wordbreadth::corpus
