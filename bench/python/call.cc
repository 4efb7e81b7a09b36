// The C++ call that wordbreadth.test() makes, again and again: call X.f32 Y.f32 N M D CALLS prints the seconds of each,
// one per line. Clouds are made of rows in memory every time, as the Python package does.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <span>
#include <string>
#include <vector>

#include "timing.h"
#include "wordbreadth/wordbreadth.h"

namespace {

std::vector<float> values_of(const std::string& path, std::size_t count) {
    std::vector<float> values(count);
    std::ifstream file(path, std::ios::binary);
    file.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(count * sizeof(float)));
    if (!file) throw wordbreadth::InputError(path + ": cannot be read");
    return values;
}

}  // namespace

int main(int count, char** words) {
    const std::vector<std::string> arguments(words, words + count);
    const std::size_t n = std::stoul(arguments.at(3)), m = std::stoul(arguments.at(4)), d = std::stoul(arguments.at(5));
    const std::vector<float> x = values_of(arguments.at(1), n * d), y = values_of(arguments.at(2), m * d);
    using wordbreadth::Element;
    for (std::size_t calls = std::stoul(arguments.at(6)); calls > 0; --calls)
        std::cout << wordbreadth::bench::seconds_of([&] {
            const wordbreadth::Cloud of_x("x", {x.data(), Element::f32, n, d, false, {}}, nullptr);
            const wordbreadth::Cloud of_y("y", {y.data(), Element::f32, m, d, false, {}}, nullptr);
            (void)wordbreadth::test(of_x, of_y);
        }) << '\n';
    return EXIT_SUCCESS;
}
