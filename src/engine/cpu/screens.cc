#include "engine/cpu/screens.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace wordbreadth::engine::cpu {
namespace {

constexpr std::size_t limb_count = 3;
constexpr std::size_t spare_bits = 2;  // of signed limbs of eight bits
constexpr int power_steps = 2;
constexpr std::size_t panel = 64;    // rows factorised at a time
constexpr double negligible = 1e-6;  // share under which what is left is rounding errors

// +1 or -1, fixed, without pattern.
float sign(std::uint64_t index) {
    index = (index ^ (index >> 30)) * 0xBF58476D1CE4E5B9U;
    index = (index ^ (index >> 27)) * 0x94D049BB133111EBU;
    return (index >> 40 & 1) != 0 ? 1.0F : -1.0F;
}

// Q^T Y, (rank, rank).
std::vector<float> inner_products(std::span<const float> q, std::span<const float> y, std::size_t rank,
                                  const Kernels& kernels) {
    std::vector<float> gram(rank * rank);
    multiply(kernels, {.rows = rank, .columns = rank, .inner = y.size() / rank, .transpose_a = true}, q.data(), rank,
             y.data(), rank, gram.data(), rank);
    return gram;
}

// R^-1 for g = R^T R (Cholesky), (rank, rank). Rows and columns that depend on earlier ones become zero.
std::vector<float> inverse_root(std::span<const float> g, std::size_t rank) {
    std::vector<double> root(rank * rank, 0.0);
    std::vector<double> inverse(rank * rank, 0.0);
    for (std::size_t j = 0; j < rank; ++j) {
        double pivot = g[j * rank + j];
        for (std::size_t k = 0; k < j; ++k) pivot -= root[k * rank + j] * root[k * rank + j];
        if (!(pivot > negligible * g[j * rank + j])) continue;
        root[j * rank + j] = std::sqrt(pivot);
        for (std::size_t i = j + 1; i < rank; ++i) {
            double rest = g[j * rank + i];
            for (std::size_t k = 0; k < j; ++k) rest -= root[k * rank + j] * root[k * rank + i];
            root[j * rank + i] = rest / root[j * rank + j];
        }
        inverse[j * rank + j] = 1 / root[j * rank + j];
        for (std::size_t i = 0; i < j; ++i) {
            double sum = 0;
            for (std::size_t k = i; k < j; ++k) sum += inverse[i * rank + k] * root[k * rank + j];
            inverse[i * rank + j] = -sum * inverse[j * rank + j];
        }
    }
    return {inverse.begin(), inverse.end()};
}

// Y <- Y R^-1 with R^T R = g.
void divide_by_root(std::vector<float>& y, std::span<const float> g, std::size_t rank, const Kernels& kernels) {
    const std::vector<float> inverse = inverse_root(g, rank);
    std::vector<float> divided(y.size());
    multiply(kernels, {.rows = y.size() / rank, .columns = rank, .inner = rank}, y.data(), rank, inverse.data(), rank,
             divided.data(), rank);
    y.swap(divided);
}

std::vector<float> times(std::span<const float> a, std::span<const float> q, std::size_t size, std::size_t rank,
                         const Kernels& kernels) {
    std::vector<float> y(size * rank);
    multiply(kernels, {.rows = size, .columns = rank, .inner = size}, a.data(), size, q.data(), rank, y.data(), rank);
    return y;
}

// Eigenvalues of a symmetric tridiagonal matrix below x (Sturm's count).
std::size_t eigenvalues_below(std::span<const double> diagonal, std::span<const double> beside, double x) {
    std::size_t count = 0;
    double pivot = 1;
    for (std::size_t i = 0; i < diagonal.size(); ++i) {
        pivot = diagonal[i] - x - (i == 0 ? 0 : beside[i - 1] * beside[i - 1] / pivot);
        if (pivot == 0) pivot = 1e-300;
        count += pivot < 0;
    }
    return count;
}

// The least and the largest eigenvalue of a tridiagonal matrix, to a thousandth of their distance.
Range tridiagonal_range(std::span<const double> diagonal, std::span<const double> beside) {
    double reach = 0;
    for (std::size_t i = 0; i < diagonal.size(); ++i)
        reach =
            std::max(reach, std::abs(diagonal[i]) + (i > 0 ? beside[i - 1] : 0) + (i < beside.size() ? beside[i] : 0));
    const auto find = [&](std::size_t index) {
        double low = -reach;
        double high = reach;
        for (int step = 0; step < 16; ++step) {
            const double middle = (low + high) / 2;
            (eigenvalues_below(diagonal, beside, middle) > index ? high : low) = middle;
        }
        return (low + high) / 2;
    };
    return {find(0), find(diagonal.size() - 1)};
}

// Estimates of the extreme eigenvalues, always a little inside.
Range lanczos(std::span<const float> a, std::size_t size, const Kernels& kernels) {
    const std::size_t steps = std::min<std::size_t>(size, 12);
    std::vector<float> v(size);
    std::vector<float> before(size, 0.0F);
    std::vector<float> next(size);
    for (std::size_t i = 0; i < size; ++i) v[i] = sign(i) / std::sqrt(static_cast<float>(size));
    std::vector<double> diagonal;
    std::vector<double> beside;
    double beta = 0;
    for (std::size_t step = 0; step < steps; ++step) {
        kernels.times_vector(a.data(), size, v.data(), next.data());
        double alpha = 0;
        for (std::size_t i = 0; i < size; ++i) alpha += static_cast<double>(next[i]) * v[i];
        diagonal.push_back(alpha);
        double squares = 0;
        for (std::size_t i = 0; i < size; ++i) {
            next[i] -= static_cast<float>(alpha * v[i] + beta * before[i]);
            squares += static_cast<double>(next[i]) * next[i];
        }
        beta = std::sqrt(squares);
        if (step + 1 == steps || !(beta > negligible * std::abs(alpha))) break;
        beside.push_back(beta);
        before = v;
        for (std::size_t i = 0; i < size; ++i) v[i] = static_cast<float>(next[i] / beta);
    }
    return tridiagonal_range(diagonal, beside);
}

// Whether factor * a + shift * I has a Cholesky factor. If so its eigenvalues are at least minus the value returned:
// the factor's rounding is at most so many roundings of the trace.
std::optional<double> positive_definite(std::span<const float> a, std::size_t size, float factor, double shift,
                                        std::vector<float>& work, const Kernels& kernels) {
    for (std::size_t i = 0; i < a.size(); ++i) work[i] = factor * a[i];
    double trace = 0;
    for (std::size_t i = 0; i < size; ++i) {
        work[i * size + i] += static_cast<float>(shift);
        trace += work[i * size + i];
    }
    for (std::size_t first = 0; first < size; first += panel) {
        const std::size_t rows = std::min(panel, size - first);
        if (!kernels.factor_panel(&work[first * size + first], size, rows, size - first)) return std::nullopt;
        // The upper triangle of what remains, a few rows at a time.
        for (std::size_t row = first + rows; row < size; row += panel) {
            const std::size_t count = std::min(panel, size - row);
            multiply(kernels,
                     {.rows = count, .columns = size - row, .inner = rows, .transpose_a = true, .alpha = -1, .beta = 1},
                     &work[first * size + row], size, &work[first * size + row], size, &work[row * size + row], size);
        }
    }
    return 1.1 * static_cast<double>(size + 3) * float_rounding * (trace + std::abs(shift));
}

// Values as columns of int8, from `to` on, value = unit (65536 a + 256 b + c) for three of them. Returns a bound for
// the error of a sum of any of them.
double write_limbs(std::span<const double> values, std::int8_t* to, std::size_t stride, double& unit,
                   std::size_t limbs = limb_count, std::size_t to_next_limb = 1) {
    double largest = 0;
    for (const double value : values) largest = std::max(largest, std::abs(value));
    unit = largest > 0 ? largest / (1 << (8 * limbs - spare_bits)) : 1;
    double error = 0;
    for (const double value : values) {
        std::int64_t units = std::llrint(value / unit);
        error += std::abs(value - static_cast<double>(units) * unit);
        for (std::size_t limb = limbs; limb-- > 0;) {
            const auto low = static_cast<std::int8_t>(((units + 128) & 255) - 128);
            to[limb * to_next_limb] = low;
            units = (units - low) / 256;
        }
        to += stride;
    }
    return error;
}

}  // namespace

std::vector<float> leading_basis(std::span<const float> a, std::size_t size, std::size_t rank, const Kernels& kernels) {
    std::vector<float> q(size * rank);
    for (std::size_t i = 0; i < q.size(); ++i) q[i] = sign(i);
    for (int step = 0; step < power_steps; ++step) {
        q = times(a, q, size, rank, kernels);
        divide_by_root(q, inner_products(q, q, rank, kernels), rank, kernels);
    }
    // Once more, since one pass leaves what the first columns' rounding put into the last.
    divide_by_root(q, inner_products(q, q, rank, kernels), rank, kernels);
    return q;
}

std::vector<float> leading_columns(std::span<const float> a, std::size_t size, std::size_t rank,
                                   const Kernels& kernels) {
    const std::vector<float> q = leading_basis(a, size, rank, kernels);
    std::vector<float> y = times(a, q, size, rank, kernels);
    divide_by_root(y, inner_products(q, y, rank, kernels), rank, kernels);
    return y;
}

Range eigenvalue_range(std::span<const float> a, std::size_t size, const Kernels& kernels) {
    const Range guess = lanczos(a, size, kernels);
    const double width = guess.high - guess.low + 1e-6 * std::max(std::abs(guess.low), std::abs(guess.high)) + 1e-12;
    const double frobenius = std::sqrt(kernels.squares(a.data(), a.size())) * (1 + 1e-12);
    std::vector<float> work(a.size());
    // A bound of direction * a, from a guess of its largest eigenvalue.
    const auto prove = [&](float direction, double largest) {
        for (const double margin : {0.04, 0.12, 0.36}) {
            const double shift = largest + margin * width;
            if (const auto error = positive_definite(a, size, -direction, shift, work, kernels))
                return std::min(frobenius, shift + *error);
        }
        return frobenius;
    };
    return {-prove(-1, -guess.low), prove(1, guess.high)};
}

double largest_eigenvalue_beside(std::span<float> a, std::size_t size, std::span<const float> U, std::size_t rank,
                                 const Kernels& kernels) {
    // a - U W^T - W U^T with W = a U - U (U^T a U) / 2. Rounding: of W, as long as U is not; and of the two products.
    const double frobenius = std::sqrt(kernels.squares(a.data(), a.size()));
    std::vector<float> W = times(a, U, size, rank, kernels);
    const std::vector<float> middle = inner_products(U, W, rank, kernels);
    multiply(kernels, {.rows = size, .columns = rank, .inner = rank, .alpha = -0.5F, .beta = 1}, U.data(), rank,
             middle.data(), rank, W.data(), rank);
    const FloatProduct subtract{
        .rows = size, .columns = size, .inner = rank, .transpose_b = true, .alpha = -1, .beta = 1};
    multiply(kernels, subtract, U.data(), rank, W.data(), rank, a.data(), size);
    multiply(kernels, subtract, W.data(), rank, U.data(), rank, a.data(), size);
    const double rounding = 4 * static_cast<double>(size + 2 * rank + 8) * float_rounding *
                            std::sqrt(static_cast<double>(rank)) * frobenius;
    return std::max(eigenvalue_range(a, size, kernels).high + rounding, 0.0);
}

double skewness(std::span<const float> U, std::size_t size, std::size_t rank, const Kernels& kernels) {
    std::vector<double> columns(U.size());  // (rank, size)
    for (std::size_t i = 0; i < U.size(); ++i) columns[i % rank * size + i / rank] = U[i];
    double squares = 0;
    for (std::size_t a = 0; a < rank; ++a)
        for (std::size_t b = 0; b <= a; ++b) {
            const double product = kernels.dot(&columns[a * size], &columns[b * size], size);
            if (a == b && product == 0) continue;
            squares += a == b ? std::pow(product - 1, 2) : 2 * product * product;
        }
    return std::sqrt(squares) * 1.01;
}

GramBound tall_gram_bound(std::span<const float> a, std::size_t columns, const Kernels& kernels) {
    const std::vector<float> gram = inner_products(a, a, columns, kernels);
    const double rounding = 1.01 * static_cast<double>(a.size() / columns + 4) * float_rounding;
    double lengths = 0;
    for (std::size_t j = 0; j < columns; ++j) lengths += std::sqrt(gram[j * columns + j]);
    GramBound bound{0, std::vector<double>(columns, 0.0)};
    for (std::size_t j = 0; j < columns; ++j) {
        for (std::size_t k = 0; k < columns; ++k) bound.diagonal[j] += std::abs(gram[j * columns + k]);
        bound.diagonal[j] += 1.1 * rounding * std::sqrt(gram[j * columns + j]) * lengths;
        bound.norm = std::max(bound.norm, bound.diagonal[j]);
    }
    return bound;
}

std::size_t low_rank_columns(std::size_t n, std::size_t m, bool robust) {
    // One column of L for every 16 rows, in whole panels.
    std::size_t panels = std::clamp<std::size_t>(((n + m) / 16 + panel_columns - 1) / panel_columns, 1, 4);
    // Of 40 + 160 rows one panel leaves 0.75 of the splits and two 0.56, robust 0.975 and 0.92.
    if (!robust && 2 * std::max(n, m) > 3 * std::min(n, m)) ++panels;
    return (robust ? 2 : 1) * panels * panel_columns;
}

std::size_t block_columns(std::size_t K) {
    return 64 + std::min<std::size_t>(K / 256, 3) * panel_columns;
}

LowRank::LowRank(const PairGeometry& pair, const NearMatrix& gram, bool robust, const MaskProduct& product,
                 const Kernels& kernels)
    : N_(pair.N),
      layout_{.half = low_rank_columns(pair.n, pair.m, robust) / (robust ? 2 : 1),
              .columns = low_rank_columns(pair.n, pair.m, robust)},
      rank_(layout_.half - limb_count),
      q2_(pair.q2()),
      int8_(N_ * layout_.columns, 0),
      scale_(layout_.columns, 0.0),
      sums_(layout_.columns, 0.0) {
    if (gram.values.empty()) {
        add_scatter_columns(pair, kernels);
    } else {
        add_columns(leading_columns(gram.values, N_, rank_, kernels), kernels);
        bound_by_gram(gram, kernels);
    }
    // The sums of c themselves are rounded at the 1e-16th of their size, some thousand times.
    double largest = 0;
    for (const double value : pair.c) largest = std::max(largest, std::abs(value));
    const double rounding = 1e-13 * static_cast<double>(N_) * (largest + pair.tt / static_cast<double>(N_));
    layout_.c_error = add_limbs(pair.c, rank_, layout_.c_unit) + rounding;
    if (robust) {
        add_cross_columns(pair.c, kernels);
        std::vector<double> squares(N_);
        for (std::size_t i = 0; i < N_; ++i) {
            squares[i] = pair.c[i] * pair.c[i];
            layout_.c2_total += squares[i];
        }
        layout_.c2_error = add_limbs(squares, layout_.half + rank_, layout_.c2_unit) + 1e-12 * layout_.c2_total;
    }
    finish(product);
}

LowRank::LowRank(const NearMatrix& gram, double q2, std::span<const double> t, const Forms& forms,
                 const MaskProduct& product, const Kernels& kernels)
    : N_(t.size()),
      layout_{.half = (block_columns(N_) - form::limbs) / 2 / 8 * 8, .columns = block_columns(N_)},
      rank_(layout_.half),
      q2_(q2),
      int8_(N_ * layout_.columns, 0),
      scale_(layout_.columns, 0.0),
      sums_(layout_.columns, 0.0),
      units_(24, 0.0) {
    add_columns(leading_columns(gram.values, N_, rank_, kernels), kernels);
    bound_by_gram(gram, kernels);
    add_cross_columns(t, kernels);
    add_forms(forms, 2 * layout_.half);
    finish(product);
}

void LowRank::add_forms(const Forms& forms, std::size_t first) {
    for (std::size_t f = 0; f < form::count; ++f) {
        const bool has_third = f < form::of_three_limbs;
        double unit = 0;
        errors_[f] = add_limbs(forms[f], first + f, unit, has_third ? 3 : 2, form::count);
        units_[f] = has_third ? 256 * unit : unit;
        if (has_third) units_[16 + f] = unit;
        for (const double value : forms[f]) errors_[f] += 1e-12 * std::abs(value);  // of adding up, here and there
    }
}

void LowRank::finish(const MaskProduct& product) {
    layout_.scale = scale_.data();
    layout_.column_sum = sums_.data();
    layout_.cross_sum = cross_sums_.data();
    layout_.gram_bound = gram_bound_.data();
    matrix_ = product.pack(int8_.data());
    int8_ = {};
}

// Rounds to the column's scale and returns the value that stands there now.
double LowRank::quantise(double value, std::size_t row, std::size_t column) {
    const auto units = static_cast<std::int8_t>(std::lrint(value / scale_[column]));
    int8_[row * layout_.columns + column] = units;
    sums_[column] += units;
    return units * scale_[column];
}

// A column's largest magnitude becomes 127. `columns` is (N, rank).
void LowRank::choose_scales(const std::vector<float>& columns, std::size_t first) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
        double& scale = scale_[first + i % rank_];
        scale = std::max(scale, std::abs(static_cast<double>(columns[i])));
    }
    for (std::size_t j = first; j < first + rank_; ++j) scale_[j] = scale_[j] > 0 ? scale_[j] / 127 : 1;
}

// L, (N, rank_), into the first columns. From here on L is what was rounded.
void LowRank::add_columns(const std::vector<float>& columns, const Kernels& kernels) {
    choose_scales(columns, 0);
    std::vector<float> rounded(columns.size());
    for (std::size_t i = 0; i < N_; ++i)
        for (std::size_t j = 0; j < rank_; ++j)
            rounded[i * rank_ + j] = static_cast<float>(quantise(columns[i * rank_ + j], i, j));
    GramBound bound = tall_gram_bound(rounded, rank_, kernels);
    gram_norm_ = bound.norm;
    gram_bound_ = std::move(bound.diagonal);
    gram_bound_.resize(layout_.half, 0.0);
}

void LowRank::bound_by_gram(const NearMatrix& gram, const Kernels& kernels) {
    std::vector<float> L(N_ * rank_);
    for (std::size_t i = 0; i < N_; ++i)
        for (std::size_t j = 0; j < rank_; ++j)
            L[i * rank_ + j] = static_cast<float>(int8_[i * layout_.columns + j] * scale_[j]);
    std::vector<float> rest = gram.values;
    multiply(kernels, {.rows = N_, .columns = N_, .inner = rank_, .transpose_b = true, .alpha = -1, .beta = 1},
             L.data(), rank_, L.data(), rank_, rest.data(), N_);
    const Range range = eigenvalue_range(rest, N_, kernels);
    layout_.centre = (range.high + range.low) / 2 * q2_;
    // |K| and |L| |L|^T, entry by entry, have at most the norms of their traces.
    double trace = 0;
    for (std::size_t i = 0; i < N_; ++i) trace += gram.values[i * N_ + i];
    const double rounding =
        static_cast<double>(rank_ + 4) * float_rounding * (trace + static_cast<double>(rank_) * gram_norm_);
    radius_ = (range.high - range.low) / 2 + gram.error + rounding;
}

// N above d: L = Z U with the leading directions U of the scatter matrix S.
void LowRank::add_scatter_columns(const PairGeometry& pair, const Kernels& kernels) {
    NearMatrix S = scatter(pair, kernels);
    double trace = 0;
    for (std::size_t k = 0; k < pair.d; ++k) trace += S.values[k * pair.d + k];
    const std::vector<float> U = leading_basis(S.values, pair.d, rank_, kernels);
    const std::vector<float> L = centred_rows_times(pair, U, rank_, kernels);
    add_columns(L, kernels);
    std::vector<float> off(L.size());
    for (std::size_t i = 0; i < N_; ++i)
        for (std::size_t j = 0; j < rank_; ++j)
            off[i * rank_ + j] = static_cast<float>(L[i * rank_ + j] - int8_[i * layout_.columns + j] * scale_[j]);
    const double product_rounding =
        1.01 * static_cast<double>(pair.d + 8) * float_rounding * std::sqrt(trace * static_cast<double>(rank_));
    const double rounded_off = std::sqrt(tall_gram_bound(off, rank_, kernels).norm) + product_rounding;
    const double L_norm = std::sqrt(gram_norm_) + rounded_off;
    // What Z U leaves is Z (I - U U^T) Z^T, with eigenvalues from 0 to those of (I - U U^T) S (I - U U^T), give or take
    // U's distance from an orthonormal basis.
    const double largest = largest_eigenvalue_beside(S.values, pair.d, U, rank_, kernels) + S.error;
    layout_.centre = largest / 2 * q2_;
    radius_ = largest / 2 + 3 * skewness(U, pair.d, rank_, kernels) * trace + 2 * L_norm * rounded_off +
              rounded_off * rounded_off;
}

// diag(weights) L, behind L.
void LowRank::add_cross_columns(std::span<const double> weights, const Kernels& kernels) {
    std::vector<float> cross(N_ * rank_);
    std::vector<float> off(N_ * rank_);
    cross_sums_.assign(layout_.half, 0.0);
    const auto value = [&](std::size_t i, std::size_t j) {
        return weights[i] * int8_[i * layout_.columns + j] * scale_[j];
    };
    for (std::size_t i = 0; i < N_; ++i)
        for (std::size_t j = 0; j < rank_; ++j) {
            cross[i * rank_ + j] = static_cast<float>(value(i, j));
            cross_sums_[j] += value(i, j);
        }
    choose_scales(cross, layout_.half);
    for (std::size_t i = 0; i < N_; ++i)
        for (std::size_t j = 0; j < rank_; ++j)
            off[i * rank_ + j] = static_cast<float>(value(i, j) - quantise(value(i, j), i, layout_.half + j));
    layout_.cross_error = std::sqrt(tall_gram_bound(off, rank_, kernels).norm * q2_);
}

double LowRank::add_limbs(std::span<const double> values, std::size_t column, double& unit, std::size_t limbs,
                          std::size_t to_next_limb) {
    return write_limbs(values, &int8_[column], layout_.columns, unit, limbs, to_next_limb);
}

Dense::Dense(const NearMatrix& gram, std::size_t N, double alpha, std::span<const double> c, const MaskProduct& product,
             const Kernels& kernels)
    : offset_(N), diagonal_(N) {
    float largest = 0;
    for (std::size_t i = 0; i < N; ++i)
        for (std::size_t j = 0; j < N; ++j)
            if (i != j) largest = std::max(largest, std::abs(gram.values[i * N + j]));
    const std::size_t columns = width(N);
    std::vector<std::int8_t> int8(N * columns);
    std::vector<float> rest(N * N);
    const float step = largest > 0 ? largest / 127.0F : 1.0F;
    std::vector<double> totals(N);  // of the rows as the screen sees them
    for (std::size_t i = 0; i < N; ++i) {
        std::int8_t* units = &int8[i * columns];
        diagonal_[i] = gram.values[i * N + i];
        totals[i] = step * (kernels.round_row(&gram.values[i * N], step, N, units, &rest[i * N]) - units[i]);
        units[i] = 0;
        rest[i * N + i] = 0;
    }
    const Range range = eigenvalue_range(rest, N, kernels);
    const double rounding = static_cast<double>(N) * 2 * float_rounding * largest;
    radius_ = (range.high - range.low) / 2 + gram.error + rounding;

    // e = K q with q = z - alpha, and Q = q . e.
    columns_.step = step;
    std::vector<double> linear(N);
    for (std::size_t i = 0; i < N; ++i) {
        diagonal_[i] += (range.high + range.low) / 2;
        totals[i] += diagonal_[i];
        offset_[i] = -alpha * totals[i];
        linear[i] = diagonal_[i] - 2 * alpha * totals[i];
        columns_.plain_constant += alpha * alpha * totals[i];
    }
    if (!c.empty()) {
        static_cast<void>(write_limbs(c, &int8[N], columns, columns_.c_unit));
        const double linear_error = write_limbs(linear, &int8[N + limb_count], columns, columns_.linear_unit);
        radius_ += linear_error / (static_cast<double>(N) * alpha * (1 - alpha));
        for (std::size_t i = 0; i < N; ++i) {
            offset_[i] -= (1 - alpha) * c[i];
            diagonal_[i] += c[i];
            columns_.robust_constant -= alpha * (1 - alpha) * c[i];
        }
    }
    columns_.offset = offset_.data();
    columns_.diagonal = diagonal_.data();
    matrix_ = product.pack(int8.data());
}

}  // namespace wordbreadth::engine::cpu
