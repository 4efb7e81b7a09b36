#include "engine/cpu/blocks.h"

#include <algorithm>
#include <cmath>

#include "engine/cpu/cascade.h"
#include "engine/cpu/onednn.h"
#include "geometry/concentration.h"
#include "geometry/vector_math.h"

namespace wordbreadth::engine::cpu {
namespace {

constexpr std::size_t splits_at_a_time = 128;  // of a product: z and e of 256 blocks fit into the second cache

}  // namespace

BlockScreen::Workspace::Workspace(const Job& job, std::size_t block)
    : masks(block * mask_stride(job.splits.N), 0), flags(block), z(splits_at_a_time * job.splits.N), e(z.size()) {}

BlockScreen::BlockScreen(const Kernels& kernels, const Job& job, const PairTask& task)
    : kernels_(kernels),
      job_(job),
      task_(task),
      pooled_(*task.x, *task.y, job.align),
      K_(job.splits.N),
      first_(job.splits.n),
      screens_(K_ <= largest_gram),
      thresholds_{task.exceeds.low_or_infinity(), task.exceeds.high_or_infinity()} {
    if (screens_) prepare();
}

std::size_t BlockScreen::bytes(std::size_t K, std::size_t d) {
    return K * d * sizeof(double) + K * 64 + (K <= largest_gram ? K * K * sizeof(float) : 0);
}

void BlockScreen::prepare() {
    const std::span<const double> c = pooled_.counts();
    const std::span<const double> squares = pooled_.squares();
    const std::size_t d = pooled_.dimension();
    std::vector<double> mean(d, 0.0);
    geometry::BlockMoments all;
    for (std::size_t k = 0; k < K_; ++k) {
        geometry::add(mean, pooled_.row(k));
        all.add(c[k], squares[k]);
        c3_ += c[k] * c[k] * c[k];
        c4_ += c[k] * c[k] * c[k] * c[k];
    }
    all.squared_sum = geometry::dot(mean, mean);
    rows_ = all.rows;
    c2_ = all.squares;
    R0_ = all.R();
    for (double& value : mean) value /= rows_;
    const double mean2 = all.squared_sum / (rows_ * rows_);

    std::vector<double> centred(d);
    std::vector<float> rows(K_ * d);
    double trace = 0;
    for (std::size_t k = 0; k < K_; ++k) {
        std::ranges::copy(pooled_.row(k), centred.begin());
        geometry::add_scaled(centred, -c[k], mean);
        kernels_.to_float(centred.data(), d, &rows[k * d]);
        trace += geometry::dot(centred, centred);
        p_.push_back(geometry::dot(pooled_.row(k), mean) - c[k] * mean2);
        slope_.push_back(p_.back() + c[k] * (mean2 - R0_));
        constant_.push_back(R0_ * c[k] * c[k] - squares[k]);
    }
    gram_.resize(K_ * K_);
    multiply_closely(K_, K_, d, rows.data(), rows.data(), gram_.data(), K_);
    // |K~|, entry by entry, is no longer than its trace; three roundings for the rows in float32.
    error_ = 1.01 * trace * (rounding_closely(d) + rounding_closely(K_) + 3 * float_rounding);
}

void BlockScreen::decide(const std::uint8_t* masks, std::size_t count, Workspace& space) const {
    const std::size_t stride = mask_stride(K_);
    const BlockColumns columns{pooled_.counts().data(), p_.data(), slope_.data(), constant_.data(), rows_};
    for (std::size_t first = 0; first < count; first += splits_at_a_time) {
        const std::size_t some = std::min(splits_at_a_time, count - first);
        if (screens_) {
            for (std::size_t i = 0; i < some; ++i)
                kernels_.mask_to_float(masks + (first + i) * stride, K_, &space.z[i * K_]);
            multiply_closely(some, K_, K_, space.z.data(), gram_.data(), space.e.data(), K_);
        }
        for (std::size_t i = 0; i < some; ++i) {
            const std::uint8_t* mask = masks + (first + i) * stride;
            engine::Verdict verdict = engine::undecided;
            if (screens_) {
                BlockSplit sums;
                kernels_.block_moments(&space.e[i * K_], columns, mask, K_, sums);
                verdict = judge(sums);
            }
            space.flags[first + i] = verdict == engine::undecided
                                         ? task_.exceeds(pooled_.statistic(Statistic::blocks, {mask, K_}, space.sums))
                                         : verdict == engine::yes;
        }
    }
}

engine::Verdict BlockScreen::judge(const BlockSplit& sums) const {
    const BlockSplit::Moments& f = sums.first;
    const BlockSplit::Moments& b = sums.both;
    constexpr double rounding = 1e-13;
    const double n = rows_ - sums.n;
    const double ac = b.ac - f.ac;
    const double acc = b.acc - f.acc;
    const BlockSums3 of_first{f.a, f.aa, sums.n * f.ac - f.acc};
    const BlockGroup one = block_group(sums.n, sums.c2, sums.c3, sums.c4, of_first, R0_, rounding, of_first);
    const BlockGroup two = block_group(n, c2_ - sums.c2, c3_ - sums.c3, c4_ - sums.c4,
                                       {b.a - f.a, b.aa - f.aa, n * ac - acc}, R0_, rounding, {b.a, b.aa, 0});
    const auto K1 = static_cast<double>(first_);
    const double K2 = static_cast<double>(K_) - K1;
    return judge_block_groups(one, two, K1, K2, static_cast<double>(pooled_.dimension()), error_ * std::sqrt(K1), 0,
                              thresholds_);
}

}  // namespace wordbreadth::engine::cpu
