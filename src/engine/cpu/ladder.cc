#include "engine/cpu/ladder.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace wordbreadth::cpu {
namespace {

constexpr std::size_t dense_rows = 64;  // masks of one dense product
constexpr std::size_t worth_dense = 8;  // fewer splits than this go one by one

Shape shape_of(const PairGeometry& pair, const Job& job, const Exceedance& exceeds) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return {.n = static_cast<double>(pair.n),
            .m = static_cast<double>(pair.m),
            .d = static_cast<double>(pair.d),
            .alpha = static_cast<double>(pair.n) / static_cast<double>(pair.N),
            .tt = pair.tt,
            .robust = job.statistic == Statistic::robust,
            .low = std::isnan(exceeds.low) ? -infinity : exceeds.low,
            .high = std::isnan(exceeds.high) ? infinity : exceeds.high};
}

std::size_t padded(std::size_t N) {
    return (N + 63) / 64 * 64;
}

}  // namespace

Workshop::Workshop(const Kernels& kernels_of_machine, const Job& job_of_pairs, std::size_t block)
    : kernels(kernels_of_machine),
      job(job_of_pairs),
      stride(padded(job.splits.N)),
      low_rank(block, job.splits.N, low_rank_columns(job.splits.N, job.statistic == Statistic::robust), stride),
      words(kernels_of_machine) {
    if (job.splits.N <= largest_gram)
        dense = std::make_unique<const MaskProduct>(dense_rows, job.splits.N, job.splits.N, stride);
}

Scratch::Scratch(const Workshop& shop, std::size_t block)
    : products(block * low_rank_columns(shop.job.splits.N, shop.job.statistic == Statistic::robust)),
      A(block),
      Q(block),
      V1_low(block),
      V1_high(block),
      V2_low(block),
      V2_high(block),
      verdicts(block),
      gathered(dense_rows * shop.stride),
      dense_products(shop.dense ? dense_rows * shop.job.splits.N : 0),
      e(shop.job.splits.N),
      rows(shop.job.splits.N) {}

Ladder::Ladder(Workshop& shop, const PairTask& task)
    : shop_(shop),
      task_(task),
      pair_(*task.x, *task.y, shop.job.align, shop.kernels),
      shape_(shape_of(pair_, shop.job, task.exceeds)) {
    if (pair_.N <= pair_.d && shop_.dense) make_gram();
    low_rank_ = std::make_unique<const LowRank>(pair_, gram_, shape_.robust, shop_.low_rank, shop_.kernels);
}

std::size_t Ladder::bytes(std::size_t N, std::size_t d) {
    return N * 64 + (N <= largest_gram ? N * N * 5 : 0) + (N + d) * 32;
}

void Ladder::make_gram() {
    gram_ = centred_gram(pair_, *shop_.words.get(*task_.x), *shop_.words.get(*task_.y), shop_.kernels);
    gram_row_sums_.assign(pair_.N, 0.0);
    for (std::size_t i = 0; i < pair_.N; ++i)
        for (std::size_t j = 0; j < pair_.N; ++j) gram_row_sums_[i] += gram_.values[i * pair_.N + j];
    gram_ready_ = true;
}

void Ladder::decide(std::span<const std::uint8_t> masks, std::size_t count, Scratch& scratch,
                    std::span<std::uint8_t> flags) {
    screen_low_rank(masks.data(), count, scratch);
    scratch.left.clear();
    for (std::size_t i = 0; i < count; ++i)
        if (scratch.verdicts[i] == undecided) scratch.left.push_back(i);
    consider_building(scratch.left.size());
    if (dense_ready_ && scratch.left.size() >= worth_dense) screen_dense(masks.data(), scratch);
    if (gram_ready_) by_gram(masks.data(), scratch);
    by_definition(masks.data(), scratch);
    std::copy_n(scratch.verdicts.begin(), count, flags.begin());
}

// Rent or buy: a screen is built when the splits it would have taken have cost about as much as building it.
void Ladder::consider_building(std::size_t left) {
    if (left == 0 || !shop_.dense || dense_ready_) return;
    const std::size_t so_far = left_so_far_ += left;
    if (so_far < pair_.N / 4) return;
    const std::lock_guard lock(building_);
    if (!gram_ready_) make_gram();
    if (so_far < pair_.N + pair_.N / 2 || dense_ready_) return;
    dense_ = std::make_unique<const Dense>(gram_, pair_.N, *shop_.dense, shop_.kernels);
    dense_ready_ = true;
}

void Ladder::screen_low_rank(const std::uint8_t* masks, std::size_t count, Scratch& s) const {
    shop_.low_rank.run(masks, low_rank_->matrix(), s.products.data());
    shop_.kernels.low_rank(low_rank_->layout(), shape_, s.products.data(), count, s.A.data(), s.Q.data(),
                           s.V1_low.data(), s.V1_high.data(), s.V2_low.data(), s.V2_high.data());
    const Estimates estimates{s.A.data(),      s.Q.data(),       low_rank_->A_error(), low_rank_->Q_error(),
                              s.V1_low.data(), s.V1_high.data(), s.V2_low.data(),      s.V2_high.data()};
    shop_.kernels.decide(shape_, estimates, count, s.verdicts.data());
}

void Ladder::screen_dense(const std::uint8_t* masks, Scratch& s) const {
    for (std::size_t first = 0; first < s.left.size(); first += dense_rows) {
        const std::size_t count = std::min(dense_rows, s.left.size() - first);
        for (std::size_t k = 0; k < count; ++k)
            std::copy_n(masks + s.left[first + k] * shop_.stride, shop_.stride, &s.gathered[k * shop_.stride]);
        shop_.dense->run(s.gathered.data(), dense_->matrix(), s.dense_products.data());
        for (std::size_t k = 0; k < count; ++k) {
            const std::uint8_t* mask = &s.gathered[k * shop_.stride];
            dense_->e_of(&s.dense_products[k * pair_.N], mask, shape_.alpha, shop_.kernels, s.e);
            s.verdicts[s.left[first + k]] = judge(s.e, mask, dense_->radius());
        }
    }
    keep_undecided(s);
}

// The verdict on one split from e, which is K q up to radius |q|.
std::uint8_t Ladder::judge(const std::vector<double>& e, const std::uint8_t* mask, double radius) const {
    double moments[4];
    shop_.kernels.moments(e.data(), pair_.c.data(), mask, shape_, pair_.N, moments);
    const double rest = radius * std::sqrt(pair_.q2());
    const auto square = [](double value) { return value * value; };
    const double V1_low = square(std::max(std::sqrt(moments[2]) - rest, 0.0));
    const double V2_low = square(std::max(std::sqrt(moments[3]) - rest, 0.0));
    const double V1_high = square(std::sqrt(moments[2]) + rest);
    const double V2_high = square(std::sqrt(moments[3]) + rest);
    const Estimates estimates{&moments[0], &moments[1], low_rank_->A_error(), radius * pair_.q2(), &V1_low, &V1_high,
                              &V2_low,     &V2_high};
    std::uint8_t verdict = undecided;
    shop_.kernels.decide(shape_, estimates, 1, &verdict);
    return verdict;
}

void Ladder::by_gram(const std::uint8_t* masks, Scratch& s) const {
    for (const std::size_t i : s.left) {
        const std::uint8_t* mask = masks + i * shop_.stride;
        shop_.kernels.gram_to_e(gram_.values.data(), gram_row_sums_.data(), mask, shape_.alpha, pair_.N, s.rows.data(),
                                s.e.data());
        s.verdicts[i] = judge(s.e, mask, gram_.error);
    }
    keep_undecided(s);
}

void Ladder::by_definition(const std::uint8_t* masks, Scratch& s) {
    if (s.left.empty()) return;
    std::call_once(pooling_, [this] { pooled_ = std::make_unique<const Pooled>(*task_.x, *task_.y, shop_.job.align); });
    for (const std::size_t i : s.left)
        s.verdicts[i] =
            task_.exceeds(pooled_->statistic(shop_.job.statistic, {masks + i * shop_.stride, pair_.N}, s.sums));
}

void Ladder::keep_undecided(Scratch& s) const {
    std::erase_if(s.left, [&](std::size_t i) { return s.verdicts[i] != undecided; });
}

}  // namespace wordbreadth::cpu
