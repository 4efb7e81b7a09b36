// Words beyond the median: false positive rates where most words share one shift (shifted.h), by the number of words
// and the documents of each cloud. No rate in the first column may be above 5% beyond its interval.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <iostream>

#include "calibration/shifted.h"

namespace wordbreadth::calibration {
namespace {

std::string text_of(const Rate& rate) {
    char text[64];
    std::snprintf(text, sizeof text, "%.3f (%.3f to %.3f)", rate.value, rate.low, rate.high);
    return text;
}

void print_table(std::size_t tests, unsigned seed) {
    std::printf("%6s %10s %5s  %-24s %-24s %-24s\n", "words", "documents", "rows", "false beyond the median",
                "against equality", "detected beyond");
    for (const std::size_t words : {9U, 30U, 90U, 360U})
        for (const auto& [documents, rows] : {std::pair(8U, 6U), std::pair(15U, 3U), std::pair(40U, 1U)}) {
            ShiftedOptions options{.words = words, .documents = documents, .rows = rows, .seed = seed};
            options.comparisons = std::max<std::size_t>(1, tests / words);
            const ShiftedRates found = shifted_rates(options);
            std::printf("%6zu %10zu %5zu  %-24s %-24s %-24s\n", words, options.documents, options.rows,
                        text_of(found.false_positives).c_str(), text_of(found.against_equality).c_str(),
                        text_of(found.detected).c_str());
        }
}

}  // namespace
}  // namespace wordbreadth::calibration

int main(int count, char** arguments) {
    CLI::App program("False positive rates of words beyond the median");
    std::size_t tests = 9000;
    unsigned seed = 1;
    program.add_option("--tests", tests, "words tested in each row");
    program.add_option("--seed", seed, "of the simulation");
    CLI11_PARSE(program, count, arguments);
    try {
        wordbreadth::calibration::print_table(tests, seed);
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}
