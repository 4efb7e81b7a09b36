// Formats that are tables, fields with tabs between them: BCCWJ, CoNLL-U and DWUG.
#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <utility>

#include "base/utf8.h"
#include "corpus/file_reader.h"

namespace wordbreadth::corpus {

namespace {

constexpr std::size_t bccwj_fields = 25;
constexpr std::size_t bccwj_label = 9;

bool is_sentence_label(std::string_view field) {
    return field == "B" || field == "I";
}

// BCCWJ: one short unit word per line. A sample is a document. The text is that of the field "original text". Where
// numbers were regrouped, a unit may have none, and is not a word here.
class BccwjReader : public LineFormat {
  public:
    explicit BccwjReader(const File& file) : LineFormat(file) {}

  private:
    enum Field : std::size_t { sample = 1, lexeme = 12, part_of_speech = 16, original_text = 23 };

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
        if (fields_.size() != bccwj_fields) {
            fail_here(count_of(fields_.size(), "field") + "; expected the 25 of BCCWJ's short unit words");
        }
        if (is_sentence_label(fields_[bccwj_label])) return true;
        fail_here("the sentence label (field 10) is " + in_quotes(fields_[bccwj_label]) + "; expected B or I");
    }

    [[nodiscard]] bool starts_sentence() const { return fields_[bccwj_label] == "B" || fields_[sample] != sample_; }

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

// A word line of CoNLL-U.
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

constexpr std::size_t conllu_fields = 10;

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

// Reads "3", "3-4" or "3.1"; false when it is none of these.
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

// CoNLL-U (Universal Dependencies): one word per line, a blank line after each sentence. `# newdoc` starts a document;
// a file without it is one.
//
// A multiword token is one piece of the text. Its syntactic words count one by one where they are parts of it
// (can|not), and otherwise together (du = de+le).
class ConlluReader : public LineFormat {
  public:
    explicit ConlluReader(const File& file) : LineFormat(file) {}

  private:
    enum Field : std::size_t { id = 0, form = 1, lemma = 2, universal_tag = 3, own_tag = 4, features = 9 };

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
        if (fields_.size() != conllu_fields) {
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
                      " is not a multiword token; expected a few words after the last one");
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
    void add_space_after(std::string_view word, bool space_after) {
        if (written_.starts_with(word)) {
            written_.remove_prefix(word.size());
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

constexpr std::array<std::string_view, 5> dwug_columns{"lemma", "context", "indexes_target_token", "pos", "identifier"};

// DWUG-style usages: tab-separated, unquoted, a header. Each usage is a document; its word and position are given.
class DwugReader : public LineFormat {
  public:
    explicit DwugReader(const File& file) : LineFormat(file) { read_header(); }

  private:
    enum Column : std::size_t { lemma, context, target, part_of_speech, identifier };  // in dwug_columns

    bool read(Sentence& sentence) override {
        if (!next_row()) return false;
        if (fields_.size() != number_of_fields_) {
            fail_here(count_of(fields_.size(), "field") + "; expected " + std::to_string(number_of_fields_) +
                      " as in the header");
        }
        fill(sentence);
        return true;
    }

    void read_header() {
        if (!lines_.next()) fail(path(), "is empty; expected a header: lemma, context, indexes_target_token");
        split_fields(lines_.line(), fields_);
        number_of_fields_ = fields_.size();
        for (std::size_t i = 0; i < fields_.size(); ++i) {
            const auto column =
                static_cast<std::size_t>(std::ranges::find(dwug_columns, fields_[i]) - dwug_columns.begin());
            if (column == dwug_columns.size()) continue;
            if (places_[column]) fail_at(path(), 1, "has the column " + in_quotes(fields_[i]) + " twice");
            places_[column] = i;
        }
        for (const Column column : {lemma, context, target}) {
            if (places_[column]) continue;
            fail_at(path(), 1,
                    "no column " + in_quotes(dwug_columns[column]) + " among " + in_quotes(lines_.line()) +
                        "; expected a tab-separated header");
        }
    }

    // Empty where there is no such column.
    [[nodiscard]] std::string_view field(Column column) const {
        return places_[column] ? fields_[*places_[column]] : std::string_view();
    }

    void fill(Sentence& sentence) {
        const std::string_view whole = field(context);
        if (field(lemma).empty()) fail_here("its lemma is empty; expected a word");
        const auto [begin, end] = target_in(whole);
        start_document(places_[identifier] ? std::string(field(identifier))
                                           : path() + ":" + std::to_string(lines_.number()));
        sentence.label = field(lemma);
        sentence.text = base::trimmed(whole);
        const auto trimmed_away = static_cast<std::size_t>(sentence.text.data() - whole.data());
        sentence.usage = Word{static_cast<std::uint32_t>(begin - trimmed_away),
                              static_cast<std::uint32_t>(end - trimmed_away), field(lemma), field(part_of_speech)};
    }

    // The file counts characters; here bytes are counted. White space at the ends of the target is not part of it.
    [[nodiscard]] std::pair<std::size_t, std::size_t> target_in(std::string_view text) const {
        const std::string_view written = field(target);
        const std::size_t colon = written.find(':');
        const auto first = base::number_in<std::size_t>(written.substr(0, colon));
        const auto last =
            colon == std::string_view::npos ? std::nullopt : base::number_in<std::size_t>(written.substr(colon + 1));
        if (!first || !last) {
            fail_here("indexes_target_token is " + in_quotes(written) + "; expected start:end");
        }
        const auto begin = base::byte_of_character(text, *first);
        const auto end = base::byte_of_character(text, *last);
        if (!begin || !end || *begin >= *end) fail_target(written, text);
        const std::string_view word = base::trimmed(text.substr(*begin, *end - *begin));
        if (word.empty()) fail_target(written, text);
        const auto at = static_cast<std::size_t>(word.data() - text.data());
        return {at, at + word.size()};
    }

    [[noreturn]] void fail_target(std::string_view written, std::string_view text) const {
        fail_here("indexes_target_token is " + in_quotes(written) + "; expected a word within the " +
                  count_of(base::count_characters(text), "character") + " of the context, start before end");
    }

    std::size_t number_of_fields_ = 0;
    std::array<std::optional<std::size_t>, dwug_columns.size()> places_;  // of the columns
};

}  // namespace

std::unique_ptr<FileReader> read_bccwj(const File& file, const Reading&) {
    return std::make_unique<BccwjReader>(file);
}

std::unique_ptr<FileReader> read_conllu(const File& file, const Reading&) {
    return std::make_unique<ConlluReader>(file);
}

std::unique_ptr<FileReader> read_dwug(const File& file, const Reading&) {
    return std::make_unique<DwugReader>(file);
}

bool looks_like_bccwj(const Lines& lines) {
    const auto fields = fields_of(lines.front());
    return fields.size() == bccwj_fields && is_sentence_label(fields[bccwj_label]);
}

bool looks_like_conllu(const Lines& lines) {
    const auto word = std::ranges::find_if(lines, [](std::string_view line) { return !line.starts_with('#'); });
    if (word == lines.end()) return false;
    const auto fields = fields_of(*word);
    return fields.size() == conllu_fields && !fields[0].empty() && fields[0][0] >= '0' && fields[0][0] <= '9';
}

bool looks_like_dwug(const Lines& lines) {
    const auto fields = fields_of(lines.front());
    const auto has = [&](std::string_view name) { return std::ranges::find(fields, name) != fields.end(); };
    return has("lemma") && has("context") && has("indexes_target_token");
}

}  // namespace wordbreadth::corpus
