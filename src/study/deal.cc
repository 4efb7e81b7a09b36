#include "study/deal.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/monitor.h"
#include "base/workers.h"
#include "engine/backend.h"
#include "study/sample.h"
#include "wordbreadth/error.h"

namespace wordbreadth {

Deal deal_rows(std::string_view word, std::size_t rows, std::size_t first, std::size_t second, std::uint64_t seed) {
    Deal deal{sample_rows(word, rows, first, seed), {}};
    std::ranges::set_difference(sample_rows(word, rows, first + second, seed), deal.first,
                                std::back_inserter(deal.second));
    return deal;
}

std::optional<Cloud> cloud_of(const store::CloudStore& store, std::size_t index, std::span<const std::size_t> rows) {
    const std::span<const float> all = store.rows(index);
    std::vector<double> values;
    values.reserve(rows.size() * store.dimension());
    for (const std::size_t row : rows) {
        const auto from = all.subspan(row * store.dimension(), store.dimension());
        values.insert(values.end(), from.begin(), from.end());
    }
    try {
        return Cloud(store.words()[index].word, std::move(values), store.dimension(), store.folder());
    } catch (const InputError&) {
        return std::nullopt;
    }
}

std::vector<std::optional<Cloud>> make_clouds(std::size_t count,
                                              const std::function<std::optional<Cloud>(std::size_t)>& make,
                                              const Execution& execution) {
    std::vector<std::optional<Cloud>> clouds(count);
    const base::Monitor monitor(1, {}, execution.stop);
    base::Workers workers(static_cast<unsigned>(std::clamp<std::size_t>(count, 1, engine::thread_count(execution))));
    workers.run(count, [&](std::size_t index, std::size_t) {
        monitor.check();
        clouds[index] = make(index);
    });
    return clouds;
}

}  // namespace wordbreadth
