#include "geometry/place.h"

#include <filesystem>
#include <system_error>

#include "wordbreadth/error.h"

namespace wordbreadth::geometry {

Place place_of(const std::string& where) {
    std::error_code ignored;
    const auto last = where.rfind(':');
    if (last == std::string::npos || std::filesystem::exists(where, ignored)) return {where, {}};
    for (auto colon = last; colon != std::string::npos && colon > 0; colon = where.rfind(':', colon - 1))
        if (std::filesystem::exists(where.substr(0, colon), ignored))
            return {where.substr(0, colon), where.substr(colon + 1)};
    return {where.substr(0, last), where.substr(last + 1)};
}

std::string cloud_name(const Place& place, const arrays::ArrayFile& file) {
    if (!place.name.empty()) return place.name;
    const auto names = file.names();
    if (place.path.ends_with(".npy")) return names.front();
    throw InputError(place.path + ": names no cloud; write " + place.path + ":NAME, for instance " + place.path + ":" +
                     names.front());
}

}  // namespace wordbreadth::geometry
