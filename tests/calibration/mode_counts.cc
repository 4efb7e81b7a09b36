// How often the number of modes is right, for clouds whose modes are known (mixed_clouds.h).
//
// Well separated modes must be counted right in 90% of clouds, and stretched clouds of one mode in 95%, also where rows
// of one document resemble each other. Rows marked "-" show where the method ends: modes of few rows, or close to each
// other; or, marked "rows", what comes of documents that are not known.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#include "calibration/mixed_clouds.h"
#include "calibration/program.h"
#include "wordbreadth/wordbreadth.h"

namespace wordbreadth::calibration {
namespace {

struct Settings {
    std::uint64_t trials = 200;
    std::uint64_t seed = 1;
    std::vector<std::size_t> sizes{40, 100, 200};  // rows of a cloud
    bool only_documents = false;
    ModesOptions modes;
};

struct Row {
    MixedCloud cloud;
    double wanted = 0;      // rate of right numbers; 0: none is promised
    bool documents = true;  // whether they are known, where there are any
};

// Axes whose variances fall as 1 / (a + 3), as those of words do: the first has 0.16 of the sampled variance of 100
// rows.
Shape falling(std::size_t d) {
    Shape shape;
    double sum = 0;
    for (std::size_t a = 0; a + 1 < d; ++a) sum += 1 / static_cast<double>(a + 3);
    for (std::size_t a = 0; a + 1 < d; ++a) shape.bands.push_back({1, 1 / static_cast<double>(a + 3) / sum});
    return shape;
}

Shape heavy(Shape shape) {
    shape.tail = 0.6;
    return shape;
}

std::vector<std::size_t> equal_documents(std::size_t n, std::size_t documents) {
    std::vector<std::size_t> sizes(documents, n / documents);
    for (std::size_t k = 0; k < n % documents; ++k) ++sizes[k];
    return sizes;
}

// Half of the rows are from one document, the others from one each.
std::vector<std::size_t> one_large_document(std::size_t n) {
    std::vector<std::size_t> sizes(n - n / 2 + 1, 1);
    sizes.front() = n / 2;
    return sizes;
}

std::vector<std::size_t> unequal_documents(std::size_t n) {
    std::vector<std::size_t> sizes;
    for (const double share : {0.4, 0.2, 0.1, 0.075, 0.05, 0.05})
        sizes.push_back(static_cast<std::size_t>(share * static_cast<double>(n)));
    for (std::size_t left = n - std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}); left > 0; --left)
        sizes.push_back(1);
    return sizes;
}

void add_documents(std::vector<Row>& all, std::size_t n, std::size_t d, bool also_unknown) {
    const Shape round{{{d - 1, 1.0}}, 0};
    for (const bool known : {true, false}) {
        if (!known && !also_unknown) continue;
        const double wanted = known ? 0.95 : 0;
        all.push_back({{"round, 20 documents", n, round, 0.6, {1}, 0, {equal_documents(n, 20), 0.3}}, wanted, known});
        all.push_back(
            {{"falling axes, 20 documents", n, falling(d), 0.9, {1}, 0, {equal_documents(n, 20), 0.3}}, wanted, known});
        all.push_back(
            {{"falling axes, 8 documents", n, falling(d), 0.9, {1}, 0, {equal_documents(n, 8), 0.3}}, wanted, known});
        all.push_back(
            {{"falling axes, one has half", n, falling(d), 0.9, {1}, 0, {one_large_document(n), 0.7}}, wanted, known});
        all.push_back(
            {{"falling axes, unequal", n, falling(d), 0.9, {1}, 0, {unequal_documents(n), 0.5}}, wanted, known});
    }
    for (const bool mixed : {true, false})
        all.push_back({{mixed ? "falling axes, 20 documents" : "falling, one mode a document",
                        n,
                        falling(d),
                        0.93,
                        {0.5, 0.5},
                        30,
                        {equal_documents(n, 20), 0.2, mixed}},
                       mixed ? 0.9 : 0,
                       true});
}

std::vector<Row> rows(const Settings& settings) {
    std::vector<Row> all;
    for (const std::size_t d : {64, 384}) {
        const Shape round{{{d - 1, 1.0}}, 0}, stretched{{{4, 0.6}, {d - 5, 0.4}}, 0}, line{{{1, 0.3}, {d - 2, 0.7}}, 0};
        const Shape mild{{{4, 0.3}, {d - 5, 0.7}}, 0};
        for (const std::size_t n : settings.sizes) {
            all.push_back({{"round", n, round, 0.6, {1}}, 0.95});
            all.push_back({{"round, heavy tails", n, heavy(round), 0.6, {1}}, 0.95});
            all.push_back({{"4 axes with 60%", n, stretched, 0.6, {1}}, 0.95});
            all.push_back({{"4 axes with 60%, heavy tails", n, heavy(stretched), 0.6, {1}}, 0.95});
            all.push_back({{"1 axis with 30%", n, line, 0.8, {1}}, 0.95});
            all.push_back({{"1 axis with 30%, heavy tails", n, heavy(line), 0.8, {1}}, 0.95});
            all.push_back({{"falling axes", n, falling(d), 0.9, {1}}, 0.95});
            all.push_back({{"falling axes, heavy tails", n, heavy(falling(d)), 0.9, {1}}, 0.95});
            for (const auto& shares :
                 std::vector<std::vector<double>>{{0.5, 0.5}, {0.8, 0.2}, {0.34, 0.33, 0.33}, {0.6, 0.2, 0.2}}) {
                all.push_back({{"round", n, round, 0.7, shares, 75}, 0.9});
                all.push_back({{"4 axes with 30%", n, mild, 0.7, shares, 75}, 0.9});
                all.push_back({{"falling axes", n, falling(d), 0.93, shares, 30}, 0.9});
            }
            all.push_back({{"round", n, round, 0.7, {0.9, 0.1}, 75}});
            all.push_back({{"falling axes", n, falling(d), 0.93, {0.9, 0.1}, 30}});
            all.push_back({{"round, close", n, round, 0.5, {0.5, 0.5}, 60}});
            all.push_back({{"falling axes, close", n, falling(d), 0.93, {0.5, 0.5}, 20}});
            add_documents(all, n, d, settings.only_documents);
        }
    }
    return all;
}

std::string percents(const std::vector<double>& shares) {
    std::string text;
    for (const double share : shares) text += (text.empty() ? "" : "/") + std::to_string(std::lround(100 * share));
    return text;
}

Cloud without_blocks(Cloud cloud, const Row& row) {
    if (row.documents) return cloud;
    return {cloud.name(), {cloud.unit_rows().begin(), cloud.unit_rows().end()}, cloud.dimension()};
}

// How many clouds had 1, 2, ... modes.
std::vector<std::uint64_t> simulate(const Row& row, const Settings& settings) {
    const Null null(row.cloud.shape, row.cloud.r);
    std::mt19937_64 generator(settings.seed);
    std::vector<Cloud> clouds;
    for (std::uint64_t trial = 0; trial < settings.trials; ++trial)
        clouds.push_back(without_blocks(draw(row.cloud, null, "trial " + std::to_string(trial), generator), row));
    std::vector<std::uint64_t> counts(settings.modes.most, 0);
    for (const Modes& found : modes(clouds, settings.modes)) ++counts[found.modes.size() - 1];
    return counts;
}

// Returns whether every rate that is promised is kept, within simulation error.
bool run(const Settings& settings) {
    std::printf("%-30s %4s %4s %-9s %5s %4s  %-20s  modes found: 1, 2, ...\n", "shape of a mode", "n", "d", "shares",
                "angle", "r", "right");
    bool kept = true;
    for (const Row& row : rows(settings)) {
        if (settings.only_documents && row.cloud.documents.sizes.empty()) continue;
        const MixedCloud& cloud = row.cloud;
        std::size_t d = 1;
        for (const Band& band : cloud.shape.bands) d += band.axes;
        const std::vector<std::uint64_t> counts = simulate(row, settings);
        const Rate right = rate_of(counts[cloud.modes() - 1], settings.trials);
        const bool fails = is_surely_below(right, row.wanted);
        std::printf("%-30s %4zu %4zu %-9s %5.0f %4.2f  %s %s ", cloud.name, cloud.n, d, percents(cloud.shares).c_str(),
                    cloud.angle, cloud.r, text_of(right).c_str(),
                    !row.documents    ? "rows"
                    : row.wanted == 0 ? "-"
                    : fails           ? "LOW"
                                      : " ");
        for (const std::uint64_t count : counts) std::printf(" %llu", static_cast<unsigned long long>(count));
        std::printf("\n");
        std::fflush(stdout);
        kept = kept && !fails;
    }
    std::printf("\n%s\n", kept ? "every promised rate is kept" : "a promised rate is NOT kept");
    return kept;
}

}  // namespace
}  // namespace wordbreadth::calibration

int main(int argc, char** argv) {
    using namespace wordbreadth::calibration;
    Settings settings;
    CLI::App app("How often the number of modes is right. Exit status 1 when a promised rate is not kept.");
    add_trials(app, settings.trials, "clouds drawn for each row");
    app.add_option("--sizes", settings.sizes, "rows of a cloud")
        ->check(CLI::Range(std::size_t{40}, std::size_t{2000}))
        ->delimiter(',')
        ->capture_default_str();
    app.add_flag("--documents", settings.only_documents,
                 "only the rows with documents, and what comes of them when they are not known");
    app.add_option("--seed", settings.seed, "of the clouds")->capture_default_str();
    return run_program(app, argc, argv, "mode_counts", [&] { return run(settings); });
}
