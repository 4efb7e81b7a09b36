// JSON lines, one per occurrence: {"word": "bank", "vector": [0.1, ...], "text": "...", "start": 4, "end": 8}.
#include <simdjson.h>

#include <algorithm>
#include <array>

#include "base/failure.h"
#include "base/file.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "importing/rows.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::importing {
namespace {

namespace json = simdjson::ondemand;

constexpr std::size_t block_bytes = 16 * 1024 * 1024;  // read at a time

// The lines of a file, a block at a time.
class Blocks {
  public:
    explicit Blocks(const std::string& path) : file_(path) {}

    // Whole lines, without their ends; with SIMDJSON_PADDING readable bytes behind each. False at the end. Throws
    // InputError for a line longer than limits::record_bytes.
    bool next(std::vector<std::string_view>& lines) {
        lines.clear();
        while (lines.empty() && (!ended_ || rest_ < text_.size())) fill(lines);
        return !lines.empty();
    }

    [[nodiscard]] std::uint64_t first_line() const { return first_line_; }  // of the block, from 1

  private:
    void fill(std::vector<std::string_view>& lines) {
        text_.erase(0, rest_);
        first_line_ += lines_;
        ended_ = !file_.append_to(text_, block_bytes);
        const std::size_t size = text_.size();
        text_.reserve(size + simdjson::SIMDJSON_PADDING);
        rest_ = lines_ = 0;
        for (;;) {
            const std::size_t end = text_.find('\n', rest_);
            const std::size_t length = std::min(end, size) - rest_;
            if (length > limits::record_bytes)
                base::fail_at(
                    file_.where(), first_line_ + lines_,
                    "is longer than " + std::to_string(limits::record_bytes) + " bytes; expected a line per vector");
            if (end == std::string::npos && !(ended_ && length > 0)) return;
            lines.emplace_back(text_.data() + rest_, length);
            ++lines_;
            rest_ = std::min(size, rest_ + length + 1);
            if (rest_ == size) return;
        }
    }

    base::File file_;
    std::string text_;
    std::size_t rest_ = 0;  // where the lines that were handed over end
    std::uint64_t first_line_ = 1, lines_ = 0;
    bool ended_ = false;
};

// What a line says.
struct Line {
    std::optional<std::string> word{};
    Place place{};
    bool has_vector = false;
};

class LineReader {
  public:
    LineReader(const std::string& path, const RoleNames& names) : path_(path), names_(names) {}

    // `vector` takes the values; null: they are skipped, and so is all but the word.
    Line read(std::string_view text, std::uint64_t number, std::vector<float>* vector) {
        line_ = {};
        number_ = number;
        vector_ = vector;
        ranks_.fill(none);
        try {
            json::document document =
                parser_.iterate(text.data(), text.size(), text.size() + simdjson::SIMDJSON_PADDING);
            for (json::field field : document.get_object()) {
                take(field);
                if (vector == nullptr && ranks_[static_cast<std::size_t>(Role::word)] == 0) return std::move(line_);
            }
            const char* rest = nullptr;
            if (document.current_location().get(rest) == simdjson::SUCCESS) fail("has something after its object");
        } catch (const simdjson::simdjson_error& error) {
            fail(error.error() == simdjson::UTF8_ERROR
                     ? std::string("is not UTF-8; convert the file")
                     : std::string("is not the JSON that was expected: ") + simdjson::error_message(error.error()));
        }
        return std::move(line_);
    }

  private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    [[noreturn]] void fail(const std::string& what) const { base::fail_at(path_, number_, what); }

    // Of keys for the same thing the preferred one counts.
    void take(json::field& field) {
        const std::string_view key = field.unescaped_key();
        const auto found = names_.match(key);
        if (!found || (vector_ == nullptr && found->role != Role::word)) return;
        std::size_t& rank = ranks_[static_cast<std::size_t>(found->role)];
        if (rank == found->rank) fail("has the key " + base::in_quotes(key) + " twice");
        if (rank < found->rank) return;
        rank = found->rank;
        const std::string name(key);  // its bytes go with the next
        json::value value = field.value();
        if (!value.is_null()) take(found->role, name, value);
    }

    void take(Role role, const std::string& key, json::value& value) {
        switch (role) {
            case Role::word:
                line_.word = text(key, value);
                return;
            case Role::vector:
                return take_vector(key, value);
            case Role::text:
                line_.place.text = text(key, value);
                return;
            case Role::start:
                line_.place.start = whole(key, value);
                return;
            case Role::end:
                line_.place.end = whole(key, value);
                return;
            case Role::span:
                return take_span(key, value);
            case Role::document:
                take_document(key, value);
        }
    }

    std::string text(const std::string& key, json::value& value) {
        std::string_view found;
        if (value.get_string().get(found) != simdjson::SUCCESS) fail(base::in_quotes(key) + " is no string");
        return std::string(found);
    }

    std::int64_t whole(const std::string& key, json::value& value) {
        std::int64_t found = 0;
        if (value.get_int64().get(found) != simdjson::SUCCESS) fail(base::in_quotes(key) + " is no integer");
        return found;
    }

    void take_vector(const std::string& key, json::value& value) {
        json::array values;
        if (value.get_array().get(values) != simdjson::SUCCESS) fail(base::in_quotes(key) + " is no list of numbers");
        vector_->clear();
        // 21 ns per number. Tried and left: a parser of our own for plain decimals, 14 ns; std::from_chars, 19.
        for (auto each : values) {
            json::value item = each.value();
            double number = 0;
            if (item.get_double().get(number) != simdjson::SUCCESS)
                fail(base::in_quotes(key) + " has " + base::in_quotes(base::trimmed(item.raw_json_token())) +
                     " at place " + std::to_string(vector_->size()) + "; expected a number");
            if (vector_->size() == limits::dimension)
                fail(base::in_quotes(key) + " has more than " + std::to_string(limits::dimension) +
                     " values; at most so many are accepted");
            vector_->push_back(static_cast<float>(number));
        }
        line_.has_vector = true;
    }

    // [3, 7], {"start": 3, "end": 7} or "3:7".
    void take_span(const std::string& key, json::value& value) {
        Place& place = line_.place;
        const json::json_type type = value.type();
        if (type == json::json_type::string) {
            const std::string found = text(key, value);
            if (!read_span(found, place))
                fail(base::in_quotes(key) + " is " + base::in_quotes(found) + "; expected start:end");
        } else if (type == json::json_type::object) {
            for (json::field field : value.get_object()) {
                const std::string name(std::string_view(field.unescaped_key()));
                json::value number = field.value();
                if (name == "start") place.start = whole(key + "." + name, number);
                if (name == "end") place.end = whole(key + "." + name, number);
            }
        } else if (type == json::json_type::array) {
            std::vector<std::int64_t> ends;
            for (auto each : value.get_array()) {
                json::value number = each.value();
                ends.push_back(whole(key, number));
                if (ends.size() > 2) break;
            }
            if (ends.size() != 2)
                fail(base::in_quotes(key) + " has " + (ends.size() < 2 ? "fewer" : "more") +
                     " than 2 values; expected start and end");
            place.start = ends[0];
            place.end = ends[1];
        } else {
            fail(base::in_quotes(key) + " is no span; expected [start, end]");
        }
    }

    void take_document(const std::string& key, json::value& value) {
        const json::json_type type = value.type();
        if (type == json::json_type::string)
            line_.place.document = text(key, value);
        else if (type == json::json_type::number)
            line_.place.document = std::string(base::trimmed(value.raw_json_token()));
        else
            fail(base::in_quotes(key) + " is neither a string nor a number");
    }

    const std::string& path_;
    const RoleNames& names_;
    json::parser parser_;
    Line line_;
    std::uint64_t number_ = 0;
    std::vector<float>* vector_ = nullptr;
    std::array<std::size_t, roles> ranks_{};  // of the name that was found
};

bool is_blank(std::string_view line) {
    return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

class JsonRows : public RowSource {
  public:
    JsonRows(const std::string& path, RoleNames names, base::Workers& workers)
        : path_(path), names_(std::move(names)), workers_(workers) {
        for (std::size_t i = 0; i < workers.size(); ++i)
            readers_.push_back(std::make_unique<LineReader>(path_, names_));
    }

    void read(Part part, const Take& take) override {
        Blocks blocks(path_);
        std::vector<std::string_view> lines;
        std::uint64_t row = 0;
        RowBatch batch;
        while (blocks.next(lines)) {
            std::vector<std::size_t> filled;
            for (std::size_t i = 0; i < lines.size(); ++i)
                if (!is_blank(lines[i])) filled.push_back(i);
            if (filled.empty()) continue;
            if (blocks.first_line() == 1 && lines.front().starts_with("\xEF\xBB\xBF"))
                base::fail_at(path_, 1, "begins with a byte order mark; write the file as plain UTF-8");
            if (dimension_ == 0) begin(lines[filled.front()], blocks.first_line() + filled.front());
            note_lines(row, filled, blocks.first_line());
            batch.clear();
            batch.first = row;
            batch.size = filled.size();
            read_lines(part, lines, filled, blocks.first_line(), batch);
            take(batch);
            row += filled.size();
        }
        if (row == 0) base::fail(path_, "has no lines");
    }

    bool has_parts() const override { return false; }  // a line is parsed as a whole
    std::size_t dimension() const override { return dimension_; }
    bool has_places() const override { return has_places_; }
    std::string_view format() const override { return "jsonl"; }

    // Blank lines are no rows.
    std::string where(std::uint64_t row) const override {
        const auto after = std::ranges::upper_bound(jumps_, row, {}, &Jump::row);
        const std::uint64_t skipped = after == jumps_.begin() ? 0 : std::prev(after)->skipped;
        return path_ + ":" + std::to_string(row + skipped + 1);
    }

  private:
    struct Jump {
        std::uint64_t row = 0, skipped = 0;  // from this row on, so many blank lines are before it
    };

    // The first line decides the dimension, and whether the table has texts.
    void begin(std::string_view text, std::uint64_t number) {
        std::vector<float> vector;
        const Line line = readers_.front()->read(text, number, &vector);
        require(line, number);
        if (vector.empty()) base::fail_at(path_, number, "has a vector without values");
        dimension_ = vector.size();
        has_places_ = line.place.text || line.place.document;
    }

    void require(const Line& line, std::uint64_t number) const {
        const auto one_of = [&](Role role) { return base::joined(names_.names(role), " or ", base::in_quotes); };
        if (!line.word) base::fail_at(path_, number, "has no word; expected the key " + one_of(Role::word));
        if (!line.has_vector)
            base::fail_at(path_, number,
                          base::in_quotes(*line.word) + " has no vector; expected the key " + one_of(Role::vector));
    }

    void note_lines(std::uint64_t row, const std::vector<std::size_t>& filled, std::uint64_t first_line) {
        for (std::size_t i = 0; i < filled.size(); ++i) {
            const std::uint64_t skipped = first_line + filled[i] - 1 - (row + i);
            if (jumps_.empty() ? skipped > 0 : skipped > jumps_.back().skipped) jumps_.push_back({row + i, skipped});
        }
    }

    void read_lines(Part part, const std::vector<std::string_view>& lines, const std::vector<std::size_t>& filled,
                    std::uint64_t first_line, RowBatch& batch) {
        const bool whole = part == Part::places_and_vectors;
        if (whole) batch.vectors.resize(batch.size * dimension_);
        if (whole && has_places_) batch.places.resize(batch.size);
        if (!whole) batch.words.resize(batch.size);
        const std::size_t pieces = std::min(batch.size, 4 * workers_.size());
        workers_.run(pieces, [&](std::size_t piece, std::size_t worker) {
            std::vector<float> vector;
            for (std::size_t i = piece * batch.size / pieces; i < (piece + 1) * batch.size / pieces; ++i) {
                const std::uint64_t number = first_line + filled[i];
                Line line = readers_[worker]->read(lines[filled[i]], number, whole ? &vector : nullptr);
                if (!whole) {
                    if (!line.word)
                        base::fail_at(path_, number,
                                      "has no word; expected the key " +
                                          base::joined(names_.names(Role::word), " or ", base::in_quotes));
                    batch.words[i] = std::move(*line.word);
                    continue;
                }
                require(line, number);
                if (vector.size() != dimension_)
                    base::fail_at(path_, number,
                                  base::in_quotes(*line.word) + " has a vector of " + std::to_string(vector.size()) +
                                      " values; expected " + std::to_string(dimension_) + ", as the first line has");
                if (!has_places_ && (line.place.text || line.place.document))
                    base::fail_at(
                        path_, number,
                        "has a text or a document, which the first line has not; expected the same keys in all lines");
                std::ranges::copy(vector, batch.vectors.begin() + static_cast<std::ptrdiff_t>(i * dimension_));
                if (has_places_) batch.places[i] = std::move(line.place);
            }
        });
    }

    std::string path_;
    RoleNames names_;
    base::Workers& workers_;
    std::vector<std::unique_ptr<LineReader>> readers_;  // a thread's own
    std::size_t dimension_ = 0;
    bool has_places_ = false;
    std::vector<Jump> jumps_;
};

}  // namespace

std::unique_ptr<RowSource> open_jsonl(const std::string& path, RoleNames names, base::Workers& workers) {
    return std::make_unique<JsonRows>(path, std::move(names), workers);
}

}  // namespace wordbreadth::importing
