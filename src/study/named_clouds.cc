#include "study/named_clouds.h"

#include <algorithm>
#include <utility>

#include "geometry/load.h"
#include "store/store_arrays.h"
#include "study/sample.h"
#include "wordbreadth/error.h"

namespace wordbreadth {
namespace {

// The rows that are kept, in place: they are in ascending order.
void keep_rows(arrays::Array& array, const Cut& cut) {
    if (cut.rows == 0) return;
    auto to = array.values.begin();
    for (const std::size_t row : sample_rows(array.name, array.rows, cut.rows, cut.seed)) {
        const auto from = array.values.begin() + static_cast<std::ptrdiff_t>(row * array.columns);
        to = std::copy(from, from + static_cast<std::ptrdiff_t>(array.columns), to);
    }
    array.values.erase(to, array.values.end());
}

NamedCloud cut_array(arrays::Array array, const std::string& origin, const Cut& cut) {
    NamedCloud found{array.name, origin, array.rows, array.columns, {}, {}};
    if (array.rows < cut.rows) {
        found.reason = array.name + " (" + origin + "): has " + std::to_string(array.rows) +
                       (array.rows == 1 ? " row" : " rows") + ", fewer than the common size of " +
                       std::to_string(cut.rows);
        return found;
    }
    keep_rows(array, cut);
    try {
        found.cloud.emplace(std::move(array.name), std::move(array.values), array.columns, origin);
        found.rows = found.cloud->size();
    } catch (const InputError& error) {
        found.reason = error.what();
    }
    return found;
}

}  // namespace

CloudSource::CloudSource(std::string path)
    : path_(std::move(path)), file_(store::open_arrays(path_)), names_(file_->names()) {}

NamedCloud CloudSource::read(const std::string& name, const Cut& cut) const {
    try {
        return cut_array(file_->read(name), path_, cut);
    } catch (const InputError& error) {
        if (!std::ranges::binary_search(names_, name)) throw;
        return {name, path_, 0, 0, {}, error.what()};
    }
}

Cloud cloud_at(const std::string& where, const Cut& cut) {
    const geometry::Place place = geometry::place_of(where);
    const auto file = store::open_arrays(place.path);
    NamedCloud found = cut_array(file->read(geometry::cloud_name(place, *file)), place.path, cut);
    if (!found.cloud) throw InputError(found.reason);
    return *std::move(found.cloud);
}

}  // namespace wordbreadth
