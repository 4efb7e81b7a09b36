#include "study/triage.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <span>
#include <tuple>
#include <utility>

#include "base/monitor.h"
#include "study/cut_clouds.h"
#include "study/median.h"
#include "study/part_of.h"
#include "study/spread.h"
#include "study/triage_choice.h"
#include "wordbreadth/error.h"

namespace wordbreadth {
namespace {

constexpr double tests_share = 0.95;  // of the time; the rest goes to the usages

class Examiner {
  public:
    Examiner(const store::CloudStore& store, const TriageWords& words, const WordStudyOptions& options)
        : store_(store), words_(words), options_(options), choice_(choose_words(store, words)) {
        options_.test.alternative = Alternative::greater;
        check_options(options_);
        found_.folder = store.folder();
        found_.references_from = words.references_from;
        found_.missing = std::move(choice_.missing);
        found_.left_out = std::move(choice_.left_out);
        choose_size();
    }

    Triage run() {
        const auto start = std::chrono::steady_clock::now();
        cut_references();
        test_all();
        judge();
        add_usages();
        std::ranges::sort(found_.left_out, {}, &LeftOut::word);
        found_.options = options_;
        found_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return std::move(found_);
    }

  private:
    void choose_size() {
        found_.common_size = options_.common_size;
        if (options_.common_size > 0) return;
        const store::StoredWord* smallest = nullptr;
        for (const auto* list : {&choice_.references, &choice_.candidates})
            for (const std::size_t index : *list) {
                const store::StoredWord& word = store_.words()[index];
                if (word.rows >= fewest_rows && (smallest == nullptr || word.rows < smallest->rows)) smallest = &word;
            }
        if (smallest == nullptr)
            throw InputError(store_.folder() + ": no word has the 2 rows that breadth needs; extract more rows a word");
        found_.common_size = smallest->rows;
        found_.smallest = smallest->word;
    }

    // The clouds of these words, and their places; those without a cloud are left out.
    std::pair<std::vector<Cloud>, std::vector<std::size_t>> cut(std::span<const std::size_t> places,
                                                                const std::string& role) {
        std::vector<WantedCloud> wanted;
        for (const std::size_t place : places) wanted.push_back({&store_, place, found_.common_size});
        std::vector<CutCloud> clouds = cut_clouds(wanted, options_.test.seed, options_.test.execution);
        std::pair<std::vector<Cloud>, std::vector<std::size_t>> kept;
        for (std::size_t i = 0; i < places.size(); ++i) {
            if (!clouds[i].cloud) {
                found_.left_out.push_back({store_.words()[places[i]].word, role + clouds[i].reason});
                continue;
            }
            kept.first.push_back(*std::move(clouds[i].cloud));
            kept.second.push_back(places[i]);
        }
        return kept;
    }

    void cut_references() {
        auto [clouds, places] = cut(choice_.references, "(reference) ");
        if (clouds.empty())
            throw InputError(words_.references_from + ": none of its words has a cloud of " +
                             std::to_string(found_.common_size) + " rows in " + store_.folder() +
                             ": first: " + found_.left_out.front().word + " " + found_.left_out.front().reason +
                             advice_for_fewer_rows(store_, choice_.references, found_.common_size));
        std::vector<std::pair<Breadth, std::size_t>> order;
        for (std::size_t i = 0; i < clouds.size(); ++i) order.emplace_back(breadth(clouds[i]), i);
        std::ranges::stable_sort(order, [](const auto& x, const auto& y) { return x.first.v > y.first.v; });
        std::vector<double> v;
        for (const auto& [of_cloud, i] : order) {
            const store::StoredWord& word = store_.words()[places[i]];
            found_.references.push_back({word.word, word.frequency, of_cloud});
            clouds_.push_back(std::move(clouds[i]));
            v.push_back(of_cloud.v);
        }
        found_.median_v = median(std::move(v));
    }

    void test_all() {
        const std::size_t step = clouds_of_a_batch(found_.common_size, store_.dimension());
        const auto all = static_cast<double>(choice_.candidates.size());
        for (std::size_t begin = 0; begin < choice_.candidates.size(); begin += step) {
            const std::size_t end = std::min(begin + step, choice_.candidates.size());
            test_batch(std::span(choice_.candidates).subspan(begin, end - begin),
                       part_of(options_.test.execution, tests_share * static_cast<double>(begin) / all,
                               tests_share * static_cast<double>(end) / all));
        }
        if (found_.candidates.empty())
            throw InputError(store_.folder() + ": no candidate has a cloud of " + std::to_string(found_.common_size) +
                             " rows that can be tested: first: " + found_.left_out.front().word + " " +
                             found_.left_out.front().reason +
                             advice_for_fewer_rows(store_, choice_.candidates, found_.common_size));
    }

    // The references stay at the front of the clouds.
    void test_batch(std::span<const std::size_t> batch, const Execution& execution) {
        const std::size_t references = found_.references.size();
        auto [clouds, places] = cut(batch, "");
        std::vector<Pair> pairs;
        for (Cloud& cloud : clouds) {
            for (std::size_t k = 0; k < references; ++k) pairs.push_back({clouds_.size(), k});
            clouds_.push_back(std::move(cloud));
        }
        TestOptions options = options_.test;
        options.execution = execution;
        const std::vector<TestResult> results = test_pairs(clouds_, pairs, options);
        for (std::size_t i = 0; i < places.size(); ++i)
            add(places[i], clouds_[references + i], std::span(results).subspan(i * references, references));
        clouds_.erase(clouds_.begin() + static_cast<std::ptrdiff_t>(references), clouds_.end());
    }

    void add(std::size_t place, const Cloud& cloud, std::span<const TestResult> results) {
        const store::StoredWord& word = store_.words()[place];
        Candidate candidate{word.word, word.frequency, word.rows, breadth(cloud), {}, 0, 0, {}};
        for (const TestResult& result : results) candidate.tests.push_back({result.T, result.p, 0, false});
        found_.device = results.front().device;
        found_.candidates.push_back(std::move(candidate));
    }

    void judge() {
        std::vector<double> p;
        for (const Candidate& candidate : found_.candidates)
            for (const ReferenceTest& test : candidate.tests) p.push_back(test.p);
        const std::vector<double> q = adjust(p, options_.adjustment);
        found_.tests =
            p.size() - static_cast<std::size_t>(std::ranges::count_if(p, [](double x) { return std::isnan(x); }));
        auto next = q.begin();
        for (Candidate& candidate : found_.candidates) {
            for (ReferenceTest& test : candidate.tests) {
                test.q = *next++;
                test.broader = test.q <= options_.alpha;
                candidate.broader_than += test.broader ? 1 : 0;
            }
            candidate.attention =
                static_cast<double>(candidate.broader_than) / static_cast<double>(candidate.tests.size());
        }
        const auto key = [](const Candidate& candidate) {
            return std::tuple(-candidate.attention, -candidate.breadth.v, std::string_view(candidate.word));
        };
        std::ranges::sort(found_.candidates, {}, key);
    }

    void add_usages() {
        const std::size_t count = std::min(options_.concordances, found_.candidates.size());
        const Execution part = part_of(options_.test.execution, tests_share, 1);
        base::Monitor monitor(static_cast<double>(count), part.progress, part.stop);
        for (std::size_t i = 0; i < count; ++i) {
            monitor.check();
            Candidate& candidate = found_.candidates[i];
            candidate.usages = spread_usages(store_, candidate.word, options_.lines, options_.test.seed);
            monitor.advance(1);
        }
    }

    const store::CloudStore& store_;
    const TriageWords& words_;
    WordStudyOptions options_;
    TriageChoice choice_;
    std::vector<Cloud> clouds_;  // the references, then the candidates of a batch
    Triage found_;
};

}  // namespace

Triage triage(const store::CloudStore& store, const TriageWords& words, const WordStudyOptions& options) {
    return Examiner(store, words, options).run();
}

}  // namespace wordbreadth
