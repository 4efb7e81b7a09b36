// A Python that may have what a test needs. Which one: WORDBREADTH_PYTHON, or python3.
#pragma once

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <sys/wait.h>

namespace wordbreadth::encoder::tokenizer {

struct PythonOutcome {
    int code = -1;
    std::string output;  // both streams
};

inline std::string quoted(const std::string& argument) {
    std::string text = "'";
    for (const char c : argument) c == '\'' ? text += "'\\''" : text += c;
    return text + "'";
}

inline PythonOutcome run_python(const std::vector<std::string>& arguments) {
    const char* chosen = std::getenv("WORDBREADTH_PYTHON");
    std::string command = quoted(chosen == nullptr ? "python3" : chosen) + " -B";
    for (const std::string& argument : arguments) command += " " + quoted(argument);
    PythonOutcome outcome;
    FILE* pipe = popen((command + " 2>&1").c_str(), "r");
    if (pipe == nullptr) return outcome;
    std::array<char, 4096> buffer{};
    while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
        outcome.output.append(buffer.data(), count);
    }
    const int status = pclose(pipe);
    outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
    return outcome;
}

// Where a package of that name lies, without running it; "" when it is not installed.
inline std::string python_package(const std::string& name) {
    const auto found = run_python({"-c",
                                   "import importlib.util as u, sys; s = u.find_spec(sys.argv[1]); "
                                   "sys.stdout.write(s.submodule_search_locations[0] if s else '')",
                                   name});
    return found.code == 0 ? found.output : "";
}

inline std::string how_to_install() {
    return "tools/parity.sh fetches it, as make test does where there is a network";
}

// The folder of the demo's model: WORDBREADTH_MODEL; "" when it is not there.
inline std::string demo_model() {
    const char* folder = std::getenv("WORDBREADTH_MODEL");
    return folder != nullptr && std::filesystem::exists(std::string(folder) + "/config.json") ? folder : "";
}

}  // namespace wordbreadth::encoder::tokenizer
