#include "study/usages.h"

#include <cmath>
#include <span>
#include <utility>

#include "study/influence.h"
#include "study/sample.h"
#include "wordbreadth/cloud.h"
#include "wordbreadth/error.h"

namespace wordbreadth {
namespace {

// A cloud of one row, or of rows that are all alike, has usages to look at all the same.
std::vector<double> influences_or_none(const store::CloudStore& store, std::size_t index) {
    const std::span<const float> rows = store.rows(index);
    const store::StoredWord& word = store.words()[index];
    try {
        return influences(Cloud(word.word, {rows.begin(), rows.end()}, store.dimension(), store.folder()));
    } catch (const InputError&) {
        return std::vector<double>(word.rows, std::nan(""));
    }
}

}  // namespace

std::vector<Usage> usages(const store::CloudStore& store, const std::string& word) {
    const std::size_t index = store.find(word);
    const std::vector<double> influences = influences_or_none(store, index);
    std::vector<Usage> found;
    for (store::Occurrence& occurrence : store.occurrences(index)) {
        if (occurrence.row != found.size() || found.size() == influences.size()) break;
        found.push_back({std::move(occurrence), influences[found.size()]});
    }
    if (found.size() != influences.size())
        throw InputError(store.folder() + ": " + word + " has " + std::to_string(influences.size()) +
                         " rows, but where row " + std::to_string(found.size()) +
                         " comes from is not known; extract the store again");
    return found;
}

std::vector<Usage> sampled(std::vector<Usage> usages, const std::string& word, std::size_t count, std::uint64_t seed) {
    std::vector<Usage> kept;
    for (const std::size_t row : sample_rows(word, usages.size(), count, seed)) kept.push_back(std::move(usages[row]));
    return kept;
}

}  // namespace wordbreadth
