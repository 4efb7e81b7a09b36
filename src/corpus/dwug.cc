// DWUG-style usages: tab-separated, unquoted, a header. A usage is a document; its word and place are given.
#include <limits>
#include <optional>

#include "base/utf8.h"
#include "corpus/failure.h"
#include "corpus/fields.h"
#include "corpus/file_reader.h"
#include "corpus/line_reader.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::corpus {

namespace {

constexpr std::size_t absent = std::numeric_limits<std::size_t>::max();

struct Columns {
    std::size_t count = 0;
    std::size_t lemma = absent;
    std::size_t context = absent;
    std::size_t target = absent;
    std::size_t part_of_speech = absent;
    std::size_t grouping = absent;
    std::size_t identifier = absent;
};

std::size_t* column_named(Columns& columns, std::string_view name) {
    if (name == "lemma") return &columns.lemma;
    if (name == "context") return &columns.context;
    if (name == "indexes_target_token") return &columns.target;
    if (name == "pos") return &columns.part_of_speech;
    if (name == "grouping") return &columns.grouping;
    if (name == "identifier") return &columns.identifier;
    return nullptr;
}

class DwugReader : public FileReader {
  public:
    explicit DwugReader(const File& file) : FileReader(file), lines_(text(), limits::line_bytes) { read_header(); }

  private:
    bool read(Sentence& sentence) override {
        do {
            if (!lines_.next()) return false;
        } while (lines_.line().empty());
        split_fields(lines_.line(), fields_);
        if (fields_.size() != columns_.count) {
            fail_at(path(), lines_.number(),
                    count_of(fields_.size(), "field") + "; expected " + std::to_string(columns_.count) +
                        " as in the header");
        }
        fill(sentence);
        return true;
    }

    void read_header() {
        if (!lines_.next()) fail(path(), "is empty; expected a header: lemma, context, indexes_target_token");
        split_fields(lines_.line(), fields_);
        columns_.count = fields_.size();
        for (std::size_t i = 0; i < fields_.size(); ++i) {
            std::size_t* column = column_named(columns_, fields_[i]);
            if (column == nullptr) continue;
            if (*column != absent) fail_at(path(), 1, "has the column " + in_quotes(fields_[i]) + " twice");
            *column = i;
        }
        require_column(columns_.lemma, "lemma");
        require_column(columns_.context, "context");
        require_column(columns_.target, "indexes_target_token");
    }

    void require_column(std::size_t column, const char* name) const {
        if (column != absent) return;
        fail_at(path(), 1,
                "no column " + in_quotes(name) + " among " + in_quotes(lines_.line()) +
                    "; expected a tab-separated header");
    }

    [[nodiscard]] std::string_view field(std::size_t column) const {
        return column == absent ? std::string_view() : fields_[column];
    }

    void fill(Sentence& sentence) {
        const std::string_view context = field(columns_.context);
        const std::string_view lemma = field(columns_.lemma);
        if (lemma.empty()) fail_at(path(), lines_.number(), "its lemma is empty; expected a word");
        const auto [begin, end] = target_in(context);
        start_document(columns_.identifier == absent ? path() + ":" + std::to_string(lines_.number())
                                                     : std::string(field(columns_.identifier)));
        sentence.label = lemma;
        sentence.text = base::trimmed(context);
        const auto trimmed_away = static_cast<std::size_t>(sentence.text.data() - context.data());
        sentence.usage =
            Usage{static_cast<std::uint32_t>(begin - trimmed_away), static_cast<std::uint32_t>(end - trimmed_away),
                  lemma, field(columns_.part_of_speech), field(columns_.grouping)};
    }

    // The file counts characters; here bytes are counted. White space at the ends of the target is not part of it.
    [[nodiscard]] std::pair<std::size_t, std::size_t> target_in(std::string_view context) const {
        const std::string_view written = field(columns_.target);
        const std::size_t colon = written.find(':');
        const auto first = base::number_in<std::size_t>(written.substr(0, colon));
        const auto last =
            colon == std::string_view::npos ? std::nullopt : base::number_in<std::size_t>(written.substr(colon + 1));
        if (!first || !last) {
            fail_at(path(), lines_.number(), "indexes_target_token is " + in_quotes(written) + "; expected start:end");
        }
        const auto begin = base::byte_of_character(context, *first);
        const auto end = base::byte_of_character(context, *last);
        if (!begin || !end || *begin >= *end) fail_target(written, context);
        const std::string_view target = base::trimmed(context.substr(*begin, *end - *begin));
        if (target.empty()) fail_target(written, context);
        const auto at = static_cast<std::size_t>(target.data() - context.data());
        return {at, at + target.size()};
    }

    [[noreturn]] void fail_target(std::string_view written, std::string_view context) const {
        fail_at(path(), lines_.number(),
                "indexes_target_token is " + in_quotes(written) + "; expected a word within the " +
                    count_of(base::count_characters(context), "character") + " of the context, start before end");
    }

    LineReader lines_;
    std::vector<std::string_view> fields_;
    Columns columns_;
};

}  // namespace

std::unique_ptr<FileReader> read_dwug(const File& file, const Reading&) {
    return std::make_unique<DwugReader>(file);
}

}  // namespace wordbreadth::corpus
