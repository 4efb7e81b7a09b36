#include "study/cut_clouds.h"

#include <algorithm>
#include <utility>

#include "base/workers.h"
#include "engine/backend.h"
#include "study/sample.h"
#include "wordbreadth/error.h"

namespace wordbreadth {
namespace {

std::vector<double> sampled_values(const WantedCloud& wanted, std::uint64_t seed) {
    const store::CloudStore& store = *wanted.store;
    const store::StoredWord& word = store.words()[wanted.index];
    const std::span<const float> rows = store.rows(wanted.index);
    std::vector<double> values;
    values.reserve(wanted.rows * store.dimension());
    for (const std::size_t row : sample_rows(word.word, word.rows, wanted.rows, seed)) {
        const auto from = rows.subspan(row * store.dimension(), store.dimension());
        values.insert(values.end(), from.begin(), from.end());
    }
    return values;
}

}  // namespace

CutCloud cut_cloud(const WantedCloud& wanted, std::uint64_t seed) {
    const store::CloudStore& store = *wanted.store;
    const store::StoredWord& word = store.words()[wanted.index];
    if (word.rows < std::max(wanted.rows, fewest_rows))
        return {{}, "has " + std::to_string(word.rows) + (word.rows == 1 ? " row" : " rows")};
    std::vector<double> values = sampled_values(wanted, seed);
    try {
        return {Cloud(word.word, std::move(values), store.dimension(), store.folder()), {}};
    } catch (const InputError& error) {
        return {{}, error.what()};
    }
}

std::vector<CutCloud> cut_clouds(std::span<const WantedCloud> wanted, std::uint64_t seed, const Execution& execution) {
    std::vector<CutCloud> clouds(wanted.size());
    const base::Monitor monitor(1, {}, execution.stop);
    base::Workers workers(static_cast<unsigned>(
        std::clamp<std::size_t>(wanted.size(), 1, std::max<std::size_t>(engine::thread_count(execution), 1))));
    workers.run(wanted.size(), [&](std::size_t i, std::size_t) {
        monitor.check();
        clouds[i] = cut_cloud(wanted[i], seed);
    });
    return clouds;
}

std::string advice_for_fewer_rows(const store::CloudStore& store, std::span<const std::size_t> words,
                                  std::size_t rows) {
    const bool helps = std::ranges::any_of(words, [&](std::size_t index) {
        return store.words()[index].rows >= fewest_rows && store.words()[index].rows < rows;
    });
    return helps ? "; ask for a smaller common size" : "";
}

std::size_t clouds_of_a_batch(std::size_t rows, std::size_t dimension) {
    constexpr std::size_t bytes = 256 * 1024 * 1024;
    return std::max<std::size_t>(2, bytes / (std::max<std::size_t>(rows * dimension, 1) * sizeof(double)));
}

}  // namespace wordbreadth
