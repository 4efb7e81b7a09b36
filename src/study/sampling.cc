#include "study/sampling.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <numeric>
#include <utility>

#include "base/workers.h"
#include "engine/backend.h"
#include "permutation/philox.h"
#include "wordbreadth/error.h"

namespace wordbreadth::study {
namespace {

std::uint64_t fnv1a(std::string_view bytes) {
    std::uint64_t hash = 0xCBF29CE484222325;
    for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001B3;
    return hash;
}

std::uint32_t low(std::uint64_t value) {
    return static_cast<std::uint32_t>(value);
}
std::uint32_t high(std::uint64_t value) {
    return static_cast<std::uint32_t>(value >> 32);
}

std::uint64_t priority(std::uint64_t word_hash, std::uint64_t row, std::uint64_t seed) {
    const auto words =
        permutation::philox({low(row), high(row), low(word_hash), high(word_hash)}, {low(seed), high(seed)});
    return words[0] | std::uint64_t{words[1]} << 32;
}

// Throws InputError when the store is damaged; what makes rows no cloud is a reason.
CutCloud cut_rows(const Store& store, std::size_t index, std::span<const std::size_t> rows, bool blocks) {
    const std::span<const float> all = store.rows(index);
    const std::vector<std::uint64_t> documents = blocks ? store.documents(index) : std::vector<std::uint64_t>();
    const auto values = std::make_shared_for_overwrite<float[]>(rows.size() * store.dimension());
    std::vector<std::uint64_t> of_rows;
    float* to = values.get();
    for (const std::size_t row : rows) {
        to = std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(row * store.dimension()), store.dimension(), to);
        if (!documents.empty()) of_rows.push_back(documents[row]);
    }
    try {
        const Rows cut{values.get(), Element::f32, rows.size(), store.dimension(), false, of_rows};
        return {Cloud(store.word(index).word, cut, values, store.folder()), {}};
    } catch (const InputError& error) {
        return {{}, error.what()};
    }
}

}  // namespace

std::uint64_t row_priority(std::string_view word, std::uint64_t row, std::uint64_t seed) {
    return priority(fnv1a(word), row, seed);
}

std::vector<std::size_t> sample_rows(std::string_view word, std::size_t rows, std::size_t n, std::uint64_t seed) {
    const std::uint64_t hash = fnv1a(word);
    std::vector<std::pair<std::uint64_t, std::size_t>> order(rows);
    for (std::size_t row = 0; row < rows; ++row) order[row] = {priority(hash, row, seed), row};
    const auto end = order.begin() + static_cast<std::ptrdiff_t>(std::min(n, rows));
    if (end != order.end()) std::nth_element(order.begin(), end, order.end());
    std::vector<std::size_t> kept;
    for (auto entry = order.begin(); entry != end; ++entry) kept.push_back(entry->second);
    std::ranges::sort(kept);
    return kept;
}

CutCloud cut_cloud(const WantedCloud& wanted, std::uint64_t seed) {
    const Store& store = *wanted.store;
    const StoredWord word = store.word(wanted.index);
    if (word.rows < std::max(wanted.rows, fewest_rows))
        return {{}, "has " + std::to_string(word.rows) + (word.rows == 1 ? " row" : " rows")};
    return cut_rows(store, wanted.index, sample_rows(word.word, word.rows, wanted.rows, seed), wanted.blocks);
}

std::vector<CutCloud> cut_clouds(std::span<const WantedCloud> wanted, std::uint64_t seed, const Execution& execution) {
    const Timing::Stage reading(execution.timing, "reading clouds");
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

void require_size(std::size_t asked, std::size_t fewest, const std::string& needed_for) {
    if (asked > 0 && asked < fewest)
        throw InputError("a common size of " + std::to_string(asked) + " is too small for " + needed_for +
                         "; expected at least " + std::to_string(fewest));
}

void require_level(const std::string& option, double alpha) {
    if (!(alpha > 0 && alpha < 1))
        throw InputError(option + " = " + std::to_string(alpha) + "; expected a number between 0 and 1, such as 0.05");
}

void require_any(const std::string& option, std::size_t count) {
    if (count == 0) throw InputError(option + " = 0; expected at least 1");
}

void require_gaps(const std::string& option, std::span<const std::size_t> gaps) {
    if (gaps.empty()) throw InputError(option + ": there are none; expected at least one");
    if (std::ranges::find(gaps, std::size_t{0}) != gaps.end())
        throw InputError(option + ": a gap of 0 is a word and itself; expected ranks from 1 on");
}

CommonSize common_size(const Store& store, std::span<const std::size_t> words, std::size_t asked, std::size_t fewest,
                       const std::string& needed_for) {
    require_size(asked, fewest, needed_for);
    if (asked > 0) return {asked, {}};
    const StoredWord* smallest = nullptr;
    for (const std::size_t index : words) {
        const StoredWord& word = store.words()[index];
        if (word.rows >= fewest && (smallest == nullptr || word.rows < smallest->rows)) smallest = &word;
    }
    if (smallest == nullptr)
        throw InputError(store.folder() + ": no word has the " + std::to_string(fewest) + " rows that " + needed_for +
                         " needs; extract more rows per word");
    return {smallest->rows, smallest->word};
}

CommonSize common_size(const Store& store, std::size_t asked, std::size_t fewest, const std::string& needed_for) {
    std::vector<std::size_t> all(store.words().size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return common_size(store, all, asked, fewest, needed_for);
}

std::string advice_for_fewer_rows(const Store& store, std::span<const std::size_t> words, std::size_t rows) {
    const bool helps = std::ranges::any_of(words, [&](std::size_t index) {
        return store.words()[index].rows >= fewest_rows && store.words()[index].rows < rows;
    });
    return helps ? "; ask for a smaller common size" : "";
}

bool has_one_document(const Cloud& cloud) {
    return !cloud.blocks().empty() &&
           std::ranges::all_of(cloud.blocks(), [](std::uint32_t block) { return block == 0; });
}

std::size_t clouds_of_a_batch(std::size_t rows, std::size_t dimension) {
    constexpr std::size_t bytes = 256 * 1024 * 1024;
    return std::max<std::size_t>(2, bytes / (std::max<std::size_t>(rows * dimension, 1) * sizeof(double)));
}

RowSplit split_rows(std::string_view word, std::size_t rows, std::size_t first, std::size_t second,
                    std::uint64_t seed) {
    RowSplit split{sample_rows(word, rows, first, seed), {}};
    std::ranges::set_difference(sample_rows(word, rows, first + second, seed), split.first,
                                std::back_inserter(split.second));
    return split;
}

std::optional<Cloud> cloud_of(const Store& store, std::size_t index, std::span<const std::size_t> rows, bool blocks) {
    return cut_rows(store, index, rows, blocks).cloud;
}

std::vector<std::optional<Cloud>> make_clouds(std::size_t count,
                                              const std::function<std::optional<Cloud>(std::size_t)>& make,
                                              const Execution& execution) {
    const Timing::Stage reading(execution.timing, "reading clouds");
    std::vector<std::optional<Cloud>> clouds(count);
    const base::Monitor monitor(1, {}, execution.stop);
    base::Workers workers(static_cast<unsigned>(std::clamp<std::size_t>(count, 1, engine::thread_count(execution))));
    workers.run(count, [&](std::size_t index, std::size_t) {
        monitor.check();
        clouds[index] = make(index);
    });
    return clouds;
}

}  // namespace wordbreadth::study
