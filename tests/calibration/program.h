// What the simulations share as programs.
//
// One rule for all that they promise: a promise is broken where the 99.9% interval of the rate excludes it, as for
// `calibrate` (is_surely_above). Many rates are looked at: by 95% intervals one of twenty sound ones would be called
// broken.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <iostream>
#include <string>

#include "wordbreadth/calibrate.h"

namespace wordbreadth::calibration {

[[nodiscard]] inline bool is_surely_below(const Rate& rate, double promised) {
    return rate_of(rate.hits, rate.trials, 0.999).high < promised;
}

// With its 95% interval: "0.048 (0.031-0.073)".
[[nodiscard]] inline std::string text_of(const Rate& rate) {
    char text[64];
    std::snprintf(text, sizeof text, "%.3f (%.3f-%.3f)", rate.value, rate.low, rate.high);
    return text;
}

inline void add_trials(CLI::App& app, std::uint64_t& trials, const std::string& what) {
    app.add_option("--trials", trials, what)
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{10'000'000}))
        ->capture_default_str();
}

// Parses the arguments and runs. Exit status: 0 where `run` says that every promise is kept, 1 where one is not, 2 for
// an error, which goes to stderr with the program's name.
inline int run_program(CLI::App& app, int argc, char** argv, const std::string& name,
                       const std::function<bool()>& run) {
    try {
        app.parse(argc, argv);
        return run() ? 0 : 1;
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;  // 0: help was asked for
    } catch (const std::exception& error) {
        std::cerr << name << ": " << error.what() << '\n';
        return 2;
    }
}

}  // namespace wordbreadth::calibration
