#include "study/gap_pairs.h"

#include <algorithm>
#include <map>
#include <utility>

#include "study/deal.h"
#include "study/sample.h"
#include "wordbreadth/error.h"

namespace wordbreadth {
namespace {

// Rows that words are ranked on, and rows that they are tested on. Without cross-fitting these are the same.
struct Sizes {
    std::size_t ranked = 0;
    std::size_t tested = 0;
    std::size_t needed = 0;
};

Sizes sizes_of(const store::CloudStore& store, const GapOptions& options) {
    const std::size_t fewest = options.cross_fit ? 4 : 2;  // two in each half
    const std::size_t size = options.common_size > 0 ? options.common_size : smallest_cloud(store, fewest);
    if (size < fewest)
        throw InputError(store.folder() + ": no word has the " + std::to_string(fewest) + " rows that " +
                         (options.cross_fit ? "cross-fitting" : "breadth") + " needs; extract more rows a word");
    if (!options.cross_fit) return {size, size, size};
    return {size / 2, size - size / 2, size};
}

std::size_t count_at(const store::CloudStore& store, std::size_t words, std::size_t gap, const GapOptions& options) {
    const std::size_t there = words > gap ? words - gap : 0;
    const std::string found = store.folder() + ": has " + std::to_string(words) + " words that can be ranked, so ";
    if (there == 0)
        throw InputError(found + "no two of them are " + std::to_string(gap) + " ranks apart; expected at least " +
                         std::to_string(gap + 1) + " words, or a smaller gap");
    if (options.count && *options.count > there)
        throw InputError(found + std::to_string(there) + " pairs are " + std::to_string(gap) +
                         " ranks apart; expected at least " + std::to_string(*options.count) +
                         ": ask for fewer pairs, or extract more words");
    return options.count.value_or(std::min(options.usual_count, there));
}

std::vector<RankedWord> ranked_words(const store::CloudStore& store, const Sizes& sizes, const GapOptions& options) {
    Ranking ranking = rank(store, {options.by, sizes.ranked, options.seed, options.execution});
    std::erase_if(ranking.words, [&](const RankedWord& word) { return word.rows < sizes.needed; });
    return std::move(ranking.words);
}

// The words in pairs, by their places in the ranking, each with the place of its cloud.
std::map<std::size_t, std::size_t> places_of(const std::vector<GapPair>& pairs) {
    std::map<std::size_t, std::size_t> places;
    for (const GapPair& pair : pairs) {
        places[pair.x];
        places[pair.y];
    }
    std::size_t next = 0;
    for (auto& [word, place] : places) place = next++;
    return places;
}

std::vector<std::optional<Cloud>> clouds_to_test(const store::CloudStore& store, const Sizes& sizes,
                                                 const std::vector<RankedWord>& words,
                                                 const std::map<std::size_t, std::size_t>& places,
                                                 const GapOptions& options) {
    std::vector<std::size_t> wanted;
    for (const auto& [word, place] : places) wanted.push_back(word);
    return make_clouds(
        wanted.size(),
        [&](std::size_t k) {
            const RankedWord& word = words[wanted[k]];
            const std::size_t before = sizes.needed - sizes.tested;
            const Deal deal = deal_rows(word.word, word.rows, before, sizes.tested, options.seed);
            return cloud_of(store, store.find(word.word), deal.second);
        },
        options.execution);
}

// Drops the pairs that lack a cloud, and puts the rest together.
void add_clouds(GapPairs& result, const std::map<std::size_t, std::size_t>& places,
                std::vector<std::optional<Cloud>> clouds) {
    std::vector<std::size_t> at(clouds.size());
    for (std::size_t k = 0; k < clouds.size(); ++k) {
        at[k] = result.clouds.size();
        if (clouds[k]) result.clouds.push_back(std::move(*clouds[k]));
    }
    const auto lacks = [&](std::size_t word) { return !clouds[places.at(word)]; };
    result.dropped = std::erase_if(result.pairs, [&](const GapPair& pair) { return lacks(pair.x) || lacks(pair.y); });
    for (const GapPair& pair : result.pairs) result.tests.push_back({at[places.at(pair.x)], at[places.at(pair.y)]});
}

}  // namespace

std::size_t smallest_cloud(const store::CloudStore& store, std::size_t fewest) {
    std::size_t smallest = 0;
    for (const store::StoredWord& word : store.words())
        if (word.rows >= fewest && (smallest == 0 || word.rows < smallest)) smallest = word.rows;
    return smallest;
}

std::vector<GapPair> pairs_at_gap(std::size_t words, std::size_t gap, std::size_t count, std::uint64_t seed) {
    std::vector<GapPair> pairs;
    for (const std::size_t x : sample_rows("gap " + std::to_string(gap), words - gap, count, seed))
        pairs.push_back({gap, x, x + gap});
    return pairs;
}

GapPairs gap_pairs(const store::CloudStore& store, const GapOptions& options) {
    const Sizes sizes = sizes_of(store, options);
    GapPairs result;
    result.words = ranked_words(store, sizes, options);
    result.rows = sizes.tested;
    for (const std::size_t gap : options.gaps) {
        const std::size_t count = count_at(store, result.words.size(), gap, options);
        const std::vector<GapPair> more = pairs_at_gap(result.words.size(), gap, count, options.seed);
        result.pairs.insert(result.pairs.end(), more.begin(), more.end());
    }
    const auto places = places_of(result.pairs);
    add_clouds(result, places, clouds_to_test(store, sizes, result.words, places, options));
    return result;
}

}  // namespace wordbreadth
