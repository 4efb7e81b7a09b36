// The names of the arrays in a file: which are accepted, and the message when one is missing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wordbreadth::base {

// Throws InputError, naming the file, unless `name` can be printed in tables and JSON: UTF-8 without control
// characters, not empty, within limits::name_bytes.
void require_good_name(const std::string& path, const std::string& name);

// And unless it is also good for an array of a .safetensors file, which has something else under "__metadata__".
void require_storable_name(const std::string& path, const std::string& name);

// Without differences of case, as Unicode folds them.
[[nodiscard]] std::string case_fold(const std::string& text);

// The names that differ from `name` in nothing but case; where there are none, those at most a third of it away by edit
// distance, nearest first. A few at most.
[[nodiscard]] std::vector<std::string> close_names(const std::string& name, const std::vector<std::string>& available);

// "did you mean ...?" and "it holds ...", with a few of the names.
[[nodiscard]] std::string suggestion(const std::vector<std::string>& close);
[[nodiscard]] std::string holdings(const std::vector<std::string>& available);

// Throws InputError: the file has no array (or whatever `kind` says) `name`, but these close ones, or these at all.
// What a store says is in missing_word.h.
[[noreturn]] void fail_missing(const std::string& path, const std::string& name,
                               const std::vector<std::string>& available, std::string_view kind = "array");

}  // namespace wordbreadth::base
