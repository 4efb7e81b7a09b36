#include "study/experiment_parts.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace wordbreadth::study {
namespace {

std::vector<double> ranks_of(const std::vector<double>& values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
    std::vector<double> ranks(values.size());
    for (std::size_t begin = 0; begin < order.size();) {
        std::size_t end = begin;
        while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
        for (std::size_t k = begin; k < end; ++k) ranks[order[k]] = static_cast<double>(begin + end - 1) / 2;
        begin = end;
    }
    return ranks;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
    const auto mean = [](const std::vector<double>& values) {
        return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    };
    const double mean_a = mean(a), mean_b = mean(b);
    double aa = 0, ab = 0, bb = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        aa += (a[i] - mean_a) * (a[i] - mean_a);
        ab += (a[i] - mean_a) * (b[i] - mean_b);
        bb += (b[i] - mean_b) * (b[i] - mean_b);
    }
    return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : NAN;
}

WordExample example(const Ranking& ranking, std::size_t place, const WordNet& wordnet, bool from_paper) {
    const RankedWord& word = ranking.words[place];
    return {place + 1, word.word, word.breadth.v, word.frequency, wordnet.senses(word.word).all(), from_paper};
}

void add_papers_words(WordExamples& examples, const Ranking& ranking, const WordNet& wordnet) {
    for (const std::string& wanted : papers_words()) {
        const auto found = std::ranges::find(ranking.words, wanted, &RankedWord::word);
        if (found != ranking.words.end())
            examples.words.push_back(
                example(ranking, static_cast<std::size_t>(found - ranking.words.begin()), wordnet, true));
        else
            examples.words.push_back({0, wanted, NAN, 0, wordnet.senses(wanted).all(), true});
    }
}

}  // namespace

const std::vector<std::string>& papers_words() {
    static const std::vector<std::string> words{"articulate", "triple", "mark", "colitis", "debtor"};
    return words;
}

double rank_correlation(const std::vector<double>& a, const std::vector<double>& b) {
    return a.size() < 2 ? NAN : correlation(ranks_of(a), ranks_of(b));
}

WordExamples word_examples(const Ranking& ranking, const WordNet& wordnet, std::size_t ends) {
    WordExamples examples;
    add_papers_words(examples, ranking, wordnet);
    const std::size_t words = ranking.words.size();
    for (std::size_t i = 0; i < words; ++i)
        if (i < ends || i + ends >= words) examples.words.push_back(example(ranking, i, wordnet, false));
    std::vector<double> v, senses;
    for (const RankedWord& word : ranking.words) {
        const std::size_t number = wordnet.senses(word.word).all();
        if (number == 0) continue;
        v.push_back(word.breadth.v);
        senses.push_back(static_cast<double>(number));
    }
    examples.known = v.size();
    examples.correlation = rank_correlation(v, senses);
    return examples;
}

}  // namespace wordbreadth::study
