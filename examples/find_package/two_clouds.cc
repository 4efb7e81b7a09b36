// Two clouds made in code, their breadths, and the test that compares them.
#include <wordbreadth/wordbreadth.h>

#include <exception>
#include <iostream>
#include <random>
#include <vector>

namespace {

// n vectors of `dimension` values around the axis `axis`; the larger `spread`, the broader the cloud.
std::vector<double> around(std::size_t axis, double spread, std::size_t n, std::size_t dimension, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> noise(0, spread);
    std::vector<double> values(n * dimension);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = noise(random) + (i % dimension == axis ? 1 : 0);
    return values;
}

void compare() {
    const wordbreadth::Cloud bank("bank", around(0, 0.20, 60, 32, 1), 32);
    const wordbreadth::Cloud oboe("oboe", around(5, 0.15, 40, 32, 2), 32);

    std::cout << "v(bank) = " << wordbreadth::breadth(bank).v << ", v(oboe) = " << wordbreadth::breadth(oboe).v << '\n';

    wordbreadth::TestOptions options;
    options.alternative = wordbreadth::Alternative::greater;  // is bank broader?
    options.statistic = wordbreadth::Statistic::robust;       // even where the clouds differ in shape
    const wordbreadth::TestResult result = wordbreadth::test(bank, oboe, options);
    std::cout << "ratio " << result.ratio << ", log of it " << result.effect << " [" << result.ci_low << ", "
              << result.ci_high << "], p = " << result.p << '\n';
}

}  // namespace

int main() {
    try {
        compare();
    } catch (const std::exception& error) {  // the library throws; it never prints and never ends the program
        std::cerr << error.what() << '\n';
        return 1;
    }
}
