// The values of one page, whatever its encoding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "parquet/hybrid.h"
#include "parquet/metadata.h"

namespace wordbreadth::parquet {

// What values become: one of the three, by the physical type of a column.
struct Decoded {
    std::vector<float> reals{};
    std::vector<std::int64_t> wholes{};
    std::vector<std::string> texts{};
    bool overflows = false;  // a float64 that is finite, and is not as float32
};

class PageValues {
  public:
    PageValues() = default;

    // At most `count` values, those that are there, in `bytes`. `dictionary`: that of the chunk, where it has one. All
    // must outlive it. Throws InputError, naming `where`, when the encoding is not known or does not suit the column.
    PageValues(const std::string& where, const SchemaElement& element, Encoding encoding, std::size_t count,
               std::span<const std::byte> bytes, const Decoded* dictionary);

    // Appends the next `count` to `into`. Throws InputError when the page has fewer.
    void read(std::size_t count, Decoded& into);

    // The next `count` where they lie, at any byte, and moves past them; null where that is not as float32, one after
    // the other.
    [[nodiscard]] const std::byte* in_place(std::size_t count);

  private:
    [[nodiscard]] std::span<const std::byte> take(std::uint64_t bytes);
    void begin_delta(std::size_t count);
    void read_plain(std::size_t count, Decoded& into);
    void read_split(std::size_t count, Decoded& into);
    void read_from(const Decoded& source, std::size_t place, Decoded& into) const;
    [[noreturn]] void refuse() const;

    const std::string* where_ = nullptr;
    const SchemaElement* element_ = nullptr;
    Encoding encoding_ = Encoding::plain;
    std::span<const std::byte> bytes_;
    const Decoded* dictionary_ = nullptr;
    HybridReader places_;  // in the dictionary
    Decoded decoded_;      // of delta encodings, which are decoded as a whole
    std::size_t next_ = 0;
};

}  // namespace wordbreadth::parquet
