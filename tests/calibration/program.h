// What the simulations share as programs.
#pragma once

#include <CLI/CLI.hpp>
#include <exception>
#include <functional>
#include <iostream>
#include <string>

namespace wordbreadth::calibration {

// Parses the arguments and runs. Exit status: 0 where `run` says that every promise is kept, 1 where one is not, 2 for
// an error, which goes to stderr with the program's name.
inline int run_program(CLI::App& app, int argc, char** argv, const std::string& name,
                       const std::function<bool()>& run) {
    CLI11_PARSE(app, argc, argv);
    try {
        return run() ? 0 : 1;
    } catch (const std::exception& error) {
        std::cerr << name << ": " << error.what() << '\n';
        return 2;
    }
}

}  // namespace wordbreadth::calibration
