// Parquet's hybrid of runs and bit-packed numbers, in which it writes levels and places in a dictionary.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace wordbreadth::parquet {

// The bits that numbers from 0 to `largest` take.
[[nodiscard]] unsigned width_of(std::uint64_t largest);

void append_hybrid(std::string& bytes, std::span<const std::uint32_t> numbers, unsigned width);

// So many copies of a number of one bit; and bits, the lowest of a byte first.
void append_run(std::string& bytes, bool bit, std::size_t count);
void append_bits(std::string& bytes, std::span<const std::uint8_t> bits, std::size_t count);

// Reads them, whatever the bytes are: every method throws InputError, naming `where`, when they end too early.
class HybridReader {
  public:
    HybridReader() = default;
    // Numbers of `width` bits, 32 at most. `where` must outlive it.
    HybridReader(const std::string& where, std::span<const std::byte> bytes, unsigned width)
        : where_(&where), bytes_(bytes), width_(width) {}

    [[nodiscard]] std::uint32_t next();

    // Moves past the next numbers, at most `most`, as long as they equal `number`; returns how many these are.
    [[nodiscard]] std::size_t skip_equal(std::uint32_t number, std::size_t most);

  private:
    void begin_run();
    [[nodiscard]] std::uint32_t packed_number() const;

    const std::string* where_ = nullptr;
    std::span<const std::byte> bytes_;
    unsigned width_ = 0;
    std::uint64_t left_ = 0;  // of the run
    bool is_packed_ = false;
    std::uint32_t repeated_ = 0;         // of a run
    std::span<const std::byte> packed_;  // of numbers that are packed
    std::uint64_t bit_ = 0;              // of the next of them
};

}  // namespace wordbreadth::parquet
