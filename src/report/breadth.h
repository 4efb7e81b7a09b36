// The breadth of clouds, and the devices that can measure it.
#pragma once

#include <span>
#include <string>

#include "report/table/table.h"
#include "wordbreadth/breadth.h"
#include "wordbreadth/device.h"

namespace wordbreadth::report {

struct CloudBreadth {
    std::string name;
    std::string file;
    Breadth breadth;        // without a cloud, only n and d
    std::string undefined;  // empty, or why there is no breadth
};

[[nodiscard]] Table table_of(std::span<const CloudBreadth> clouds);

// A cloud that has no breadth has a row too, and the reason below.
[[nodiscard]] std::string text_of(std::span<const CloudBreadth> clouds, const Style& style);

[[nodiscard]] Table table_of(std::span<const Device> devices);
[[nodiscard]] std::string text_of(std::span<const Device> devices, const Style& style);

// Why a GPU that this machine has cannot be used; "" where it can, where there is none, and where the program was built
// without CUDA and never promised one.
[[nodiscard]] std::string why_no_gpu();

}  // namespace wordbreadth::report
