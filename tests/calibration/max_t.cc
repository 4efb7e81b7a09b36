// Family-wise error and power of maxT, beside Holm's method, where tests depend on each other (families.h).
//
// With all clouds equally broad, and with some of them broader, at most 5% of families may have a pair rejected that is
// equally broad; and maxT must find at least as many of the others as Holm's method does.
#include <cmath>
#include <cstdio>

#include "calibration/families.h"
#include "calibration/fisher.h"
#include "calibration/program.h"

namespace wordbreadth::calibration {
namespace {

struct Settings {
    std::uint64_t trials = 1000;
    std::uint64_t permutations = 999;
    std::uint64_t seed = 1;
    double effect = 0.2;
};

// Returns whether maxT keeps what it promises, within simulation error.
bool report(const FamilyKind& kind, double effect, const Settings& settings) {
    const FamilyRates rates = rates_of(kind, effect, settings.trials, settings.permutations, settings.seed);
    const Rate error{rates.errors, rates.families}, of_holm{rates.errors_of_holm, rates.families};
    const Interval interval = wilson(error);
    // Three standard errors: with 95% intervals one of the 14 families would often be called high by chance.
    const double most = 0.05 + 3 * std::sqrt(0.05 * 0.95 / static_cast<double>(rates.families));
    const bool too_many = error.value() > most, too_few = rates.found < rates.found_by_holm;
    std::printf("%-28s %-8s %.3f (%.3f-%.3f) %-4s %.3f", kind.name, effect == 0 ? "none" : "a third", error.value(),
                interval.low, interval.high, too_many ? "HIGH" : "", of_holm.value());
    if (rates.unequal > 0)
        std::printf("   %.3f   %.3f %s", static_cast<double>(rates.found) / static_cast<double>(rates.unequal),
                    static_cast<double>(rates.found_by_holm) / static_cast<double>(rates.unequal),
                    too_few ? "LOW" : "");
    std::printf("\n");
    std::fflush(stdout);
    return !too_many && !too_few;
}

bool run(const Settings& settings) {
    std::printf("%-28s %-8s %-25s %-7s power:\n", "family", "broader", "family-wise error, maxT", "Holm");
    bool kept = true;
    for (const FamilyKind& kind : family_kinds())
        for (const double effect : {0.0, settings.effect}) kept = report(kind, effect, settings) && kept;
    std::printf("\n%s\n", kept ? "maxT keeps its level and finds no less than Holm" : "maxT does NOT keep its promise");
    return kept;
}

}  // namespace
}  // namespace wordbreadth::calibration

int main(int argc, char** argv) {
    wordbreadth::calibration::Settings settings;
    CLI::App app("Family-wise error and power of maxT. Exit status 1 when it does not keep its promise.");
    app.add_option("--trials", settings.trials, "families drawn for each row")
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000}))
        ->capture_default_str();
    app.add_option("--permutations", settings.permutations, "of each test")
        ->check(CLI::Range(std::uint64_t{19}, std::uint64_t{1'000'000}))
        ->capture_default_str();
    app.add_option("--effect", settings.effect, "log of how much noisier the broader clouds are")
        ->capture_default_str();
    app.add_option("--seed", settings.seed, "of the clouds")->capture_default_str();
    return wordbreadth::calibration::run_program(app, argc, argv, "max_t",
                                                 [&] { return wordbreadth::calibration::run(settings); });
}
