// Tables as Parquet, a row group at a time: the rows of one are encoded by any thread, and written in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parquet/metadata.h"

namespace wordbreadth::parquet {

enum class Type { nothing, text, count, real, truth };  // nothing: all values are missing

// Values of a column, in the buffers of Arrow; those that are missing have a place in them.
struct Values {
    Type type = Type::nothing;
    std::size_t size = 0;
    std::size_t missing = 0;
    std::span<const std::uint8_t> present{};  // bit i, the lowest first: whether value i is there
    std::span<const std::uint64_t> counts{};  // of truths 0 or 1
    std::span<const double> reals{};
    std::span<const std::int64_t> text_starts{};  // (size + 1), in the bytes, which are UTF-8
    std::string_view bytes{};
};

// Rows that are encoded. Text, and numbers of which there are few, is written as a dictionary; pages are compressed
// with zstd.
struct RowGroup {
    RowGroupMetadata metadata{};       // offsets count from the begin of the bytes
    std::vector<Type> types{};         // of the columns
    std::vector<bool> large_counts{};  // which have some beyond int64
    std::string bytes{};
};

// All columns have as many values. Texts of a column may take 1 GiB together.
[[nodiscard]] RowGroup encoded(std::span<const Values> columns);

class Writer {
  public:
    using Sink = std::function<void(std::string_view bytes)>;

    // Each column as its name; `like` are the types of those columns that turn out to have no value at all.
    Writer(std::vector<std::string> names, std::vector<Type> like, Sink write);

    // Throws std::logic_error when a column has values of another type than before.
    void write(RowGroup group);

    // The footer. The last call, without which there is no file.
    void finish();

  private:
    std::vector<std::string> names_;
    std::vector<Type> types_, like_;
    std::vector<bool> large_counts_;
    Sink write_;
    std::int64_t offset_ = 0;
    FileMetadata metadata_;
};

}  // namespace wordbreadth::parquet
