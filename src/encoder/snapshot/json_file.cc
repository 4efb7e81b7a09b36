#include "encoder/snapshot/json_file.h"

#include <filesystem>
#include <span>

#include "base/failure.h"
#include "base/file.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::encoder::snapshot {

namespace {

// The value itself where it is short.
std::string shown(const nlohmann::json& json) {
    if (json.is_object()) return "an object";
    if (json.is_array()) return "a list";
    if (json.is_string()) return base::in_quotes(json.get_ref<const std::string&>());
    return json.dump();
}

nlohmann::json parsed(const std::string& path, const std::string& text) {
    using Event = nlohmann::json::parse_event_t;
    const auto within_depth = [&path](int depth, Event event, nlohmann::json&) {
        const bool opens = event == Event::object_start || event == Event::array_start;  // the outermost at depth 0
        if (!opens || depth < static_cast<int>(limits::json_depth)) return true;
        base::fail(path, "its JSON is nested deeper than " + std::to_string(limits::json_depth) + " levels");
    };
    try {
        return nlohmann::json::parse(text, within_depth);
    } catch (const nlohmann::json::parse_error& error) {
        base::fail(path, "not JSON at byte " + std::to_string(error.byte) + "; copy or download the file again");
    } catch (const nlohmann::json::out_of_range&) {
        base::fail(path, "holds a number that is too large; copy or download the file again");
    }
}

}  // namespace

std::string JsonValue::where() const {
    return place_.empty() ? path_ : path_ + ": " + place_;
}

void JsonValue::fail_expecting(const std::string& what) const {
    fail("is " + shown(*json_) + "; expected " + what);
}

void JsonValue::fail(const std::string& what) const {
    base::fail(path_, (place_.empty() ? "the file" : place_) + " " + what);
}

const std::string& JsonValue::text() const {
    if (!json_->is_string()) fail_expecting("a string");
    return json_->get_ref<const std::string&>();
}

bool JsonValue::boolean() const {
    if (!json_->is_boolean()) fail_expecting("true or false");
    return json_->get<bool>();
}

std::int64_t JsonValue::whole_number() const {
    if (!json_->is_number_integer()) fail_expecting("a whole number");
    if (json_->is_number_unsigned() && json_->get<std::uint64_t>() > INT64_MAX) fail_expecting("a smaller number");
    return json_->get<std::int64_t>();
}

const nlohmann::json& JsonValue::object() const {
    if (!json_->is_object()) fail_expecting("an object");
    return *json_;
}

JsonValue JsonValue::member(const std::string& name, const nlohmann::json& json) const {
    return {path_, place_.empty() ? name : place_ + "." + name, json};
}

std::optional<JsonValue> JsonValue::find(const std::string& key) const {
    const auto found = object().find(key);
    if (found == json_->end() || found->is_null()) return std::nullopt;
    return member(key, *found);
}

JsonValue JsonValue::at(const std::string& key) const {
    const auto found = object().find(key);
    if (found == json_->end()) fail("has no " + base::in_quotes(key) + "; download the file again");
    return member(key, *found);
}

std::vector<JsonValue> JsonValue::items() const {
    if (!json_->is_array()) fail_expecting("a list");
    std::vector<JsonValue> values;
    values.reserve(json_->size());
    for (const nlohmann::json& item : *json_) values.push_back(member(std::to_string(values.size()), item));
    return values;
}

bool JsonValue::boolean_or(const std::string& key, bool otherwise) const {
    const auto found = find(key);
    return found ? found->boolean() : otherwise;
}

std::string JsonValue::text_or(const std::string& key, const std::string& otherwise) const {
    const auto found = find(key);
    return found ? found->text() : otherwise;
}

std::string read_text_file(const std::string& path) {
    std::error_code ignored;
    const auto type = std::filesystem::status(path, ignored).type();
    if (type != std::filesystem::file_type::not_found && type != std::filesystem::file_type::regular) {
        base::fail(path, "not a regular file; expected a file of the model");
    }
    base::File file(path);
    if (file.size() > limits::tokenizer_file_bytes) {
        base::fail(path, "has " + std::to_string(file.size()) + " bytes; at most " +
                             std::to_string(limits::tokenizer_file_bytes) + " are accepted");
    }
    std::string text(file.size(), '\0');
    file.read_all(std::as_writable_bytes(std::span(text)), "the file");
    return text;
}

nlohmann::json read_json_file(const std::string& path) {
    const std::string text = read_text_file(path);
    nlohmann::json json = parsed(path, text);
    (void)JsonValue(path, "", json).object();
    return json;
}

}  // namespace wordbreadth::encoder::snapshot
