#include <utility>

#include "geometry/place.h"
#include "store/store_arrays.h"
#include "wordbreadth/files.h"

namespace wordbreadth {

namespace {

// The values are moved: the array's memory becomes the cloud's.
Cloud read_cloud(arrays::ArrayFile& file, const std::string& path, const std::string& name) {
    arrays::Array array = file.read(name);
    return Cloud(std::move(array.name), std::move(array.values), array.columns, path);
}

std::vector<Cloud> read_clouds(arrays::ArrayFile& file, const std::string& path,
                               const std::vector<std::string>& names) {
    std::vector<Cloud> clouds;
    clouds.reserve(names.size());
    for (const std::string& name : names) clouds.push_back(read_cloud(file, path, name));
    return clouds;
}

}  // namespace

Cloud load_cloud(const std::string& where) {
    const geometry::Place place = geometry::place_of(where);
    const auto file = store::open_arrays(place.path);
    return read_cloud(*file, place.path, geometry::cloud_name(place, *file));
}

std::vector<Cloud> load_clouds(const std::string& path) {
    const auto file = store::open_arrays(path);
    return read_clouds(*file, path, file->names());
}

std::vector<Cloud> load_clouds(const std::string& path, const std::vector<std::string>& names) {
    return read_clouds(*store::open_arrays(path), path, names);
}

}  // namespace wordbreadth
