// Where a cloud lies, as people write it: "x.npy", "clouds.npz:bank", "STORE:bank".
#pragma once

#include <string>

#include "arrays/array_file.h"

namespace wordbreadth::geometry {

struct Place {
    std::string path;
    std::string name;  // empty: none was given
};

// The two parts of `where`. Files and words may have colons of their own, so the longest part that is a file is taken
// for the file.
[[nodiscard]] Place place_of(const std::string& where);

// The name of the one cloud meant, which only an .npy file may leave out. Throws InputError where none was given.
[[nodiscard]] std::string cloud_name(const Place& place, const arrays::ArrayFile& file);

}  // namespace wordbreadth::geometry
