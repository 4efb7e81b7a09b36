#include "corpus/json_record.h"

#include <nlohmann/json.hpp>
#include <vector>

#include "base/failure.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::corpus {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";
constexpr std::size_t keys_listed = 5;

void replace_nul(std::string& text) {
    for (std::size_t at = text.find('\0'); at != std::string::npos; at = text.find('\0', at + replacement.size())) {
        text.replace(at, 1, replacement);
    }
}

// Depth 1 is the record. The parser keeps its own stack, so that depth costs it no recursion; the limit bounds it.
class Events : public nlohmann::json_sax<nlohmann::json> {
  public:
    Events(const std::string& path, std::uint64_t line) : path_(path), line_(line) {}

    JsonRecord take() {
        if (!text_)
            base::fail_at(path_, line_, "has no \"text\"; expected {\"text\": \"...\"}, found the keys " + keys());
        return {std::move(*text_), std::move(label_), std::move(id_)};
    }

    bool null() override { return value("null", true); }
    bool boolean(bool value_) override { return value(value_ ? "true" : "false"); }
    bool number_integer(number_integer_t number) override { return value(std::to_string(number)); }
    bool number_unsigned(number_unsigned_t number) override { return value(std::to_string(number)); }
    bool number_float(number_float_t, const string_t& written) override { return value(written); }
    bool binary(binary_t&) override { return true; }

    bool string(string_t& string) override {
        if (depth_ == 0) fail_record("a string");
        if (depth_ > 1) return true;
        if (key_ == "text") {
            replace_nul(string);
            text_ = std::move(string);
            return true;
        }
        return value(string);
    }

    bool key(string_t& key) override {
        if (depth_ > 1) return true;
        key_ = key;
        if (keys_.size() < keys_listed) keys_.push_back(key);
        const bool twice = (key == "text" && text_) || (key == "label" && label_) || (key == "id" && id_);
        if (twice) base::fail_at(path_, line_, "has the key " + base::in_quotes(key) + " twice");
        return true;
    }

    bool start_object(std::size_t) override { return enter("an object"); }
    bool end_object() override { return leave(); }
    bool start_array(std::size_t) override { return enter("a list"); }
    bool end_array() override { return leave(); }

    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
        base::fail_at(path_, line_,
                      "is not JSON from byte " + std::to_string(position) + " on; expected one object per line");
    }

  private:
    [[noreturn]] void fail_record(std::string_view found) const {
        base::fail_at(path_, line_, "holds " + std::string(found) + "; expected an object: {\"text\": \"...\"}");
    }

    [[nodiscard]] bool is_ours() const { return key_ == "text" || key_ == "label" || key_ == "id"; }

    bool value(std::string found, bool is_null = false) {
        if (depth_ == 0) fail_record(found);
        if (depth_ > 1) return true;
        if (key_ == "text") base::fail_at(path_, line_, "its \"text\" is " + found + "; expected a string");
        if (is_null) return true;
        replace_nul(found);
        if (key_ == "label") {
            label_ = std::move(found);
        } else if (key_ == "id") {
            id_ = std::move(found);
        }
        return true;
    }

    bool enter(const char* what) {
        if (depth_ == 0 && what != std::string_view("an object")) fail_record(what);
        if (depth_ == 1 && is_ours()) {
            base::fail_at(path_, line_, "its " + base::in_quotes(key_) + " is " + what + "; expected a string");
        }
        if (++depth_ > limits::json_depth) {
            base::fail_at(path_, line_,
                          "nests deeper than the " + std::to_string(limits::json_depth) + " levels accepted");
        }
        return true;
    }

    bool leave() {
        --depth_;
        return true;
    }

    [[nodiscard]] std::string keys() const {
        return keys_.empty() ? "none" : base::joined(keys_, ", ", base::in_quotes);
    }

    const std::string& path_;
    std::uint64_t line_;
    std::size_t depth_ = 0;
    std::string key_;
    std::vector<std::string> keys_;
    std::optional<std::string> text_;
    std::optional<std::string> label_;
    std::optional<std::string> id_;
};

}  // namespace

JsonRecord parse_json_record(const std::string& path, std::uint64_t line, std::string_view json) {
    Events events(path, line);
    nlohmann::json::sax_parse(json, &events);
    return events.take();
}

}  // namespace wordbreadth::corpus
