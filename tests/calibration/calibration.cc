// Rejection rates under the null hypothesis, beside the figures recorded for the method.
//
// Clouds of equal true breadth and different shapes (nulls.h) are tested at level 0.05; every rejection is false. The
// robust column must agree with the recorded figures within the simulation error of both. The plain columns are
// shown for comparison: how far they are off depends on shapes that were not recorded.
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numbers>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "calibration/document_clouds.h"
#include "calibration/fisher.h"
#include "calibration/nulls.h"
#include "calibration/program.h"
#include "wordbreadth/wordbreadth.h"

namespace wordbreadth::calibration {
namespace {

constexpr double alpha = 0.05;
constexpr double r = 0.6;  // of every cloud
constexpr std::uint64_t recorded_trials = 400;
constexpr double family_level = 0.01;  // chance that a sound run is called inconsistent, over all rows

struct Settings {
    std::uint64_t trials = 400;
    std::uint64_t permutations = 999;  // (B + 1) alpha is whole, so that the level is not rounded down
    std::uint64_t seed = 1;
    bool two_modes = false;
};

struct Column {
    const char* name;
    Alignment align;
    Statistic statistic;
};

constexpr std::array<Column, 3> columns{{{"none", Alignment::none, Statistic::plain},
                                         {"householder", Alignment::householder, Statistic::plain},
                                         {"householder, robust", Alignment::householder, Statistic::robust}}};
constexpr std::size_t robust = 2;

struct Row {
    const char* name;
    const Null* x;
    const Null* y;
    std::size_t n, m;
    std::array<double, columns.size()> recorded;  // of `recorded_trials` trials
};

using Rates = std::array<Rate, columns.size()>;

// A seed of its own for every row, trial and purpose: shared splits would tie the errors of the tests together.
std::uint64_t seed_of(const Settings& settings, std::size_t row, std::uint64_t trial, std::uint32_t purpose) {
    std::seed_seq sequence{settings.seed, settings.seed >> 32, std::uint64_t{row}, trial, std::uint64_t{purpose}};
    std::array<std::uint32_t, 2> words{};
    sequence.generate(words.begin(), words.end());
    return std::uint64_t{words[0]} << 32 | words[1];
}

// How often each column rejects pairs that `draw` makes.
Rates simulate(std::size_t index, const Settings& settings,
               const std::function<std::pair<Cloud, Cloud>(std::mt19937_64&)>& draw) {
    std::array<std::size_t, columns.size()> hits{};
    for (std::uint64_t trial = 0; trial < settings.trials; ++trial) {
        std::mt19937_64 generator(seed_of(settings, index, trial, 0));
        const auto [x, y] = draw(generator);
        for (std::size_t column = 0; column < columns.size(); ++column) {
            TestOptions options;
            options.align = columns[column].align;
            options.statistic = columns[column].statistic;
            options.permutations = settings.permutations;
            options.seed = seed_of(settings, index, trial, 1);
            hits[column] += test(x, y, options).p <= alpha;
        }
    }
    Rates rates;
    for (std::size_t column = 0; column < columns.size(); ++column)
        rates[column] = rate_of(hits[column], settings.trials);
    return rates;
}

Rates simulate(const Row& row, std::size_t index, const Settings& settings) {
    return simulate(index, settings, [&](std::mt19937_64& generator) {
        Cloud x("x", row.x->draw(row.n, 0, generator), row.x->dimension());
        Cloud y("y", row.y->draw(row.m, std::numbers::pi / 3, generator), row.y->dimension());
        return std::pair(std::move(x), std::move(y));
    });
}

Rate recorded_rate(const Row& row, std::size_t column) {
    const auto trials = static_cast<double>(recorded_trials);
    return rate_of(static_cast<std::size_t>(std::llround(row.recorded[column] * trials)), recorded_trials);
}

void print_header(const Settings& settings) {
    std::printf(
        "Rejection rates at alpha = %.2f under equal true breadth (r = %.1f, d = 384, means 60 degrees apart,\n"
        "two-sided, B = %llu, %llu trials), with 95%% intervals; in brackets the recorded figure (400 trials).\n\n",
        alpha, r, static_cast<unsigned long long>(settings.permutations),
        static_cast<unsigned long long>(settings.trials));
    std::printf("%-43s", "null");
    for (const Column& column : columns) std::printf("  %-28s", column.name);
    std::printf("\n");
}

void print_row(const Row& row, const Rates& rates) {
    std::string name = row.name;
    name += ", n=" + std::to_string(row.n) + " m=" + std::to_string(row.m);
    std::printf("%-43s", name.c_str());
    for (std::size_t column = 0; column < columns.size(); ++column)
        std::printf("  %s [%.3f] ", text_of(rates[column]).c_str(), row.recorded[column]);
    std::printf("\n");
    std::fflush(stdout);
}

constexpr double half_angle = std::numbers::pi * 2 / 9;  // between two modes and what lies in the middle of them
constexpr double r_of_mode = 0.78;

// Each row belongs to the first mode with this probability.
Cloud with_two_modes(const Null& of_mode, std::size_t n, double share, std::mt19937_64& generator) {
    std::bernoulli_distribution is_first(share);
    std::vector<double> values;
    for (std::size_t i = 0; i < n; ++i) {
        const std::vector<double> row = of_mode.draw(1, is_first(generator) ? half_angle : -half_angle, generator);
        values.insert(values.end(), row.begin(), row.end());
    }
    return {"x", std::move(values), of_mode.dimension()};
}

// Two modes against one that is as broad, n rows each. Not judged: they show a limit. The mean cosine of two modes is
// smallest where as many rows are of either, and there it hardly varies with their number. So a sample that comes near
// to that is broad and has a small standard error, both by chance.
void two_modes(const Settings& settings) {
    const std::array<std::pair<const char*, Shape>, 3> shapes{
        {{"round", {{{383, 1.0}}, 0}}, {"falling axes", falling_axes(384)}, {"8 axes with 50%", word_like(384)}}};
    std::printf("\n%-43s", "two modes, 80 degrees apart, against one");
    for (const Column& column : columns) std::printf("  %-28s", column.name);
    std::printf("\n");
    std::size_t index = 100;
    for (const auto& [name, shape] : shapes) {
        const Null of_mode(shape, r_of_mode);
        for (const auto& [share, n] : {std::pair(0.5, 25),
                                       {0.5, 50},
                                       {0.5, 100},
                                       {0.5, 200},
                                       {0.6, 50},
                                       {0.6, 100},
                                       {0.6, 200},
                                       {0.7, 50},
                                       {0.7, 100},
                                       {0.8, 50}}) {
            const double between = 2 * share * (1 - share);  // share of pairs of rows
            const Null one(shape, r_of_mode * std::sqrt(1 - between * (1 - std::cos(2 * half_angle))));
            const auto rows = static_cast<std::size_t>(n);
            const Rates rates = simulate(index++, settings, [&, of_first = share](std::mt19937_64& generator) {
                Cloud x = with_two_modes(of_mode, rows, of_first, generator);
                return std::pair(std::move(x), Cloud("y", one.draw(rows, 0, generator), one.dimension()));
            });
            std::printf("%-16s shares %.1f and %.1f, n=m=%-4zu", name, share, 1 - share, rows);
            for (const Rate& rate : rates) std::printf("  %-28s", text_of(rate).c_str());
            std::printf("\n");
            std::fflush(stdout);
        }
    }
}

// Returns whether every row's robust rate agrees with the recorded one.
bool run(const Settings& settings) {
    const Null isotropic({{{383, 1.0}}, 0}, r);
    const Null heavy({{{383, 1.0}}, 0.6}, r);
    const Null anisotropic({{{8, 0.9}, {375, 0.1}}, 0}, r);
    const std::array<Row, 6> rows{{
        {"isotropic vs heavy-tailed", &isotropic, &heavy, 40, 160, {0.000, 0.000, 0.040}},
        {"heavy-tailed vs isotropic", &heavy, &isotropic, 40, 160, {0.242, 0.372, 0.055}},
        {"isotropic vs anisotropic", &isotropic, &anisotropic, 160, 40, {0.050, 0.207, 0.052}},
        {"anisotropic vs isotropic", &anisotropic, &isotropic, 160, 40, {0.000, 0.003, 0.048}},
        {"isotropic vs heavy-tailed", &isotropic, &heavy, 80, 80, {0.140, 0.055, 0.045}},
        {"same shape (anisotropic)", &anisotropic, &anisotropic, 80, 80, {0.037, 0.037, 0.037}},
    }};
    print_header(settings);
    bool consistent = true;
    for (std::size_t index = 0; index < rows.size(); ++index) {
        const Rates rates = simulate(rows[index], index, settings);
        print_row(rows[index], rates);
        const double p = fisher_p(rates[robust], recorded_rate(rows[index], robust));
        if (p >= family_level / static_cast<double>(rows.size())) continue;
        std::printf("  inconsistent with the recorded rate: %.3f against %.3f, Fisher's p = %.2g\n",
                    rates[robust].value, rows[index].recorded[robust], p);
        consistent = false;
    }
    if (settings.two_modes) two_modes(settings);
    std::printf("\nrobust column: %s\n", consistent ? "consistent with the recorded rates" : "INCONSISTENT");
    return consistent;
}

}  // namespace
}  // namespace wordbreadth::calibration

int main(int argc, char** argv) {
    using namespace wordbreadth::calibration;
    Settings settings;
    CLI::App app("Rejection rates under the null. Exit status 1 when the robust test does not keep its level.");
    add_trials(app, settings.trials, "pairs of clouds drawn for each row");
    app.add_option("--permutations", settings.permutations, "splits of each test")
        ->check(CLI::Range(std::uint64_t{19}, wordbreadth::limits::permutations))
        ->capture_default_str();
    app.add_flag("--two-modes", settings.two_modes, "also clouds of two modes against one, which show a limit");
    app.add_option("--seed", settings.seed, "of the clouds and the splits")->capture_default_str();
    return run_program(app, argc, argv, "calibration", [&] { return run(settings); });
}
