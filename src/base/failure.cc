#include "base/failure.h"

#include "wordbreadth/error.h"

namespace wordbreadth::base {

void fail(std::string_view where, std::string_view what) {
    throw InputError(std::string(where).append(": ").append(what));
}

void fail_at(const std::string& path, std::uint64_t line, std::string_view what) {
    fail(path + ":" + std::to_string(line), what);
}

}  // namespace wordbreadth::base
