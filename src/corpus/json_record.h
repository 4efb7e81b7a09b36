// One line of a JSONL corpus: an object with a `text`, and perhaps a `label` and an `id`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace wordbreadth::corpus {

struct JsonRecord {
    std::string text;
    std::optional<std::string> label;  // a number or a truth value as it is written
    std::optional<std::string> id;     // likewise
};

// Other fields are checked and forgotten. A NUL in a string becomes U+FFFD, since text has none.
// Throws InputError, with path and line, when the line is no such object.
[[nodiscard]] JsonRecord parse_json_record(const std::string& path, std::uint64_t line, std::string_view json);

}  // namespace wordbreadth::corpus
