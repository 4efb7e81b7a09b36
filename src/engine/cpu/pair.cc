#include "engine/cpu/pair.h"

#include <algorithm>
#include <cmath>

#include "engine/cpu/onednn.h"
#include "geometry/vector_math.h"

namespace wordbreadth::engine::cpu {
namespace {

constexpr std::size_t rows_at_a_time = 256;

// Of the clouds kept between batches and jobs, in bytes.
constexpr std::size_t least_room = std::size_t{64} << 20;
constexpr std::size_t most_room = std::size_t{512} << 20;

// A A^T by blocks of rows up to the diagonal, then mirrored.
void symmetric_products(const Kernels& kernels, const float* a, std::size_t n, std::size_t dimension, float* c) {
    constexpr std::size_t block = 128;  // smaller products run slower than they save
    for (std::size_t first = 0; first < n; first += block) {
        const std::size_t rows = std::min(block, n - first);
        multiply_closely(kernels, rows, first + rows, dimension, a + first * dimension, a, c + first * n, n);
    }
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i / block * block + block; j < n; ++j) c[i * n + j] = c[j * n + i];
}

// a -= 2 (a . u) u
void reflect(std::vector<double>& a, const std::vector<double>& u) {
    if (!u.empty()) geometry::add_scaled(a, -2 * geometry::dot(a, u), u);
}

}  // namespace

void PreparedClouds::expect(const Job& job) {
    keep_ = job.keep;
    if (!keep_) slots_.clear();
    uses_left_.clear();
    for (const PairTask& pair : job.pairs) {
        ++uses_left_[pair.x];
        ++uses_left_[pair.y];
    }
    room_ = 0;
    for (const auto& [cloud, uses] : uses_left_) room_ += cloud->bytes();
    room_ = std::clamp(room_ / 2, least_room, most_room);
}

std::shared_ptr<const PreparedCloud> PreparedClouds::get(const geometry::UnitRows& cloud) {
    std::shared_ptr<Slot> slot;
    {
        const std::lock_guard lock(mutex_);
        std::shared_ptr<Slot>& entry = slots_[&cloud];
        if (!entry) entry = std::make_shared<Slot>();
        slot = entry;
        std::size_t& uses = uses_left_[&cloud];
        if (uses <= 1 && !keep_) slots_.erase(&cloud);
        uses -= uses > 0;
    }
    std::call_once(slot->once, [&] { slot->prepared = prepare(cloud); });
    return slot->prepared;
}

void PreparedClouds::trim() {
    const std::lock_guard lock(mutex_);
    std::size_t total = 0;
    for (const auto& [cloud, slot] : slots_) total += slot->prepared ? slot->prepared->bytes() : 0;
    if (total > room_) slots_.clear();
}

std::shared_ptr<const PreparedCloud> PreparedClouds::prepare(const geometry::UnitRows& cloud) const {
    auto prepared = std::make_shared<PreparedCloud>();
    const std::size_t n = cloud.size();
    const std::size_t d = cloud.dimension();
    prepared->rows.resize(n * d);
    std::vector<double> scratch;
    for (std::size_t i = 0; i < n; ++i) kernels_.to_float(cloud.row(i, scratch).data(), d, &prepared->rows[i * d]);
    prepared->gram.resize(n * n);
    symmetric_products(kernels_, prepared->rows.data(), n, d, prepared->gram.data());
    return prepared;
}

PairGeometry::PairGeometry(const geometry::UnitRows& cloud_x, const geometry::UnitRows& cloud_y, Alignment align,
                           const Kernels& kernels)
    : x(&cloud_x),
      y(&cloud_y),
      n(x->size()),
      m(y->size()),
      N(n + m),
      d(x->dimension()),
      mirror(geometry::mirror(*x, *y, align)),
      along_mirror(N, 0.0),
      c(N) {
    sum.assign(x->sum().begin(), x->sum().end());
    reflect(sum, mirror);
    geometry::add(sum, y->sum());
    tt = geometry::dot(sum, sum);
    // Reflecting the rows of x or the vector they are multiplied with is the same.
    std::vector<double> sum_for_x = sum;
    reflect(sum_for_x, mirror);
    std::vector<double> scratch;
    for (std::size_t i = 0; i < N; ++i) {
        const double* values = row(i, scratch).data();
        c[i] = kernels.dot(values, i < n ? sum_for_x.data() : sum.data(), d) - tt / static_cast<double>(N);
        if (!mirror.empty()) along_mirror[i] = kernels.dot(values, mirror.data(), d);
    }
}

NearMatrix centred_gram(const PairGeometry& pair, const PreparedCloud& x, const PreparedCloud& y,
                        const Kernels& kernels) {
    const std::size_t n = pair.n;
    const std::size_t m = pair.m;
    const std::size_t N = pair.N;
    NearMatrix gram{std::vector<float>(N * N), static_cast<double>(N) * rounding_closely(pair.d)};
    float* to = gram.values.data();
    for (std::size_t i = 0; i < n; ++i) std::copy_n(&x.gram[i * n], n, to + i * N);
    for (std::size_t j = 0; j < m; ++j) std::copy_n(&y.gram[j * m], m, to + (n + j) * N + n);
    multiply_closely(kernels, n, m, pair.d, x.rows.data(), y.rows.data(), to + n, N);
    // K_ij = G_ij - (c_i + c_j) / N + tt / N^2, with c = c~ + tt / N; G between the clouds loses 2 (x u)(y u).
    const double mean = pair.tt / static_cast<double>(N * N);
    std::vector<double> columns(N);
    for (std::size_t i = 0; i < N; ++i) columns[i] = pair.c[i] / static_cast<double>(N);
    const double* mirror = pair.along_mirror.data();
    for (std::size_t i = 0; i < N; ++i) {
        float* row = to + i * N;
        const double row_part = columns[i] + mean;
        if (i < n) {
            kernels.correct_row(row, row_part, columns.data(), 0, mirror, n);
            kernels.correct_row(row + n, row_part, &columns[n], 2 * mirror[i], mirror + n, m);
        } else {
            for (std::size_t j = 0; j < n; ++j) row[j] = to[j * N + i];
            kernels.correct_row(row + n, row_part, &columns[n], 0, mirror, m);
        }
    }
    return gram;
}

void centred_rows(const PairGeometry& pair, std::size_t first, std::size_t count, float* to) {
    const auto N = static_cast<double>(pair.N);
    std::vector<double> centred(pair.d), scratch;
    for (std::size_t i = first; i < first + count; ++i, to += pair.d) {
        std::ranges::copy(pair.row(i, scratch), centred.begin());
        if (i < pair.n && !pair.mirror.empty()) geometry::add_scaled(centred, -2 * pair.along_mirror[i], pair.mirror);
        geometry::add_scaled(centred, -1 / N, pair.sum);
        std::ranges::transform(centred, to, [](double value) { return static_cast<float>(value); });
    }
}

std::vector<float> centred_rows_times(const PairGeometry& pair, std::span<const float> U, std::size_t columns,
                                      const Kernels& kernels) {
    std::vector<float> products(pair.N * columns);
    std::vector<float> rows(rows_at_a_time * pair.d);
    for (std::size_t first = 0; first < pair.N; first += rows_at_a_time) {
        const std::size_t count = std::min(rows_at_a_time, pair.N - first);
        centred_rows(pair, first, count, rows.data());
        multiply(kernels, {.rows = count, .columns = columns, .inner = pair.d}, rows.data(), pair.d, U.data(), columns,
                 &products[first * columns], columns);
    }
    return products;
}

NearMatrix scatter(const PairGeometry& pair, const Kernels& kernels) {
    NearMatrix result{std::vector<float>(pair.d * pair.d), 0};
    std::vector<float> rows(rows_at_a_time * pair.d);
    double squares = 0;
    for (std::size_t first = 0; first < pair.N; first += rows_at_a_time) {
        const std::size_t count = std::min(rows_at_a_time, pair.N - first);
        centred_rows(pair, first, count, rows.data());
        squares += kernels.squares(rows.data(), count * pair.d);
        multiply(
            kernels,
            {.rows = pair.d, .columns = pair.d, .inner = count, .transpose_a = true, .beta = first == 0 ? 0.0F : 1.0F},
            rows.data(), pair.d, rows.data(), pair.d, result.values.data(), pair.d);
    }
    // So many roundings for an addend, whose magnitudes add up to a matrix of at most this trace.
    const double roundings = static_cast<double>(rows_at_a_time) + static_cast<double>(pair.N / rows_at_a_time) + 8;
    result.error = 1.01 * roundings * float_rounding * squares;
    return result;
}

}  // namespace wordbreadth::engine::cpu
