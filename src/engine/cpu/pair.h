// A pair in Gram space: what is linear in a split, exactly, and what is quadratic, nearly; and what a cloud brings to
// every pair that it stands in, computed once.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "engine/backend.h"
#include "engine/cpu/kernels.h"

namespace wordbreadth::engine::cpu {

struct PreparedCloud {
    std::vector<float> rows;  // (n, d) the unit rows
    std::vector<float> gram;  // (n, n) x_i . x_j

    [[nodiscard]] std::size_t bytes() const { return (rows.size() + gram.size()) * sizeof(float); }
};

// Keeps each prepared cloud as long as pairs are to come that it stands in, or jobs, while there is room.
class PreparedClouds {
  public:
    explicit PreparedClouds(const Kernels& kernels) : kernels_(kernels) {}

    // Counts the uses that are to come.
    void expect(const Job& job);

    // May be called from several threads at once.
    [[nodiscard]] std::shared_ptr<const PreparedCloud> get(const geometry::UnitRows& cloud);

    // Drops everything when more is kept than half of what the job's clouds take themselves. Clouds in use stay with
    // their users.
    void trim();
    void forget(const geometry::UnitRows& cloud) { slots_.erase(&cloud); }

  private:
    struct Slot {
        std::once_flag once;
        std::shared_ptr<const PreparedCloud> prepared;
    };
    [[nodiscard]] std::shared_ptr<const PreparedCloud> prepare(const geometry::UnitRows& cloud) const;

    const Kernels& kernels_;
    std::mutex mutex_;
    bool keep_ = false;
    std::size_t room_ = 0;  // bytes
    std::map<const geometry::UnitRows*, std::size_t> uses_left_;
    std::map<const geometry::UnitRows*, std::shared_ptr<Slot>> slots_;
};

// Z stands for the aligned rows of both clouds, x's first: (N, d). They are never written down.
struct PairGeometry {
    const geometry::UnitRows* x = nullptr;
    const geometry::UnitRows* y = nullptr;
    std::size_t n = 0, m = 0, N = 0, d = 0;
    std::vector<double> mirror;        // (d) u of the reflection; empty when nothing is reflected
    std::vector<double> along_mirror;  // (N) rows before the reflection . u; zeros when nothing is reflected
    std::vector<double> sum;           // (d) of all rows of Z
    double tt = 0;                     // its squared length
    std::vector<double> c;             // (N) rows of Z . sum, less their mean tt / N: c~

    PairGeometry(const geometry::UnitRows& cloud_x, const geometry::UnitRows& cloud_y, Alignment align,
                 const Kernels& kernels);

    // Row i before the reflection; see UnitRows::row.
    [[nodiscard]] std::span<const double> row(std::size_t i, std::vector<double>& scratch) const {
        return i < n ? x->row(i, scratch) : y->row(i - n, scratch);
    }

    // |q|^2, the same for every split
    [[nodiscard]] double q2() const { return static_cast<double>(n) * static_cast<double>(m) / static_cast<double>(N); }
};

// A matrix known up to a symmetric error of at most `error` in spectral norm.
struct NearMatrix {
    std::vector<float> values;
    double error = 0;
};

// K = (Z - mean)(Z - mean)^T, (N, N).
[[nodiscard]] NearMatrix centred_gram(const PairGeometry& pair, const PreparedCloud& x, const PreparedCloud& y,
                                      const Kernels& kernels);

// Rows `first` to `first + count` of Z - mean: (count, d).
void centred_rows(const PairGeometry& pair, std::size_t first, std::size_t count, float* to);

// (Z - mean) U, (N, columns), for U (d, columns).
[[nodiscard]] std::vector<float> centred_rows_times(const PairGeometry& pair, std::span<const float> U,
                                                    std::size_t columns, const Kernels& kernels);

// (Z - mean)^T (Z - mean), (d, d).
[[nodiscard]] NearMatrix scatter(const PairGeometry& pair, const Kernels& kernels);

}  // namespace wordbreadth::engine::cpu
