#include "base/bytes.h"

#include "base/failure.h"

namespace wordbreadth::base {

bool Bytes::append_to(std::string& text, std::size_t bytes) {
    const std::size_t before = text.size();
    text.resize(before + bytes);
    const std::size_t found = read(std::as_writable_bytes(std::span(text).subspan(before)));
    text.resize(before + found);
    return found == bytes;
}

void Bytes::read_all(std::span<std::byte> into, const char* what) {
    const std::size_t found = read(into);
    if (found == into.size()) return;
    fail(where(), "cut off in " + std::string(what) + ": " + std::to_string(found) + " bytes left where " +
                      std::to_string(into.size()) + " were expected; copy or save the file again");
}

}  // namespace wordbreadth::base
