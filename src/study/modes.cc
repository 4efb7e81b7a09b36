#include "wordbreadth/modes.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "base/workers.h"
#include "engine/backend.h"
#include "geometry/concentration.h"
#include "geometry/vector_math.h"
#include "study/many_tests.h"
#include "study/mixture.h"
#include "study/mode_count.h"
#include "study/sampling.h"
#include "wordbreadth/breadth.h"
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
                                  {study::fewest_rows_of_a_mode(cloud.size()), study::documents_of(cloud)}))
        return std::move(mixture->responsibilities);
    std::vector<double> counted(cloud.size() * count.k, 0.0);
    for (std::size_t i = 0; i < cloud.size(); ++i) counted[i * count.k + count.labels[i]] = 1;
    return counted;
}

std::vector<double> sum_of(const Cloud& cloud, std::span<const std::size_t> rows) {
    std::vector<double> sum(cloud.dimension(), 0.0);
    for (const std::size_t i : rows) geometry::add(sum, cloud.row(i));
    return sum;
}

struct Measured {
    std::size_t documents = 0;
    double largest_document = 0;
    double mean_cosine = NAN;
    geometry::Debiased debiased;
};

// Of some rows; `sum` is theirs. Pairs of rows from different documents, or any where these are not known.
Measured measure(const Cloud& cloud, std::span<const std::size_t> rows, std::span<const double> sum) {
    std::map<std::size_t, std::vector<std::size_t>> parts, documents;
    const auto known = study::documents_of(cloud);
    for (const std::size_t i : rows) {
        parts[known.empty() ? i : known[i]].push_back(i);
        if (!cloud.blocks().empty()) documents[cloud.blocks()[i]].push_back(i);
    }
    Measured found;
    found.documents = documents.size();
    for (const auto& [number, of_document] : documents)
        found.largest_document = std::max(found.largest_document,
                                          static_cast<double>(of_document.size()) / static_cast<double>(rows.size()));
    geometry::BlockMoments moments;
    moments.squared_sum = geometry::dot(sum, sum);
    std::vector<std::pair<double, double>> products;  // D . S and |D|^2
    for (const auto& [number, part] : parts) {
        const std::vector<double> of_part = sum_of(cloud, part);
        products.emplace_back(geometry::dot(of_part, sum), geometry::dot(of_part, of_part));
        moments.add(static_cast<double>(part.size()), products.back().second);
    }
    if (!(moments.pairs() > 0)) return found;
    auto each = products.begin();
    for (const auto& [number, part] : parts) {
        moments.add_influence(each->first, static_cast<double>(part.size()), each->second);
        ++each;
    }
    found.mean_cosine = moments.R();
    found.debiased = moments.debiased(static_cast<double>(cloud.dimension()));
    return found;
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
    return {share,
            std::move(rows),
            measured.documents,
            measured.largest_document,
            measured.mean_cosine,
            std::exp(measured.debiased.log_v),
            std::sqrt(measured.debiased.variance_of_log_v)};
}

// The mean R of the modes, weighted by their shares.
double cosine_within(const Modes& found) {
    double within = 0, shares = 0;
    for (const Mode& mode : found.modes) {
        if (!std::isfinite(mode.mean_cosine)) continue;
        within += mode.share * mode.mean_cosine;
        shares += mode.share;
    }
    return within / shares;
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
    found.documents = measured.documents;
    found.mean_cosine = measured.mean_cosine;
    found.v = found.within = std::exp(measured.debiased.log_v);
    add_modes(found, cloud, responsibilities_of(count, cloud, options.seed), count.k);
    if (count.k > 1) {
        const double within = cosine_within(found);
        found.within = std::exp(geometry::debiased(within, 0, static_cast<double>(found.d)).log_v);
        found.between = std::clamp(1 - (1 - within) / (1 - found.mean_cosine), 0.0, 1.0);
        found.spread = found.between >= much_between ? Spread::several_modes : Spread::broad_modes;
    }
    return found;
}

// These rows with one from each document before any gives a second.
std::vector<std::size_t> by_turns(std::span<const std::size_t> rows, std::span<const std::uint64_t> documents) {
    std::map<std::uint64_t, std::size_t> taken;
    std::vector<std::pair<std::size_t, std::size_t>> order;  // how many of its document come before it, the row
    for (const std::size_t row : rows) order.emplace_back(documents.empty() ? 0 : taken[documents[row]]++, row);
    std::ranges::stable_sort(order, {}, &std::pair<std::size_t, std::size_t>::first);
    std::vector<std::size_t> sorted;
    for (const auto& [turn, row] : order) sorted.push_back(row);
    return sorted;
}

// The first of these lines; a sentence that was there before comes after all others.
std::vector<ConcordanceLine> different_lines(std::vector<ConcordanceLine> lines, std::size_t count) {
    std::set<std::string> seen;
    std::vector<ConcordanceLine> first, again;
    for (ConcordanceLine& line : lines)
        (seen.insert(line.occurrence.text).second ? first : again).push_back(std::move(line));
    std::ranges::move(again, std::back_inserter(first));
    first.erase(first.begin() + static_cast<std::ptrdiff_t>(std::min(count, first.size())), first.end());
    return first;
}

std::vector<std::vector<ConcordanceLine>> typical_lines(const Store& store, std::size_t index, const Modes& found,
                                                        std::size_t count) {
    const std::vector<std::uint64_t> documents = store.documents(index);
    std::vector<std::vector<ConcordanceLine>> lines;
    for (const Mode& mode : found.modes)
        lines.push_back(
            different_lines(concordance_of_rows(store, store.word(index).word, by_turns(mode.rows, documents)), count));
    return lines;
}

// work(i) for all of `count` pieces on the threads of `execution`, a stage of that name.
void run(std::string_view name, std::size_t count, const Execution& execution,
         const std::function<void(std::size_t, const base::Monitor&)>& work) {
    const Timing::Stage stage(execution.timing, name);
    base::Monitor monitor(static_cast<double>(count), execution.progress, execution.stop);
    base::Workers workers(static_cast<unsigned>(std::clamp<std::size_t>(count, 1, engine::thread_count(execution))));
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
    run("modes", clouds.size(), options.execution,
        [&](std::size_t i, const base::Monitor& monitor) { found[i] = modes_of(clouds[i], options, monitor); });
    return found;
}

std::vector<WordModes> modes(const Store& store, std::span<const std::size_t> words, const ModesOptions& options) {
    std::vector<study::WantedCloud> wanted;
    for (const std::size_t word : words) wanted.push_back({&store, word, store.word(word).rows});
    return study::modes_of(wanted, options);
}

std::vector<WordModes> study::modes_of(std::span<const WantedCloud> wanted, const ModesOptions& options) {
    check(options);
    std::vector<WordModes> found(wanted.size());
    run("modes", wanted.size(), options.execution, [&](std::size_t i, const base::Monitor& monitor) {
        found[i].word = wanted[i].store->word(wanted[i].index).word;
        if (wanted[i].rows < fewest_rows_for_modes) {
            found[i].reason = too_few_rows(wanted[i].rows);
            return;
        }
        CutCloud cut = cut_cloud(wanted[i], options.seed);
        found[i].reason = std::move(cut.reason);
        if (cut.cloud) found[i].modes = wordbreadth::modes_of(*cut.cloud, options, monitor);
    });
    return found;
}

double typical_breadth(const Store& store, const Execution& execution) {
    constexpr std::size_t most = 300;
    const std::size_t count = std::min(most, store.size());
    std::vector<double> breadths(count);
    run("breadths and errors", count, execution, [&](std::size_t i, const base::Monitor&) {
        const std::size_t index = i * store.size() / count;
        const auto cloud = study::cut_cloud({&store, index, store.word(index).rows}, 0).cloud;
        breadths[i] = cloud ? breadth(*cloud).breadth : NAN;
    });
    std::erase_if(breadths, [](double value) { return !std::isfinite(value); });
    return breadths.empty() ? NAN : study::median(std::move(breadths));
}

Explanation explain(const Store& store, std::span<const std::size_t> words, std::size_t lines,
                    const ModesOptions& options) {
    constexpr double share_of_modes = 0.9;
    ModesOptions of_modes = options;
    of_modes.execution = study::stage(options.execution, 0, share_of_modes);
    Explanation explanation{store.folder(), NAN, {}, options};
    std::vector<WordModes> found = modes(store, words, of_modes);
    explanation.typical = typical_breadth(store, study::stage(options.execution, share_of_modes, 1));
    const Timing::Stage reading(options.execution.timing, "concordances");
    for (std::size_t i = 0; i < words.size(); ++i) {
        const StoredWord& word = store.words()[words[i]];
        auto of_modes_of_word = found[i].modes ? typical_lines(store, words[i], *found[i].modes, lines)
                                               : std::vector<std::vector<ConcordanceLine>>();
        explanation.words.push_back({std::move(found[i]), word.frequency, word.rows, std::move(of_modes_of_word)});
    }
    return explanation;
}

}  // namespace wordbreadth
