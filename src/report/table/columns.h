// The rows of a table turned into columns, as numpy, Arrow and Parquet read them: values in one buffer, and which are
// there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "report/table/table.h"

namespace wordbreadth::report {

// Buffers are those of Arrow: bit i of `present`, the lowest bits first, says whether value i is there.
class ColumnValues {
  public:
    enum class Kind { nothing, text, count, real, truth, list };

    explicit ColumnValues(std::string key) : key_(std::move(key)) {}

    // Counts become real numbers where the column has some of those, too. Throws std::logic_error for any other
    // mixture.
    void append(const Value& value);
    void append(double value);

    [[nodiscard]] const std::string& key() const { return key_; }
    [[nodiscard]] Kind kind() const { return kind_; }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::size_t missing() const { return missing_; }
    [[nodiscard]] bool is_present(std::size_t index) const { return (present_[index / 8] >> index % 8 & 1U) != 0; }
    [[nodiscard]] bool has_large_counts() const { return has_large_counts_; }  // beyond int64

    [[nodiscard]] const std::vector<std::uint8_t>& present() const { return present_; }
    [[nodiscard]] const std::vector<std::uint64_t>& counts() const { return counts_; }  // of truths 0 or 1
    [[nodiscard]] const std::vector<double>& reals() const { return reals_; }           // NaN where missing
    [[nodiscard]] const std::vector<std::int64_t>& lists() const {
        return list_starts_;
    }  // (size + 1): places of texts
    [[nodiscard]] const std::vector<std::int64_t>& texts() const { return text_starts_; }  // (texts + 1)
    [[nodiscard]] const std::string& bytes() const { return bytes_; }
    [[nodiscard]] std::string_view text(std::size_t index) const;

  private:
    void become(Kind kind, const std::string& what);
    void add_placeholder();
    void add_text(const std::string& text);
    void mark(bool present);

    std::string key_;
    Kind kind_ = Kind::nothing;
    std::size_t size_ = 0;
    std::size_t missing_ = 0;
    bool has_large_counts_ = false;
    std::vector<std::uint8_t> present_;
    std::vector<std::uint64_t> counts_;
    std::vector<double> reals_;
    std::vector<std::int64_t> list_starts_{0};
    std::vector<std::int64_t> text_starts_{0};
    std::string bytes_;
};

// Those of the table's TSV, in its order: a rate is three columns.
[[nodiscard]] std::vector<ColumnValues> columns_of(const Table& table);

// The same of the rows from `begin` on, up to `end` or until their texts take more than `most_text` bytes; `begin`
// moves past them. At least one row, where there is one.
[[nodiscard]] std::vector<ColumnValues> columns_of(const Table& table, std::size_t& begin, std::size_t end,
                                                   std::size_t most_text);

// Their keys, without looking at a row.
[[nodiscard]] std::vector<std::string> keys_of(const Table& table);

}  // namespace wordbreadth::report
