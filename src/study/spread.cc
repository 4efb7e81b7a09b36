#include "study/spread.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "geometry/vector_math.h"
#include "study/sample.h"
#include "wordbreadth/error.h"

namespace wordbreadth {

std::vector<std::size_t> spread_rows(const Cloud& cloud, std::size_t count, std::size_t first) {
    std::vector<double> nearest(cloud.size(), -HUGE_VAL);  // the cosine to the closest row chosen so far
    std::vector<std::size_t> chosen;
    for (std::size_t next = first; chosen.size() < std::min(count, cloud.size());) {
        chosen.push_back(next);
        for (std::size_t i = 0; i < cloud.size(); ++i)
            nearest[i] = std::max(nearest[i], geometry::dot(cloud.row(i), cloud.row(next)));
        for (const std::size_t done : chosen) nearest[done] = HUGE_VAL;
        next = static_cast<std::size_t>(std::ranges::min_element(nearest) - nearest.begin());
    }
    return chosen;
}

std::vector<Usage> spread_usages(const store::CloudStore& store, const std::string& word, std::size_t count,
                                 std::uint64_t seed) {
    std::vector<Usage> all = usages(store, word);
    const std::span<const float> rows = store.rows(store.find(word));
    std::vector<Usage> spread;
    try {
        const Cloud cloud(word, {rows.begin(), rows.end()}, store.dimension(), store.folder());
        const std::size_t first = sample_rows(word, all.size(), 1, seed).front();
        for (const std::size_t row : spread_rows(cloud, count, first)) spread.push_back(std::move(all[row]));
        return spread;
    } catch (const InputError&) {
        return sampled(std::move(all), word, count, seed);
    }
}

}  // namespace wordbreadth
