// JSON files of a snapshot, which have not been checked before: every value is read as the kind it must have.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wordbreadth::encoder::snapshot {

// A value of a JSON file together with its place, for messages.
class JsonValue {
  public:
    // `json` must outlive the value. `path` is that of the file; `place` is within it: "model.vocab".
    JsonValue(std::string path, std::string place, const nlohmann::json& json)
        : path_(std::move(path)), place_(std::move(place)), json_(&json) {}

    // Throws InputError: the place, what was found there, and what was expected.
    [[noreturn]] void fail_expecting(const std::string& what) const;

    // Throws InputError: the place, and what is wrong with it.
    [[noreturn]] void fail(const std::string& what) const;

    [[nodiscard]] bool is_object() const { return json_->is_object(); }
    [[nodiscard]] bool is_zero() const { return json_->is_number() && json_->get<double>() == 0; }
    [[nodiscard]] bool is_text() const { return json_->is_string(); }

    // Each throws InputError unless the value is of that kind.
    [[nodiscard]] const std::string& text() const;
    [[nodiscard]] bool boolean() const;
    [[nodiscard]] std::int64_t whole_number() const;
    [[nodiscard]] const nlohmann::json& object() const;

    // A member of an object: it must be there; or it may be missing or null.
    [[nodiscard]] JsonValue at(const std::string& key) const;
    [[nodiscard]] std::optional<JsonValue> find(const std::string& key) const;

    // The members of a list.
    [[nodiscard]] std::vector<JsonValue> items() const;

    [[nodiscard]] bool boolean_or(const std::string& key, bool otherwise) const;
    [[nodiscard]] std::string text_or(const std::string& key, const std::string& otherwise) const;

    // "FILE: PLACE"
    [[nodiscard]] std::string where() const;
    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    [[nodiscard]] JsonValue member(const std::string& name, const nlohmann::json& json) const;

    std::string path_;
    std::string place_;
    const nlohmann::json* json_;
};

// Throws InputError when there is no regular file of that path, or it is larger than limits::tokenizer_file_bytes.
[[nodiscard]] std::string read_text_file(const std::string& path);

// The JSON object in the file. Throws InputError as above, and when the file is not JSON, no object, or nested deeper
// than limits::json_depth.
[[nodiscard]] nlohmann::json read_json_file(const std::string& path);

}  // namespace wordbreadth::encoder::snapshot
