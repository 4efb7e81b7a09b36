// Files of arrays, one per word.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "arrays/array_file.h"
#include "base/failure.h"
#include "base/strings.h"
#include "importing/rows.h"

namespace wordbreadth::importing {
namespace {

// With 2 M the threads wait for each other, a tenth of the time.
constexpr std::size_t values_of_a_batch = 8 * 1024 * 1024;

// Mapped pages count as memory of the process until the file is closed: it is opened again after so many bytes.
constexpr std::uint64_t mapped_at_most = 256 * 1024 * 1024;

class ArrayRows : public RowSource {
  public:
    explicit ArrayRows(const std::string& path) : path_(path), file_(arrays::open_array_file(path)) {
        for (std::string& name : file_->names()) {
            const arrays::MatrixSize size = file_->size_of(name);
            if (begins_.empty()) dimension_ = size.columns;
            if (size.columns != dimension_)
                base::fail(path + ":" + name, "has " + std::to_string(size.columns) + " dimensions; expected " +
                                                  std::to_string(dimension_) + ", as " +
                                                  base::in_quotes(names_.front()) + " has");
            if (size.rows == 0 || size.columns == 0)
                base::fail(path + ":" + name, "has the shape (" + std::to_string(size.rows) + ", " +
                                                  std::to_string(size.columns) +
                                                  "); expected at least one row and dimension");
            begins_.push_back(rows_);
            rows_ += size.rows;
            names_.push_back(std::move(name));
        }
        begins_.push_back(rows_);
    }

    void read(Part part, const Take& take) override {
        const std::size_t most = std::max<std::size_t>(1, values_of_a_batch / dimension_);
        RowBatch batch;
        std::uint64_t mapped = 0;
        const auto hand_over = [&] {
            const std::uint64_t next = batch.first + batch.size;
            take(batch);
            batch.clear();
            batch.first = next;
        };
        for (std::size_t i = 0; i < names_.size(); ++i) {
            std::optional<arrays::Array> array;
            if (part == Part::vectors) array = file_->read(names_[i]);
            const std::uint64_t end = begins_[i + 1];
            for (std::uint64_t row = begins_[i]; row < end;) {
                const std::size_t some = std::min<std::uint64_t>(end - row, most - batch.size);
                if (part == Part::words) batch.words.insert(batch.words.end(), some, names_[i]);
                if (array) add_rows(*array, row - begins_[i], some, batch);
                batch.size += some;
                row += some;
                if (batch.size == most) hand_over();
            }
            mapped += array ? array->bytes() : 0;
            if (mapped < mapped_at_most) continue;
            array.reset();
            file_ = arrays::open_array_file(path_);
            mapped = 0;
        }
        if (batch.size > 0) hand_over();
    }

    bool has_parts() const override { return true; }
    std::size_t dimension() const override { return dimension_; }
    bool has_places() const override { return false; }
    std::string_view format() const override { return "arrays"; }

    std::string where(std::uint64_t row) const override {
        const auto array = std::ranges::upper_bound(begins_, row) - begins_.begin() - 1;
        return path_ + ":" + names_[static_cast<std::size_t>(array)] + ": row " +
               std::to_string(row - begins_[static_cast<std::size_t>(array)]);
    }

  private:
    // float32 rows stay where they are, in the mapped file or in what was read.
    void add_rows(const arrays::Array& array, std::uint64_t row, std::size_t rows, RowBatch& batch) const {
        const std::byte* values = array.values.get() + row * dimension_ * arrays::bytes_of(array.element);
        if (array.element == Element::f32) {
            batch.kept.push_back(array.values);
        } else {
            const auto converted = std::make_shared<const std::vector<float>>(convert(values, array.element, rows));
            batch.kept.push_back(converted);
            values = std::as_bytes(std::span(*converted)).data();
        }
        for (std::size_t i = 0; i < rows; ++i) batch.rows.push_back(values + i * dimension_ * sizeof(float));
    }

    // float64 values beyond float32 become infinite, which the caller refuses.
    std::vector<float> convert(const std::byte* from, Element element, std::size_t rows) const {
        std::vector<float> vectors;
        vectors.reserve(rows * dimension_);
        std::vector<double> wide(dimension_);
        for (std::size_t i = 0; i < rows; ++i) {
            arrays::widen(from + i * dimension_ * arrays::bytes_of(element), element, wide);
            std::ranges::transform(wide, std::back_inserter(vectors),
                                   [](double value) { return static_cast<float>(value); });
        }
        return vectors;
    }

    std::string path_;
    std::unique_ptr<arrays::ArrayFile> file_;
    std::vector<std::string> names_;
    std::vector<std::uint64_t> begins_;  // (names + 1)
    std::uint64_t rows_ = 0;
    std::size_t dimension_ = 0;
};

}  // namespace

std::unique_ptr<RowSource> open_arrays(const std::string& path) {
    return std::make_unique<ArrayRows>(path);
}

}  // namespace wordbreadth::importing
