// JSON lines, one per occurrence: {"word": "bank", "vector": [0.1, ...], "text": "...", "start": 4, "end": 8}.
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

#include "base/failure.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "importing/line_pieces.h"
#include "importing/object_scan.h"
#include "importing/real_list.h"
#include "importing/rows.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::importing {
namespace {

namespace json = simdjson::ondemand;

// Pieces of a file that are handed over at a time. With fewer a word has one or two rows, and writing them takes
// longer; but of rows with few values each has many, and their texts and places take memory.
std::size_t pieces_of_batch(std::size_t dimension) {
    return std::clamp<std::size_t>(dimension / 8, 16, 64);
}

static_assert(LinePieces::padding >= simdjson::SIMDJSON_PADDING);

bool is_json_number(std::string_view text) {
    const auto skip = [&](std::string_view any_of, std::size_t most) {
        const std::size_t count = std::min({text.find_first_not_of(any_of), text.size(), most});
        text.remove_prefix(count);
        return count;
    };
    constexpr std::string_view digits = "0123456789";
    skip("-", 1);
    if (skip("0", 1) == 0 && skip(digits, text.size()) == 0) return false;
    if (skip(".", 1) == 1 && skip(digits, text.size()) == 0) return false;
    if (skip("eE", 1) == 1) {
        skip("+-", 1);
        if (skip(digits, text.size()) == 0) return false;
    }
    return text.empty();
}

// What a line says.
struct Line {
    std::optional<std::string> word{};
    Place place{};
    bool has_vector = false;
};

class LineReader {
  public:
    LineReader(const std::string& path, const LinePieces& pieces, const RoleNames& names)
        : path_(path), pieces_(pieces), names_(names) {}

    // Of a line that begins at that byte of the file. `vector` takes the values; null: they are skipped, and so is all
    // but the word.
    Line read(std::string_view text, std::uint64_t start, std::vector<float>* vector) {
        line_ = {};
        start_ = start;
        vector_ = vector;
        vector_is_read_ = false;
        span_ = {};
        seen_.fill(0);
        ranks_.fill(none);
        if (vector == nullptr) {
            if (const auto word = word_in(text, names_)) {
                line_.word = *word;
                return std::move(line_);
            }
        } else if (const auto list = read_vector_in(text, names_, limits::dimension, *vector)) {
            text = without(text, *list);
            vector_is_read_ = true;
        }
        walk(text, [&](json::field& field) {
            take(field);
            return vector != nullptr || ranks_[static_cast<std::size_t>(Role::word)] != 0;
        });
        if (!line_.place.start && !line_.place.end) {
            line_.place.start = span_.start;
            line_.place.end = span_.end;
        }
        return std::move(line_);
    }

    // The keys of a line that begins at that byte of the file.
    std::vector<std::string> keys(std::string_view text, std::uint64_t start) {
        start_ = start;
        std::vector<std::string> found;
        walk(text, [&](json::field& field) {
            found.emplace_back(std::string_view(field.unescaped_key()));
            return true;
        });
        return found;
    }

  private:
    // Hands over the fields of the object that the line is, until `take` wants no more.
    template <class Take>
    void walk(std::string_view text, const Take& take) try {
        json::document document = parser_.iterate(text.data(), text.size(), text.size() + simdjson::SIMDJSON_PADDING);
        for (json::field field : document.get_object())
            if (!take(field)) return;
        const char* rest = nullptr;
        if (document.current_location().get(rest) == simdjson::SUCCESS) fail("has something after its object");
    } catch (const simdjson::simdjson_error& error) {
        if (error.error() == simdjson::UTF8_ERROR) fail("is not UTF-8; convert the file");
        if (text.find_first_not_of(" \t\r") == text.find('{'))
            fail(std::string("is not JSON: ") + simdjson::error_message(error.error()));
        fail("is not a JSON object; expected a line {\"word\": \"bank\", \"vector\": [0.1, ...]} per occurrence");
    }

    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    [[noreturn]] void fail(const std::string& what) const { base::fail_at(path_, pieces_.line_at(start_), what); }

    // The line with an empty list in its place: simdjson took a quarter of the time to find numbers that were read
    // already.
    std::string_view without(std::string_view text, const NumberList& list) {
        short_ = text.substr(0, list.begin);
        short_ += "[]";
        short_ += text.substr(list.end);
        const std::size_t size = short_.size();
        short_.append(simdjson::SIMDJSON_PADDING, '\0');
        read_at_ = short_.data() + list.begin;
        return std::string_view(short_).substr(0, size);
    }

    // Of keys for the same thing the preferred one counts that is not null, whatever their order.
    void take(json::field& field) {
        const std::string_view key = field.unescaped_key();
        const auto found = names_.match(key);
        if (vector_ == nullptr && (!found || found->role != Role::word)) return;
        if (!found) return require_json(field.value(), 1);
        const auto role = static_cast<std::size_t>(found->role);
        const std::uint32_t bit = std::uint32_t{1} << found->rank;
        if ((seen_[role] & bit) != 0) fail("has the key " + base::in_quotes(key) + " twice");
        seen_[role] |= bit;
        if (ranks_[role] < found->rank) return require_json(field.value(), 1);
        const std::string name(key);  // its bytes go with the next
        json::value value = field.value();
        if (value.is_null()) return;
        ranks_[role] = found->rank;
        take(found->role, name, value);
    }

    // Of values that are not used, at which the parser does not look by itself. One of a list of numbers costs no more
    // than one that is used.
    void require_json(json::value value, std::size_t depth) {
        if (depth > limits::json_depth) fail("nests deeper than " + std::to_string(limits::json_depth) + " levels");
        switch (value.type()) {
            case json::json_type::object:
                for (json::field field : value.get_object()) {
                    static_cast<void>(std::string_view(field.unescaped_key()));
                    require_json(field.value(), depth + 1);
                }
                return;
            case json::json_type::array:
                if (read_real_list(value.raw_json_token().data(), limits::dimension, unused_) != nullptr) return;
                for (auto each : value.get_array()) require_json(each.value(), depth + 1);
                return;
            case json::json_type::string:
                static_cast<void>(std::string_view(value.get_string()));
                return;
            case json::json_type::number:
                static_cast<void>(number(value));
                return;
            case json::json_type::boolean:
            case json::json_type::null:
                return require_literal(value);
        }
    }

    void require_literal(json::value& value) {
        const std::string_view found = base::trimmed(value.raw_json_token());
        if (found != "true" && found != "false" && found != "null")
            fail("is not JSON: has " + shown(value) + "; expected true, false or null");
    }

    static std::string shown(json::value& value) { return base::in_quotes(base::trimmed(value.raw_json_token())); }

    // As it is written.
    std::string number(json::value& value) {
        const std::string_view found = base::trimmed(value.raw_json_token());
        if (!is_json_number(found)) fail("is not JSON: has " + shown(value) + ", which is no number");
        return std::string(found);
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
        if (value.type() != json::json_type::string) fail(base::in_quotes(key) + " is not a string");
        return std::string(std::string_view(value.get_string()));
    }

    // 4.0 is one, as tables have it that lack some.
    std::int64_t whole(const std::string& key, json::value& value) {
        std::int64_t found = 0;
        if (value.get_int64().get(found) == simdjson::SUCCESS) return found;
        constexpr double exact = std::int64_t{1} << 53;
        double real = 0;
        const bool is_whole = value.get_double().get(real) == simdjson::SUCCESS && real == std::trunc(real);
        if (!is_whole || std::abs(real) > exact) fail(base::in_quotes(key) + " is not an integer");
        return static_cast<std::int64_t>(real);
    }

    // Tables write a row without a span as a pair of nulls, too.
    std::optional<std::int64_t> whole_or_none(const std::string& key, json::value& value) {
        return value.is_null() ? std::nullopt : std::optional(whole(key, value));
    }

    void take_vector(const std::string& key, json::value& value) {
        if (vector_is_read_ && value.raw_json_token().data() == read_at_) {
            line_.has_vector = true;
            return;
        }
        if (value.type() != json::json_type::array) fail(base::in_quotes(key) + " is not a list of numbers");
        // Not with get_double(): simdjson 3.0 reads 0.48072192416832743023, which has 20 digits, as 0.11178.
        if (read_real_list(value.raw_json_token().data(), limits::dimension, *vector_) == nullptr)
            fail_at_value(key, value);
        line_.has_vector = true;
    }

    // Says what is wrong with a list of numbers.
    [[noreturn]] void fail_at_value(const std::string& key, json::value& value) {
        std::size_t count = 0;
        for (auto each : value.get_array()) {
            json::value item = each.value();
            double number = 0;
            if (item.get_double().get(number) != simdjson::SUCCESS)
                fail(base::in_quotes(key) + " has " + shown(item) + " at index " + std::to_string(count) +
                     "; expected a number");
            if (++count > limits::dimension)
                fail(base::in_quotes(key) + " has more than " + std::to_string(limits::dimension) +
                     " values; at most that many are accepted");
        }
        fail(base::in_quotes(key) + " is not a list of numbers");
    }

    // [3, 7], {"start": 3, "end": 7} or "3:7".
    void take_span(const std::string& key, json::value& value) {
        Place& place = span_;
        place = {};
        const json::json_type type = value.type();
        if (type == json::json_type::string) {
            const std::string found = text(key, value);
            if (!read_span(found, place))
                fail(base::in_quotes(key) + " is " + base::in_quotes(found) + "; expected start:end");
        } else if (type == json::json_type::object) {
            for (json::field field : value.get_object()) {
                const std::string name(std::string_view(field.unescaped_key()));
                json::value number = field.value();
                if (name == "start") place.start = whole_or_none(key + "." + name, number);
                if (name == "end") place.end = whole_or_none(key + "." + name, number);
            }
        } else if (type == json::json_type::array) {
            std::vector<std::optional<std::int64_t>> ends;
            for (auto each : value.get_array()) {
                json::value number = each.value();
                ends.push_back(whole_or_none(key, number));
                if (ends.size() > 2) break;
            }
            if (ends.size() != 2)
                fail(base::in_quotes(key) + " has " + (ends.size() < 2 ? "fewer" : "more") +
                     " than 2 values; expected start and end");
            place.start = ends[0];
            place.end = ends[1];
        } else {
            fail(base::in_quotes(key) + " is not a span; expected [start, end]");
        }
    }

    void take_document(const std::string& key, json::value& value) {
        const json::json_type type = value.type();
        if (type == json::json_type::string)
            line_.place.document = text(key, value);
        else if (type == json::json_type::number)
            line_.place.document = number(value);
        else
            fail(base::in_quotes(key) + " is neither a string nor a number");
    }

    const std::string& path_;
    const LinePieces& pieces_;
    const RoleNames& names_;
    json::parser parser_;
    Line line_;
    std::uint64_t start_ = 0;
    std::vector<float>* vector_ = nullptr;
    bool vector_is_read_ = false;
    std::vector<float> unused_;
    std::string short_;                        // the line without its numbers
    const char* read_at_ = nullptr;            // where they were in it
    std::array<std::size_t, roles> ranks_{};   // of the name that was taken
    std::array<std::uint32_t, roles> seen_{};  // a bit for each of its names
    Place span_{};                             // counts where there is neither start nor end
};

bool is_blank(std::string_view line) {
    return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

// The rows of a piece of the file.
struct PieceRows {
    std::uint64_t lines = 0;              // blank ones, too
    std::vector<std::uint64_t> filled{};  // the numbers of the others, from 0
    std::vector<std::string> words{};
    std::vector<Place> places{};
    std::vector<float> vectors{};  // (filled, dimension)
};

class JsonRows : public RowSource {
  public:
    JsonRows(const std::string& path, RoleNames names, base::Workers& workers)
        : path_(path), pieces_(path), names_(std::move(names)), workers_(workers), lines_(workers.size()) {
        for (std::size_t i = 0; i < workers.size(); ++i)
            readers_.push_back(std::make_unique<LineReader>(path_, pieces_, names_));
    }

    void read(Part part, const Take& take) override {
        if (dimension_ == 0) begin();
        std::uint64_t row = 0, line = 0;
        RowBatch batch;
        const std::size_t most = pieces_of_batch(dimension_);
        for (std::size_t first = 0; first < pieces_.size(); first += most) {
            std::vector<std::shared_ptr<PieceRows>> read(std::min(most, pieces_.size() - first));
            workers_.run(read.size(), [&](std::size_t i, std::size_t worker) {
                read[i] = std::make_shared<PieceRows>();
                read_piece(part, first + i, worker, *read[i]);
            });
            batch.clear();
            batch.first = row;
            for (const auto& piece : read) {
                note_lines(row, line, *piece);
                add(piece, batch);
                line += piece->lines;
                row += piece->filled.size();
            }
            if (batch.size > 0) take(batch);
        }
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

    [[nodiscard]] bool is_of_place(const std::string& key) const {
        const auto found = names_.match(key);
        return found && found->role != Role::word && found->role != Role::vector;
    }

    // The first line decides the dimension, and by its keys whether the table has places: its text may be null.
    void begin() {
        Lines& lines = lines_.front();
        for (std::size_t piece = 0; piece < pieces_.size(); ++piece) {
            pieces_.read(piece, lines);
            if (piece == 0 && lines.text.starts_with(base::byte_order_mark))
                base::fail_at(path_, 1, "begins with a byte order mark; write the file as plain UTF-8");
            const auto text = std::ranges::find_if_not(lines.lines, is_blank);
            if (text == lines.lines.end()) continue;
            const std::uint64_t start = lines.start_of(*text);
            const std::vector<std::string> keys = readers_.front()->keys(*text, start);
            names_.require_chosen(path_ + ":" + std::to_string(pieces_.line_at(start)), "key", keys);
            has_places_ = std::ranges::any_of(keys, [&](const std::string& key) { return is_of_place(key); });
            std::vector<float> vector;
            const Line line = readers_.front()->read(*text, start, &vector);
            require(line, start);
            if (vector.empty()) fail(start, "has a vector without values");
            dimension_ = vector.size();
            return;
        }
        base::fail(path_, "has no lines");
    }

    [[noreturn]] void fail(std::uint64_t start, const std::string& what) const {
        base::fail_at(path_, pieces_.line_at(start), what);
    }

    void require_word(const Line& line, std::uint64_t start) const {
        if (!line.word)
            fail(start,
                 "has no word; expected the key " + base::joined(names_.names(Role::word), " or ", base::in_quotes));
    }

    void require(const Line& line, std::uint64_t start) const {
        require_word(line, start);
        if (!line.has_vector)
            fail(start, base::in_quotes(*line.word) + " has no vector; expected the key " +
                            base::joined(names_.names(Role::vector), " or ", base::in_quotes));
    }

    // `row` and `line`: those before the piece.
    void note_lines(std::uint64_t row, std::uint64_t line, const PieceRows& piece) {
        for (std::size_t i = 0; i < piece.filled.size(); ++i) {
            const std::uint64_t skipped = line + piece.filled[i] - (row + i);
            if (jumps_.empty() ? skipped > 0 : skipped > jumps_.back().skipped) jumps_.push_back({row + i, skipped});
        }
    }

    void add(const std::shared_ptr<PieceRows>& piece, RowBatch& batch) const {
        batch.size += piece->filled.size();
        std::ranges::move(piece->words, std::back_inserter(batch.words));
        std::ranges::move(piece->places, std::back_inserter(batch.places));
        if (piece->vectors.empty()) return;
        const std::span<const std::byte> bytes = std::as_bytes(std::span(piece->vectors));
        for (std::size_t at = 0; at < bytes.size(); at += dimension_ * sizeof(float))
            batch.rows.push_back(bytes.data() + at);
        batch.kept.push_back(piece);
    }

    void read_piece(Part part, std::size_t number, std::size_t worker, PieceRows& piece) {
        Lines& lines = lines_[worker];
        pieces_.read(number, lines);
        piece.lines = lines.lines.size();
        for (std::size_t i = 0; i < lines.lines.size(); ++i) {
            if (is_blank(lines.lines[i])) continue;
            piece.filled.push_back(i);
            const std::uint64_t start = lines.start_of(lines.lines[i]);
            if (part == Part::words) {
                Line line = readers_[worker]->read(lines.lines[i], start, nullptr);
                require_word(line, start);
                piece.words.push_back(std::move(*line.word));
            } else {
                read_row(lines.lines[i], start, *readers_[worker], piece);
            }
        }
    }

    void read_row(std::string_view text, std::uint64_t start, LineReader& reader, PieceRows& piece) const {
        std::vector<float> vector;
        Line line = reader.read(text, start, &vector);
        require(line, start);
        if (vector.size() != dimension_)
            fail(start, base::in_quotes(*line.word) + " has a vector of " + std::to_string(vector.size()) +
                            " values; expected " + std::to_string(dimension_) + ", as the first line has");
        const Place& place = line.place;
        if (!has_places_ && (place.text || place.document || place.start || place.end))
            fail(start,
                 "has a text, a span or a document, which the first line lacks; expected the same keys in all lines");
        piece.vectors.insert(piece.vectors.end(), vector.begin(), vector.end());
        if (has_places_) piece.places.push_back(std::move(line.place));
    }

    std::string path_;
    LinePieces pieces_;
    RoleNames names_;
    base::Workers& workers_;
    std::vector<std::unique_ptr<LineReader>> readers_;  // a thread's own
    std::vector<Lines> lines_;                          // likewise
    std::size_t dimension_ = 0;
    bool has_places_ = false;
    std::vector<Jump> jumps_;
};

}  // namespace

std::unique_ptr<RowSource> open_jsonl(const std::string& path, RoleNames names, base::Workers& workers) {
    return std::make_unique<JsonRows>(path, std::move(names), workers);
}

}  // namespace wordbreadth::importing
