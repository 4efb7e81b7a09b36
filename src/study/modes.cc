#include "wordbreadth/modes.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "base/workers.h"
#include "engine/backend.h"
#include "geometry/concentration.h"
#include "geometry/vector_math.h"
#include "study/mixture.h"
#include "study/mode_count.h"
#include "study/sampling.h"
#include "wordbreadth/error.h"

namespace wordbreadth {
namespace {

constexpr std::size_t most_modes = 8;
constexpr std::size_t fewest_random_clouds = 19, most_random_clouds = 100'000;
constexpr std::size_t starts = 5;      // of the mixture, besides the modes that were counted
constexpr double much_between = 0.25;  // share of the spread

void check(const ModesOptions& options) {
    if (options.most < 1 || options.most > most_modes)
        throw InputError("the largest number of modes is " + std::to_string(options.most) + "; it has to be 1 to " +
                         std::to_string(most_modes));
    if (!(options.alpha > 0 && options.alpha < 1))
        throw InputError("alpha of modes is " + std::to_string(options.alpha) + "; it has to be between 0 and 1");
    if (options.random_clouds < fewest_random_clouds || options.random_clouds > most_random_clouds)
        throw InputError("the number of random clouds is " + std::to_string(options.random_clouds) + "; it has to be " +
                         std::to_string(fewest_random_clouds) + " to " + std::to_string(most_random_clouds));
}

std::string too_few_rows(std::size_t rows) {
    return "has " + std::to_string(rows) + (rows == 1 ? " row" : " rows") + "; modes take at least " +
           std::to_string(fewest_rows_for_modes);
}

// Responsibilities, (n, k).
std::vector<double> responsibilities_of(const study::ModeCount& count, const Cloud& cloud, std::uint64_t seed) {
    if (count.k == 1) return std::vector<double>(cloud.size(), 1.0);
    study::RandomStream random(study::row_priority(cloud.name(), 0, seed), 0);
    const std::vector<double> even(count.rounded.dimension, 1.0);
    std::vector<study::Labels> from{count.labels};
    for (std::size_t start = 0; start < starts; ++start)
        from.push_back(study::random_start(count.rounded, even, count.k, random));
    if (auto mixture = study::fit(count.rounded, count.k, study::step_von_mises_fisher, from,
                                  study::fewest_rows_of_a_mode(cloud.size())))
        return std::move(mixture->responsibilities);
    std::vector<double> counted(cloud.size() * count.k, 0.0);
    for (std::size_t i = 0; i < cloud.size(); ++i) counted[i * count.k + count.labels[i]] = 1;
    return counted;
}

struct Measured {
    double mean_cosine = NAN;
    geometry::Debiased debiased;
};

// Of some rows; `sum` is theirs.
Measured measure(const Cloud& cloud, std::span<const std::size_t> rows, std::span<const double> sum) {
    if (rows.size() < 2) return {};
    const auto n = static_cast<double>(rows.size());
    const double squared_sum = geometry::dot(sum, sum);
    double squares = 0;
    for (const std::size_t i : rows) {
        const double off = geometry::dot(cloud.row(i), sum) - squared_sum / n;
        squares += off * off;
    }
    return {(squared_sum - n) / (n * (n - 1)),
            geometry::debiased_rows(squared_sum, squares / (n - 1), n, static_cast<double>(cloud.dimension()))};
}

std::vector<double> sum_of(const Cloud& cloud, std::span<const std::size_t> rows) {
    std::vector<double> sum(cloud.dimension(), 0.0);
    for (const std::size_t i : rows) geometry::add(sum, cloud.row(i));
    return sum;
}

void sort_by_typicality(const Cloud& cloud, std::span<const double> sum, std::vector<std::size_t>& rows) {
    std::vector<std::pair<double, std::size_t>> keyed;
    for (const std::size_t i : rows) keyed.emplace_back(-geometry::dot(cloud.row(i), sum), i);
    std::ranges::sort(keyed);
    std::ranges::transform(keyed, rows.begin(), &std::pair<double, std::size_t>::second);
}

Mode mode_of(const Cloud& cloud, std::vector<std::size_t> rows, double share) {
    const std::vector<double> sum = sum_of(cloud, rows);
    const Measured measured = measure(cloud, rows, sum);
    sort_by_typicality(cloud, sum, rows);
    return {share, std::move(rows), measured.mean_cosine, std::exp(measured.debiased.log_v),
            std::sqrt(measured.debiased.variance_of_log_v)};
}

double between_share(const Modes& found) {
    double within = 0, shares = 0;
    for (const Mode& mode : found.modes) {
        if (!std::isfinite(mode.mean_cosine)) continue;
        within += mode.share * (1 - mode.mean_cosine);
        shares += mode.share;
    }
    return std::clamp(1 - within / shares / (1 - found.mean_cosine), 0.0, 1.0);
}

// Modes in the order of their shares, and the responsibilities with them.
void add_modes(Modes& found, const Cloud& cloud, const std::vector<double>& responsibilities, std::size_t k) {
    std::vector<double> shares(k, 0.0);
    std::vector<std::size_t> order(k);
    for (std::size_t j = 0; j < k; ++j) order[j] = j;
    for (std::size_t i = 0; i < responsibilities.size(); ++i)
        shares[i % k] += responsibilities[i] / static_cast<double>(cloud.size());
    std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t j) { return shares[j]; });
    std::vector<std::vector<std::size_t>> rows(k);
    for (std::size_t i = 0; i < cloud.size(); ++i) {
        const auto responsibility = [&](std::size_t place) { return responsibilities[i * k + order[place]]; };
        std::size_t most = 0;
        for (std::size_t place = 0; place < k; ++place) {
            found.responsibilities.push_back(responsibility(place));
            if (responsibility(place) > responsibility(most)) most = place;
        }
        rows[most].push_back(i);
    }
    for (std::size_t place = 0; place < k; ++place)
        found.modes.push_back(mode_of(cloud, std::move(rows[place]), shares[order[place]]));
}

Modes modes_of(const Cloud& cloud, const ModesOptions& options, const base::Monitor& monitor) {
    if (cloud.size() < fewest_rows_for_modes) throw InputError(cloud.label() + " " + too_few_rows(cloud.size()));
    const study::ModeCount count = study::count_modes(cloud, options, [&] { monitor.check(); });
    Modes found;
    found.n = cloud.size();
    found.d = cloud.dimension();
    found.p = count.p;
    found.random_clouds = count.random_clouds;
    std::vector<std::size_t> all(cloud.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    const Measured measured = measure(cloud, all, cloud.sum());
    found.mean_cosine = measured.mean_cosine;
    found.v = std::exp(measured.debiased.log_v);
    add_modes(found, cloud, responsibilities_of(count, cloud, options.seed), count.k);
    if (count.k > 1) {
        found.between = between_share(found);
        found.spread = found.between >= much_between ? Spread::several_modes : Spread::broad_modes;
    }
    return found;
}

// work(i) for all of `count` pieces on the threads of `execution`.
void run(std::size_t count, const Execution& execution,
         const std::function<void(std::size_t, const base::Monitor&)>& work) {
    base::Monitor monitor(static_cast<double>(count), execution.progress, execution.stop);
    base::Workers workers(static_cast<unsigned>(std::min<std::size_t>(engine::thread_count(execution), count)));
    workers.run(count, [&](std::size_t i, std::size_t) {
        monitor.check();
        work(i, monitor);
        monitor.advance(1);
    });
}

}  // namespace

Modes modes(const Cloud& cloud, const ModesOptions& options) {
    return std::move(modes(std::span(&cloud, 1), options).front());
}

std::vector<Modes> modes(std::span<const Cloud> clouds, const ModesOptions& options) {
    check(options);
    std::vector<Modes> found(clouds.size());
    run(clouds.size(), options.execution,
        [&](std::size_t i, const base::Monitor& monitor) { found[i] = modes_of(clouds[i], options, monitor); });
    return found;
}

std::vector<WordModes> modes(const Store& store, std::span<const std::size_t> words, const ModesOptions& options) {
    check(options);
    std::vector<WordModes> found(words.size());
    run(words.size(), options.execution, [&](std::size_t i, const base::Monitor& monitor) {
        const StoredWord& word = store.words()[words[i]];
        found[i].word = word.word;
        if (word.rows < fewest_rows_for_modes) {
            found[i].reason = too_few_rows(word.rows);
            return;
        }
        study::CutCloud cut = study::cut_cloud({&store, words[i], word.rows}, options.seed);
        found[i].reason = std::move(cut.reason);
        if (cut.cloud) found[i].modes = modes_of(*cut.cloud, options, monitor);
    });
    return found;
}

}  // namespace wordbreadth
