// JSON lines, one per occurrence: {"word": "bank", "vector": [0.1, ...], "text": "...", "start": 4, "end": 8}.
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <deque>
#include <future>

#include "base/failure.h"
#include "base/file.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "importing/real_list.h"
#include "importing/rows.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::importing {
namespace {

namespace json = simdjson::ondemand;

constexpr std::size_t block_bytes = 16 * 1024 * 1024;  // parsed at a time, to the end of a line

struct Block {
    std::vector<std::string_view> lines{};  // without their ends
    std::uint64_t first_line = 1;           // its number
};

// The lines of a file, a block at a time.
class Blocks {
  public:
    explicit Blocks(const std::string& path)
        : path_(path), file_(path), text_(reinterpret_cast<const char*>(file_.bytes().data()), file_.bytes().size()) {}

    // Without lines at the end. Behind each line SIMDJSON_PADDING bytes can be read. Throws InputError for a line
    // longer than limits::record_bytes.
    Block next() {
        Block block{.first_line = next_line_};
        for (const std::size_t begin = at_; at_ < text_.size() && at_ - begin < block_bytes;) {
            const std::string_view most = text_.substr(at_, limits::record_bytes + 1);
            const std::size_t length = std::min(most.find('\n'), most.size());
            if (length > limits::record_bytes)
                base::fail_at(
                    path_, next_line_,
                    "is longer than " + std::to_string(limits::record_bytes) + " bytes; expected a line per vector");
            block.lines.push_back(padded(text_.substr(at_, length)));
            at_ += length + 1;
            ++next_line_;
        }
        return block;
    }

    // The same on a thread of its own: memory is slow, and the pages are looked up on the way.
    [[nodiscard]] std::future<Block> next_ahead() {
        return std::async(std::launch::async, [this] { return next(); });
    }

    // The memory of blocks that are done with.
    void forget() const { file_.forget(); }

  private:
    std::string_view padded(std::string_view line) {
        if (line.data() + line.size() + simdjson::SIMDJSON_PADDING <= text_.data() + text_.size()) return line;
        std::string& last = last_.emplace_back(line);
        last.reserve(line.size() + simdjson::SIMDJSON_PADDING);
        return last;
    }

    const std::string& path_;
    base::MappedFile file_;
    std::string_view text_;
    std::deque<std::string> last_{};  // lines next to the end of the file
    std::size_t at_ = 0;
    std::uint64_t next_line_ = 1;
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
        if (read_real_list(std::string_view(values.raw_json()).data(), limits::dimension, *vector_)) {
            line_.has_vector = true;
            return;
        }
        values.reset().value();  // and simdjson says what is wrong
        vector_->clear();
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
        std::uint64_t row = 0;
        RowBatch batch;
        for (std::future<Block> coming = blocks.next_ahead();;) {
            const Block block = coming.get();
            if (block.lines.empty()) break;
            coming = blocks.next_ahead();
            std::vector<std::size_t> filled;
            for (std::size_t i = 0; i < block.lines.size(); ++i)
                if (!is_blank(block.lines[i])) filled.push_back(i);
            if (filled.empty()) continue;
            if (block.first_line == 1 && block.lines.front().starts_with(base::byte_order_mark))
                base::fail_at(path_, 1, "begins with a byte order mark; write the file as plain UTF-8");
            if (dimension_ == 0) begin(block.lines[filled.front()], block.first_line + filled.front());
            note_lines(row, filled, block.first_line);
            batch.clear();
            batch.first = row;
            batch.size = filled.size();
            read_lines(part, block, filled, batch);
            blocks.forget();
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

    void read_lines(Part part, const Block& block, const std::vector<std::size_t>& filled, RowBatch& batch) {
        const bool whole = part == Part::places_and_vectors;
        if (whole) batch.vectors.resize(batch.size * dimension_);
        if (whole && has_places_) batch.places.resize(batch.size);
        if (!whole) batch.words.resize(batch.size);
        const std::size_t pieces = std::min(batch.size, 4 * workers_.size());
        workers_.run(pieces, [&](std::size_t piece, std::size_t worker) {
            std::vector<float> vector;
            for (std::size_t i = piece * batch.size / pieces; i < (piece + 1) * batch.size / pieces; ++i) {
                const std::uint64_t number = block.first_line + filled[i];
                Line line = readers_[worker]->read(block.lines[filled[i]], number, whole ? &vector : nullptr);
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
