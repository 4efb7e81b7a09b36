#include "wordbreadth/by_size.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/workers.h"
#include "engine/backend.h"
#include "geometry/concentration.h"
#include "geometry/vector_math.h"
#include "permutation/distributions.h"
#include "study/random_stream.h"
#include "study/sampling.h"
#include "wordbreadth/error.h"

namespace wordbreadth {
namespace {

constexpr std::size_t most_draws = 100'000;
constexpr std::size_t orders = 199;               // random ones, that the order of the rows is compared with
constexpr std::size_t most_rows_in_order = 4000;  // of the first rows

void check(const Cloud& cloud, const BySizeOptions& options) {
    if (cloud.size() < fewest_rows_by_size)
        throw InputError(cloud.label() + " has " + std::to_string(cloud.size()) +
                         " rows; breadth by size takes at least " + std::to_string(fewest_rows_by_size));
    if (options.draws < 1 || options.draws > most_draws)
        throw InputError("the number of draws is " + std::to_string(options.draws) + "; it has to be 1 to " +
                         std::to_string(most_draws));
    if (!(options.confidence > 0 && options.confidence < 1))
        throw InputError("confidence = " + std::to_string(options.confidence) +
                         "; expected a number between 0 and 1, such as 0.95");
}

// 5, 10, 20, 50, 100, ... below n, and n.
std::vector<std::size_t> sizes_up_to(std::size_t n) {
    std::vector<std::size_t> sizes;
    for (std::size_t ten = 10; ten / 2 < n; ten *= 10)
        for (const std::size_t size : {ten / 2, ten, 2 * ten})
            if (size < n) sizes.push_back(size);
    sizes.push_back(n);
    return sizes;
}

// Draw `draw` of `n` rows, ascending.
std::vector<std::size_t> drawn_rows(const Cloud& cloud, std::size_t n, std::size_t draw, std::uint64_t seed) {
    std::vector<std::size_t> rows(cloud.size());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    study::RandomStream random(study::row_priority(cloud.name(), n, seed), draw);
    for (std::size_t i = 0; i < n; ++i) std::swap(rows[i], rows[i + random.below(rows.size() - i)]);
    rows.resize(n);
    std::ranges::sort(rows);
    return rows;
}

// Not a breadth where these rows have none: all alike.
Breadth breadth_of(const Cloud& cloud, const std::vector<std::size_t>& rows) {
    if (rows.size() == cloud.size()) return breadth(cloud);
    std::vector<double> values;
    values.reserve(rows.size() * cloud.dimension());
    std::vector<std::uint64_t> blocks;
    for (const std::size_t i : rows) {
        values.insert(values.end(), cloud.row(i).begin(), cloud.row(i).end());
        if (!cloud.blocks().empty()) blocks.push_back(cloud.blocks()[i]);
    }
    try {
        Cloud part(cloud.name(), std::move(values), cloud.dimension());
        if (!blocks.empty()) part.set_blocks(blocks);
        return breadth(part);
    } catch (const InputError&) {
        Breadth none;
        none.breadth = none.log_v_standard_error = NAN;
        return none;
    }
}

BreadthAtSize averaged(std::size_t n, const std::vector<Breadth>& samples, double confidence) {
    BreadthAtSize at{n, samples.size()};
    double log_breadth = 0, log_v = 0, half = 0, with_interval = 0;
    for (const Breadth& sample : samples) {
        const std::size_t units = sample.blocks > 0 ? sample.blocks : sample.n;
        if (!std::isfinite(sample.log_v_standard_error)) continue;
        ++with_interval;
        log_breadth += std::log(sample.breadth);
        log_v += std::log(sample.v);
        at.documents += static_cast<double>(sample.blocks);
        half += sample.log_v_standard_error *
                permutation::student_quantile((1 + confidence) / 2, static_cast<double>(units - 1));
    }
    at.defined = with_interval / static_cast<double>(samples.size());
    at.documents /= with_interval;  // NaN where none has an interval, and so are the others
    at.breadth = std::exp(log_breadth / with_interval);
    at.v = std::exp(log_v / with_interval);
    half /= with_interval;
    at.low = at.breadth * std::exp(-half);
    at.high = at.breadth * std::exp(half);
    at.half_width = std::expm1(half);
    return at;
}

// Between two sizes on the line of log half width against log n.
EnoughRows enough_for(double half_width, const std::vector<BreadthAtSize>& sizes) {
    const BreadthAtSize *last = nullptr, *first = nullptr;  // the largest that is not enough, the next that is
    for (const BreadthAtSize& size : sizes) {
        if (size.half_width > half_width) {
            last = &size;
            first = nullptr;
        } else if (first == nullptr && std::isfinite(size.half_width)) {
            first = &size;
        }
    }
    if (last == nullptr) return {half_width, first == nullptr ? NAN : static_cast<double>(first->n), false};
    const double wanted = std::log1p(half_width), from = std::log1p(last->half_width);
    const auto n = static_cast<double>(last->n);
    if (first == nullptr) return {half_width, n * (from / wanted) * (from / wanted), true};
    const double slope = std::log(static_cast<double>(first->n) / n) / std::log(from / std::log1p(first->half_width));
    return {half_width, n * std::exp(slope * std::log(from / wanted)), false};
}

// The mean cosine of rows of different blocks that stand within a run of each other, in this order; NaN without any.
double cosine_in_order(const Cloud& cloud, const std::vector<std::size_t>& order) {
    double cosines = 0, pairs = 0;
    for (std::size_t start = 0; start + 1 < order.size(); start += rows_of_a_run)
        for (std::size_t i = start; i < std::min(start + rows_of_a_run, order.size()); ++i)
            for (std::size_t j = start; j < i; ++j) {
                if (!cloud.blocks().empty() && cloud.blocks()[order[i]] == cloud.blocks()[order[j]]) continue;
                cosines += geometry::dot(cloud.row(order[i]), cloud.row(order[j]));
                ++pairs;
            }
    return cosines / pairs;
}

// The rows of each block, in their order, or each row by itself.
std::vector<std::vector<std::size_t>> blocks_of(const Cloud& cloud) {
    std::vector<std::vector<std::size_t>> blocks;
    for (std::size_t i = 0; i < std::min(cloud.size(), most_rows_in_order); ++i) {
        const std::size_t block = cloud.blocks().empty() ? i : cloud.blocks()[i];
        if (block >= blocks.size()) blocks.resize(block + 1);
        blocks[block].push_back(i);
    }
    return blocks;
}

void look_at_order(BreadthBySize& found, const Cloud& cloud, const base::Monitor& monitor) {
    const std::vector<std::vector<std::size_t>> blocks = blocks_of(cloud);
    const auto joined = [&](const std::vector<std::size_t>& order) {
        std::vector<std::size_t> rows;
        for (const std::size_t block : order) rows.insert(rows.end(), blocks[block].begin(), blocks[block].end());
        return rows;
    };
    std::vector<std::size_t> order(blocks.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const double seen = cosine_in_order(cloud, joined(order));
    found.in_order = std::exp(geometry::debiased(seen, 0, static_cast<double>(cloud.dimension())).log_v);
    found.p_in_order = NAN;
    if (std::isnan(seen)) return;
    study::RandomStream random(study::row_priority(cloud.name(), 0, found.options.seed), 0);
    std::vector<double> others;
    for (std::size_t draw = 0; draw < orders; ++draw) {
        monitor.check();
        for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
        others.push_back(cosine_in_order(cloud, joined(order)));
    }
    std::erase_if(others, [](double other) { return std::isnan(other); });
    const double count = static_cast<double>(others.size());
    const auto above = std::ranges::count_if(others, [&](double other) { return other >= seen; });
    const auto below = std::ranges::count_if(others, [&](double other) { return other <= seen; });
    found.p_in_order = std::min(1.0, 2 * (1 + static_cast<double>(std::min(above, below))) / (count + 1));
}

}  // namespace

BreadthBySize by_size(const Cloud& cloud, const BySizeOptions& options) {
    check(cloud, options);
    const Timing::Stage measuring(options.execution.timing, "breadths by size");
    const std::vector<std::size_t> sizes = sizes_up_to(cloud.size());
    BreadthBySize found;
    found.name = cloud.name();
    found.all = breadth(cloud);
    found.options = options;
    const double work = static_cast<double>(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}));
    base::Monitor monitor(work, options.execution.progress, options.execution.stop);
    base::Workers workers(
        static_cast<unsigned>(std::clamp<std::size_t>(options.draws, 1, engine::thread_count(options.execution))));
    for (const std::size_t n : sizes) {
        std::vector<Breadth> samples(n == cloud.size() ? 1 : options.draws);
        workers.run(samples.size(), [&](std::size_t draw, std::size_t) {
            monitor.check();
            samples[draw] = breadth_of(cloud, drawn_rows(cloud, n, draw, options.seed));
        });
        found.sizes.push_back(averaged(n, samples, options.confidence));
        monitor.advance(static_cast<double>(n));
    }
    for (const double half_width : half_widths_of_enough) found.enough.push_back(enough_for(half_width, found.sizes));
    look_at_order(found, cloud, monitor);
    return found;
}

}  // namespace wordbreadth
