// Vertical text: one word per line with its lemma and part of speech, and lines of tags between them: <doc ...>, <s>,
// </s>, and <g/> where there is no space. Further columns are ignored. Where there is no <s>, sentences end at . ! ?
// and at tags.
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "corpus/file_reader.h"
#include "corpus/spacing.h"
#include "corpus/tag.h"

namespace wordbreadth::corpus {

namespace {

constexpr std::size_t fewest_fields = 3;

bool ends_sentences(std::string_view word) {
    constexpr std::array<std::string_view, 8> marks{".", "!", "?", "...", "。", "！", "？", "…"};
    return std::ranges::find(marks, word) != marks.end();
}

bool is_document(const Tag& tag) {
    return tag.name == "doc" || tag.name == "text";
}

class VerticalReader : public LineFormat {
  public:
    explicit VerticalReader(const File& file) : LineFormat(file) {}

  private:
    bool read(Sentence& sentence) override {
        builder_.clear();
        if (waiting_document_) open_document(*std::exchange(waiting_document_, std::nullopt));
        for (bool ended = false; !ended;) {
            if (!lines_.next()) {
                require_all_closed();
                break;
            }
            if (lines_.line().empty()) continue;
            const auto tag = parse_tag(lines_.line());
            const bool may_end = tag ? read_tag(*tag) : read_word(lines_.line());
            ended = !builder_.empty() && (may_end || builder_.full());
        }
        builder_.finish(sentence);
        return !builder_.empty();
    }

    // True where a sentence ends at the tag.
    bool read_tag(const Tag& tag) {
        if (tag.name == "g") {
            glued_ = true;
            return false;
        }
        if (tag.name == "s") return tag.closing ? close_sentence() : open_sentence(tag);
        if (is_document(tag)) read_document_tag(tag);
        return sentence_line_ == 0;
    }

    bool open_sentence(const Tag& tag) {
        if (sentence_line_ != 0) fail_here("found <s>; expected </s> for <s>" + of_sentence());
        if (!tag.empty) sentence_line_ = lines_.number();
        return true;
    }

    bool close_sentence() {
        if (sentence_line_ == 0) fail_here("found </s>; expected <s> before it");
        sentence_line_ = 0;
        return true;
    }

    void read_document_tag(const Tag& tag) {
        if (sentence_line_ != 0) {
            fail_here("found " + in_quotes(lines_.line()) + "; expected </s> for <s>" + of_sentence());
        }
        documents_are_closed_ = documents_are_closed_ || tag.closing;
        document_line_ = tag.closing || tag.empty ? 0 : lines_.number();
        if (tag.closing) return;
        if (builder_.empty()) return open_document(attribute_of(tag, "id"));
        waiting_document_ = attribute_of(tag, "id");  // the sentence before is still to be given out
    }

    void open_document(const std::string& name) {
        start_document(name.empty() ? path() + "#" + std::to_string(documents() + 1) : name);
    }

    bool read_word(std::string_view line) {
        split_fields(line, fields_);
        require_fields();
        if (documents() == 0) start_document(path());
        const std::string word = without_entities(fields_[0]);
        if (!std::exchange(glued_, false) && words_want_space(before_, word)) builder_.add_space();
        builder_.add_word(word, without_entities(fields_[1]), without_entities(fields_[2]));
        before_ = word;
        return sentence_line_ == 0 && ends_sentences(word);
    }

    void require_fields() {
        if (number_of_fields_ == 0 && fields_.size() >= fewest_fields) {
            number_of_fields_ = fields_.size();
            first_word_ = lines_.number();
        }
        if (number_of_fields_ == 0 || fields_.size() != number_of_fields_) {
            fail_here(count_of(fields_.size(), "field") + "; expected " + expected_fields());
        }
        if (fields_[0].empty()) fail_here("its word is empty; expected word, lemma and tag");
    }

    [[nodiscard]] std::string expected_fields() const {
        if (number_of_fields_ == 0) return "a tag, or word, lemma and part of speech with tabs between them";
        return std::to_string(number_of_fields_) + " as in line " + std::to_string(first_word_);
    }

    [[nodiscard]] std::string of_sentence() const { return " of line " + std::to_string(sentence_line_); }

    // Files that never close their documents exist; one that does and then stops without it was cut off.
    void require_all_closed() const {
        if (sentence_line_ != 0) {
            fail_here("the file breaks off; expected </s> for <s>" + of_sentence());
        }
        if (documents_are_closed_ && document_line_ != 0) {
            fail_here("the file breaks off; expected the end of the document of line " +
                      std::to_string(document_line_));
        }
    }

    std::string before_;                           // the word before
    bool glued_ = false;                           // <g/> stands before the next
    std::uint64_t sentence_line_ = 0;              // of the open <s>; 0 when there is none
    std::uint64_t document_line_ = 0;              // likewise
    bool documents_are_closed_ = false;            // a closing tag was seen
    std::optional<std::string> waiting_document_;  // that starts after the sentence returned last
    std::size_t number_of_fields_ = 0;
    std::uint64_t first_word_ = 0;  // its line
};

}  // namespace

std::unique_ptr<FileReader> read_vertical(const File& file, const Reading&) {
    return std::make_unique<VerticalReader>(file);
}

}  // namespace wordbreadth::corpus
