// How often 95% intervals for ranks cover all true ranks at once, and marginal ones the rank of one value, for values
// whose ranks are known (ranked_clouds.h).
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "calibration/fisher.h"
#include "calibration/program.h"
#include "calibration/ranked_clouds.h"

namespace wordbreadth::calibration {
namespace {

constexpr double wanted = 0.95;

struct Settings {
    std::uint64_t trials = 1000;
    std::uint64_t seed = 1;
};

const std::vector<RankedCase>& cases() {
    static const std::vector<RankedCase> all = {
        {"equal, many degrees of freedom", 20, Truth::equal, 200, 200, 1},
        {"equal, few degrees of freedom", 20, Truth::equal, 4, 4, 1},
        {"equal, 3 to 100, errors 1 to 5", 20, Truth::equal, 3, 100, 5},
        {"equal, 3 to 100, errors 1 to 5", 100, Truth::equal, 3, 100, 5},
        {"equal, 3 to 100, errors 1 to 5", 300, Truth::equal, 3, 100, 5},
        {"equal, 20 to 100, errors 1 to 50", 100, Truth::equal, 20, 100, 50},
        {"two levels, 10 to 100, errors 1 to 3", 60, Truth::two_levels, 10, 100, 3},
        {"steps, 10 to 100, errors 1 to 3", 60, Truth::steps, 10, 100, 3},
        {"steps, 3 to 100, errors 1 to 5", 60, Truth::steps, 3, 100, 5},
        {"clouds, equal, 100 documents", 20, Truth::equal, 99, 99, 1, true},
        {"clouds, equal, 20 to 60 documents", 20, Truth::equal, 19, 59, 1, true},
        {"clouds, equal, 6 to 20 documents", 20, Truth::equal, 5, 19, 1, true},
        {"clouds, steps, 20 to 60 documents", 20, Truth::steps, 19, 59, 1, true},
    };
    return all;
}

// Returns whether all intervals together, and marginal ones each, cover in 95% of trials, within simulation error: 3.5
// standard errors, so that a sound run of all cases is hardly ever called unsound.
bool run(const Settings& settings) {
    const double least = wanted - 3.5 * std::sqrt(wanted * (1 - wanted) / static_cast<double>(settings.trials));
    std::printf("%-38s %5s  %-20s  %s\n", "values", "words", "all ranks covered", "first, middle, last alone");
    bool kept = true;
    for (const RankedCase& each : cases()) {
        const CoveringTrials covering = covering_trials(each, settings.trials, settings.seed);
        const auto share = [&](std::uint64_t number) { return Rate{number, settings.trials}.value(); };
        const Interval interval = wilson({covering.all, settings.trials});
        const bool fails = share(covering.all) < least || share(std::ranges::min(covering.alone)) < least;
        std::printf("%-38s %5zu  %.3f (%.3f-%.3f)   %.3f  %.3f  %.3f %s\n", each.name, each.words, share(covering.all),
                    interval.low, interval.high, share(covering.alone[0]), share(covering.alone[1]),
                    share(covering.alone[2]), fails ? "LOW" : "");
        std::fflush(stdout);
        kept = kept && !fails;
    }
    std::printf("\n%s\n",
                kept ? "every case covers in 95% of trials, within simulation error" : "a case does NOT cover");
    return kept;
}

}  // namespace
}  // namespace wordbreadth::calibration

int main(int argc, char** argv) {
    wordbreadth::calibration::Settings settings;
    CLI::App app("How often intervals for ranks cover all true ranks. Exit status 1 when they do so too seldom.");
    app.add_option("--trials", settings.trials, "rankings drawn for each row")
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000}))
        ->capture_default_str();
    app.add_option("--seed", settings.seed, "of the values")->capture_default_str();
    return wordbreadth::calibration::run_program(app, argc, argv, "rank_intervals",
                                                 [&] { return wordbreadth::calibration::run(settings); });
}
