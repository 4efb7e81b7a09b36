// How the library reports that a file is bad.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "wordbreadth/error.h"

namespace wordbreadth::base {

// Throws InputError("where: what"). `where` is a file, or a file and a name in it: "clouds.npz:bank".
[[noreturn]] inline void fail(std::string_view where, std::string_view what) {
    throw InputError(std::string(where).append(": ").append(what));
}

// Throws FileError("where: what"). `error` is as errno has it.
[[noreturn]] inline void fail_to_open(std::string_view where, std::string_view what, int error) {
    throw FileError(std::string(where).append(": ").append(what), error);
}

// Throws InputError("path:line: what").
[[noreturn]] inline void fail_at(const std::string& path, std::uint64_t line, std::string_view what) {
    fail(path + ":" + std::to_string(line), what);
}

}  // namespace wordbreadth::base
