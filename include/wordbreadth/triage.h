// Which words need a lexicographer's or a teacher's attention: those that are broader than words of known breadth.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "wordbreadth/breadth.h"
#include "wordbreadth/concordance.h"
#include "wordbreadth/frequency.h"
#include "wordbreadth/lexicon.h"
#include "wordbreadth/names.h"
#include "wordbreadth/store.h"
#include "wordbreadth/word_study.h"

namespace wordbreadth {

struct TriageWords {
    std::vector<std::string> references;
    std::string references_from;          // what messages call them: a file, say
    std::vector<std::string> candidates;  // empty: all words of the store that are no reference
    std::string candidates_from;
};

enum class TriageOrder {
    attention,        // by attention, then by v, both from large to small, then in byte order
    given_frequency,  // by the low end of the interval of Candidate::given_frequency, from large to small
};

[[nodiscard]] constexpr auto names_of(TriageOrder) {
    using enum TriageOrder;
    return std::to_array<Named<TriageOrder>>({{attention, "attention"}, {given_frequency, "given_frequency"}});
}

// Which references a candidate is compared with, and which candidates come first.
struct TriageRules {
    // Only with references that have as many senses, give or take a quarter; words without any are left out. Null: with
    // all references.
    const WordNet* wordnet = nullptr;
    TriageOrder order = TriageOrder::attention;
};

struct ReferenceWord {
    std::string word;
    std::uint64_t frequency = 0;
    Breadth breadth;
    std::size_t senses = 0;  // where references are matched by them
};

// A candidate against one reference.
struct ReferenceTest {
    double T = 0;  // log of the candidate's breadth over the reference's
    double p = 0;  // that the candidate is no broader; NaN where the pair has no test
    double q = 0;  // p adjusted over all tests of the triage
    bool broader = false;
    bool matched = true;  // false: not compared, since the numbers of senses differ
};

struct Candidate {
    std::string word;
    std::uint64_t frequency = 0;
    std::uint64_t rows = 0;  // in the store; breadth.n of them were used
    Breadth breadth;
    std::vector<ReferenceTest> tests;  // one a reference, in their order
    std::size_t broader_than = 0;      // references
    double attention = 0;              // the share of the references that the word is broader than
    std::vector<ConcordanceLine> concordance;
    std::size_t senses = 0;               // where references are matched by them
    FrequencyResidual given_frequency{};  // beside the other candidates and the references
};

struct Triage {
    std::string folder;
    std::string references_from;
    std::vector<ReferenceWord> references;  // broadest first
    std::vector<LeftOut> missing;       // references that the store does not have, as listed; the reason may be empty
    double median_v = 0;                // of the references
    std::vector<Candidate> candidates;  // in the order asked for
    std::vector<LeftOut> left_out;      // references and candidates, in byte order
    std::size_t common_size = 0;
    std::string smallest;  // the word whose cloud gave the common size; empty: it was asked for
    std::size_t tests = 0;
    WordStudyOptions options;
    std::string device;
    double seconds = 0;
    bool matched_by_senses = false;
    TriageOrder order = TriageOrder::attention;
};

// All clouds are cut to a common size: that of the smallest one that can be tested, or options.common_size, where words
// with fewer rows are left out. Tests whether a candidate is broader (options.test.alternative is taken as greater).
// The result does not depend on the number of threads. Throws InputError when the store has no reference or no
// candidate that can be tested or is damaged, or for bad options; Cancelled when stopped.
[[nodiscard]] Triage triage(const Store& store, const TriageWords& words, const WordStudyOptions& options,
                            const TriageRules& rules = {});

}  // namespace wordbreadth
