#include "wordbreadth/compare.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <tuple>
#include <utility>

#include "engine/max_t.h"
#include "study/many_tests.h"
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
        study::add_concordances(found_.words.size(), options_, [&](std::size_t i) {
            ComparedWord& word = found_.words[i];
            word.concordance_a = study::spread_lines(a_, word.word, options_);
            word.concordance_b = study::spread_lines(b_, word.word, options_);
        });
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
        const double share = is_family() ? study::tests_share / 2 : study::tests_share;
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
            wanted.push_back({&a_, word.in_a, word.rows});
            wanted.push_back({&b_, word.in_b, word.rows});
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
        if (in_a.cloud && in_b.cloud) return true;
        const Store& at_fault = in_a.cloud ? b_ : a_;
        const std::string& reason = in_a.cloud ? in_b.reason : in_a.reason;
        found_.left_out.push_back({a_.words()[word.in_a].word, reason + " in " + at_fault.folder()});
        return false;
    }

    void add(const SharedWord& word, TestResult&& result) {
        const StoredWord &in_a = a_.words()[word.in_a], &in_b = b_.words()[word.in_b];
        found_.device = result.device;
        if (!result.undefined.empty()) {
            found_.left_out.push_back({in_a.word, result.undefined});
            return;
        }
        tested_.push_back(word);
        found_.words.push_back(
            {in_a.word, in_a.frequency, in_b.frequency, in_a.rows, in_b.rows, std::move(result), 0, {}, {}});
    }

    // Reads the clouds a second time, from the word with the smallest statistic to that with the largest.
    [[nodiscard]] std::vector<double> adjusted_as_a_family() const {
        std::vector<TestResult> results;
        for (const ComparedWord& word : found_.words) results.push_back(word.test);
        TestOptions options = options_.test;
        options.execution = study::stage(options_.test.execution, study::tests_share / 2, study::tests_share);
        options.max_t = true;
        return engine::max_t(results, scales_, options, words_at_a_time(), [&](std::span<const std::size_t> places) {
            engine::FamilyClouds read;
            for (const std::size_t place : places) {
                const SharedWord& word = tested_[place];
                read.pairs.push_back({read.clouds.size(), read.clouds.size() + 1});
                read.clouds.push_back(*study::cut_cloud({&a_, word.in_a, word.rows}, options_.test.seed).cloud);
                read.clouds.push_back(*study::cut_cloud({&b_, word.in_b, word.rows}, options_.test.seed).cloud);
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
        const auto key = [](const ComparedWord& word) {
            return std::tuple(word.q, -std::abs(word.test.T), std::string_view(word.word));
        };
        std::ranges::sort(found_.words, {}, key);
        std::ranges::sort(found_.left_out, {}, &LeftOut::word);
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

Comparison compare(const Store& a, const Store& b, const WordStudyOptions& options) {
    return Comparer(a, b, options).run();
}

}  // namespace wordbreadth
