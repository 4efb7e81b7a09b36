// Every pair of the clouds in a file, with p adjusted for their number: all_pairs clouds.npz
#include <wordbreadth/wordbreadth.h>

#include <exception>
#include <iostream>
#include <span>
#include <string>
#include <vector>

namespace {

void compare_all(const std::string& path) {
    const std::vector<wordbreadth::Cloud> clouds = wordbreadth::load_clouds(path);
    std::vector<wordbreadth::Pair> pairs;
    for (std::size_t x = 0; x < clouds.size(); ++x)
        for (std::size_t y = x + 1; y < clouds.size(); ++y) pairs.push_back({x, y});

    const std::vector<wordbreadth::TestResult> results = wordbreadth::test_pairs(clouds, pairs);

    std::vector<double> p;
    for (const wordbreadth::TestResult& result : results) p.push_back(result.p);
    const std::vector<double> q = wordbreadth::adjust(p, wordbreadth::Adjustment::benjamini_hochberg);

    for (std::size_t i = 0; i < results.size(); ++i)
        std::cout << results[i].x << '\t' << results[i].y << '\t' << results[i].T << '\t' << p[i] << '\t' << q[i]
                  << '\n';
}

}  // namespace

int main(int argc, char** argv) {
    const std::span<char*> arguments(argv, static_cast<std::size_t>(argc));
    if (arguments.size() != 2) {
        std::cerr << "usage: all_pairs CLOUDS.npz\n";
        return 2;
    }
    try {
        compare_all(arguments[1]);
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}
