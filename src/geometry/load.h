// Where a cloud is, as people write it: "x.npy", "clouds.npz:bank".
#pragma once

#include <string>

#include "arrays/array_file.h"

namespace wordbreadth::geometry {

struct Place {
    std::string path;
    std::string name;  // empty: none was given
};

// The two parts of `where`. Paths and names may contain colons, so the longest part that exists is the path.
[[nodiscard]] Place place_of(const std::string& where);

// The name of the one cloud meant, which only an .npy file may leave out. Throws InputError when it is missing.
[[nodiscard]] std::string cloud_name(const Place& place, const arrays::ArrayFile& file);

}  // namespace wordbreadth::geometry
