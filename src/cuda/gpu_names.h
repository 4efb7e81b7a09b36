// What GPUs are called: "cuda:1" is the second of those that the driver shows, "cuda" all of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/strings.h"

namespace wordbreadth::cuda {

[[nodiscard]] inline std::string gpu_name(int ordinal) {
    return "cuda:" + std::to_string(ordinal);
}

// The ordinal in the name of one GPU; nothing for any other text.
[[nodiscard]] inline std::optional<int> gpu_named(std::string_view device) {
    constexpr std::string_view prefix = "cuda:";
    if (!device.starts_with(prefix)) return std::nullopt;
    const std::optional<int> ordinal = base::number_in<int>(device.substr(prefix.size()));
    return ordinal && gpu_name(*ordinal) == device && *ordinal >= 0 ? ordinal : std::nullopt;
}

// The device without its number: "cuda" for "cuda:1".
[[nodiscard]] inline std::string kind_of_device(const std::string& device) {
    return gpu_named(device) ? "cuda" : device;
}

}  // namespace wordbreadth::cuda
