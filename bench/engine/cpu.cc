// Times the library at one shape and prints the result as JSON; cpu.py runs it beside the alternatives.
//
// What is timed is the call a user makes, with the clouds in memory and nothing prepared: Gram matrices, splits,
// screen, recounts and the start of the threads are all in it. Every time is that of one run; repeating is up to
// the caller.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "clouds.h"
#include "timing.h"
#include "wordbreadth/test.h"

namespace wordbreadth::bench {
namespace {

constexpr std::size_t single_tests = 15;  // tests timed one by one, for their median
constexpr std::uint64_t seed = 1;

struct Settings {
    Shape shape;
    std::size_t pairs = 300;
    std::uint64_t permutations = 20000;
    unsigned threads = 2;
    std::string device = "auto";
    std::string instruction_set;  // empty: the best
    std::string write;            // a folder, or empty
    std::size_t write_pairs = 5;
};

double median(std::vector<double> values) {
    std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
    return values[values.size() / 2];
}

TestOptions test_options(const Settings& settings, Statistic statistic) {
    TestOptions options;
    options.statistic = statistic;
    options.permutations = settings.permutations;
    options.execution.threads = settings.threads;
    options.execution.device = settings.device;
    options.execution.instruction_set = settings.instruction_set;
    return options;
}

nlohmann::json quartiles_of_p(const std::vector<TestResult>& results) {
    std::vector<double> p;
    for (const TestResult& result : results) p.push_back(result.p);
    std::ranges::sort(p);
    return {p[p.size() / 4], p[p.size() / 2], p[p.size() * 3 / 4]};
}

nlohmann::json time_pairs(const std::vector<Cloud>& clouds, const Settings& settings, Statistic statistic) {
    std::vector<Pair> pairs;
    for (std::size_t k = 0; k < settings.pairs; ++k) pairs.push_back({2 * k, 2 * k + 1});
    std::vector<TestResult> results;
    const double total =
        1e3 * seconds_of([&] { results = test_pairs(clouds, pairs, test_options(settings, statistic)); });

    nlohmann::json first = nlohmann::json::array();  // for the alternatives to agree with
    for (std::size_t k = 0; k < std::min(settings.write_pairs, settings.pairs); ++k) {
        first.push_back({{"T", results[k].T}, {"p", results[k].p}});
    }
    return {{"ms_a_test", total / static_cast<double>(settings.pairs)},
            {"device", results.front().device},
            {"quartiles_of_p", quartiles_of_p(results)},
            {"first", first}};
}

double time_single(const std::vector<Cloud>& clouds, const Settings& settings, Statistic statistic) {
    std::vector<double> times;
    for (std::size_t k = 0; k < std::min(single_tests, settings.pairs); ++k) {
        times.push_back(
            1e3 * seconds_of([&] { (void)test(clouds[2 * k], clouds[2 * k + 1], test_options(settings, statistic)); }));
    }
    return median(times);
}

void write_clouds(const std::vector<Cloud>& clouds, const Settings& settings) {
    for (std::size_t k = 0; k < std::min(settings.write_pairs, settings.pairs); ++k) {
        const std::string pair = settings.write + "/pair" + std::to_string(k);
        write_rows(clouds[2 * k], pair + "-x.f32");
        write_rows(clouds[2 * k + 1], pair + "-y.f32");
    }
}

nlohmann::json measure(const Settings& settings) {
    const std::vector<Cloud> clouds = make_clouds(settings.shape, settings.pairs, seed);
    if (!settings.write.empty()) write_clouds(clouds, settings);
    nlohmann::json json = {{"n", settings.shape.n},       {"m", settings.shape.m},
                           {"d", settings.shape.d},       {"pairs", settings.pairs},
                           {"threads", settings.threads}, {"permutations", settings.permutations}};
    for (const Statistic statistic : {Statistic::plain, Statistic::robust}) {
        nlohmann::json& times = json[statistic == Statistic::plain ? "plain" : "robust"];
        times = time_pairs(clouds, settings, statistic);
        times["single_ms"] = time_single(clouds, settings, statistic);
    }
    return json;
}

}  // namespace
}  // namespace wordbreadth::bench

int main(int argc, char** argv) {
    wordbreadth::bench::Settings settings;
    CLI::App app("Times the permutation test at one shape; prints JSON");
    app.add_option("n", settings.shape.n, "rows of X")->required();
    app.add_option("m", settings.shape.m, "rows of Y")->required();
    app.add_option("d", settings.shape.d, "dimensions")->required();
    app.add_option("--pairs", settings.pairs, "pairs tested in one call")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("--permutations", settings.permutations, "splits per test")->capture_default_str();
    app.add_option("--threads", settings.threads)->capture_default_str();
    app.add_option("--device", settings.device)->capture_default_str();
    app.add_option("--instruction-set", settings.instruction_set, "default: the best");
    app.add_option("--write", settings.write, "folder for the clouds of the first pairs, for others to test");
    CLI11_PARSE(app, argc, argv);
    try {
        std::puts(measure(settings).dump(2).c_str());
    } catch (const std::exception& error) {
        std::fprintf(stderr, "wordbreadth_bench: %s\n", error.what());
        return 1;
    }
    return 0;
}
