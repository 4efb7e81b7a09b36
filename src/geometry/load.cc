#include <filesystem>
#include <system_error>
#include <utility>

#include "store/array_file.h"
#include "wordbreadth/error.h"
#include "wordbreadth/files.h"

namespace wordbreadth {

namespace {

struct Place {
    std::string path;
    std::string name;  // empty: none was given
};

// "clouds.npz:bank" into its two parts. Files and words may have colons of their own, so the longest part that is a
// file is taken for the file.
Place place_of(const std::string& where) {
    std::error_code ignored;
    const auto last = where.rfind(':');
    if (last == std::string::npos || std::filesystem::exists(where, ignored)) return {where, {}};
    for (auto colon = last; colon != std::string::npos && colon > 0; colon = where.rfind(':', colon - 1))
        if (std::filesystem::exists(where.substr(0, colon), ignored))
            return {where.substr(0, colon), where.substr(colon + 1)};
    return {where.substr(0, last), where.substr(last + 1)};
}

// The values are moved: the array's memory becomes the cloud's.
Cloud read_cloud(store::ArrayFile& file, const std::string& path, const std::string& name) {
    store::Array array = file.read(name);
    return Cloud(std::move(array.name), std::move(array.values), array.columns, path);
}

std::vector<Cloud> read_clouds(store::ArrayFile& file, const std::string& path, const std::vector<std::string>& names) {
    std::vector<Cloud> clouds;
    clouds.reserve(names.size());
    for (const std::string& name : names) clouds.push_back(read_cloud(file, path, name));
    return clouds;
}

}  // namespace

Cloud load_cloud(const std::string& where) {
    const Place place = place_of(where);
    const auto file = store::open_array_file(place.path);
    if (!place.name.empty()) return read_cloud(*file, place.path, place.name);
    const auto names = file->names();
    if (place.path.ends_with(".npy")) return read_cloud(*file, place.path, names.front());
    throw InputError(place.path + ": names no cloud; write " + place.path + ":NAME, for instance " + place.path + ":" +
                     names.front());
}

std::vector<Cloud> load_clouds(const std::string& path) {
    const auto file = store::open_array_file(path);
    return read_clouds(*file, path, file->names());
}

std::vector<Cloud> load_clouds(const std::string& path, const std::vector<std::string>& names) {
    return read_clouds(*store::open_array_file(path), path, names);
}

}  // namespace wordbreadth
