#include "wordbreadth/triage.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "base/workers.h"
#include "engine/max_t.h"
#include "engine/pair_tests.h"
#include "permutation/distributions.h"
#include "study/many_tests.h"
#include "study/sampling.h"
#include "wordbreadth/error.h"

namespace wordbreadth {
namespace {

// Which words of a store a triage is about.
struct TriageChoice {
    std::vector<std::size_t> references;  // indices into the store's words, as listed, each once
    std::vector<std::size_t> candidates;  // the same, ascending
    std::vector<LeftOut> missing;         // references that the store does not have
    std::vector<LeftOut> left_out;        // words listed as candidates that cannot be
};

void find_references(TriageChoice& choice, const Store& store, const TriageWords& words) {
    std::set<std::string> seen;
    for (const std::string& word : words.references) {
        if (!seen.insert(word).second) continue;
        if (const auto place = store.index_of(word))
            choice.references.push_back(*place);
        else
            choice.missing.push_back({word, store.why_missing(word)});
    }
    if (!choice.references.empty()) return;
    std::string first;
    if (!seen.empty()) {
        const auto& [word, reason] = choice.missing.front();
        first = ": first: " + word + (reason.empty() ? "" : " (" + reason + ")");
    }
    throw InputError(words.references_from + ": none of its " + std::to_string(seen.size()) +
                     " reference words is in " + store.folder() + first + "; a ranking lists the words of a store");
}

void find_candidates(TriageChoice& choice, const Store& store, const TriageWords& words) {
    const std::set<std::size_t> references(choice.references.begin(), choice.references.end());
    std::set<std::size_t> chosen;
    for (const std::string& word : words.candidates) {
        const auto place = store.index_of(word);
        if (!place)
            choice.left_out.push_back({word, "is not in the store"});
        else if (references.contains(*place))
            choice.left_out.push_back({word, "is a reference"});
        else
            chosen.insert(*place);
    }
    for (std::size_t i = 0; words.candidates.empty() && i < store.words().size(); ++i)
        if (!references.contains(i)) chosen.insert(i);
    choice.candidates.assign(chosen.begin(), chosen.end());
    if (!choice.candidates.empty()) return;
    if (words.candidates.empty())
        throw InputError(store.folder() + ": every word of it is a reference; there is nothing to triage");
    throw InputError(words.candidates_from + ": none of its " + std::to_string(words.candidates.size()) +
                     " words is a candidate: first: " + choice.left_out.front().word + " " +
                     choice.left_out.front().reason);
}

// Throws InputError, naming the list, when the store has no reference or no candidate.
TriageChoice choose_words(const Store& store, const TriageWords& words) {
    TriageChoice choice;
    find_references(choice, store, words);
    find_candidates(choice, store, words);
    return choice;
}

// As many, give or take a quarter: 3 and 3, 4 and 5, 8 and 10.
bool are_alike(std::size_t senses, std::size_t others) {
    return 4 * std::max(senses, others) <= 5 * std::min(senses, others);
}

class Examiner {
  public:
    Examiner(const Store& store, const TriageWords& words, const WordStudyOptions& options, const TriageRules& rules)
        : store_(store), words_(words), options_(options), rules_(rules), choice_(choose_words(store, words)) {
        options_.test.alternative = Alternative::greater;
        options_.test.max_t = options_.adjustment == Adjustment::max_t;
        if (options_.test.max_t) options_.test.adaptive = 0;
        study::check_options(options_);
        found_.folder = store.folder();
        found_.references_from = words.references_from;
        found_.missing = std::move(choice_.missing);
        found_.left_out = std::move(choice_.left_out);
        found_.matched_by_senses = rules.wordnet != nullptr;
        found_.order = rules.order;
        if (found_.matched_by_senses) leave_out_unmatched();
        choose_size();
    }

    Triage run() {
        const auto start = std::chrono::steady_clock::now();
        cut_references();
        test_all();
        add_residuals();
        judge();
        study::add_concordances(found_.candidates.size(), options_, [&](std::size_t i) {
            Candidate& candidate = found_.candidates[i];
            candidate.concordance = study::spread_lines(store_, candidate.word, options_);
        });
        std::ranges::sort(found_.left_out, {}, &LeftOut::word);
        found_.options = options_;
        found_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return std::move(found_);
    }

  private:
    // 0 where nobody asks.
    [[nodiscard]] std::size_t senses_of(std::size_t place) const {
        return rules_.wordnet == nullptr ? 0 : rules_.wordnet->senses(store_.words()[place].word).all();
    }

    // Words that WordNet does not have, and candidates for which there is no reference.
    void leave_out_unmatched() {
        std::vector<std::size_t> senses;
        const auto leave_out = [&](std::size_t place, const std::string& reason) {
            found_.left_out.push_back({store_.words()[place].word, reason});
            return true;
        };
        std::erase_if(choice_.references, [&](std::size_t place) {
            const std::size_t number = senses_of(place);
            if (number == 0) return leave_out(place, "(reference) is not in WordNet");
            senses.push_back(number);
            return false;
        });
        if (senses.empty()) throw InputError(words_.references_from + ": none of its reference words is in WordNet");
        std::erase_if(choice_.candidates, [&](std::size_t place) {
            const std::size_t number = senses_of(place);
            if (number == 0) return leave_out(place, "is not in WordNet");
            const auto alike = [number](std::size_t other) { return are_alike(number, other); };
            if (std::ranges::any_of(senses, alike)) return false;
            return leave_out(place, "has " + std::to_string(number) + " senses, as many as no reference");
        });
        if (choice_.candidates.empty())
            throw InputError(words_.references_from + ": no candidate has as many senses as one of its words: first: " +
                             found_.left_out.back().word + " " + found_.left_out.back().reason);
    }

    // Rows that all words can be cut to. A word that has no test, for lack of a second document, does not decide it.
    void choose_size() {
        for (;;) {
            std::vector<std::size_t> all = choice_.references;
            all.insert(all.end(), choice_.candidates.begin(), choice_.candidates.end());
            study::CommonSize size =
                study::common_size(store_, all, options_.common_size, study::fewest_rows, "breadth");
            found_.common_size = size.rows;
            found_.smallest = std::move(size.smallest);
            if (all.size() == 1 || !leave_out_smallest()) return;
        }
    }

    // Whether the word that gave the common size has rows of one document only, and is left out for that.
    bool leave_out_smallest() {
        if (found_.smallest.empty() || !takes_blocks(options_.test.statistic)) return false;
        const std::size_t place = store_.find(found_.smallest);
        const std::vector<std::uint64_t> documents = store_.documents(place);
        const auto differs = [&](std::uint64_t document) { return document != documents.front(); };
        if (documents.empty() || std::ranges::any_of(documents, differs)) return false;
        const bool is_reference = std::erase(choice_.references, place) > 0;
        if (!is_reference) std::erase(choice_.candidates, place);
        found_.left_out.push_back({found_.smallest, (is_reference ? "(reference) " : "") + std::string(one_document)});
        return true;
    }

    // The clouds of these words, and their places; those without a cloud are left out.
    std::pair<std::vector<Cloud>, std::vector<std::size_t>> cut(std::span<const std::size_t> places,
                                                                const std::string& role) {
        std::vector<study::WantedCloud> wanted;
        const bool blocks = takes_blocks(options_.test.statistic);
        for (const std::size_t place : places) wanted.push_back({&store_, place, found_.common_size, blocks});
        std::vector<study::CutCloud> clouds = study::cut_clouds(wanted, options_.test.seed, options_.test.execution);
        std::pair<std::vector<Cloud>, std::vector<std::size_t>> kept;
        for (std::size_t i = 0; i < places.size(); ++i) {
            if (clouds[i].cloud && study::has_one_document(*clouds[i].cloud))
                clouds[i] = {{}, std::string(one_document)};
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
                             study::advice_for_fewer_rows(store_, choice_.references, found_.common_size));
        std::vector<std::pair<Breadth, std::size_t>> order;
        for (std::size_t i = 0; i < clouds.size(); ++i) order.emplace_back(breadth(clouds[i]), i);
        std::ranges::stable_sort(order, [](const auto& x, const auto& y) { return x.first.v > y.first.v; });
        std::vector<double> v;
        for (const auto& [of_cloud, i] : order) {
            const StoredWord& word = store_.words()[places[i]];
            found_.references.push_back({word.word, word.frequency, of_cloud, senses_of(places[i])});
            clouds_.push_back(std::move(clouds[i]));
            v.push_back(of_cloud.v);
        }
        found_.median_v = study::median(std::move(v));
    }

    void test_all() {
        const std::size_t step = study::clouds_of_a_batch(found_.common_size, store_.dimension());
        const double share = options_.test.max_t ? study::tests_share / 2 : study::tests_share;
        study::in_batches(choice_.candidates.size(), step, study::stage(options_.test.execution, 0, share),
                          [&](std::size_t begin, std::size_t end, const Execution& part) {
                              test_batch(std::span(choice_.candidates).subspan(begin, end - begin), part);
                          });
        if (found_.candidates.empty())
            throw InputError(store_.folder() + ": no candidate has a cloud of " + std::to_string(found_.common_size) +
                             " rows that can be tested: first: " + found_.left_out.front().word + " " +
                             found_.left_out.front().reason +
                             study::advice_for_fewer_rows(store_, choice_.candidates, found_.common_size));
    }

    // The references that a candidate is compared with.
    [[nodiscard]] std::vector<std::size_t> references_of(std::size_t place) const {
        const std::size_t senses = senses_of(place);
        std::vector<std::size_t> all;
        for (std::size_t k = 0; k < found_.references.size(); ++k)
            if (are_alike(senses, found_.references[k].senses)) all.push_back(k);
        return all;
    }

    // The references stay at the front of the clouds.
    void test_batch(std::span<const std::size_t> batch, const Execution& execution) {
        const std::size_t references = found_.references.size();
        auto [clouds, places] = cut(batch, "");
        std::vector<Pair> pairs;
        for (std::size_t i = 0; i < clouds.size(); ++i) {
            for (const std::size_t k : references_of(places[i])) pairs.push_back({clouds_.size(), k});
            clouds_.push_back(std::move(clouds[i]));
        }
        TestOptions options = options_.test;
        options.execution = execution;
        const std::vector<TestResult> results = engine::test_each(clouds_, pairs, options, scales_);
        std::span<const TestResult> rest = results;
        for (std::size_t i = 0; i < places.size(); ++i) {
            const std::vector<std::size_t> matched = references_of(places[i]);
            add(places[i], clouds_[references + i], matched, rest.first(matched.size()));
            rest = rest.subspan(matched.size());
            for (const std::size_t k : matched) tests_.push_back({places[i], k});
        }
        if (options_.test.max_t) std::ranges::copy(results, std::back_inserter(results_));
        clouds_.erase(clouds_.begin() + static_cast<std::ptrdiff_t>(references), clouds_.end());
    }

    // `results`: of the references that it was compared with.
    void add(std::size_t place, const Cloud& cloud, const std::vector<std::size_t>& matched,
             std::span<const TestResult> results) {
        const StoredWord& word = store_.words()[place];
        if (results.empty()) {  // those that were like it had no cloud
            found_.left_out.push_back({word.word, "has as many senses as no reference"});
            return;
        }
        constexpr double none = std::numeric_limits<double>::quiet_NaN();
        Candidate candidate{word.word, word.frequency, word.rows, breadth(cloud), {}, 0, 0, {}};
        candidate.senses = senses_of(place);
        candidate.tests.assign(found_.references.size(), {none, none, none, false, false});
        for (std::size_t i = 0; i < results.size(); ++i)
            candidate.tests[matched[i]] = {results[i].T, results[i].p, 0, false, true};
        found_.device = results.front().device;
        options_.test.statistic = results.front().statistic;  // what auto came to: the store decides, not the word
        found_.candidates.push_back(std::move(candidate));
    }

    // Reads the candidates a second time, from the smallest statistic to the largest.
    [[nodiscard]] std::vector<double> adjusted_as_a_family() const {
        const std::size_t step = study::clouds_of_a_batch(found_.common_size, store_.dimension());
        TestOptions options = options_.test;
        options.execution = study::stage(options_.test.execution, study::tests_share / 2, study::tests_share);
        const auto read = [&](std::span<const std::size_t> tests) {
            engine::FamilyClouds some{clouds_, {}};         // the references
            std::map<std::size_t, std::size_t> candidates;  // where they are in the clouds
            for (const std::size_t test : tests) {
                const study::WantedCloud wanted{&store_, tests_[test].candidate, found_.common_size,
                                                takes_blocks(options_.test.statistic)};
                const auto [at, is_new] = candidates.try_emplace(wanted.index, some.clouds.size());
                if (is_new) some.clouds.push_back(*study::cut_cloud(wanted, options_.test.seed).cloud);
                some.pairs.push_back({at->second, tests_[test].reference});
            }
            return some;
        };
        return engine::max_t(results_, scales_, options, found_.candidates.size() <= step ? results_.size() : step,
                             read);
    }

    // Of every candidate, among all words of the triage. The intervals take quantiles of the normal distribution; where
    // a standard error has few degrees of freedom, it is as much longer as Student's are.
    void add_residuals() {
        constexpr double tail = 0.975;
        const double normal = permutation::normal_quantile(tail);
        std::map<std::size_t, double> longer;  // by the rows or documents, which many words share
        std::vector<double> log_breadths, errors, frequencies;
        const auto take = [&](std::uint64_t frequency, const Breadth& of_word) {
            const std::size_t units = of_word.blocks > 0 ? of_word.blocks : of_word.n;
            const auto [ratio, is_new] = longer.try_emplace(units, 1);
            if (is_new && units > 1)
                ratio->second = permutation::student_quantile(tail, static_cast<double>(units - 1)) / normal;
            log_breadths.push_back(std::log(of_word.breadth));
            errors.push_back(of_word.log_v_standard_error * ratio->second);
            frequencies.push_back(static_cast<double>(frequency));
        };
        for (const Candidate& candidate : found_.candidates) take(candidate.frequency, candidate.breadth);
        for (const ReferenceWord& word : found_.references) take(word.frequency, word.breadth);
        const std::vector<FrequencyResidual> residuals = breadth_given_frequency(log_breadths, errors, frequencies);
        for (std::size_t i = 0; i < found_.candidates.size(); ++i) found_.candidates[i].given_frequency = residuals[i];
    }

    void judge() {
        std::vector<double> p;  // in the order of tests_
        for (const Candidate& candidate : found_.candidates)
            for (const ReferenceTest& test : candidate.tests)
                if (test.matched) p.push_back(test.p);
        const std::vector<double> q = options_.test.max_t ? adjusted_as_a_family() : adjust(p, options_.adjustment);
        found_.tests =
            p.size() - static_cast<std::size_t>(std::ranges::count_if(p, [](double x) { return std::isnan(x); }));
        auto next = q.begin();
        for (Candidate& candidate : found_.candidates) {
            for (ReferenceTest& test : candidate.tests) {
                if (!test.matched) continue;
                test.q = *next++;
                test.broader = test.q <= options_.alpha;
                candidate.broader_than += test.broader ? 1 : 0;
            }
            candidate.attention =
                static_cast<double>(candidate.broader_than) /
                static_cast<double>(std::ranges::count(candidate.tests, true, &ReferenceTest::matched));
        }
        const bool by_frequency = rules_.order == TriageOrder::given_frequency;
        const auto key = [by_frequency](const Candidate& candidate) {
            const double low = candidate.given_frequency.low;
            const double first = by_frequency ? (std::isnan(low) ? -HUGE_VAL : low) : candidate.attention;
            return std::tuple(-first, -candidate.breadth.v, std::string_view(candidate.word));
        };
        std::ranges::sort(found_.candidates, {}, key);
    }

    const Store& store_;
    const TriageWords& words_;
    WordStudyOptions options_;
    TriageRules rules_;
    TriageChoice choice_;
    std::vector<Cloud> clouds_;        // the references, then the candidates of a batch
    std::vector<TestResult> results_;  // of a family: all of them, as in judge()
    std::vector<double> scales_;       // of their statistics
    struct FamilyTest {
        std::size_t candidate, reference;  // its place in the store, and that among the references
    };
    std::vector<FamilyTest> tests_;  // of those results
    Triage found_;
};

}  // namespace

std::vector<ConcordanceLine> study::spread_lines(const Store& store, const std::string& word,
                                                 const WordStudyOptions& options) {
    if (options.lines == 0) return {};
    return concordance(store, word, {ConcordanceOrder::spread, options.lines, options.test.seed});
}

void study::add_concordances(std::size_t words, const WordStudyOptions& options,
                             const std::function<void(std::size_t)>& add) {
    const std::size_t count = std::min(options.concordances, words);
    const Execution part = stage(options.test.execution, tests_share, 1);
    const Timing::Stage reading(part.timing, "concordances");
    base::Monitor monitor(static_cast<double>(count), part.progress, part.stop);
    for (std::size_t i = 0; i < count; ++i) {
        monitor.check();
        add(i);
        monitor.advance(1);
    }
}

Triage triage(const Store& store, const TriageWords& words, const WordStudyOptions& options, const TriageRules& rules) {
    return Examiner(store, words, options, rules).run();
}

void study::check_options(const WordStudyOptions& options) {
    engine::check_options(options.test);
    require_size(options.common_size, fewest_rows, "breadth");
    require_level("alpha", options.alpha);
}

}  // namespace wordbreadth
