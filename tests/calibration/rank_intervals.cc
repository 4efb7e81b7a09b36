// How often 95% intervals for ranks cover all true ranks at once, and marginal ones the rank of one value, for values
// whose ranks are known (ranked_clouds.h).
#include <algorithm>
#include <cstdio>

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

// Returns whether all intervals together, and marginal ones each, cover in 95% of trials, within simulation error.
bool run(const Settings& settings) {
    std::printf("%-38s %5s  %-19s  %s\n", "values", "words", "all ranks covered", "first, middle, last alone");
    bool kept = true;
    for (const RankedCase& each : cases()) {
        const CoveringTrials covering = covering_trials(each, settings.trials, settings.seed);
        const auto rate = [&](std::uint64_t number) { return rate_of(number, settings.trials); };
        const Rate all = rate(covering.all);
        const bool fails =
            is_surely_below(all, wanted) || is_surely_below(rate(std::ranges::min(covering.alone)), wanted);
        std::printf("%-38s %5zu  %-19s  %.3f  %.3f  %.3f %s\n", each.name, each.words, text_of(all).c_str(),
                    rate(covering.alone[0]).value, rate(covering.alone[1]).value, rate(covering.alone[2]).value,
                    fails ? "LOW" : "");
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
    using namespace wordbreadth::calibration;
    Settings settings;
    CLI::App app("How often intervals for ranks cover all true ranks. Exit status 1 when they do so too seldom.");
    add_trials(app, settings.trials, "rankings drawn for each row");
    app.add_option("--seed", settings.seed, "of the values")->capture_default_str();
    return run_program(app, argc, argv, "rank_intervals", [&] { return run(settings); });
}
