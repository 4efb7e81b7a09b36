// Text in memory, read like a file.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

#include "base/bytes.h"

namespace wordbreadth::corpus {

class MemoryBytes : public base::Bytes {
  public:
    // Both outlive this. `where` is what messages call the text.
    MemoryBytes(const std::string& where, std::string_view text) : where_(where), rest_(text) {}

    std::size_t read(std::span<std::byte> into) override {
        const std::size_t count = std::min(into.size(), rest_.size());
        if (count > 0) std::memcpy(into.data(), rest_.data(), count);
        rest_.remove_prefix(count);
        return count;
    }

    [[nodiscard]] const std::string& where() const override { return where_; }

  private:
    const std::string& where_;
    std::string_view rest_;
};

}  // namespace wordbreadth::corpus
