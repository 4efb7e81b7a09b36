// How often clouds are called equivalent whose true ratio of breadths is the margin (boundary.h): at most at the level,
// 0.05, within simulation error; and how often equal ones are, which is the power.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "calibration/boundary.h"
#include "calibration/fisher.h"

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
            for (const double ratio : {1.1, 1.5}) all.push_back({name, {n, m, 0, shape}, ratio});
    for (const std::size_t per_document : {3, 10})
        all.push_back({"documents of " + std::to_string(per_document), {180, 240, per_document, stretched}, 1.2});
    return all;
}

int run(const Settings& settings) {
    bool sound = true;
    std::puts("clouds                  n    m  margin  wrongly equivalent (95% interval)  equals found equivalent");
    for (const Row& row : rows()) {
        const BoundaryRates rates = rates_at(row.boundary, row.ratio, settings.trials, settings.seed);
        const Interval interval = wilson({rates.at_the_margin, rates.trials});
        const bool holds = interval.low <= 0.05;
        sound = sound && holds;
        std::printf("%-22s %4zu %4zu  %5.2f   %.4f (%.4f to %.4f)%s          %.3f\n", row.name.c_str(), row.boundary.n,
                    row.boundary.m, row.ratio, rates.wrong(), interval.low, interval.high,
                    holds ? "       " : " TOO OFTEN", rates.right());
    }
    return sound ? 0 : 1;
}

}  // namespace
}  // namespace wordbreadth::calibration

int main(int argc, char** argv) {
    using namespace wordbreadth::calibration;
    try {
        CLI::App program("How often equivalence is wrongly declared.");
        Settings settings;
        program.add_option("--trials", settings.trials, "of each row")->capture_default_str();
        program.add_option("--seed", settings.seed)->capture_default_str();
        CLI11_PARSE(program, argc, argv);
        return run(settings);
    } catch (const std::exception& error) {
        std::cerr << "equivalence: " << error.what() << '\n';
        return 1;
    }
}
