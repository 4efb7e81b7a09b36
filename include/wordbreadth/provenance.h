// Where a result comes from: what it takes to compute it again, and to tell whether that is still possible.
#pragma once

#include <cstdint>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

namespace wordbreadth {

// A file, a store or another folder that a result was computed from.
struct InputFile {
    std::string path;  // as it was given
    std::uint64_t bytes = 0;
    std::string sha256;  // see identify_input()

    friend bool operator==(const InputFile&, const InputFile&) = default;
};

// What is at the path now. The hash is that of a file's bytes. Of a store it is that of the header of its clouds, which
// holds the hashes of everything in it, so that a large one costs no more (of an unfinished one, that of its plan). Of
// another folder it is that of the names and hashes of the files directly in it. Throws InputError when there is
// nothing, or it cannot be read; Cancelled when stopped.
[[nodiscard]] InputFile identify_input(const std::string& path, const std::stop_token& stop = {});

struct Provenance {
    std::string version;               // of the program
    std::vector<std::string> command;  // its name and its arguments: {"rank", "my.store"}
    std::vector<InputFile> inputs;     // in the order of the arguments, each once
    std::string file;                  // where the command writes a folder: the name of this file in it
    // The values of options that were not given, by their names. Another version may have others.
    std::map<std::string, std::string> defaults = {};
};

}  // namespace wordbreadth
