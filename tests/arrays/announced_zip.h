// Zip archives that announce more than they hold.
#pragma once

#include <cstdint>
#include <string>

#include "support/array_testing.h"
#include "support/errors.h"
#include "support/temporary.h"

namespace wordbreadth::arrays {

// A zip of `entries` members without content, of which the directory tells these sizes, and `room` bytes for what they
// would have packed. Zip64 throughout.
inline std::string announcing(std::uint64_t entries, std::uint64_t size, std::uint64_t packed, int method,
                              std::size_t room = 0) {
    using Short = std::uint16_t;
    using Long = std::uint32_t;
    const std::string body = "PK\x03\x04" + std::string(room, '\0');
    std::string directory;
    for (std::uint64_t i = 0; i < entries; ++i) {
        const std::string name = std::to_string(i) + ".npy";
        directory += "PK\x01\x02" + little_endian(Short{45}) + little_endian(Short{45}) + little_endian(Short{0}) +
                     little_endian(static_cast<Short>(method)) + std::string(8, '\0') +
                     little_endian(Long{0xFFFFFFFF}) + little_endian(Long{0xFFFFFFFF}) +
                     little_endian(static_cast<Short>(name.size())) + little_endian(Short{20}) + std::string(14, '\0') +
                     name + little_endian(Short{1}) + little_endian(Short{16}) + little_endian(size) +
                     little_endian(packed);
    }
    std::string end = "PK\x06\x06" + little_endian(std::uint64_t{44}) + little_endian(Short{45}) +
                      little_endian(Short{45}) + std::string(8, '\0') + little_endian(entries) +
                      little_endian(entries) + little_endian(std::uint64_t{directory.size()}) +
                      little_endian(std::uint64_t{body.size()});
    end += "PK\x06\x07" + std::string(4, '\0') + little_endian(std::uint64_t{body.size() + directory.size()}) +
           little_endian(Long{1});
    end += "PK\x05\x06" + std::string(4, '\0') + std::string(12, '\xFF') + std::string(2, '\0');
    return body + directory + end;
}

inline std::string error_opening(const std::string& content) {
    const TemporaryFile file(".npz", content);
    return error_of([&] { (void)open_array_file(file.path()); });
}

}  // namespace wordbreadth::arrays
