// Family-wise error and power of maxT, beside Holm's method, where tests depend on each other (families.h).
//
// With all clouds equally broad, and with some of them broader, at most 5% of families may have a pair rejected that is
// equally broad; and maxT must find at least as many of the others as Holm's method does.
#include <cstdio>
#include <string>

#include "calibration/families.h"
#include "calibration/program.h"

namespace wordbreadth::calibration {
namespace {

struct Settings {
    std::uint64_t trials = 1000;
    std::uint64_t permutations = 999;
    std::uint64_t seed = 1;
    double effect = 0.2;
    std::string only;
};

// Returns whether maxT keeps what it promises, within simulation error.
bool report(const FamilyKind& kind, double effect, const Settings& settings) {
    const FamilyRates rates = rates_of(kind, effect, settings.trials, settings.permutations, settings.seed);
    const Rate error = rate_of(rates.errors, rates.families), of_holm = rate_of(rates.errors_of_holm, rates.families);
    const bool too_many = is_surely_above(error, 0.05), too_few = rates.found < rates.found_by_holm;
    std::printf("%-28s %-8s %s %-4s %.3f", kind.name, effect == 0 ? "none" : "a third", text_of(error).c_str(),
                too_many ? "HIGH" : "", of_holm.value);
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
    for (const FamilyKind& kind : family_kinds()) {
        if (!std::string(kind.name).starts_with(settings.only)) continue;
        for (const double effect : {0.0, settings.effect}) kept = report(kind, effect, settings) && kept;
    }
    std::printf("\n%s\n", kept ? "maxT keeps its level and finds no less than Holm" : "maxT does NOT keep its promise");
    return kept;
}

}  // namespace
}  // namespace wordbreadth::calibration

int main(int argc, char** argv) {
    using namespace wordbreadth::calibration;
    Settings settings;
    CLI::App app("Family-wise error and power of maxT. Exit status 1 when it does not keep its promise.");
    add_trials(app, settings.trials, "families drawn for each row");
    app.add_option("--permutations", settings.permutations, "of each test")
        ->check(CLI::Range(std::uint64_t{19}, std::uint64_t{1'000'000}))
        ->capture_default_str();
    app.add_option("--effect", settings.effect, "log of how much noisier the broader clouds are")
        ->capture_default_str();
    app.add_option("--only", settings.only, "families whose name starts so");
    app.add_option("--seed", settings.seed, "of the clouds")->capture_default_str();
    return run_program(app, argc, argv, "max_t", [&] { return run(settings); });
}
