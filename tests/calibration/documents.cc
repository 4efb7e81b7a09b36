// Documents as blocks, the interval of the effect, and the occurrences that are needed: what they promise, on simulated
// clouds whose truth is known (document_clouds.h).
//
// Exit status 1 when the block test rejects surely more often than its level, when an interval covers the truth surely
// less often than in 95% of trials, or when the power at the size that is said to be enough is surely not 80%, give or
// take 5 points.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "base/workers.h"
#include "calibration/document_clouds.h"
#include "calibration/program.h"
#include "study/needed.h"
#include "wordbreadth/wordbreadth.h"

namespace wordbreadth::calibration {
namespace {

constexpr double alpha = 0.05;
constexpr std::size_t d = 384;

struct Settings {
    std::uint64_t trials = 400;
    std::uint64_t permutations = 999;  // (B + 1) alpha is whole, so that the level is not rounded down
    std::uint64_t seed = 1;
    double alike = 0.5;
};

TestOptions options_of(const Settings& settings, Statistic statistic, std::uint64_t trial) {
    TestOptions options;
    options.statistic = statistic;
    options.permutations = settings.permutations;
    options.seed = settings.seed + trial;
    options.execution.threads = 1;
    return options;
}

// How often `holds`, which gets a generator of its own for every trial.
Rate share_of(const Settings& settings, std::uint64_t purpose,
              const std::function<bool(std::mt19937_64&, std::uint64_t trial)>& holds) {
    std::atomic<std::size_t> hits = 0;
    base::Workers workers(base::thread_count(0));
    workers.run(settings.trials, [&](std::size_t trial, std::size_t) {
        std::seed_seq sequence{settings.seed, purpose, std::uint64_t{trial}};
        std::mt19937_64 generator(sequence);
        hits += holds(generator, trial) ? 1 : 0;
    });
    return rate_of(hits, settings.trials);
}

void print(const Rate& rate) {
    std::printf("  %s", text_of(rate).c_str());
    std::fflush(stdout);
}

bool level(const Settings& settings) {
    std::printf(
        "Rejection rates at %.2f, equal breadth (r = 0.6, d = %zu, half of the variance shared in a document,\n"
        "two-sided, B = %llu, %llu trials), with 95%% intervals; in brackets the recorded figures.\n\n"
        "%-44s  %-20s  %-28s  %-28s\n",
        alpha, d, static_cast<unsigned long long>(settings.permutations),
        static_cast<unsigned long long>(settings.trials), "null", "rows, plain", "rows, robust", "blocks");
    const DocumentClouds clouds(word_like(d), 0.6, settings.alike);
    bool kept = true;
    std::uint64_t purpose = 0;
    for (const Structure& structure : structures()) {
        std::printf("%-44s", structure.name);
        ++purpose;
        for (const Statistic statistic : {Statistic::plain, Statistic::robust, Statistic::blocks}) {
            const Rate rate = share_of(settings, purpose, [&](std::mt19937_64& random, std::uint64_t i) {
                const Cloud x = clouds.draw(structure.x, false, random), y = clouds.draw(structure.y, true, random);
                return test(x, y, options_of(settings, statistic, i)).p <= alpha;
            });
            print(rate);
            if (statistic == Statistic::robust) std::printf(" [%.3f]", structure.recorded_rows);
            if (statistic != Statistic::blocks) continue;
            std::printf(" [%.3f]\n", structure.recorded_blocks);
            kept = kept && !is_surely_above(rate, alpha);
        }
    }
    return kept;
}

bool coverage(const Settings& settings) {
    std::printf("\nCoverage of the 95%% interval for the ratio, whose truth is 1.5.\n\n%-10s  %-20s  %s\n", "n : m",
                "rows", "documents of 1 to 4 rows");
    const double r = 0.6, truth = std::log(1.5);
    bool kept = true;
    std::uint64_t purpose = 10;
    for (const std::size_t n : {5, 10, 20, 50}) {
        std::printf("%3zu : %-4zu", n, 100 - n);
        for (const bool blocks : {false, true}) {
            const double alike = blocks ? settings.alike : 0;
            const DocumentClouds broad(word_like(d), broader_r(r, 1.5, d), alike), narrow(word_like(d), r, alike);
            const auto sizes = [&](std::size_t count) {
                return blocks ? unlike_documents(count) : documents(count, 1);
            };
            const Rate rate = share_of(settings, ++purpose, [&](std::mt19937_64& random, std::uint64_t i) {
                TestOptions options = options_of(settings, blocks ? Statistic::blocks : Statistic::robust, i);
                options.permutations = 1;
                const TestResult found =
                    test(broad.draw(sizes(n), false, random), narrow.draw(sizes(100 - n), true, random), options);
                return found.ci_low <= truth && truth <= found.ci_high;
            });
            print(rate);
            kept = kept && !is_surely_below(rate, 0.95);
        }
        std::printf("\n");
    }
    return kept;
}

// Words of a store, of several breadths, in documents of 1 to 4 rows.
std::vector<Breadth> words_of_a_store(const Settings& settings, std::size_t number_of_documents) {
    std::mt19937_64 random(settings.seed);
    std::vector<Breadth> words;
    for (const double r : {0.55, 0.6, 0.65}) {
        const DocumentClouds clouds(word_like(d), r, settings.alike);
        for (int i = 0; i < 40; ++i)
            words.push_back(breadth(clouds.draw(unlike_documents(number_of_documents), false, random)));
    }
    return words;
}

bool needed(const Settings& settings) {
    std::printf(
        "\nPower at the number of occurrences that is said to give 80%%, from 120 simulated words.\n\n"
        "%-8s %12s %10s   found by the block test\n",
        "ratio", "occurrences", "documents");
    bool kept = true;
    std::uint64_t purpose = 20;
    const NeededSizes sizes_needed =
        study::needed_sizes(words_of_a_store(settings, 40), words_of_a_store(settings, 10), alpha, 0.8);
    for (const NeededRows& size : sizes_needed.ratios) {
        std::printf("%-8.1f %12.0f %10.0f ", size.ratio, size.rows, size.documents);
        const DocumentClouds broad(word_like(d), broader_r(0.6, size.ratio, d), settings.alike);
        const DocumentClouds narrow(word_like(d), 0.6, settings.alike);
        const DocumentSizes sizes = unlike_documents(static_cast<std::size_t>(size.documents));
        const Rate rate = share_of(settings, ++purpose, [&](std::mt19937_64& random, std::uint64_t i) {
            return test(broad.draw(sizes, false, random), narrow.draw(sizes, true, random),
                        options_of(settings, Statistic::blocks, i))
                       .p <= alpha;
        });
        print(rate);
        std::printf("\n");
        kept = kept && !is_surely_below(rate, 0.75) && !is_surely_above(rate, 0.85);
    }
    return kept;
}

bool run(const Settings& settings) {
    const bool level_kept = level(settings), covered = coverage(settings), enough = needed(settings);
    std::printf("\nblock test %s its level; intervals %s; sizes %s\n", level_kept ? "keeps" : "DOES NOT KEEP",
                covered ? "cover" : "DO NOT COVER", enough ? "are right" : "ARE NOT RIGHT");
    return level_kept && covered && enough;
}

}  // namespace
}  // namespace wordbreadth::calibration

int main(int argc, char** argv) {
    using namespace wordbreadth::calibration;
    Settings settings;
    CLI::App app(
        "Documents as blocks, intervals and sizes on simulated clouds. Exit status 1 when a promise is broken.");
    add_trials(app, settings.trials, "pairs of clouds drawn for each row");
    app.add_option("--permutations", settings.permutations, "splits of each test")
        ->check(CLI::Range(std::uint64_t{19}, wordbreadth::limits::permutations))
        ->capture_default_str();
    app.add_option("--alike", settings.alike, "share of the variance that rows of a document have in common")
        ->capture_default_str();
    app.add_option("--seed", settings.seed, "of the clouds and the splits")->capture_default_str();
    return run_program(app, argc, argv, "documents", [&] { return run(settings); });
}
