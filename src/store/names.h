// The names of the arrays in a file: which are accepted, and what to say when one is not there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wordbreadth::store {

// Throws InputError, naming the file, unless `name` can be printed in tables and JSON: UTF-8 without control
// characters, not empty, within limits::name_bytes.
void require_good_name(const std::string& path, const std::string& name);

// Throws InputError: the file has no array (or whatever `kind` says) `name`, but these close ones, or these at all.
[[noreturn]] void fail_missing(const std::string& path, const std::string& name,
                               const std::vector<std::string>& available, std::string_view kind = "array");

}  // namespace wordbreadth::store
