// Families of tests whose truth is known: clouds that are equally broad, some of them broader where that is wanted, and
// pairs whose statistics depend on each other in the ways that studies have.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "calibration/noisy_clouds.h"
#include "wordbreadth/wordbreadth.h"

namespace wordbreadth::calibration {

enum class Dependence {
    none,        // pairs of clouds of their own
    all_pairs,   // of a few clouds: each stands in many pairs, on either side
    references,  // candidates against the same references, as in triage
    corpora,     // words of two corpora whose documents spread all their words alike, as in compare
    sizes,       // all pairs of clouds of unlike sizes
    documents,   // the same with documents as blocks, of unlike numbers
};

struct FamilyKind {
    const char* name;
    Dependence dependence;
    Alternative alternative = Alternative::two_sided;

    [[nodiscard]] Statistic statistic() const {
        return dependence == Dependence::documents ? Statistic::blocks : Statistic::robust;
    }
};

inline const std::vector<FamilyKind>& family_kinds() {
    static const std::vector<FamilyKind> all{
        {"pairs of their own", Dependence::none},
        {"all pairs of 7 clouds", Dependence::all_pairs},
        {"the same, one-sided", Dependence::all_pairs, Alternative::greater},
        {"7 candidates, 3 references", Dependence::references, Alternative::greater},
        {"21 words of two corpora", Dependence::corpora},
        {"clouds of unlike sizes", Dependence::sizes},
        {"documents as blocks", Dependence::documents}};
    return all;
}

struct Family {
    std::vector<Cloud> clouds;
    std::vector<Pair> pairs;
    std::vector<bool> is_null;  // by pair: both clouds are equally broad
};

class Families {
  public:
    explicit Families(std::uint64_t seed) : clouds_(seed, 24) {}

    // `effect`: how much broader (log of the noise) every third cloud is; 0: none.
    [[nodiscard]] Family draw(Dependence dependence, double effect) {
        Family family;
        const std::size_t clouds = dependence == Dependence::none || dependence == Dependence::corpora ? 42
                                   : dependence == Dependence::references                              ? 10
                                                                                                       : 7;
        const std::vector<double> of_a = noise_by_row(), of_b = noise_by_row();
        for (std::size_t i = 0; i < clouds; ++i) {
            const double larger = i % 3 == 0 ? effect : 0;
            const bool by_row = dependence == Dependence::corpora;
            const std::size_t n = dependence == Dependence::sizes ? 15 + 5 * i : rows;
            family.clouds.push_back(dependence == Dependence::documents
                                        ? with_documents(i, 12 + 2 * i, larger)
                                        : cloud(i, n, larger, by_row ? (i % 2 == 0 ? of_a : of_b) : none_));
        }
        const auto add = [&](std::size_t x, std::size_t y) {
            family.pairs.push_back({x, y});
            family.is_null.push_back(effect == 0 || (x % 3 == 0) == (y % 3 == 0));
        };
        if (clouds == 42) {
            for (std::size_t i = 0; i < clouds; i += 2) add(i, i + 1);
        } else if (dependence == Dependence::references) {
            for (std::size_t x = 0; x < 7; ++x)
                for (std::size_t y = 7; y < 10; ++y) add(x, y);
        } else {
            for (std::size_t x = 0; x < clouds; ++x)
                for (std::size_t y = x + 1; y < clouds; ++y) add(x, y);
        }
        return family;
    }

  private:
    static constexpr std::size_t rows = 20;

    // Documents in which every word is used more freely, or less.
    std::vector<double> noise_by_row() {
        std::vector<double> logs;
        for (std::size_t i = 0; i < rows; ++i) logs.push_back(0.35 * clouds_.normal());
        return logs;
    }

    Cloud cloud(std::size_t number, std::size_t n, double larger, const std::vector<double>& by_row) {
        std::vector<double> noise;
        for (std::size_t i = 0; i < n; ++i) noise.push_back(0.7 * std::exp(larger + (by_row.empty() ? 0 : by_row[i])));
        return clouds_.cloud("cloud " + std::to_string(number), noise);
    }

    Cloud with_documents(std::size_t number, std::size_t count, double larger) {
        DocumentSizes sizes;
        for (std::size_t document = 0; document < count; ++document) sizes.push_back(1 + document % 3);
        const double noise = 0.5 * std::exp(larger);
        return clouds_.cloud("cloud " + std::to_string(number), sizes, {noise, noise});
    }

    NoisyClouds clouds_;
    const std::vector<double> none_;
};

// Of maxT and of Holm's method, in the same families.
struct FamilyRates {
    std::uint64_t families = 0;
    std::uint64_t errors = 0, errors_of_holm = 0;  // families with a rejected pair that is equally broad
    std::uint64_t unequal = 0;                     // pairs
    std::uint64_t found = 0, found_by_holm = 0;    // of these
};

inline FamilyRates rates_of(const FamilyKind& kind, double effect, std::uint64_t trials, std::uint64_t permutations,
                            std::uint64_t seed) {
    constexpr double alpha = 0.05;
    Families families(seed);
    FamilyRates rates;
    TestOptions options;
    options.statistic = kind.statistic();
    options.alternative = kind.alternative;
    options.permutations = permutations;
    options.max_t = true;
    Session session;
    for (std::uint64_t trial = 0; trial < trials; ++trial) {
        Family family = families.draw(kind.dependence, effect);
        std::vector<CloudHandle> clouds;
        for (Cloud& cloud : family.clouds) clouds.push_back(session.add(std::move(cloud)));
        std::vector<HandlePair> pairs;
        for (const Pair& pair : family.pairs) pairs.push_back({clouds[pair.x], clouds[pair.y]});
        options.seed = trial;
        const std::vector<TestResult> results = session.test_pairs(pairs, options);
        const std::vector<double> p = adjusted_p(results, Adjustment::max_t),
                                  holm = adjusted_p(results, Adjustment::holm);
        bool error = false, error_of_holm = false;
        for (std::size_t i = 0; i < p.size(); ++i) {
            if (family.is_null[i]) {
                error = error || p[i] <= alpha;
                error_of_holm = error_of_holm || holm[i] <= alpha;
            } else {
                ++rates.unequal;
                rates.found += p[i] <= alpha;
                rates.found_by_holm += holm[i] <= alpha;
            }
        }
        ++rates.families;
        rates.errors += error;
        rates.errors_of_holm += error_of_holm;
        for (const CloudHandle cloud : clouds) session.remove(cloud);
    }
    return rates;
}

}  // namespace wordbreadth::calibration
