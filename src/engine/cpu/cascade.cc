#include "engine/cpu/cascade.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace wordbreadth::engine::cpu {
namespace {

constexpr std::size_t few = 64;  // splits of one product among those left
// Splits left that are worth building the dense screen for, in units of N. Measured at N = 200, 256 and
// 1,000: a split costs 1.0, 1.5 and 21 us by K, 0.5, 0.6 and 6 us by the dense screen, which takes 0.35, 0.8 and 15 ms
// to build.
constexpr double worth_dense = 4;
// The same for K where the first step did without it (N = 1,000, d = 384): 5 ms to build, 110 us for a split by
// definition.
constexpr double worth_gram = 0.2;

Shape shape_of(const PairGeometry& pair, const Job& job, const permutation::Exceedance& exceeds) {
    return {.n = static_cast<double>(pair.n),
            .m = static_cast<double>(pair.m),
            .d = static_cast<double>(pair.d),
            .alpha = static_cast<double>(pair.n) / static_cast<double>(pair.N),
            .tt = pair.tt,
            .robust = job.statistic == Statistic::robust,
            .low = exceeds.low_or_infinity(),
            .high = exceeds.high_or_infinity()};
}

}  // namespace

JobContext::JobContext(const Kernels& kernels_of_machine, const Job& job_of_pairs, PreparedClouds& kept_clouds,
                       std::size_t block)
    : kernels(kernels_of_machine),
      job(job_of_pairs),
      stride(mask_stride(job.splits.N)),
      low_rank(block, job.splits.N, low_rank_columns(job.splits.N, job.statistic == Statistic::robust), stride),
      clouds(kept_clouds) {
    if (job.splits.N <= largest_gram)
        dense = std::make_unique<const MaskProduct>(few, job.splits.N, job.splits.N, stride);
}

Workspace::Workspace(const JobContext& context, std::size_t block)
    : masks(block * context.stride, 0),
      flags(block),
      products(block * low_rank_columns(context.job.splits.N, context.job.statistic == Statistic::robust)),
      verdicts(block),
      gathered(few * context.stride),
      dense_products(context.dense ? few * context.job.splits.N : 0),
      e(context.job.splits.N),
      q(context.dense ? few * context.job.splits.N : 0),
      Kq(q.size()) {
    for (std::vector<double>* values : {&A, &Q, &V1_low, &V1_high, &V2_low, &V2_high, &shared})
        values->resize(std::max(block, few));
}

// What was measured, from a matrix that is K up to `radius` in spectral norm.
Estimates Workspace::estimates(double A_error, double radius, double q2) const {
    return {.A = A.data(),
            .Q = Q.data(),
            .A_error = A_error,
            .Q_error = radius * q2,
            .V1_low = V1_low.data(),
            .V1_high = V1_high.data(),
            .V2_low = V2_low.data(),
            .V2_high = V2_high.data(),
            .unseen = radius * std::sqrt(q2),
            .shared = shared.data()};
}

Cascade::Cascade(JobContext& context, const PairTask& task)
    : context_(context),
      task_(task),
      pair_(*task.x, *task.y, context.job.align, context.kernels),
      shape_(shape_of(pair_, context.job, task.exceeds)) {
    if (pair_.N <= pair_.d && context_.dense) make_gram();
    low_rank_ = std::make_unique<const LowRank>(pair_, gram_, shape_.robust, context_.low_rank, context_.kernels);
}

std::size_t Cascade::bytes(std::size_t N, std::size_t d) {
    return N * 64 + (N <= largest_gram ? N * N * 5 : 0) + (N + d) * 32;
}

void Cascade::make_gram() {
    gram_ = centred_gram(pair_, *context_.clouds.get(*task_.x), *context_.clouds.get(*task_.y), context_.kernels);
    for (std::size_t i = 0; i < pair_.N; ++i) gram_trace_ += gram_.values[i * pair_.N + i];
    gram_ready_ = true;
}

void Cascade::decide(const std::uint8_t* masks, std::size_t count, Workspace& space) {
    screen_low_rank(masks, count, space);
    space.left.clear();
    for (std::size_t i = 0; i < count; ++i)
        if (space.verdicts[i] == undecided) space.left.push_back(i);
    consider_building(space.left.size(), count);
    if (dense_ready_) screen_dense(masks, space);
    if (gram_ready_) by_gram(masks, space);
    by_definition(masks, space);
    std::copy_n(space.verdicts.begin(), count, space.flags.begin());
}

// A screen is built when the splits that it would take, at the rate seen so far, cost more than building it.
void Cascade::consider_building(std::size_t left, std::size_t count) {
    if (!context_.dense || dense_ready_) return;
    const std::size_t seen = seen_so_far_ += count;
    const std::size_t left_so_far = left_so_far_ += left;
    const double share = static_cast<double>(left_so_far) / static_cast<double>(seen);
    // A pair that may stop early is not counted on to see more splits than it has seen.
    const bool may_stop = context_.job.adaptive != 0;
    const double expected = share * static_cast<double>(may_stop ? seen : context_.job.splits.count);
    if (left == 0 || expected < worth_gram * static_cast<double>(pair_.N)) return;
    const bool many = expected >= worth_dense * static_cast<double>(pair_.N);
    if (gram_ready_ && !many) return;
    const std::lock_guard lock(building_);
    if (!gram_ready_) make_gram();
    if (!many || dense_ready_) return;
    dense_ = std::make_unique<const Dense>(gram_, pair_.N, *context_.dense, context_.kernels);
    dense_ready_ = true;
}

void Cascade::screen_low_rank(const std::uint8_t* masks, std::size_t count, Workspace& s) const {
    context_.low_rank.run(masks, low_rank_->matrix(), s.products.data());
    context_.kernels.low_rank(low_rank_->layout(), shape_, s.products.data(), count, s.A.data(), s.Q.data(),
                              s.V1_low.data(), s.V1_high.data(), s.V2_low.data(), s.V2_high.data(), s.shared.data());
    const Estimates estimates = s.estimates(low_rank_->A_error(), low_rank_->radius(), pair_.q2());
    context_.kernels.decide(shape_, estimates, count, s.verdicts.data());
}

void Cascade::screen_dense(const std::uint8_t* masks, Workspace& s) const {
    for (std::size_t first = 0; first < s.left.size(); first += few) {
        const std::size_t count = std::min(few, s.left.size() - first);
        for (std::size_t k = 0; k < count; ++k)
            std::copy_n(masks + s.left[first + k] * context_.stride, context_.stride, &s.gathered[k * context_.stride]);
        context_.dense->run(s.gathered.data(), dense_->matrix(), s.dense_products.data());
        for (std::size_t k = 0; k < count; ++k) {
            const std::uint8_t* mask = &s.gathered[k * context_.stride];
            dense_->e_of(&s.dense_products[k * pair_.N], mask, shape_.alpha, context_.kernels, s.e);
            measure(s.e, mask, k, s);
        }
        judge(first, count, dense_->radius(), s);
    }
    keep_undecided(s);
}

// What e, nearly K q, says of one split.
void Cascade::measure(const std::vector<double>& e, const std::uint8_t* mask, std::size_t place, Workspace& s) const {
    double moments[4];
    context_.kernels.moments(e.data(), pair_.c.data(), mask, shape_, pair_.N, moments);
    s.A[place] = moments[0];
    s.Q[place] = moments[1];
    s.V1_low[place] = s.V1_high[place] = moments[2];
    s.V2_low[place] = s.V2_high[place] = moments[3];
    s.shared[place] = 0;
}

// Verdicts on `count` splits of those left, from `first` on, as measured.
void Cascade::judge(std::size_t first, std::size_t count, double radius, Workspace& s) const {
    std::array<std::uint8_t, few> verdicts;
    context_.kernels.decide(shape_, s.estimates(low_rank_->A_error(), radius, pair_.q2()), count, verdicts.data());
    for (std::size_t k = 0; k < count; ++k) s.verdicts[s.left[first + k]] = verdicts[k];
}

void Cascade::by_gram(const std::uint8_t* masks, Workspace& s) const {
    // |K|, entry by entry, is no longer than its trace.
    const double radius = gram_.error + rounding_closely(pair_.N) * gram_trace_;
    for (std::size_t first = 0; first < s.left.size(); first += few) {
        const std::size_t count = std::min(few, s.left.size() - first);
        for (std::size_t k = 0; k < count; ++k) {
            const std::uint8_t* mask = masks + s.left[first + k] * context_.stride;
            for (std::size_t i = 0; i < pair_.N; ++i)
                s.q[k * pair_.N + i] = static_cast<float>(mask[i]) - static_cast<float>(shape_.alpha);
        }
        multiply_closely(count, pair_.N, pair_.N, s.q.data(), gram_.values.data(), s.Kq.data(), pair_.N);
        for (std::size_t k = 0; k < count; ++k) {
            std::copy_n(&s.Kq[k * pair_.N], pair_.N, s.e.begin());
            measure(s.e, masks + s.left[first + k] * context_.stride, k, s);
        }
        judge(first, count, radius, s);
    }
    keep_undecided(s);
}

void Cascade::by_definition(const std::uint8_t* masks, Workspace& s) {
    if (s.left.empty()) return;
    std::call_once(pooling_, [this] {
        pooled_ = std::make_unique<const permutation::Pooled>(*task_.x, *task_.y, context_.job.align);
    });
    for (const std::size_t i : s.left)
        s.verdicts[i] =
            task_.exceeds(pooled_->statistic(context_.job.statistic, {masks + i * context_.stride, pair_.N}, s.sums));
}

void Cascade::keep_undecided(Workspace& s) const {
    std::erase_if(s.left, [&](std::size_t i) { return s.verdicts[i] != undecided; });
}

}  // namespace wordbreadth::engine::cpu
