// Clouds from array files.
#include "geometry/load.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "wordbreadth/error.h"
#include "wordbreadth/files.h"

namespace wordbreadth::geometry {

Cloud cloud_of(arrays::Array array, const std::string& origin) {
    const Rows rows{array.values.get(), array.element, array.rows, array.columns, false, array.blocks};
    return {std::move(array.name), rows, array.values, origin};
}

std::string cloud_name(const CloudPlace& place, const arrays::ArrayFile& file) {
    if (!place.name.empty()) return place.name;
    const auto names = file.names();
    if (place.path.ends_with(".npy")) return names.front();
    throw InputError(place.path + ": names no cloud; write " + place.path + ":NAME, for instance " + place.path + ":" +
                     names.front());
}

}  // namespace wordbreadth::geometry

namespace wordbreadth {
namespace {

std::vector<Cloud> read_clouds(arrays::ArrayFile& file, const std::string& path,
                               const std::vector<std::string>& names) {
    std::vector<Cloud> clouds;
    clouds.reserve(names.size());
    for (const std::string& name : names) clouds.push_back(geometry::cloud_of(file.read(name), path));
    return clouds;
}

}  // namespace

CloudPlace place_of(const std::string& where) {
    std::error_code ignored;
    const auto last = where.rfind(':');
    if (last == std::string::npos || std::filesystem::exists(where, ignored)) return {where, {}};
    for (auto colon = last; colon != std::string::npos && colon > 0; colon = where.rfind(':', colon - 1))
        if (std::filesystem::exists(where.substr(0, colon), ignored))
            return {where.substr(0, colon), where.substr(colon + 1)};
    return {where.substr(0, last), where.substr(last + 1)};
}

Cloud load_cloud(const std::string& where) {
    const CloudPlace place = place_of(where);
    const auto file = arrays::open_array_file(place.path);
    return geometry::cloud_of(file->read(geometry::cloud_name(place, *file)), place.path);
}

std::vector<Cloud> load_clouds(const std::string& path) {
    const auto file = arrays::open_array_file(path);
    return read_clouds(*file, path, file->names());
}

std::vector<Cloud> load_clouds(const std::string& path, const std::vector<std::string>& names) {
    return read_clouds(*arrays::open_array_file(path), path, names);
}

}  // namespace wordbreadth
