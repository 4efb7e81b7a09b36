// Clouds as the command line names them.
#pragma once

#include <string>
#include <vector>

#include "wordbreadth/cloud.h"

namespace wordbreadth::cli {

// All clouds of a file, or the one of "FILE:name". Throws as load_clouds and load_cloud do.
[[nodiscard]] std::vector<Cloud> clouds_at(const std::string& where);

}  // namespace wordbreadth::cli
