#include "wordbreadth/compare.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "engine/max_t.h"
#include "permutation/distributions.h"
#include "study/many_tests.h"
#include "study/mode_count.h"
#include "study/sampling.h"
#include "wordbreadth/error.h"
#include "wordbreadth/store.h"

namespace wordbreadth {
namespace {

struct SharedWord {
    std::size_t in_a = 0, in_b = 0;
    std::size_t rows = 0;  // to cut both clouds to
};

class Comparer {
  public:
    Comparer(const Store& a, const Store& b, const WordStudyOptions& options) : a_(a), b_(b), options_(options) {
        study::check_options(options);
        require_comparable(a, b, options.force);
        found_.forced = differences(a, b);
        found_.folder_a = a.folder();
        found_.folder_b = b.folder();
        found_.options = options;
        if (is_family()) found_.options.test.adaptive = 0;
        find_shared();
    }

    Comparison run() {
        const auto start = std::chrono::steady_clock::now();
        test_all();
        adjust_and_sort();
        if (options_.modes) find_modes();
        add_concordances();
        found_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return std::move(found_);
    }

  private:
    // Whether p is adjusted by maxT, from the permutations of all words together.
    [[nodiscard]] bool is_family() const { return options_.adjustment == Adjustment::max_t; }

    // Both lists are in byte order.
    void find_shared() {
        const auto &words_a = a_.words(), &words_b = b_.words();
        for (std::size_t i = 0, j = 0; i < words_a.size() && j < words_b.size();) {
            const int order = words_a[i].word.compare(words_b[j].word);
            const std::size_t fewer = std::min(words_a[i].rows, words_b[j].rows);
            if (order == 0) shared_.push_back({i, j, options_.common_size > 0 ? options_.common_size : fewer});
            if (order <= 0) ++i;
            if (order >= 0) ++j;
        }
        found_.only_a = words_a.size() - shared_.size();
        found_.only_b = words_b.size() - shared_.size();
        if (shared_.empty())
            throw InputError(a_.folder() + " and " + b_.folder() + ": share none of their " +
                             std::to_string(words_a.size()) + " and " + std::to_string(words_b.size()) +
                             " words; extract both with a common list of words");
    }

    void test_all() {
        const double share = is_family() ? tests_end() / 2 : tests_end();
        study::in_batches(shared_.size(), words_at_a_time(), study::stage(options_.test.execution, 0, share),
                          [&](std::size_t begin, std::size_t end, const Execution& part) {
                              test_batch(std::span(shared_).subspan(begin, end - begin), part);
                          });
        if (found_.words.empty())
            throw InputError(a_.folder() + " and " + b_.folder() + ": none of the " + std::to_string(shared_.size()) +
                             " words they share can be tested: first: " + found_.left_out.front().word + " " +
                             found_.left_out.front().reason);
    }

    [[nodiscard]] std::size_t words_at_a_time() const {
        const std::size_t most_rows = std::ranges::max_element(shared_, {}, &SharedWord::rows)->rows;
        return study::clouds_of_a_batch(most_rows, a_.dimension()) / 2;
    }

    void test_batch(std::span<const SharedWord> words, const Execution& execution) {
        std::vector<study::WantedCloud> wanted;
        for (const SharedWord& word : words) {
            wanted.push_back({&a_, word.in_a, word.rows, takes_blocks(options_.test.statistic)});
            wanted.push_back({&b_, word.in_b, word.rows, takes_blocks(options_.test.statistic)});
        }
        std::vector<study::CutCloud> cut = study::cut_clouds(wanted, options_.test.seed, execution);
        std::vector<Cloud> clouds;
        std::vector<Pair> pairs;
        std::vector<SharedWord> tested;
        for (std::size_t i = 0; i < words.size(); ++i) {
            if (!take(words[i], cut[2 * i], cut[2 * i + 1])) continue;
            pairs.push_back({clouds.size(), clouds.size() + 1});
            clouds.push_back(*std::move(cut[2 * i].cloud));
            clouds.push_back(*std::move(cut[2 * i + 1].cloud));
            tested.push_back(words[i]);
        }
        TestOptions options = options_.test;
        options.execution = execution;
        options.max_t = is_family();
        std::vector<double> scales;
        std::vector<TestResult> results = engine::test_each(clouds, pairs, options, scales);
        for (std::size_t i = 0; i < results.size(); ++i) {
            if (is_family() && results[i].undefined.empty()) scales_.push_back(scales[i]);
            add(tested[i], std::move(results[i]));
        }
    }

    // Whether the word has both clouds; otherwise it is left out.
    bool take(const SharedWord& word, const study::CutCloud& in_a, const study::CutCloud& in_b) {
        const auto leave_out = [&](const std::string& reason, const Store& at_fault) {
            found_.left_out.push_back({a_.words()[word.in_a].word, reason + " in " + at_fault.folder()});
            return false;
        };
        if (!in_a.cloud) return leave_out(in_a.reason, a_);
        if (!in_b.cloud) return leave_out(in_b.reason, b_);
        // Where one of the stores does not know its documents, rows are permuted.
        if (in_a.cloud->blocks().empty() || in_b.cloud->blocks().empty()) return true;
        if (study::has_one_document(*in_a.cloud)) return leave_out(std::string(one_document), a_);
        if (study::has_one_document(*in_b.cloud)) return leave_out(std::string(one_document), b_);
        return true;
    }

    void add(const SharedWord& word, TestResult&& result) {
        const StoredWord &in_a = a_.words()[word.in_a], &in_b = b_.words()[word.in_b];
        found_.device = result.device;
        found_.options.test.statistic = result.statistic;  // what auto came to: the stores decide, not the word
        if (!result.undefined.empty()) {
            found_.left_out.push_back({in_a.word, result.undefined});
            return;
        }
        tested_.push_back(word);
        found_.words.push_back(
            {in_a.word, in_a.frequency, in_b.frequency, in_a.rows, in_b.rows, std::move(result), 0, {}, {}, {}});
    }

    // Modes take much longer than tests.
    [[nodiscard]] double tests_end() const { return options_.modes ? 0.1 : study::tests_share; }

    void find_modes() {
        std::vector<study::WantedCloud> wanted;
        for (const ComparedWord& word : found_.words) wanted.push_back({&a_, a_.find(word.word), word.test.n});
        for (const ComparedWord& word : found_.words) wanted.push_back({&b_, b_.find(word.word), word.test.m});
        ModesOptions options;
        options.seed = options_.test.seed;
        options.execution = study::stage(options_.test.execution, tests_end(), study::tests_share);
        found_.modes_a = study::modes_of(wanted, options);
        const auto middle = found_.modes_a.begin() + static_cast<std::ptrdiff_t>(found_.words.size());
        found_.modes_b.assign(std::make_move_iterator(middle), std::make_move_iterator(found_.modes_a.end()));
        found_.modes_a.erase(middle, found_.modes_a.end());
    }

    // Reads the clouds a second time, from the word with the smallest statistic to that with the largest.
    [[nodiscard]] std::vector<double> adjusted_as_a_family() const {
        std::vector<TestResult> results;
        for (const ComparedWord& word : found_.words) results.push_back(word.test);
        TestOptions options = options_.test;
        options.execution = study::stage(options_.test.execution, tests_end() / 2, tests_end());
        options.max_t = true;
        const bool blocks = takes_blocks(options_.test.statistic);
        return engine::max_t(results, scales_, options, words_at_a_time(), [&](std::span<const std::size_t> places) {
            engine::FamilyClouds read;
            for (const std::size_t place : places) {
                const SharedWord& word = tested_[place];
                read.pairs.push_back({read.clouds.size(), read.clouds.size() + 1});
                read.clouds.push_back(*study::cut_cloud({&a_, word.in_a, word.rows, blocks}, options_.test.seed).cloud);
                read.clouds.push_back(*study::cut_cloud({&b_, word.in_b, word.rows, blocks}, options_.test.seed).cloud);
            }
            return read;
        });
    }

    void adjust_and_sort() {
        std::vector<double> p, T;
        for (const ComparedWord& word : found_.words) {
            p.push_back(word.test.p);
            T.push_back(word.test.T);
        }
        found_.median_T = study::median(std::move(T));
        const std::vector<double> q = is_family() ? adjusted_as_a_family() : adjust(p, options_.adjustment);
        for (std::size_t i = 0; i < q.size(); ++i) found_.words[i].q = q[i];
        study::center(found_);
        std::vector<ComparedWord> sorted;
        for (const std::size_t i : order_of(found_, Center::none)) sorted.push_back(std::move(found_.words[i]));
        found_.words = std::move(sorted);
        std::ranges::sort(found_.left_out, {}, &LeftOut::word);
    }

    // Of the words that come first in either order.
    void add_concordances() {
        const std::size_t count = std::min(options_.concordances, found_.words.size());
        std::set<std::size_t> chosen;
        for (const Center center : {Center::none, Center::median}) {
            const std::vector<std::size_t> order = order_of(found_, center);
            chosen.insert(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count));
        }
        const std::vector<std::size_t> places(chosen.begin(), chosen.end());
        WordStudyOptions all = options_;
        all.concordances = places.size();
        study::add_concordances(places.size(), all, [&](std::size_t i) {
            ComparedWord& word = found_.words[places[i]];
            word.concordance_a = study::spread_lines(a_, word.word, options_);
            word.concordance_b = study::spread_lines(b_, word.word, options_);
        });
    }

    const Store& a_;
    const Store& b_;
    const WordStudyOptions& options_;
    std::vector<SharedWord> shared_;
    std::vector<SharedWord> tested_;  // of the words found, until they are sorted
    std::vector<double> scales_;      // of a family: of their statistics
    Comparison found_;
};

}  // namespace

std::vector<std::size_t> order_of(const Comparison& comparison, Center center) {
    std::vector<std::size_t> order(comparison.words.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto last_if_nan = [](double value) { return std::isnan(value) ? INFINITY : value; };
    const auto key = [&](std::size_t i) {
        const ComparedWord& word = comparison.words[i];
        const double q = center == Center::none ? word.q : word.centered.q;
        return std::tuple(last_if_nan(q), last_if_nan(-std::abs(log_ratio(word, center))), std::string_view(word.word));
    };
    std::ranges::sort(order, {}, key);
    return order;
}

double study::standard_error_of_median(std::span<const double> sorted) {
    const auto n = static_cast<double>(sorted.size());
    // The c-th value from either end: about two standard errors of the median away from it.
    const double c = std::max(1.0, std::round((n + 1) / 2 - std::sqrt(n)));
    double z = 2;
    if (sorted.size() <= 500) {  // beyond that z is 2 to two digits, and 2^-n would leave the range of numbers
        double term = std::exp2(-n), tail = 0;
        for (double i = 0; i < c; ++i) {
            tail += term;
            term *= (n - i) / (i + 1);
        }
        z = sorted.size() == 1 ? 1 : permutation::normal_quantile(1 - tail);
    }
    const auto place = static_cast<std::size_t>(c) - 1;
    return (sorted[sorted.size() - 1 - place] - sorted[place]) / (2 * z);
}

void study::center(Comparison& comparison) {
    std::vector<double> effects;
    for (const ComparedWord& word : comparison.words)
        if (std::isfinite(word.test.effect)) effects.push_back(word.test.effect);
    if (effects.empty()) return;
    std::ranges::sort(effects);
    comparison.median_effect = median(effects);
    comparison.median_standard_error = standard_error_of_median(effects);
    const double of_median = comparison.median_standard_error * comparison.median_standard_error;
    const double freedom_of_median = std::max(1.0, static_cast<double>(effects.size()) - 1);
    std::vector<double> p;
    for (ComparedWord& word : comparison.words) {
        const double of_word = word.test.standard_error * word.test.standard_error, both = of_word + of_median;
        CenteredEffect& beyond = word.centered;
        beyond.effect = std::isfinite(word.test.effect) ? word.test.effect - comparison.median_effect : NAN;
        beyond.standard_error = std::sqrt(both);
        if (of_word > 0 && !std::isnan(beyond.effect)) {
            // Welch and Satterthwaite.
            const double freedom =
                both * both /
                (of_word * of_word / word.test.degrees_of_freedom + of_median * of_median / freedom_of_median);
            beyond.p = 2 * permutation::student_cdf(-std::abs(beyond.effect) / beyond.standard_error, freedom);
        }
        p.push_back(beyond.p);
    }
    // maxT is about permutations, which there are none of here.
    const Adjustment asked = comparison.options.adjustment;
    const std::vector<double> q = adjust(p, asked == Adjustment::max_t ? Adjustment::holm : asked);
    for (std::size_t i = 0; i < q.size(); ++i) comparison.words[i].centered.q = q[i];
}

Comparison compare(const Store& a, const Store& b, const WordStudyOptions& options) {
    return Comparer(a, b, options).run();
}

}  // namespace wordbreadth
