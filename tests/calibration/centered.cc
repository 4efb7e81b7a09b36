// Words beyond the median: false positive rates where most words share one shift (shifted.h), by the number of words
// and the documents of each cloud. None may be above the level, 5%.
#include <algorithm>
#include <cstdio>
#include <utility>

#include "calibration/program.h"
#include "calibration/shifted.h"

namespace wordbreadth::calibration {
namespace {

struct Settings {
    std::uint64_t trials = 9000;
    std::uint64_t seed = 1;
};

// Returns whether every rate of false positives is at most at the level, within simulation error.
bool run(const Settings& settings) {
    std::printf("%6s %10s %5s  %-30s %-22s %s\n", "words", "documents", "rows", "false beyond the median",
                "against equality", "detected beyond");
    bool kept = true;
    for (const std::size_t words : {9U, 30U, 90U, 360U})
        for (const auto& [documents, rows] : {std::pair(8U, 6U), std::pair(15U, 3U), std::pair(40U, 1U)}) {
            ShiftedOptions options{.words = words, .documents = documents, .rows = rows, .seed = settings.seed};
            options.comparisons = std::max<std::size_t>(1, settings.trials / words);
            const ShiftedRates found = shifted_rates(options);
            const bool fails = is_surely_above(found.false_positives, options.alpha);
            std::printf("%6zu %10zu %5zu  %-20s %-9s %-22s %s\n", words, options.documents, options.rows,
                        text_of(found.false_positives).c_str(), fails ? "TOO OFTEN" : "",
                        text_of(found.against_equality).c_str(), text_of(found.detected).c_str());
            std::fflush(stdout);
            kept = kept && !fails;
        }
    std::printf("\n%s\n", kept ? "no more words stand out wrongly than the level says" : "words stand out TOO OFTEN");
    return kept;
}

}  // namespace
}  // namespace wordbreadth::calibration

int main(int argc, char** argv) {
    using namespace wordbreadth::calibration;
    Settings settings;
    CLI::App app("Words beyond the median. Exit status 1 when they are found more often than the level says.");
    add_trials(app, settings.trials, "words tested for each row");
    app.add_option("--seed", settings.seed, "of the clouds")->capture_default_str();
    return run_program(app, argc, argv, "centered", [&] { return run(settings); });
}
