// Clouds from files: .npy (one cloud), .npz and .safetensors (named clouds).
#pragma once

#include <string>
#include <vector>

#include "wordbreadth/cloud.h"

namespace wordbreadth {

// The two parts of "x.npy", "clouds.npz:bank" or "STORE:bank". Files and words may have colons of their own: the
// longest part that is a file is taken for the file.
struct CloudPlace {
    std::string path;
    std::string name;  // empty: none was given
};
[[nodiscard]] CloudPlace place_of(const std::string& where);

// Reads the one cloud that `where` names: "x.npy", or "clouds.npz:bank", "clouds.safetensors:bank".
// The name of a cloud from an .npy file is the file's name without folder and ending.
// Throws InputError when the file is missing, malformed or of another kind, or has no cloud of that name.
[[nodiscard]] Cloud load_cloud(const std::string& where);

// Reads all the clouds of an .npz or .safetensors file (or the one of an .npy file), in the order of their names.
[[nodiscard]] std::vector<Cloud> load_clouds(const std::string& path);

// Reads only the named clouds, in the order given.
[[nodiscard]] std::vector<Cloud> load_clouds(const std::string& path, const std::vector<std::string>& names);

}  // namespace wordbreadth
