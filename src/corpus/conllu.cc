// CoNLL-U (Universal Dependencies): one word per line, a blank line after each sentence. `# newdoc` starts a document;
// a file without it is one.
//
// A multiword token is one piece of the text. Its syntactic words count one by one where they are parts of it
// (can|not), and else together (du = de+le).
#include <charconv>
#include <string>
#include <utility>

#include "base/utf8.h"
#include "corpus/file_reader.h"

namespace wordbreadth::corpus {

namespace {

// One word line.
struct ConlluRow {
    enum class Kind { word, range, empty_node };  // 3, 3-4, 3.1

    Kind kind = Kind::word;
    std::uint32_t first = 0;  // its number
    std::uint32_t last = 0;   // of a range; else as `first`
    std::string_view form;
    std::string_view lemma;  // empty where the file has none; likewise the part of speech
    std::string_view part_of_speech;
    bool space_after = true;
};

constexpr std::size_t number_of_fields = 10;
enum Field : std::size_t { id = 0, form = 1, lemma = 2, universal_tag = 3, own_tag = 4, features = 9 };

std::string_view known(std::string_view field) {
    return field == "_" ? std::string_view() : field;
}

bool has_feature(std::string_view list, std::string_view wanted) {
    while (!list.empty()) {
        const std::size_t bar = std::min(list.find('|'), list.size());
        if (list.substr(0, bar) == wanted) return true;
        list.remove_prefix(std::min(bar + 1, list.size()));
    }
    return false;
}

// Reads "3", "3-4" or "3.1"; false when it is neither.
bool read_id(std::string_view text, ConlluRow& row) {
    const char* end = text.data() + text.size();
    const auto [after, error] = std::from_chars(text.data(), end, row.first);
    row.last = row.first;
    if (error != std::errc{}) return false;
    if (after == end) return true;
    row.kind = *after == '-' ? ConlluRow::Kind::range : ConlluRow::Kind::empty_node;
    if (*after != '-' && *after != '.') return false;
    std::uint32_t second = 0;
    const auto [after_second, second_error] = std::from_chars(after + 1, end, second);
    if (row.kind == ConlluRow::Kind::range) row.last = second;
    return second_error == std::errc{} && after_second == end;
}

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

class ConlluReader : public LineFormat {
  public:
    explicit ConlluReader(const File& file) : LineFormat(file) {}

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
                add_row(parsed_row());
            }
        }
        if (builder_.empty()) end_sentence();  // the end of the file
        builder_.finish(sentence);
        return !builder_.empty();
    }

    [[nodiscard]] ConlluRow parsed_row() {
        split_fields(lines_.line(), fields_);
        if (fields_.size() != number_of_fields) {
            fail_here(count_of(fields_.size(), "field") + "; expected 10 with tabs between them, or a blank line");
        }
        ConlluRow row;
        if (!read_id(fields_[id], row)) {
            fail_here("its ID is " + in_quotes(fields_[id]) + "; expected a number such as 3, 3-4 or 3.1");
        }
        if (fields_[form].empty()) fail_here("its FORM is empty; expected a word");
        row.form = fields_[form];
        row.lemma = row.form == "_" ? fields_[lemma] : known(fields_[lemma]);
        row.part_of_speech = known(fields_[universal_tag]).empty() ? known(fields_[own_tag]) : fields_[universal_tag];
        row.space_after = !has_feature(fields_[features], "SpaceAfter=No");
        return row;
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
            fail_here("the sentence ends within the multiword token " + in_quotes(multiword_.form) +
                      "; expected its word " + std::to_string(words_ + 1));
        }
        words_ = 0;
        written_ = {};
        multiword_ = {};
    }

    void add_row(const ConlluRow& row) {
        if (row.kind == ConlluRow::Kind::empty_node) return;  // not in the text
        if (row.first != words_ + 1) {
            fail_here("its ID starts with " + std::to_string(row.first) + "; expected " + std::to_string(words_ + 1));
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
            fail_here("the range " + std::to_string(row.first) + "-" + std::to_string(row.last) +
                      " is no multiword token; expected a few words after the last one");
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

    // The comment `# text` knows the spaces best. Where it does not fit the words, SpaceAfter=No decides.
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
