#include "study/parts.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include "base/workers.h"
#include "engine/backend.h"
#include "geometry/concentration.h"
#include "geometry/vector_math.h"
#include "study/halves.h"
#include "study/many_tests.h"
#include "wordbreadth/error.h"

namespace wordbreadth::study {
namespace {

// Rows and documents of a word have priorities of their own.
constexpr std::uint64_t document_bit = std::uint64_t{1} << 63;

// The mean cosine of pairs of different rows, of different blocks where the cloud has any.
double mean_cosine(const Cloud& cloud) {
    const geometry::Summary summary = geometry::summarise(cloud, true);
    const auto n = static_cast<double>(cloud.size());
    double lengths = n, squares = n;
    if (summary.sums) {
        lengths = squares = 0;
        for (std::size_t k = 0; k < summary.sums->size(); ++k) {
            lengths += summary.sums->squares[k];
            squares += summary.sums->counts[k] * summary.sums->counts[k];
        }
    }
    return (geometry::dot(cloud.sum(), cloud.sum()) - lengths) / (n * n - squares);
}

// Rows of words, collected into a cloud.
class Collected {
  public:
    explicit Collected(const Store& store) : store_(&store) {}

    void add(std::size_t word, std::span<const std::size_t> rows, std::span<const std::uint64_t> documents) {
        const std::span<const float> all = store_->rows(word);
        for (const std::size_t row : rows) {
            const auto from = all.subspan(row * store_->dimension(), store_->dimension());
            values_.insert(values_.end(), from.begin(), from.end());
            if (!documents.empty()) labels_.push_back(documents[row]);
        }
    }

    // Nothing when the rows have no breadth.
    [[nodiscard]] std::optional<Cloud> cloud(const std::string& name) && {
        try {
            Cloud made(name, std::move(values_), store_->dimension(), store_->folder());
            if (!labels_.empty()) made.set_blocks(labels_);
            return made;
        } catch (const InputError&) {
            return std::nullopt;
        }
    }

  private:
    const Store* store_;
    std::vector<double> values_;
    std::vector<std::uint64_t> labels_;
};

// All 0 .. count - 1 that are not among `some`, which ascend.
std::vector<std::size_t> without(std::size_t count, std::span<const std::size_t> some) {
    std::vector<std::size_t> rest;
    for (std::size_t i = 0; i < count; ++i)
        if (!std::ranges::binary_search(some, i)) rest.push_back(i);
    return rest;
}

}  // namespace

std::optional<RowSplit> deal_documents(const std::string& word, std::span<const std::size_t> rows,
                                       std::span<const std::uint64_t> documents, double share, std::uint64_t seed) {
    std::map<std::uint64_t, std::vector<std::size_t>> by_document;
    for (const std::size_t row : rows) by_document[documents[row]].push_back(row);
    std::vector<std::uint64_t> order;
    for (const auto& [document, its_rows] : by_document) order.push_back(document);
    const auto priority = [&](std::uint64_t document) { return row_priority(word, document | document_bit, seed); };
    std::ranges::stable_sort(order, {}, priority);
    RowSplit split;
    std::size_t in_first = 0;  // documents
    for (const std::uint64_t document : order) {
        const bool first = static_cast<double>(split.first.size()) < share * static_cast<double>(rows.size());
        in_first += first ? 1 : 0;
        std::ranges::copy(by_document[document], std::back_inserter(first ? split.first : split.second));
    }
    const std::size_t in_second = order.size() - in_first;
    if (in_first < 2 || in_second < 2 || order.size() < 5) return std::nullopt;
    std::ranges::sort(split.first);
    std::ranges::sort(split.second);
    return split;
}

PartedWords::PartedWords(const Store& store, std::size_t fewest, bool mixing, const Execution& execution)
    : store_(&store), known_(store.words().size()) {
    for (std::size_t i = 0; i < store.words().size(); ++i)
        if (store.words()[i].rows >= fewest) words_.push_back(i);
    const Timing::Stage reading(execution.timing, "reading clouds");
    const base::Monitor monitor(1, {}, execution.stop);
    base::Workers workers(
        static_cast<unsigned>(std::clamp<std::size_t>(words_.size(), 1, engine::thread_count(execution))));
    workers.run(words_.size(), [&](std::size_t i, std::size_t) {
        monitor.check();
        Known& known = known_[words_[i]];
        known.documents = store.documents(words_[i]);
        if (!mixing) return;
        try {
            const Cloud cloud = store.cloud(words_[i]);
            known.cosine = mean_cosine(cloud);
            known.mean.assign(cloud.sum().begin(), cloud.sum().end());
            for (double& value : known.mean) value /= static_cast<double>(cloud.size());
        } catch (const InputError&) {
            known.cosine = NAN;  // no breadth
        }
    });
    if (mixing) std::erase_if(words_, [&](std::size_t word) { return !(known_[word].cosine > 0); });
    if (words_.size() < 2)
        throw InputError(store.folder() + ": " + std::to_string(words_.size()) + " words have the " +
                         std::to_string(fewest) +
                         " rows to be divided, and a breadth; expected at least 2 words: take fewer rows");
}

std::optional<RowSplit> PartedWords::divided(std::size_t word, const PartsOptions& options, std::uint64_t seed) const {
    const StoredWord& stored = store_->words()[word];
    if (options.documents)
        return deal_documents(stored.word, sample_rows(stored.word, stored.rows, options.rows, seed),
                              known_[word].documents, options.share, seed);
    const auto in_first = static_cast<std::size_t>(std::lround(options.share * static_cast<double>(options.rows)));
    return split_rows(stored.word, stored.rows, in_first, options.rows - in_first, seed);
}

std::vector<PartedWord> PartedWords::plan(const PartsOptions& options) const {
    std::vector<PartedWord> made;
    for (std::size_t round = 0, before = 1; made.size() < options.count && before > 0; ++round) {
        const std::size_t so_far = made.size();
        const std::uint64_t seed = seed_of_round(options.seed, round);
        const std::vector<std::size_t> order = words_of_round(words_, *store_, seed);
        const auto word_at = [&](std::size_t k) { return order[k % order.size()]; };
        for (std::size_t k = 0; k < order.size() && made.size() < options.count; ++k) {
            PartedWord plan{word_at(k), word_at(k + 1), word_at(k + 2), seed, {}};
            if (options.mixed > 0 && known_[plan.word].cosine < known_[plan.other].cosine)
                std::swap(plan.word, plan.other);
            std::optional<RowSplit> rows = divided(plan.word, options, seed);
            if (!rows) continue;
            plan.rows = std::move(*rows);
            made.push_back(std::move(plan));
        }
        before = made.size() - so_far;  // a round that makes no pair is the last
    }
    return made;
}

std::size_t PartedWords::replaced(const PartedWord& plan, const PartsOptions& options) const {
    if (options.mixed == 0) return 0;
    const auto wanted =
        static_cast<std::size_t>(std::lround(options.mixed * static_cast<double>(plan.rows.first.size())));
    return std::min<std::size_t>(std::max<std::size_t>(wanted, 1), store_->words()[plan.other].rows);
}

std::optional<Cloud> PartedWords::first(const PartedWord& plan, const PartsOptions& options) const {
    const StoredWord &word = store_->words()[plan.word], &other = store_->words()[plan.other];
    const std::size_t count = replaced(plan, options);
    Collected rows(*store_);
    std::vector<std::size_t> kept;
    for (const std::size_t i :
         without(plan.rows.first.size(),
                 count == 0 ? std::vector<std::size_t>()
                            : sample_rows("replaced: " + word.word, plan.rows.first.size(), count, plan.seed)))
        kept.push_back(plan.rows.first[i]);
    rows.add(plan.word, kept, known_[plan.word].documents);
    if (count > 0)
        rows.add(plan.other, sample_rows(other.word, other.rows, count, plan.seed), known_[plan.other].documents);
    return std::move(rows).cloud(word.word);
}

std::optional<Cloud> PartedWords::second(const PartedWord& plan) const {
    const StoredWord &word = store_->words()[plan.word], &third = store_->words()[plan.third];
    Collected rows(*store_), directing(*store_);
    rows.add(plan.word, plan.rows.second, known_[plan.word].documents);
    directing.add(plan.third, sample_rows(third.word, third.rows, plan.rows.second.size(), plan.seed), {});
    const std::optional<Cloud> cloud = std::move(rows).cloud(word.word);
    const std::optional<Cloud> direction = std::move(directing).cloud(third.word);
    if (!cloud || !direction) return std::nullopt;
    return turned(*cloud, *direction);
}

double PartedWords::ratio(const PartedWord& plan, const PartsOptions& options) const {
    const Known &word = known_[plan.word], &other = known_[plan.other];
    const auto n = static_cast<double>(plan.rows.first.size()), d = static_cast<double>(store_->dimension());
    const auto q = static_cast<double>(replaced(plan, options));
    const double cosine = ((n - q) * (n - q - 1) * word.cosine + q * (q - 1) * other.cosine +
                           2 * q * (n - q) * geometry::dot(word.mean, other.mean)) /
                          (n * (n - 1));
    return std::exp(geometry::log_v(std::sqrt(cosine), d) - geometry::log_v(std::sqrt(word.cosine), d));
}

PartedPairs PartedWords::make(const PartsOptions& options, std::span<const PartedWord> planned,
                              const Execution& execution) const {
    auto parts = make_clouds(
        2 * planned.size(),
        [&](std::size_t k) { return k % 2 == 0 ? first(planned[k / 2], options) : second(planned[k / 2]); }, execution);
    PartedPairs pairs;
    for (std::size_t k = 0; k < parts.size(); k += 2) {
        if (!parts[k] || !parts[k + 1]) continue;
        pairs.tests.push_back({pairs.clouds.size(), pairs.clouds.size() + 1});
        pairs.clouds.push_back(std::move(*parts[k]));
        pairs.clouds.push_back(std::move(*parts[k + 1]));
        if (options.mixed > 0) pairs.ratios.push_back(ratio(planned[k / 2], options));
    }
    return pairs;
}

double PartedWords::median_cosine() const {
    std::vector<double> cosines;
    for (const std::size_t word : words_) cosines.push_back(known_[word].cosine);
    return median(std::move(cosines));
}

}  // namespace wordbreadth::study
