// The studies as a plain float64 program, straight from the method's text, sharing nothing with src/study: what the
// tables of `pairs --gap`, `calibrate` and `experiment` are held to.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numbers>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "support/naive.h"
#include "wordbreadth/store.h"

namespace naive {

using wordbreadth::Alignment;
using wordbreadth::Alternative;
using wordbreadth::Statistic;

struct Word {
    std::string name;
    std::uint64_t frequency = 0;
    Rows rows;
};

inline std::vector<Word> words_of(const std::string& folder) {
    const wordbreadth::Store store(folder);
    std::vector<Word> words;
    for (std::size_t i = 0; i < store.words().size(); ++i) {
        words.push_back({store.words()[i].word, store.words()[i].frequency, {}});
        const auto values = store.rows(i);
        for (auto at = values.begin(); at != values.end(); at += static_cast<std::ptrdiff_t>(store.dimension()))
            words.back().rows.emplace_back(at, at + static_cast<std::ptrdiff_t>(store.dimension()));
    }
    return words;
}

// What decides which rows are taken, which pairs are drawn and which seed a test has (see study/sample.h).
inline std::uint64_t priority(const std::string& name, std::uint64_t number, std::uint64_t seed) {
    std::uint64_t hash = 0xCBF29CE484222325;
    for (const char byte : name) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001B3;
    const auto half = [](std::uint64_t value, int shift) { return static_cast<std::uint32_t>(value >> shift); };
    const auto x = philox({half(number, 0), half(number, 32), half(hash, 0), half(hash, 32)}, seed);
    return x[0] | std::uint64_t{x[1]} << 32;
}

// `n` of 0 .. total - 1 in ascending order, without the `before` that come first in their random order.
inline std::vector<std::size_t> sample(const std::string& name, std::size_t total, std::size_t before, std::size_t n,
                                       std::uint64_t seed) {
    std::vector<std::size_t> order(total);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t row) { return priority(name, row, seed); });
    std::vector<std::size_t> taken;
    for (std::size_t i = before; i < std::min(before + n, total); ++i) taken.push_back(order[i]);
    std::ranges::sort(taken);
    return taken;
}

inline Rows part(const Word& word, std::size_t before, std::size_t n, std::uint64_t seed) {
    Rows rows;
    for (const std::size_t row : sample(word.name, word.rows.size(), before, n, seed)) rows.push_back(word.rows[row]);
    return rows;
}

inline double v(const Rows& rows) {
    Rows units = rows;
    for (auto& row : units) row = unit(row);
    const std::vector<double> s = sum_of(units);
    return std::exp(
        log_v(std::sqrt(product(s, s)) / static_cast<double>(rows.size()), static_cast<double>(rows[0].size())));
}

// How a test is made; `adaptive` is the number of exceedances at which it stops.
struct Test {
    Alignment align = Alignment::householder;
    Statistic statistic = Statistic::plain;
    std::uint64_t permutations = 0;
    Alternative alternative = Alternative::two_sided;
    std::uint64_t adaptive = 0;
};

struct Tested {
    double value = 0;  // T, or t
    double p = 0;
    std::uint64_t exceedances = 0, splits = 0;
    bool exact = false;
};

inline Tested test(const Rows& x, const Rows& y, const Test& how, std::uint64_t seed) {
    const Rows z = pooled(x, y, how.align);
    std::vector<std::uint8_t> mask(z.size(), 0);
    std::fill_n(mask.begin(), x.size(), 1);
    Tested result;
    result.value = statistic(how.statistic, z, mask);
    if (std::isnan(result.value)) return {result.value, NAN};
    const auto count = [&](const std::vector<std::uint8_t>& of) {
        ++result.splits;
        result.exceedances += exceeds(statistic(how.statistic, z, of), result.value, how.alternative);
    };
    double all = 1;
    for (std::size_t k = 1; k <= y.size(); ++k) all *= static_cast<double>(x.size() + k) / static_cast<double>(k);
    result.exact = std::round(all) <= static_cast<double>(how.permutations);
    if (result.exact) {
        do count(mask);
        while (std::ranges::prev_permutation(mask).found);
        result.p = static_cast<double>(result.exceedances) / static_cast<double>(result.splits);
        return result;
    }
    for (std::uint64_t b = 1; b <= how.permutations; ++b) {
        count(split(seed, b, z.size(), x.size()));
        if (how.adaptive == 0 || result.exceedances < how.adaptive) continue;
        result.p = static_cast<double>(result.exceedances) / static_cast<double>(b);
        return result;
    }
    result.p = static_cast<double>(1 + result.exceedances) / static_cast<double>(how.permutations + 1);
    return result;
}

// Every test of a rate has a seed of its own.
inline std::uint64_t seed_of_test(std::size_t index, std::uint64_t seed) {
    return priority("test", index, seed);
}

// The first number of exceedances at which p is above alpha whatever follows.
inline std::uint64_t enough(double alpha, std::uint64_t permutations) {
    std::uint64_t h = 1;
    while (static_cast<double>(h) / static_cast<double>(permutations + 1) <= alpha) ++h;
    return h;
}

// The paper's two, and both with the robust statistic.
inline const std::vector<Test> methods = {{Alignment::none, Statistic::plain},
                                          {Alignment::householder, Statistic::plain},
                                          {Alignment::none, Statistic::robust},
                                          {Alignment::householder, Statistic::robust}};
inline const std::vector<std::string> method_keys = {"none_plain", "householder_plain", "none_robust",
                                                     "householder_robust"};
inline const std::vector<std::string> method_names = {"none, plain", "householder, plain", "none, robust",
                                                      "householder, robust"};

// p of each of the methods.
inline std::vector<double> p_of_methods(const Rows& x, const Rows& y, const Test& how, std::uint64_t seed) {
    std::vector<double> p;
    for (const Test& method : methods)
        p.push_back(
            test(x, y, {method.align, method.statistic, how.permutations, how.alternative, how.adaptive}, seed).p);
    return p;
}

struct Ranked {
    const Word* word = nullptr;
    double v = 0;
};

struct Ranks {
    std::size_t size = 0;
    std::uint64_t seed = 0;
    bool cross_fit = false;
    bool by_frequency = false;
};

inline std::vector<Ranked> ranking(const std::vector<Word>& words, const Ranks& how) {
    std::vector<Ranked> ranked;
    for (const Word& word : words)
        if (word.rows.size() >= how.size)
            ranked.push_back({&word, v(part(word, 0, how.cross_fit ? how.size / 2 : how.size, how.seed))});
    std::ranges::stable_sort(ranked, [&](const Ranked& a, const Ranked& b) {
        return how.by_frequency ? a.word->frequency > b.word->frequency : a.v > b.v;
    });
    return ranked;
}

// The rows that are tested: all that were ranked or, cross-fitted, none of them.
inline Rows tested_rows(const Word& word, const Ranks& how) {
    const std::size_t ranked = how.cross_fit ? how.size / 2 : 0;
    return part(word, ranked, how.size - ranked, how.seed);
}

struct Pair {
    std::size_t gap = 0;
    Ranked x, y;  // x is the first in the ranking
};

inline std::vector<Pair> pairs(const std::vector<Ranked>& ranked, const std::vector<std::size_t>& gaps,
                               std::size_t count, std::uint64_t seed) {
    std::vector<Pair> drawn;
    for (const std::size_t gap : gaps)
        for (const std::size_t x : sample("gap " + std::to_string(gap), ranked.size() - gap, 0, count, seed))
            drawn.push_back({gap, ranked[x], ranked[x + gap]});
    return drawn;
}

struct Rate {
    std::size_t hits = 0, trials = 0;
    double value = NAN, low = NAN, high = NAN;
};

// Wilson's interval: the shares q with |hits / n - q| <= z sqrt(q (1 - q) / n).
inline Rate rate(std::size_t hits, std::size_t trials, double z = 1.959963984540054) {
    if (trials == 0) return {};
    const auto n = static_cast<double>(trials);
    const double share = static_cast<double>(hits) / n;
    const double a = 1 + z * z / n, b = -2 * share - z * z / n, c = share * share;
    const double root = std::sqrt(std::max(0.0, b * b - 4 * a * c));
    return {hits, trials, share, (-b - root) / (2 * a), (-b + root) / (2 * a)};
}

inline Rate rejected(std::span<const double> p, double alpha) {
    const auto is_below = [&](double value) { return value <= alpha; };
    const auto is_number = [](double value) { return !std::isnan(value); };
    return rate(static_cast<std::size_t>(std::ranges::count_if(p, is_below)),
                static_cast<std::size_t>(std::ranges::count_if(p, is_number)));
}

// The largest distance between the shares of p at or below a value, or below it, and the value.
inline double ks_distance(std::vector<double> p) {
    std::erase_if(p, [](double value) { return std::isnan(value); });
    double distance = 0;
    for (const double value : p)
        for (const bool closed : {true, false}) {
            const auto below = std::ranges::count_if(p, [&](double q) { return closed ? q <= value : q < value; });
            const double share = static_cast<double>(below) / static_cast<double>(p.size());
            distance = std::max(distance, std::abs(share - value));
        }
    return distance;
}

// P(K > x) by Kolmogorov's other series, which converges where the usual one does not; x with Stephens' correction.
inline double ks_p(double distance, std::size_t n) {
    const double root = std::sqrt(static_cast<double>(n)), x = (root + 0.12 + 0.11 / root) * distance;
    double sum = 0;
    for (int k = 1; k < 200; k += 2) sum += std::exp(-k * k * std::numbers::pi * std::numbers::pi / (8 * x * x));
    return 1 - std::sqrt(2 * std::numbers::pi) / x * sum;
}

// Which word is halved, which other one tells the direction, and the seed of the deal.
struct Halving {
    const Word* word = nullptr;
    const Word* other = nullptr;
    std::uint64_t seed = 0;
};

// `count` of them: the words in a random order, again and again in other orders.
inline std::vector<Halving> halvings(const std::vector<Word>& words, std::size_t size, std::size_t count,
                                     std::uint64_t seed) {
    std::vector<Halving> made;
    for (std::uint64_t round = 0; made.size() < count; ++round) {
        const std::uint64_t deal = priority("halves", round, seed);
        std::map<std::uint64_t, const Word*> order;
        for (const Word& word : words)
            if (word.rows.size() >= size) order[priority(word.name, ~0ULL, deal)] = &word;
        for (auto at = order.begin(); at != order.end() && made.size() < count; ++at) {
            const auto next = std::next(at) == order.end() ? order.begin() : std::next(at);
            made.push_back({at->second, next->second, deal});
        }
    }
    return made;
}

// The two parts of a word, `first` rows and the rest of `size`; the second may be turned to where the other word's is.
struct Parts {
    Rows first, second;
};
inline Parts parts(const Halving& halving, std::size_t first, std::size_t size, bool turned) {
    Parts made{part(*halving.word, 0, first, halving.seed), part(*halving.word, first, size - first, halving.seed)};
    if (!turned) return made;
    const Rows both =
        pooled(made.second, part(*halving.other, first, size - first, halving.seed), Alignment::householder);
    made.second.assign(both.begin(), both.begin() + static_cast<std::ptrdiff_t>(size - first));
    return made;
}

}  // namespace naive
