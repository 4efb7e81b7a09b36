#include "arrays/safetensors.h"

#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "base/failure.h"
#include "base/names.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::arrays {

namespace {

constexpr std::string_view metadata_key = "__metadata__";

// Depth 1 is the header, depth 2 a tensor (or the metadata), depth 3 its shape or data_offsets.
// The parser keeps its own stack, so that depth costs it no recursion; the limit bounds that stack.
class Events : public nlohmann::json_sax<nlohmann::json> {
  public:
    explicit Events(const std::string& path) : path_(path) {}

    Tensors take() { return std::move(tensors_); }

    bool null() override { return other_value("null"); }
    bool boolean(bool) override { return other_value("a truth value"); }
    bool number_integer(number_integer_t value) override { return other_value(std::to_string(value)); }
    bool number_float(number_float_t, const string_t& text) override { return other_value(base::in_quotes(text)); }
    bool binary(binary_t&) override { return other_value("binary data"); }

    bool number_unsigned(number_unsigned_t value) override {
        if (skipped()) return true;
        if (depth_ != 3) return other_value(std::to_string(value));
        numbers_.push_back(value);
        // Stopped here and not at the end, so that a hostile list takes no memory.
        if (key_ == "shape") require_rank_within_limit(where(), numbers_);
        if (key_ == "data_offsets" && numbers_.size() > 2) base::fail(where(), "data_offsets has more than 2 numbers");
        return true;
    }

    bool string(string_t& value) override {
        if (skipped()) return true;
        if (depth_ != 2 || key_ != "dtype") return other_value(base::in_quotes(value));
        tensor().type = value;
        return true;
    }

    bool key(string_t& value) override {
        if (depth_ == 1) {
            start_entry(value);
        } else if (!skipped()) {
            if (!keys_.insert(value).second) base::fail(where(), "has the key " + base::in_quotes(value) + " twice");
            key_ = value;
        }
        return true;
    }

    bool start_object(std::size_t) override {
        if (depth_ > 1 && !skipped()) return other_value("an object");
        enter();
        if (depth_ == 2) keys_.clear();
        return true;
    }

    bool end_object() override {
        if (depth_ == 2) end_entry();
        --depth_;
        return true;
    }

    bool start_array(std::size_t) override {
        const bool of_a_tensor = depth_ == 2 && (key_ == "shape" || key_ == "data_offsets");
        if (!skipped() && !of_a_tensor) return other_value("a list");
        enter();
        numbers_.clear();
        return true;
    }

    bool end_array() override {
        if (!skipped()) end_numbers();
        --depth_;
        return true;
    }

    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
        base::fail(path_, "its header is not JSON from byte " + std::to_string(position) + " on; save the file again");
    }

  private:
    std::string where() const { return name_.empty() ? path_ : path_ + ":" + name_; }

    bool skipped() const { return in_metadata_ && depth_ > 1; }

    Tensor& tensor() { return tensors_[name_]; }

    bool other_value(const std::string& found) const {
        if (skipped()) return true;
        if (depth_ <= 1) base::fail(where(), "malformed header: found " + found + " where an object was expected");
        base::fail(where(), "malformed header: unexpected " + found + " under " + base::in_quotes(key_) +
                                "; a tensor has dtype, shape and data_offsets");
    }

    void enter() {
        if (++depth_ > limits::json_depth) {
            base::fail(path_,
                       "its header nests deeper than the " + std::to_string(limits::json_depth) + " levels accepted");
        }
    }

    void start_entry(const std::string& name) {
        in_metadata_ = name == metadata_key;
        name_ = name;
        key_.clear();
        if (in_metadata_ ? std::exchange(metadata_seen_, true) : tensors_.contains(name)) {
            base::fail(path_, "holds the name " + base::in_quotes(name) + " twice; save it again with different names");
        }
        if (in_metadata_) return;
        base::require_good_name(path_, name);
        if (tensors_.size() == limits::archive_entries) {
            base::fail(path_, "holds more than the " + std::to_string(limits::archive_entries) + " arrays accepted");
        }
        tensors_.try_emplace(name);
    }

    void end_entry() {
        if (!std::exchange(in_metadata_, false) && keys_ != std::set<std::string>{"data_offsets", "dtype", "shape"}) {
            base::fail(where(), "malformed header: expected the keys dtype, shape and data_offsets, and no others");
        }
    }

    void end_numbers() {
        if (key_ == "shape") {
            tensor().shape = std::move(numbers_);
        } else if (numbers_.size() == 2) {
            tensor().begin = numbers_[0];
            tensor().end = numbers_[1];
        } else {
            base::fail(where(), "data_offsets has " + std::to_string(numbers_.size()) + " numbers; expected 2");
        }
        numbers_ = {};
    }

    const std::string& path_;
    Tensors tensors_;
    std::size_t depth_ = 0;
    bool in_metadata_ = false;
    bool metadata_seen_ = false;
    std::string name_;            // of the entry at depth 2
    std::string key_;             // in it
    std::set<std::string> keys_;  // all of them so far
    Shape numbers_;               // of the list at depth 3
};

}  // namespace

Tensors parse_safetensors_json(const std::string& path, std::string_view json) {
    // The format demands it, and it keeps out the byte order mark that the parser would skip.
    if (!json.starts_with('{')) base::fail(path, "its header does not start with '{' as a .safetensors header does");
    Events events(path);
    nlohmann::json::sax_parse(json, &events);
    return events.take();
}

}  // namespace wordbreadth::arrays
