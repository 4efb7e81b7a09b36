#include "study/halves.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "geometry/unit_rows.h"
#include "geometry/vector_math.h"
#include "study/sampling.h"
#include "wordbreadth/error.h"

namespace wordbreadth::study {
namespace {

std::vector<std::size_t> usable_words(const Store& store, const HalvesOptions& options) {
    std::vector<std::size_t> usable;
    const std::size_t needed = options.first + options.second;
    for (std::size_t i = 0; i < store.words().size(); ++i)
        if (store.words()[i].rows >= needed) usable.push_back(i);
    if (usable.size() < 2)
        throw InputError(store.folder() + ": " + std::to_string(usable.size()) + " words have the " +
                         std::to_string(needed) + " rows to be halved; expected at least 2 words: take fewer rows");
    return usable;
}

// Which word is halved and which one tells the direction, for one pair.
struct Plan {
    std::size_t word = 0;
    std::size_t other = 0;
    std::uint64_t seed = 0;
};

std::vector<Plan> plans(const Store& store, const HalvesOptions& options) {
    const std::vector<std::size_t> words = usable_words(store, options);
    std::vector<Plan> made;
    for (std::size_t round = 0; made.size() < options.count; ++round) {
        const std::uint64_t seed = seed_of_round(options.seed, round);
        const std::vector<std::size_t> order = words_of_round(words, store, seed);
        for (std::size_t k = 0; k < order.size() && made.size() < options.count; ++k)
            made.push_back({order[k], order[(k + 1) % order.size()], seed});
    }
    return made;
}

std::optional<Cloud> part(const Store& store, const HalvesOptions& options, const Plan& plan, bool second) {
    const auto split_of = [&](std::size_t index) {
        const StoredWord& word = store.words()[index];
        const std::size_t first = options.own ? word.rows / 2 : options.first;
        return split_rows(word.word, word.rows, first, options.own ? word.rows - first : options.second, plan.seed);
    };
    const RowSplit split = split_of(plan.word);
    std::optional<Cloud> cloud = cloud_of(store, plan.word, second ? split.second : split.first);
    if (!cloud || !second || !options.turned) return cloud;
    const std::optional<Cloud> other = cloud_of(store, plan.other, split_of(plan.other).second);
    if (!other) return std::nullopt;
    return turned(*cloud, *other);
}

}  // namespace

std::uint64_t seed_of_round(std::uint64_t seed, std::size_t round) {
    return row_priority("halves", round, seed);
}

std::vector<std::size_t> words_of_round(std::vector<std::size_t> words, const Store& store, std::uint64_t seed) {
    const auto priority = [&](std::size_t word) { return row_priority(store.words()[word].word, ~0ULL, seed); };
    std::ranges::sort(words, {}, priority);
    return words;
}

Cloud turned(const Cloud& cloud, const Cloud& other) {
    const std::vector<double> u = geometry::mirror(cloud, other, Alignment::householder);
    if (u.empty()) return cloud;
    std::vector<double> values(cloud.unit_rows().begin(), cloud.unit_rows().end());
    for (std::size_t i = 0; i < cloud.size(); ++i) {
        const std::span<double> row = std::span(values).subspan(i * cloud.dimension(), cloud.dimension());
        geometry::add_scaled(row, -2 * geometry::dot(row, u), u);
    }
    Cloud made(cloud.name(), std::move(values), cloud.dimension(), cloud.origin());
    if (!cloud.blocks().empty())
        made.set_blocks(std::vector<std::uint64_t>(cloud.blocks().begin(), cloud.blocks().end()));
    return made;
}

Halves halves(const Store& store, const HalvesOptions& options, std::size_t begin, std::size_t end) {
    const std::vector<Plan> all = plans(store, options);
    end = std::min(end, all.size());
    auto parts = make_clouds(
        2 * (end - begin), [&](std::size_t k) { return part(store, options, all[begin + k / 2], k % 2 == 1); },
        options.execution);
    Halves result;
    for (std::size_t k = 0; k < parts.size(); k += 2) {
        if (!parts[k] || !parts[k + 1]) continue;
        result.tests.push_back({result.clouds.size(), result.clouds.size() + 1});
        result.words.push_back(all[begin + k / 2].word);
        result.clouds.push_back(std::move(*parts[k]));
        result.clouds.push_back(std::move(*parts[k + 1]));
    }
    return result;
}

}  // namespace wordbreadth::study
