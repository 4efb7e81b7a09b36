#include "cli/clouds.h"

#include <filesystem>
#include <string_view>
#include <utility>

#include "wordbreadth/files.h"

namespace wordbreadth::cli {
namespace {

bool is_a_whole_file(const std::string& where) {
    std::error_code ignored;
    return where.find(':') == std::string::npos || std::filesystem::exists(where, ignored);
}

}  // namespace

std::vector<Cloud> clouds_at(const std::string& where) {
    if (is_a_whole_file(where)) return load_clouds(where);
    std::vector<Cloud> one;
    one.push_back(load_cloud(where));
    return one;
}

}  // namespace wordbreadth::cli
