#include "engine/cuda/prepared.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "engine/cuda/kernels.h"

namespace wordbreadth::engine::cuda {
namespace {

// Measured at 128 + 128 x 1024 on an H200: without leading columns 1 pair takes 0.13 ms and 16 pairs 0.16 ms; with them
// 1 pair takes 0.15 ms, 17 pairs 0.21 and 32 pairs 0.22.
constexpr std::size_t few_pairs = 32;

// The robust statistic needs more than they tell; and with unequal sizes an error of Q does not cancel, so that they
// leave nearly everything open.
bool leading_is_worth_it(const Shape& shape, std::size_t pairs) {
    return !shape.robust && pairs > few_pairs && 100 * std::abs(shape.n - shape.m) <= shape.N;
}

PairSource source_of(const PairTask& task, const Residents& residents) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const Resident& x = residents.at(task.x);
    const Resident& y = residents.at(task.y);
    return {.x = x.rows,
            .y = y.rows,
            .x_full = x.full,
            .y_full = y.full,
            .sum_x = x.sum,
            .sum_y = y.sum,
            .length_x = x.length,
            .length_y = y.length,
            .rounding = std::max(x.rounding, y.rounding),
            .low = std::isnan(task.exceeds.low) ? -infinity : task.exceeds.low,
            .high = std::isnan(task.exceeds.high) ? infinity : task.exceeds.high,
            .counts_x = x.counts,
            .counts_y = y.counts,
            .squares_x = x.squares,
            .squares_y = y.squares};
}

int rounded_up(int value, int unit) {
    return (value + unit - 1) / unit * unit;
}

}  // namespace

Shape shape_of(const Job& job) {
    const geometry::UnitRows& x = *job.pairs[0].x;
    Shape shape{};
    shape.n = static_cast<int>(x.size());
    shape.N = static_cast<int>(job.splits.N);
    shape.m = shape.N - shape.n;
    shape.d = static_cast<int>(x.dimension());
    shape.Np = rounded_up(shape.N, row_unit);
    shape.dp = padded_dimension(x.dimension());
    shape.words = shape.Np / row_unit;
    shape.robust = job.statistic != Statistic::plain;
    shape.blocks = job.statistic == Statistic::blocks;
    shape.align = job.align == Alignment::householder;
    return shape;
}

bool has_gram(const Job& job, std::size_t shared_bytes) {
    const Shape shape = shape_of(job);
    // Half precision has no room for K beyond that. Few blocks are that large, so that the vectors are soon added up.
    constexpr double most_rows_of_block = 128;
    for (const PairTask& task : job.pairs)
        for (const geometry::UnitRows* cloud : {task.x, task.y})
            if (shape.blocks && std::ranges::max(cloud->block_sums()->counts) > most_rows_of_block) return false;
    const std::size_t besides = (shape.blocks ? 28 : 16) * 1024;  // what the kernel itself declares
    return shape.N <= largest_gram && gram_screen_bytes(shape) + besides <= shared_bytes;
}

std::size_t bytes_of_pair(const Shape& shape, bool gram) {
    const auto Np = static_cast<std::size_t>(shape.Np);
    const auto dp = static_cast<std::size_t>(shape.dp);
    const std::size_t vectors = 4 * dp * sizeof(double) + 4096;
    return gram ? vectors + Np * dp * 2 + Np * Np * 2 + Np * 256 : vectors;
}

void Prepared::lay_out(Arena& arena, const Shape& shape, std::size_t pairs, bool gram) {
    const auto Np = static_cast<std::size_t>(shape.Np);
    const auto dp = static_cast<std::size_t>(shape.dp);
    batch_ = Batch{};
    batch_.shape = shape;
    batch_.pairs = static_cast<int>(pairs);
    batch_.leading = leading_is_worth_it(shape, pairs);
    batch_.source = source_ = arena.take<PairSource>(pairs);
    batch_.facts = arena.take<PairFacts>(pairs);
    batch_.mirror = arena.take<double>(pairs * dp);
    batch_.sum = arena.take<double>(pairs * dp);
    if (!gram) return;
    batch_.sum_for_x = arena.take<double>(pairs * dp);
    batch_.short_mirror = arena.take<float>(pairs * dp);
    batch_.short_mean = arena.take<float>(pairs * dp);
    batch_.c = arena.take<double>(pairs * Np);
    batch_.row_rounding2 = arena.take<float>(pairs * Np);
    batch_.Z = arena.take<__half>(pairs * Np * dp);
    batch_.K = arena.take<__half>(pairs * Np * Np);
    batch_.K_squares = arena.take<double>(pairs * static_cast<std::size_t>(gram_tiles(shape.Np)) * 2);
    batch_.K_sums = arena.take<float>(pairs * Np);
    batch_.block_columns = arena.take<BlockColumns>(shape.blocks ? pairs * Np : 0);
    const std::size_t rows_outside = shape.Np > rows_in_shared ? pairs * Np : 0;
    batch_.columns = arena.take<float>(rows_outside * column_stride);
    batch_.basis = arena.take<__half>(rows_outside == 0 ? 0 : pairs * panel_columns * (Np + 8));
    batch_.linear_bytes = sizeof(LinearHead) + static_cast<std::size_t>(shape.words) * linear_word_bytes;
    batch_.linear = arena.take<unsigned char>(pairs * batch_.linear_bytes);
    batch_.panel_bytes = sizeof(PanelHead) + static_cast<std::size_t>(shape.words) * panel_word_bytes;
    batch_.panels = arena.take<unsigned char>(pairs * batch_.panel_bytes);
}

void Prepared::prepare(const Job& job, std::span<const PairTask> pairs, bool gram) {
    const Shape shape = shape_of(job);
    std::vector<const geometry::UnitRows*> clouds;
    for (const PairTask& task : pairs) {
        clouds.push_back(task.x);
        clouds.push_back(task.y);
    }
    // The arena first: where it does not fit, no upload is wasted.
    arena_.fill([&](Arena& arena) { lay_out(arena, shape, pairs.size(), gram); });
    residents_.require(clouds, stream_);
    uploaded_.clear();
    for (const PairTask& task : pairs) uploaded_.push_back(source_of(task, residents_));
    WORDBREADTH_CUDA(cudaMemcpyAsync(source_, uploaded_.data(), uploaded_.size() * sizeof(PairSource),
                                     cudaMemcpyHostToDevice, stream_.get()));
    align_pairs(batch_, stream_.get());
    if (gram) centre_rows(batch_, stream_.get());
    if (shape.blocks) measure_blocks(batch_, stream_.get());
    if (!gram) return;
    multiply_rows(batch_, stream_.get());
    find_leading(batch_, stream_.get());
}

}  // namespace wordbreadth::engine::cuda
