#include "engine/cpu/cascade.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "geometry/concentration.h"
#include "geometry/vector_math.h"

namespace wordbreadth::engine::cpu {
namespace {

std::size_t low_rank_columns_of(const Job& job) {
    return low_rank_columns(job.splits.n, job.splits.N - job.splits.n, job.statistic == Statistic::robust);
}

constexpr std::size_t few = 128;  // splits of one product among those left
// Rows of the smaller group up to which its part of K is added up, instead of K multiplied with q.
constexpr std::size_t small_group = 128;
constexpr std::size_t few_values = std::size_t{1} << 22;  // of their q, at most
// Splits left that are worth building the dense screen for, in units of N. Measured at N = 200, 256 and 1,000, robust:
// a split costs 1.2, 1.5 and 15 us by K or the rows, 0.3, 0.4 and 4 us by the dense screen, which takes 0.4, 0.8 and 20
// ms to build.
constexpr double worth_dense = 4;

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

// Blocks from which on the dense screen is faster than K~ in float32. At K = 40 it cost a tenth more.
constexpr std::size_t least_dense = 64;
constexpr double vain = 0.95;              // share left by a first step that is not worth going on with
constexpr std::size_t worth_low_rank = 2;  // splits for each block that are worth preparing the first step
// The first rank that a split attains as a test of rank `rank`, or `attained` where that is before it; nothing where
// the enclosure cannot tell.
std::optional<std::uint32_t> lowered(const Enclosure<double>& enclosure, std::uint32_t attained, std::uint32_t rank,
                                     double scale, const permutation::StepDown& family) {
    if (attained == 0) return attained;
    const auto verdict = [&](std::uint32_t k) {
        const permutation::Exceedance exceeds = family.at(k, scale);
        return verdict_on(enclosure, {exceeds.low_or_infinity(), exceeds.high_or_infinity()});
    };
    // From rank to rank the statistic has less to reach, so that verdicts go from no over undecided to yes.
    const std::uint32_t last = std::min(rank, attained - 1);
    if (verdict(last) == engine::no) return attained;
    const std::uint32_t found = permutation::first_met(last, [&](std::uint32_t k) { return verdict(k) != engine::no; });
    if (verdict(found) == engine::yes) return found;
    return std::nullopt;
}

// What each split has to reach to attain less than it has.
void set_thresholds(std::span<const std::uint32_t> attained, std::uint32_t rank, double scale,
                    const permutation::StepDown& family, std::span<double> low, std::span<double> high) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < attained.size(); ++i) {
        const bool is_open = attained[i] > 0;
        const permutation::Exceedance next = family.at(is_open ? std::min(rank, attained[i] - 1) : 0, scale);
        low[i] = is_open ? next.low_or_infinity() : -infinity;
        high[i] = is_open ? next.high_or_infinity() : infinity;
    }
}

// The masks of some splits, one after the other.
void gather(const std::uint8_t* masks, std::span<const std::size_t> splits, std::size_t stride,
            std::span<std::uint8_t> to) {
    for (std::size_t i = 0; i < splits.size(); ++i) std::copy_n(masks + splits[i] * stride, stride, &to[i * stride]);
}

constexpr std::size_t splits_at_a_time = 128;  // of a product: z and e of 256 blocks fit into the second cache

}  // namespace

JobContext::JobContext(const Kernels& kernels_of_machine, const Job& job_of_pairs, PreparedClouds& kept_clouds,
                       std::size_t block)
    : kernels(kernels_of_machine),
      job(job_of_pairs),
      stride(mask_stride(job.splits.N)),
      low_rank(block, job.splits.N, low_rank_columns_of(job), stride),
      clouds(kept_clouds) {
    if (job.splits.N <= largest_gram)
        dense = std::make_unique<const MaskProduct>(few, job.splits.N, Dense::width(job.splits.N), stride);
}

Workspace::Workspace(const JobContext& context, std::size_t block)
    : masks(block * context.stride, 0),
      flags(block),
      products(block * low_rank_columns_of(context.job)),
      verdicts(block),
      gathered(few * context.stride),
      dense_products(context.dense ? few * Dense::width(context.job.splits.N) : 0),
      low(block),
      high(block) {
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

void Workspace::set(std::size_t place, const double* moments) {
    A[place] = moments[0];
    Q[place] = moments[1];
    V1_low[place] = V1_high[place] = moments[2];
    V2_low[place] = V2_high[place] = moments[3];
    shared[place] = 0;
}

void Forecast::add(std::size_t left, std::size_t count) {
    left_ += left;
    seen_ += count;
}

double Forecast::share() const {
    return static_cast<double>(left_) / static_cast<double>(seen_);
}

double Forecast::expected() const {
    // A pair that may stop early is not counted on to see more splits than it has seen.
    const bool may_stop = job_.adaptive != 0;
    return share() * static_cast<double>(may_stop ? seen_.load() : job_.splits.count);
}

Cascade::Cascade(JobContext& context, const PairTask& task)
    : context_(context),
      task_(task),
      pair_(*task.x, *task.y, context.job.align, context.kernels),
      shape_(shape_of(pair_, context.job, task.exceeds)),
      has_gram_(pair_.N <= pair_.d && context.dense),
      adds_up_(has_gram_ && !shape_.robust && std::min(pair_.n, pair_.m) <= std::min(small_group, pair_.N / 4)),
      forecast_(context.job) {
    if (has_gram_) make_gram();
    low_rank_ = std::make_unique<const LowRank>(pair_, gram_, shape_.robust, context_.low_rank, context_.kernels);
}

std::size_t Cascade::bytes(std::size_t N, std::size_t d) {
    return N * 64 + (N <= largest_gram ? N * N * 5 : 0) + (N > d ? N * d * 4 : 0) + (N + d) * 32;
}

void Cascade::make_gram() {
    gram_ = centred_gram(pair_, *context_.clouds.get(*task_.x), *context_.clouds.get(*task_.y), context_.kernels);
    for (std::size_t i = 0; i < pair_.N; ++i) trace_ += gram_.values[i * pair_.N + i];
}

// What splits that are left are multiplied with in float32.
void Cascade::prepare_product() {
    if (has_gram_) return;
    std::call_once(making_rows_, [this] {
        rows_.resize(pair_.N * pair_.d);
        centred_rows(pair_, 0, pair_.N, rows_.data());
        row_squares_ = context_.kernels.squares(rows_.data(), rows_.size());
    });
}

void Cascade::decide(const std::uint8_t* masks, std::size_t count, Workspace& space) {
    if (is_low_rank_vain_)
        std::fill_n(space.verdicts.begin(), count, std::uint8_t{undecided});
    else
        screen_low_rank(masks, count, false, space);
    space.left.clear();
    for (std::size_t i = 0; i < count; ++i)
        if (space.verdicts[i] == undecided) space.left.push_back(i);
    consider_dense(space.left.size(), count);
    if (dense_ready_) screen_dense(masks, space);
    by_product(masks, space);
    by_vectors(masks, space);
    by_definition(masks, space);
    std::copy_n(space.verdicts.begin(), count, space.flags.begin());
}

// The screen is built when the splits that it would take, at the rate seen so far, cost more than building it. Never
// for the plain statistic with N above d, where a split costs N d in float32 and N^2 in int8.
void Cascade::consider_dense(std::size_t left, std::size_t count) {
    if (!context_.dense || dense_ready_ || !(has_gram_ || shape_.robust)) return;
    forecast_.add(left, count);
    if (forecast_.expected() < worth_dense * static_cast<double>(pair_.N)) return;
    const std::lock_guard lock(building_);
    if (dense_ready_) return;
    if (gram_.values.empty()) make_gram();
    dense_ = std::make_unique<const Dense>(gram_, pair_.N, shape_.alpha, pair_.c, *context_.dense, context_.kernels);
    if (!has_gram_) gram_ = {};
    is_low_rank_vain_ = forecast_.share() > vain;
    dense_ready_ = true;
}

void Cascade::screen_low_rank(const std::uint8_t* masks, std::size_t count, bool own_thresholds, Workspace& s) const {
    context_.low_rank.run(masks, low_rank_->matrix(), s.products.data());
    context_.kernels.low_rank(low_rank_->layout(), shape_, s.products.data(), count, s.A.data(), s.Q.data(),
                              s.V1_low.data(), s.V1_high.data(), s.V2_low.data(), s.V2_high.data(), s.shared.data());
    Estimates estimates = s.estimates(low_rank_->A_error(), low_rank_->radius(), pair_.q2());
    if (own_thresholds) {
        estimates.low = s.low.data();
        estimates.high = s.high.data();
    }
    context_.kernels.decide(shape_, estimates, count, s.verdicts.data());
}

void Cascade::screen_dense(const std::uint8_t* masks, Workspace& s) const {
    for (std::size_t first = 0; first < s.left.size(); first += few) {
        const std::size_t count = std::min(few, s.left.size() - first);
        gather(masks, std::span(s.left).subspan(first, count), context_.stride, s.gathered);
        context_.dense->run(s.gathered.data(), dense_->matrix(), s.dense_products.data());
        for (std::size_t k = 0; k < count; ++k) {
            const std::uint8_t* mask = &s.gathered[k * context_.stride];
            double moments[4] = {};
            context_.kernels.moments_of_products(&s.dense_products[k * Dense::width(pair_.N)], dense_->columns(), mask,
                                                 shape_, pair_.N, moments);
            s.set(k, moments);
        }
        judge(first, count, dense_->radius(), s);
    }
    keep_undecided(s);
}

// Verdicts on `count` splits of those left, from `first` on, as measured.
void Cascade::judge(std::size_t first, std::size_t count, double radius, Workspace& s) const {
    judge(first, count, s.estimates(low_rank_->A_error(), radius, pair_.q2()), s);
}

void Cascade::judge(std::size_t first, std::size_t count, const Estimates& estimates, Workspace& s) const {
    std::array<std::uint8_t, few> verdicts;
    context_.kernels.decide(shape_, estimates, count, verdicts.data());
    for (std::size_t k = 0; k < count; ++k) s.verdicts[s.left[first + k]] = verdicts[k];
}

// How far a product with K in float32 can be off: |K|, entry by entry, is no longer than its trace. Without K there are
// two products with the rows, and |Z|, entry by entry, is no longer than the root of the trace; of the first one
// alone, |Z^T q|^2 is off by twice its error. A sum over a group z is off by K's error times |z|^2, and |q|^2 = n m /
// N.
double Cascade::product_radius() const {
    if (adds_up_) return 1.0001 * gram_.error * static_cast<double>(pair_.N) / std::max(shape_.n, shape_.m) + 1e-10;
    if (has_gram_) return gram_.error + rounding_closely(pair_.N) * trace_;
    return 1.01 * (rounding_closely(pair_.N) + rounding_closely(std::max(pair_.N, pair_.d))) * row_squares_;
}

// Measures `count` splits of those left, from `first` on, by K or by the rows.
void Cascade::multiply_few(const std::uint8_t* masks, std::size_t first, std::size_t count, Workspace& s) const {
    const std::size_t N = pair_.N, d = pair_.d;
    if (adds_up_) {
        for (std::size_t k = 0; k < count; ++k) add_up(masks + s.left[first + k] * context_.stride, k, s);
        return;
    }
    s.q.resize(few_at_once() * N);
    for (std::size_t k = 0; k < count; ++k) {
        const std::uint8_t* mask = masks + s.left[first + k] * context_.stride;
        for (std::size_t i = 0; i < N; ++i)
            s.q[k * N + i] = static_cast<float>(mask[i]) - static_cast<float>(shape_.alpha);
    }
    const bool needs_e = has_gram_ || shape_.robust;
    if (needs_e) s.Kq.resize(s.q.size());
    if (has_gram_) {
        // K is symmetric, and rows are faster to come by than columns.
        multiply_closely(context_.kernels, {.rows = count, .columns = N, .inner = N}, s.q.data(), N,
                         gram_.values.data(), N, s.Kq.data(), N);
    } else {
        s.Zq.resize(few_at_once() * d);
        multiply_closely(context_.kernels, {.rows = count, .columns = d, .inner = N}, s.q.data(), N, rows_.data(), d,
                         s.Zq.data(), d);
        if (needs_e) multiply_closely(context_.kernels, count, N, d, s.Zq.data(), rows_.data(), s.Kq.data(), N);
    }
    for (std::size_t k = 0; k < count; ++k) {
        double moments[4] = {};
        const float* e = needs_e ? &s.Kq[k * N] : &s.q[k * N];
        context_.kernels.moments(e, pair_.c.data(), masks + s.left[first + k] * context_.stride, shape_, N, moments);
        if (!needs_e) moments[1] = context_.kernels.squares(&s.Zq[k * d], d);
        s.set(k, moments);
    }
}

// Q = z^T K z, which is the same for both groups, from the smaller one. At 40 + 160 rows 0.7 us a split instead of 1.3.
void Cascade::add_up(const std::uint8_t* mask, std::size_t place, Workspace& s) const {
    const std::uint8_t smaller = pair_.n <= pair_.m;
    std::array<std::uint32_t, small_group + 1> rows;  // without a branch, which none could foresee
    std::size_t count = 0;
    for (std::size_t i = 0; i < pair_.N; ++i) {
        rows[count] = static_cast<std::uint32_t>(i);
        count += mask[i] == smaller;
    }
    double c = 0, diagonal = 0, sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0;
    for (std::size_t j = 0; j < count; ++j) {
        const float* row = &gram_.values[rows[j] * pair_.N];
        c += pair_.c[rows[j]];
        diagonal += row[rows[j]];
        std::size_t k = 0;
        for (; k + 4 <= j; k += 4) {
            sum0 += row[rows[k]];
            sum1 += row[rows[k + 1]];
            sum2 += row[rows[k + 2]];
            sum3 += row[rows[k + 3]];
        }
        for (; k < j; ++k) sum0 += row[rows[k]];
    }
    const double moments[4] = {smaller == 1 ? c : -c, diagonal + 2 * ((sum0 + sum1) + (sum2 + sum3))};
    s.set(place, moments);
}

std::size_t Cascade::few_at_once() const {
    return std::clamp<std::size_t>(few_values / pair_.N, 1, few);
}

void Cascade::by_product(const std::uint8_t* masks, Workspace& s) {
    if (s.left.empty()) return;
    prepare_product();
    for (std::size_t first = 0; first < s.left.size(); first += few_at_once()) {
        const std::size_t count = std::min(few_at_once(), s.left.size() - first);
        multiply_few(masks, first, count, s);
        judge(first, count, product_radius(), s);
    }
    keep_undecided(s);
}

// By the vectors in float64, as the definition has it, but for the order in which they are added up. What is still left
// are ties.
void Cascade::by_vectors(const std::uint8_t* masks, Workspace& s) {
    if (s.left.empty()) return;
    // The plain statistic needs the rows of one group only, which are added up before they are reflected.
    const permutation::Pooled* pooled = shape_.robust ? &pooled_rows() : nullptr;
    // So many roundings of at most N^2: of |s1|^2 and |s2|^2, of A and of Q. A row's product with a sum is off by a
    // tenth of that, divided by N, which is less than the share of this in the length of them all.
    const auto N = static_cast<double>(pair_.N);
    const double error = 4 * (N + shape_.d + 8) * 1.2e-16 * N * N;
    for (std::size_t first = 0; first < s.left.size(); first += few) {
        const std::size_t count = std::min(few, s.left.size() - first);
        for (std::size_t k = 0; k < count; ++k)
            measure_vectors(pooled, masks + s.left[first + k] * context_.stride, k, s);
        judge(first, count, s.estimates(error, error / pair_.q2(), pair_.q2()), s);
    }
    keep_undecided(s);
}

// The sum of the aligned rows of a group.
void Cascade::add_rows(const permutation::Pooled* pooled, const std::uint8_t* mask, std::uint8_t group,
                       std::span<double> sum, Workspace& s) const {
    std::ranges::fill(sum, 0.0);
    double along_mirror = 0;
    for (std::size_t i = 0; i < pair_.N; ++i) {
        if (mask[i] != group) continue;
        geometry::add(sum, pooled ? pooled->row(i) : pair_.row(i, s.row));
        if (i < pair_.n) along_mirror += pair_.along_mirror[i];
    }
    if (!pooled && !pair_.mirror.empty()) geometry::add_scaled(sum, -2 * along_mirror, pair_.mirror);
}

void Cascade::measure_vectors(const permutation::Pooled* pooled, const std::uint8_t* mask, std::size_t place,
                              Workspace& s) const {
    const std::size_t d = pair_.d;
    const auto& dot = context_.kernels.dot;
    s.sums.resize(2 * d);
    double* const sums[2] = {s.sums.data() + d, s.sums.data()};  // of the rows marked 0, and 1
    const std::uint8_t smaller = pair_.n <= pair_.m;
    add_rows(pooled, mask, smaller, {sums[smaller], d}, s);
    for (std::size_t k = 0; k < d; ++k) sums[1 - smaller][k] = pair_.sum[k] - sums[smaller][k];
    const double squares[2] = {dot(sums[0], sums[0], d), dot(sums[1], sums[1], d)};
    const double alpha = shape_.alpha;
    double moments[4] = {};
    moments[0] = 0.5 * (squares[1] - squares[0] - (2 * alpha - 1) * pair_.tt);
    moments[1] = squares[1] - alpha * alpha * pair_.tt - 2 * alpha * moments[0];
    if (shape_.robust) {
        const double means[2] = {squares[0] / shape_.m, squares[1] / shape_.n};
        for (std::size_t i = 0; i < pair_.N; ++i) {
            const double off = dot(pooled->row(i).data(), sums[mask[i]], d) - means[mask[i]];
            moments[3 - mask[i]] += off * off;
        }
    }
    s.set(place, moments);
}

Enclosure<double> Cascade::enclose(std::size_t place, double radius, const Workspace& s) const {
    const double alpha = shape_.alpha, beta = 1 - alpha;
    Estimate<double> estimate{};
    estimate.S1 = alpha * alpha * pair_.tt + 2 * alpha * s.A[place] + s.Q[place];
    estimate.S2 = beta * beta * pair_.tt - 2 * beta * s.A[place] + s.Q[place];
    estimate.from_Q = radius * pair_.q2();
    estimate.from_A1 = 2 * alpha * low_rank_->A_error();
    estimate.from_A2 = 2 * beta * low_rank_->A_error();
    estimate.V1_low = s.V1_low[place];
    estimate.V1_high = s.V1_high[place];
    estimate.V2_low = s.V2_low[place];
    estimate.V2_high = s.V2_high[place];
    estimate.unseen = radius * std::sqrt(pair_.q2());
    const Sizes<double> sizes = sizes_of<double>(shape_.n, shape_.m, shape_.d, shape_.robust);
    constexpr double slack = 1e-8;  // as the kernels have it
    return shape_.robust ? engine::enclose<true>(sizes, estimate, slack)
                         : engine::enclose<false>(sizes, estimate, slack);
}

void Cascade::lower(const std::uint8_t* masks, std::span<std::uint32_t> attained, const permutation::StepDown& family,
                    std::uint32_t rank, Workspace& s) {
    set_thresholds(attained, rank, task_.scale, family, s.low, s.high);
    screen_low_rank(masks, attained.size(), true, s);
    s.left.clear();
    for (std::size_t i = 0; i < attained.size(); ++i)
        if (s.verdicts[i] != no && attained[i] > 0) s.left.push_back(i);
    if (!s.left.empty()) prepare_product();
    for (std::size_t first = 0; first < s.left.size(); first += few_at_once()) {
        const std::size_t count = std::min(few_at_once(), s.left.size() - first);
        multiply_few(masks, first, count, s);
        for (std::size_t k = 0; k < count; ++k) {
            const std::size_t i = s.left[first + k];
            const std::optional<std::uint32_t> found =
                lowered(enclose(k, product_radius(), s), attained[i], rank, task_.scale, family);
            attained[i] =
                found ? *found
                      : family.lowered(attained[i], rank, task_.scale, statistic(masks + i * context_.stride, s));
        }
    }
}

void Cascade::by_definition(const std::uint8_t* masks, Workspace& s) {
    for (const std::size_t i : s.left) s.verdicts[i] = task_.exceeds(statistic(masks + i * context_.stride, s));
}

double Cascade::statistic(const std::uint8_t* mask, Workspace& s) {
    return pooled_rows().statistic(context_.job.statistic, {mask, pair_.N}, s.sums);
}

const permutation::Pooled& Cascade::pooled_rows() {
    std::call_once(pooling_, [this] {
        pooled_ = std::make_unique<const permutation::Pooled>(*task_.x, *task_.y, context_.job.align);
    });
    return *pooled_;
}

void Cascade::keep_undecided(Workspace& s) const {
    std::erase_if(s.left, [&](std::size_t i) { return s.verdicts[i] != undecided; });
}

BlockScreen::Context::Context(const Kernels& kernels_of_machine, const Job& job_of_pairs, std::size_t block)
    : kernels(kernels_of_machine), job(job_of_pairs), stride(mask_stride(job.splits.N)) {
    const std::size_t K = job.splits.N;
    if (K > largest_gram || job.splits.count < worth_low_rank * K) return;
    low_rank = std::make_unique<const MaskProduct>(block, K, block_columns(K), stride);
    if (K >= least_dense) dense = std::make_unique<const MaskProduct>(few, K, Dense::width(K), stride);
}

BlockScreen::Workspace::Workspace(const Context& context, std::size_t block)
    : masks(block * context.stride, 0),
      flags(block),
      products(context.low_rank ? block * block_columns(context.job.splits.N) + 8 : 0),
      gathered(context.dense ? few * context.stride : 0),
      dense_products(context.dense ? few * Dense::width(context.job.splits.N) : 0),
      z(splits_at_a_time * context.job.splits.N),
      e(z.size()),
      low(block),
      high(block) {}

BlockScreen::BlockScreen(const Context& context, const PairTask& task)
    : context_(context),
      task_(task),
      pooled_(*task.x, *task.y, context.job.align),
      K_(context.job.splits.N),
      first_(context.job.splits.n),
      screens_(K_ <= largest_gram),
      thresholds_{task.exceeds.low_or_infinity(), task.exceeds.high_or_infinity()},
      q2_(static_cast<double>(first_) * static_cast<double>(K_ - first_) / static_cast<double>(K_)),
      forecast_(context.job) {
    if (screens_) prepare();
}

std::size_t BlockScreen::bytes(std::size_t K, std::size_t d) {
    return K * d * sizeof(double) + K * 256 + (K <= largest_gram ? K * K * 5 : 0);
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
        context_.kernels.to_float(centred.data(), d, &rows[k * d]);
        trace += geometry::dot(centred, centred);
        p_.push_back(geometry::dot(pooled_.row(k), mean) - c[k] * mean2);
        slope_.push_back(p_.back() + c[k] * (mean2 - R0_));
        constant_.push_back(R0_ * c[k] * c[k] - squares[k]);
    }
    gram_.values.resize(K_ * K_);
    multiply_closely(context_.kernels, K_, K_, d, rows.data(), rows.data(), gram_.values.data(), K_);
    // |K~|, entry by entry, is no longer than its trace; three roundings for the rows in float32.
    gram_.error = 1.01 * trace * (rounding_closely(d) + 3 * float_rounding);
    error_ = gram_.error + 1.01 * trace * rounding_closely(K_);
    if (context_.low_rank) prepare_low_rank(mean2);
}

void BlockScreen::prepare_low_rank(double mean2) {
    LowRank::Forms forms;
    for (std::vector<double>& values : forms) values.reserve(K_);
    double p_length = 0;  // the sum of |p|
    double s2 = 0;
    for (std::size_t k = 0; k < K_; ++k) {
        const double c = pooled_.counts()[k], s = slope_[k], o = constant_[k];
        const double of_block[form::count] = {c,     p_[k], o,     c * c,     c * c * c, c * c * c * c, s * s,
                                              o * o, s * c, s * o, s * c * c, c * o,     o * c * c};
        for (std::size_t f = 0; f < form::count; ++f) {
            forms[f].push_back(of_block[f]);
            layout_.total[f] += of_block[f];
        }
        p_length += std::abs(p_[k]);
        s2 += s * s;
    }
    layout_.blocks1 = static_cast<double>(first_);
    layout_.blocks2 = static_cast<double>(K_ - first_);
    // t: the influences' slope and constant as they stand in groups of so many rows, between those expected of the two.
    const double share = layout_.blocks1 / static_cast<double>(K_);
    layout_.per_rows = 1 / (2 * rows_ * share * (1 - share));
    layout_.shift = (layout_.total[form::p] + (mean2 - R0_) * rows_ + layout_.per_rows * layout_.total[form::o]) /
                    static_cast<double>(K_);
    std::vector<double> t(K_);
    for (std::size_t k = 0; k < K_; ++k) t[k] = slope_[k] + layout_.per_rows * constant_[k] - layout_.shift;
    low_rank_ = std::make_unique<const LowRank>(gram_, q2_, t, forms, *context_.low_rank, context_.kernels);
    layout_.columns = low_rank_->layout();
    layout_.unit = low_rank_->second_units();
    layout_.third = low_rank_->third_units();
    std::ranges::copy(low_rank_->errors(), layout_.error);
    layout_.d = static_cast<double>(pooled_.dimension());
    layout_.mean2 = mean2;
    layout_.R0 = R0_;
    layout_.centre = low_rank_->layout().centre / q2_;
    layout_.Q_error = low_rank_->radius() * q2_;
    // Of |S|^2 - sum |D_k|^2 and, R being at most 1, of the number of pairs.
    const double* error = layout_.error;
    layout_.A_error =
        1.01 * (2 * p_length * error[form::c] + 2 * rows_ * error[form::p] + 2 * (mean2 + 1) * rows_ * error[form::c] +
                (std::abs(R0_) + 1) * error[form::cc] + error[form::o]);
    // Of K~ q beside L and the centre; and of the factors n and P with which s and c stand in an influence, for either
    // group, delta being at most 2.
    layout_.influence_error =
        low_rank_->radius() * std::sqrt(q2_) +
        2 * (error[form::c] * std::sqrt(s2) + (error[form::p] + 2 * error[form::c]) * std::sqrt(c2_));
    layout_.low = thresholds_.low;
    layout_.high = thresholds_.high;
}

void BlockScreen::screen_low_rank(const std::uint8_t* masks, std::size_t count, bool own_thresholds,
                                  Workspace& s) const {
    if (!low_rank_ || is_low_rank_vain_) {
        std::fill_n(s.flags.begin(), count, std::uint8_t{undecided});
        return;
    }
    context_.low_rank->run(masks, low_rank_->matrix(), s.products.data());
    context_.kernels.block_low_rank(layout_, s.products.data(), count, own_thresholds ? s.low.data() : nullptr,
                                    own_thresholds ? s.high.data() : nullptr, s.flags.data());
}

void BlockScreen::decide(const std::uint8_t* masks, std::size_t count, Workspace& s) {
    screen_low_rank(masks, count, false, s);
    s.left.clear();
    for (std::size_t i = 0; i < count; ++i)
        if (s.flags[i] == undecided) s.left.push_back(i);
    consider_building(s.left.size(), count);
    if (dense_ready_) screen_dense(masks, s);
    by_gram(masks, s, [&](std::size_t i, const Enclosure<double>& enclosure) {
        const engine::Verdict verdict = verdict_on(enclosure, thresholds_);
        s.flags[i] = verdict == engine::undecided ? task_.exceeds(statistic(masks + i * context_.stride, s))
                                                  : verdict == engine::yes;
    });
}

void BlockScreen::lower(const std::uint8_t* masks, std::span<std::uint32_t> attained,
                        const permutation::StepDown& family, std::uint32_t rank, Workspace& s) const {
    set_thresholds(attained, rank, task_.scale, family, s.low, s.high);
    screen_low_rank(masks, attained.size(), true, s);
    s.left.clear();
    for (std::size_t i = 0; i < attained.size(); ++i)
        if (s.flags[i] != no && attained[i] > 0) s.left.push_back(i);
    by_gram(masks, s, [&](std::size_t i, const Enclosure<double>& enclosure) {
        const std::optional<std::uint32_t> found = lowered(enclosure, attained[i], rank, task_.scale, family);
        attained[i] =
            found ? *found : family.lowered(attained[i], rank, task_.scale, statistic(masks + i * context_.stride, s));
    });
}

void BlockScreen::consider_building(std::size_t left, std::size_t count) {
    if (!low_rank_ || is_low_rank_vain_) return;
    forecast_.add(left, count);
    is_low_rank_vain_ = forecast_.share() > vain;
    if (!context_.dense || dense_ready_ || forecast_.expected() < worth_dense * static_cast<double>(K_)) return;
    const std::lock_guard lock(building_);
    if (dense_ready_) return;
    const double alpha = static_cast<double>(first_) / static_cast<double>(K_);
    dense_ =
        std::make_unique<const Dense>(gram_, K_, alpha, std::span<const double>(), *context_.dense, context_.kernels);
    dense_ready_ = true;
}

void BlockScreen::screen_dense(const std::uint8_t* masks, Workspace& s) const {
    const double off = dense_->radius() * std::sqrt(q2_);
    for (std::size_t first = 0; first < s.left.size(); first += few) {
        const auto some = std::span(s.left).subspan(first, std::min(few, s.left.size() - first));
        gather(masks, some, context_.stride, s.gathered);
        context_.dense->run(s.gathered.data(), dense_->matrix(), s.dense_products.data());
        for (std::size_t i = 0; i < some.size(); ++i) {
            BlockSplit sums;
            context_.kernels.block_moments_of_products(&s.dense_products[i * Dense::width(K_)], dense_->columns(),
                                                       columns(), &s.gathered[i * context_.stride], K_, sums);
            s.flags[some[i]] = static_cast<std::uint8_t>(verdict_on(enclose(sums, off), thresholds_));
        }
    }
    std::erase_if(s.left, [&](std::size_t i) { return s.flags[i] != undecided; });
}

// use(split, enclosure) for those left, as K~ in float32 encloses them.
template <class Use>
void BlockScreen::by_gram(const std::uint8_t* masks, Workspace& s, const Use& use) const {
    const double off = error_ * std::sqrt(static_cast<double>(first_));
    for (std::size_t first = 0; first < s.left.size(); first += splits_at_a_time) {
        const auto some = std::span(s.left).subspan(first, std::min(splits_at_a_time, s.left.size() - first));
        if (screens_) {
            for (std::size_t i = 0; i < some.size(); ++i)
                context_.kernels.mask_to_float(masks + some[i] * context_.stride, K_, &s.z[i * K_]);
            multiply_closely(context_.kernels, {.rows = some.size(), .columns = K_, .inner = K_}, s.z.data(), K_,
                             gram_.values.data(), K_, s.e.data(), K_);
        }
        for (std::size_t i = 0; i < some.size(); ++i) {
            Enclosure<double> enclosure{};
            if (screens_) {
                BlockSplit sums;
                context_.kernels.block_moments(&s.e[i * K_], columns(), masks + some[i] * context_.stride, K_, sums);
                enclosure = enclose(sums, off);
            }
            use(some[i], enclosure);
        }
    }
}

// `off` bounds the length of what e is off. It adds up to 0 over all blocks; what it adds up to here is taken out of
// the groups' sums, which leaves them the same error: that of Q = q . e. As for the influences, see the kernel
// block_low_rank.
Enclosure<double> BlockScreen::enclose(const BlockSplit& sums, double off) const {
    const BlockSplit::Moments& f = sums.first;
    const BlockSplit::Moments& b = sums.both;
    constexpr double rounding = 1e-13;
    const auto K1 = static_cast<double>(first_), K2 = static_cast<double>(K_ - first_);
    const double n = rows_ - sums.n;
    const double of_each = sums.e / (K1 + K2);
    const double ac = b.ac - f.ac;
    const double acc = b.acc - f.acc;
    const GroupInfluence of_first{f.a - K1 * of_each, f.aa, sums.n * f.ac - f.acc};
    const GroupInfluence of_second{b.a - f.a + K2 * of_each, b.aa - f.aa, n * ac - acc};
    const BlockGroup one = block_group(sums.n, sums.c2, sums.c3, sums.c4, of_first, R0_, rounding, of_first);
    const BlockGroup two =
        block_group(n, c2_ - sums.c2, c3_ - sums.c3, c4_ - sums.c4, of_second, R0_, rounding, {b.a, b.aa, 0});
    const double stretch = 1.0001 * std::max(one.influence_error * std::sqrt(K1), two.influence_error * std::sqrt(K2));
    const double length = off * stretch + std::abs(sums.e) * (one.influence_error + two.influence_error);
    return enclose_block_groups(one, two, K1, K2, static_cast<double>(pooled_.dimension()),
                                {length, off * std::sqrt(q2_), 0, 0});
}

}  // namespace wordbreadth::engine::cpu
