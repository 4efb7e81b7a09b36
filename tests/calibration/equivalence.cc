// How often clouds are called equivalent whose true ratio of breadths is the margin (boundary.h): at most at the level,
// 0.05, within simulation error; and how often equal ones are, which is the power.
#include <cstdio>
#include <string>
#include <vector>

#include "calibration/boundary.h"
#include "calibration/program.h"

namespace wordbreadth::calibration {
namespace {

struct Settings {
    std::uint64_t trials = 2000;
    std::uint64_t seed = 1;
};

struct Row {
    std::string name;
    Boundary boundary;
    double ratio = 1.1;
};

std::vector<Row> rows() {
    const Shape round{{{31, 1.0}}, 0}, stretched{{{4, 0.6}, {27, 0.4}}, 0}, heavy{{{4, 0.6}, {27, 0.4}}, 0.4};
    std::vector<Row> all;
    for (const auto& [name, shape] : {std::pair("round", round), std::pair("4 axes with 60%", stretched),
                                      std::pair("the same, heavy tails", heavy)})
        for (const auto& [n, m] :
             {std::pair<std::size_t, std::size_t>(5, 95), {10, 90}, {20, 80}, {50, 50}, {200, 200}})
            for (const double ratio : {1.1, 1.5}) all.push_back({name, {n, m, 1, shape}, ratio});
    for (const std::size_t per_document : {3, 10})
        all.push_back({"documents of " + std::to_string(per_document), {180, 240, per_document, stretched}, 1.2});
    return all;
}

// Returns whether every rate is at most at the level, within simulation error.
bool run(const Settings& settings) {
    bool kept = true;
    std::puts("clouds                  n    m  margin  wrongly equivalent          equals found equivalent");
    for (const Row& row : rows()) {
        const BoundaryRates rates = rates_at(row.boundary, row.ratio, settings.trials, settings.seed);
        const Rate wrong = rate_of(rates.at_the_margin, rates.trials);
        const bool fails = is_surely_above(wrong, 0.05);
        std::printf("%-22s %4zu %4zu  %5.2f   %s %-9s %.3f\n", row.name.c_str(), row.boundary.n, row.boundary.m,
                    row.ratio, text_of(wrong).c_str(), fails ? "TOO OFTEN" : "", rates.right());
        std::fflush(stdout);
        kept = kept && !fails;
    }
    std::printf("\n%s\n", kept ? "equivalence is declared wrongly at most at its level"
                               : "equivalence is declared wrongly TOO OFTEN");
    return kept;
}

}  // namespace
}  // namespace wordbreadth::calibration

int main(int argc, char** argv) {
    using namespace wordbreadth::calibration;
    Settings settings;
    CLI::App app("How often equivalence is wrongly declared. Exit status 1 when that is above its level.");
    add_trials(app, settings.trials, "pairs of clouds drawn for each row");
    app.add_option("--seed", settings.seed, "of the clouds")->capture_default_str();
    return run_program(app, argc, argv, "equivalence", [&] { return run(settings); });
}
