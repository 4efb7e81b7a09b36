// How often the interval of breadth covers the truth, by the number of rows, for clouds whose breadth is known
// (mixed_clouds.h): what `breadth --by-size` promises. At no size may that be in less than 95% of cases. Rows marked
// "wide" cover surely more, which is no broken promise, but not what 95% says either: the jackknife overstates the
// variance of a small sample (Efron and Stein 1981), most where pairs of rows have most of the noise, as in round
// clouds.
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "calibration/mixed_clouds.h"
#include "calibration/program.h"
#include "wordbreadth/wordbreadth.h"

namespace wordbreadth::calibration {
namespace {

constexpr double confidence = 0.95;

struct Settings {
    std::uint64_t trials = 2000;
    std::uint64_t seed = 1;
};

std::vector<MixedCloud> clouds() {
    constexpr std::size_t n = 200, d = 384;
    const Shape falling = falling_axes(d);
    Shape heavy = falling;
    heavy.tail = 0.6;
    std::vector<std::size_t> unequal{80, 40, 20, 10, 8, 6, 5, 4, 3};
    unequal.insert(unequal.end(), 24, 1);
    const Shape round{{{d - 1, 1.0}}, 0}, stretched{{{4, 0.6}, {d - 5, 0.4}}, 0};
    std::vector<MixedCloud> all;  // one by one: GCC 12 takes a list of them for uninitialised
    all.push_back({"round", n, round, 0.6, {1}});
    all.push_back({"falling axes", n, falling, 0.8, {1}});
    all.push_back({"falling axes, heavy tails", n, heavy, 0.8, {1}});
    all.push_back({"4 axes with 60%", n, stretched, 0.6, {1}});
    all.push_back({"40 documents of 5", n, falling, 0.8, {1}, 0, {std::vector<std::size_t>(40, 5), 0.3}});
    all.push_back({"unequal documents", n, falling, 0.8, {1}, 0, {unequal, 0.3}});
    return all;
}

struct Coverage {
    std::size_t n = 0;
    double units = 0;  // rows or documents, on average
    std::size_t hits = 0, trials = 0;
};

std::vector<Coverage> simulate(const MixedCloud& mixed, const Settings& settings) {
    const Null null(mixed.shape, mixed.r);
    const auto d = static_cast<double>(null.dimension());
    const double truth = (1 - mixed.r * mixed.r) / (mixed.r * (d - mixed.r * mixed.r));
    std::mt19937_64 generator(settings.seed);
    BySizeOptions options;
    options.draws = 1;
    options.confidence = confidence;
    std::vector<Coverage> found;
    for (std::uint64_t trial = 0; trial < settings.trials; ++trial) {
        const BreadthBySize sizes = by_size(draw(mixed, null, "trial " + std::to_string(trial), generator), options);
        found.resize(sizes.sizes.size());
        for (std::size_t i = 0; i < found.size(); ++i) {
            const BreadthAtSize& at = sizes.sizes[i];
            found[i].n = at.n;
            if (!(at.defined > 0)) continue;
            ++found[i].trials;
            found[i].units += at.documents > 0 ? at.documents : static_cast<double>(at.n);
            if (at.low <= truth && truth <= at.high) ++found[i].hits;
        }
    }
    for (Coverage& each : found) each.units /= static_cast<double>(each.trials);
    return found;
}

// Returns whether every coverage that is promised is kept, within simulation error.
bool run(const Settings& settings) {
    std::printf("%-28s %4s %10s %10s  %s\n", "cloud", "n", "documents", "intervals", "cover the truth");
    bool kept = true;
    for (const MixedCloud& mixed : clouds())
        for (const Coverage& at : simulate(mixed, settings)) {
            const Rate covered = rate_of(at.hits, at.trials);
            const bool fails = is_surely_below(covered, confidence);
            std::printf("%-28s %4zu %10.1f %10zu  %s %s\n", mixed.name, at.n, at.units, at.trials,
                        text_of(covered).c_str(),
                        fails                                  ? "LOW"
                        : is_surely_above(covered, confidence) ? "wide"
                                                               : "");
            std::fflush(stdout);
            kept = kept && !fails;
        }
    std::printf("\n%s\n", kept ? "every promised coverage is kept" : "a promised coverage is NOT kept");
    return kept;
}

}  // namespace
}  // namespace wordbreadth::calibration

int main(int argc, char** argv) {
    using namespace wordbreadth::calibration;
    Settings settings;
    CLI::App app("Coverage of the interval of breadth by size. Exit status 1 when a promised coverage is not kept.");
    add_trials(app, settings.trials, "clouds drawn for each row");
    app.add_option("--seed", settings.seed, "of the clouds")->capture_default_str();
    return run_program(app, argc, argv, "by_size", [&] { return run(settings); });
}
