// DWUG-style usages: tab-separated, unquoted, a header. Each usage is a document; its word and position are given.
#include <algorithm>
#include <array>
#include <optional>

#include "base/utf8.h"
#include "corpus/file_reader.h"

namespace wordbreadth::corpus {

namespace {

enum Column : std::size_t { lemma, context, target, part_of_speech, grouping, identifier };
constexpr std::array<std::string_view, 6> names{"lemma", "context",  "indexes_target_token",
                                                "pos",   "grouping", "identifier"};

class DwugReader : public LineFormat {
  public:
    explicit DwugReader(const File& file) : LineFormat(file) { read_header(); }

  private:
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
            const auto column = static_cast<std::size_t>(std::ranges::find(names, fields_[i]) - names.begin());
            if (column == names.size()) continue;
            if (places_[column]) fail_at(path(), 1, "has the column " + in_quotes(fields_[i]) + " twice");
            places_[column] = i;
        }
        for (const Column column : {lemma, context, target}) {
            if (places_[column]) continue;
            fail_at(path(), 1,
                    "no column " + in_quotes(names[column]) + " among " + in_quotes(lines_.line()) +
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
        sentence.usage =
            Usage{static_cast<std::uint32_t>(begin - trimmed_away), static_cast<std::uint32_t>(end - trimmed_away),
                  field(lemma), field(part_of_speech), field(grouping)};
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
    std::array<std::optional<std::size_t>, names.size()> places_;  // of the columns
};

}  // namespace

std::unique_ptr<FileReader> read_dwug(const File& file, const Reading&) {
    return std::make_unique<DwugReader>(file);
}

}  // namespace wordbreadth::corpus
