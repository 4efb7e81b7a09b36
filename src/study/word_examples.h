// Words with their breadth and their number of senses: the paper's examples, and the ends of the ranking.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lexicon/wordnet.h"
#include "study/rank.h"

namespace wordbreadth {

struct WordExample {
    std::size_t rank = 0;  // by breadth, from 1; 0: not in the store
    std::string word;
    double v = 0;  // NaN when it is not in the store
    std::uint64_t frequency = 0;
    std::size_t senses = 0;
    bool from_paper = false;
};

struct WordExamples {
    std::vector<WordExample> words;  // those of the paper, then the broadest, then the narrowest
    std::size_t known = 0;           // words of the ranking that WordNet has
    double correlation = 0;          // Spearman's, of v and senses, over these; NaN where there is none
};

// The words that the paper shows.
[[nodiscard]] const std::vector<std::string>& papers_words();

// `ranking` by breadth.
[[nodiscard]] WordExamples word_examples(const Ranking& ranking, const lexicon::WordNet& wordnet, std::size_t ends);

// Of two lists of equal length; equal values share their mean rank. NaN with fewer than 2 or when one list is constant.
[[nodiscard]] double rank_correlation(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace wordbreadth
