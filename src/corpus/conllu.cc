// CoNLL-U (Universal Dependencies): a word a line, a blank line after a sentence. `# newdoc` starts a document; a file
// without it is one.
//
// A multiword token is one piece of the text. Its syntactic words count one by one where they are parts of it
// (can|not), and else together (du = de+le).
#include <string>
#include <utility>

#include "base/utf8.h"
#include "corpus/conllu_row.h"
#include "corpus/failure.h"
#include "corpus/file_reader.h"
#include "corpus/line_reader.h"
#include "corpus/sentence_builder.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::corpus {

namespace {

constexpr std::uint32_t longest_range = 100;  // words of a multiword token, which has two or three

// The value of "# key = value", or of "# key".
bool read_comment(std::string_view comment, std::string_view key, std::string_view& value) {
    comment = base::trimmed(comment.substr(1));
    const std::size_t equals = std::min(comment.find('='), comment.size());
    if (base::trimmed(comment.substr(0, equals)) != key) return false;
    value = base::trimmed(comment.substr(std::min(equals + 1, comment.size())));
    return true;
}

struct Part {
    std::string form;
    std::string lemma;
    std::string part_of_speech;
};

struct Multiword {
    std::string form;
    std::uint32_t last = 0;
    bool space_after = true;
    std::vector<Part> parts;
};

class ConlluReader : public FileReader {
  public:
    explicit ConlluReader(const File& file) : FileReader(file), lines_(text(), limits::line_bytes) {}

  private:
    bool read(Sentence& sentence) override {
        builder_.clear();
        while (!builder_.full() && lines_.next()) {
            const std::string_view line = lines_.line();
            if (line.empty()) {
                end_sentence();
                if (!builder_.empty()) break;
            } else if (line.starts_with('#')) {
                note_comment(line);
            } else {
                add_row(parse_conllu_row(path(), lines_.number(), line, fields_));
            }
        }
        if (builder_.empty()) end_sentence();  // the end of the file
        builder_.finish(sentence);
        return !builder_.empty();
    }

    void note_comment(std::string_view line) {
        if (words_ > 0) return;
        std::string_view value;
        if (read_comment(line, "text", value)) {
            text_ = value;
            written_ = text_;
        } else if (read_comment(line, "newdoc id", value)) {
            start_document(value);
        } else if (read_comment(line, "newdoc", value)) {
            start_document(path() + "#" + std::to_string(documents() + 1));
        }
    }

    void end_sentence() {
        if (multiword_.last > words_) {
            fail_at(path(), lines_.number(),
                    "the sentence ends within the multiword token " + in_quotes(multiword_.form) +
                        "; expected its word " + std::to_string(words_ + 1));
        }
        words_ = 0;
        written_ = {};
        multiword_ = {};
    }

    void add_row(const ConlluRow& row) {
        if (row.kind == ConlluRow::Kind::empty_node) return;  // not in the text
        if (row.first != words_ + 1) {
            fail_at(path(), lines_.number(),
                    "its ID starts with " + std::to_string(row.first) + "; expected " + std::to_string(words_ + 1));
        }
        if (documents() == 0) start_document(path());
        if (row.kind == ConlluRow::Kind::range) return start_multiword(row);
        ++words_;
        if (words_ > multiword_.last) {
            builder_.add_word(row.form, row.lemma, row.part_of_speech);
            add_space_after(row.form, row.space_after);
        } else {
            multiword_.parts.push_back(
                {std::string(row.form), std::string(row.lemma), std::string(row.part_of_speech)});
            if (words_ == multiword_.last) add_multiword();
        }
    }

    void start_multiword(const ConlluRow& row) {
        if (row.last < row.first || row.last - row.first >= longest_range || row.first <= multiword_.last) {
            fail_at(path(), lines_.number(),
                    "the range " + std::to_string(row.first) + "-" + std::to_string(row.last) +
                        " is no multiword token; expected a few words behind the last one");
        }
        multiword_ = {std::string(row.form), row.last, row.space_after, {}};
    }

    void add_multiword() {
        const std::vector<Part>& parts = multiword_.parts;
        if (base::joined(parts, "", &Part::form) == multiword_.form) {
            for (const Part& part : parts) builder_.add_word(part.form, part.lemma, part.part_of_speech);
        } else {
            builder_.add_word(multiword_.form, base::joined(parts, "+", &Part::lemma),
                              base::joined(parts, "+", &Part::part_of_speech));
        }
        add_space_after(multiword_.form, multiword_.space_after);
    }

    // The comment `# text` knows the spaces best. Where it does not fit the words, SpaceAfter=No tells.
    void add_space_after(std::string_view form, bool space_after) {
        if (written_.starts_with(form)) {
            written_.remove_prefix(form.size());
            const std::string_view next = base::trimmed(written_);
            space_after = next.data() != written_.data();
            written_ = next;
        } else {
            written_ = {};
        }
        if (space_after) builder_.add_space();
    }

    LineReader lines_;
    std::vector<std::string_view> fields_;
    SentenceBuilder builder_;
    std::uint32_t words_ = 0;   // of the sentence so far
    std::string text_;          // of the comment
    std::string_view written_;  // what of it follows the last word
    Multiword multiword_;
};

}  // namespace

std::unique_ptr<FileReader> read_conllu(const File& file, const Reading&) {
    return std::make_unique<ConlluReader>(file);
}

}  // namespace wordbreadth::corpus
