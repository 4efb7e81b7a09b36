#include "report/breadth.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/cuda/cuda.h"
#include "report/table/layout.h"
#include "report/table/number.h"
#include "report/test.h"

namespace wordbreadth::report {
namespace {

// Only where there are several files are they of interest to people.
bool come_from_one_file(std::span<const CloudBreadth> clouds) {
    return std::ranges::all_of(clouds, [&](const CloudBreadth& cloud) { return cloud.file == clouds.front().file; });
}

// How many characters of the paths are folders that all of them share: these tell no file from another.
std::size_t shared_folders(std::span<const CloudBreadth> clouds) {
    std::string_view shared = clouds.front().file;
    for (const CloudBreadth& cloud : clouds) {
        const auto end = std::ranges::mismatch(shared, cloud.file).in1;
        shared = shared.substr(0, static_cast<std::size_t>(end - shared.begin()));
    }
    return shared.rfind('/') + 1;  // 0 where there is none
}

// The file comes last for people, without the `dropped` characters that all have in common.
Table table_of(std::span<const CloudBreadth> clouds, std::size_t dropped) {
    using Row = const CloudBreadth*;
    std::vector<Row> rows;
    for (const CloudBreadth& cloud : clouds) rows.push_back(&cloud);
    const auto real = [](double Breadth::*member) {
        return [member](const Row& cloud) {
            return cloud->undefined.empty() ? cloud->breadth.*member : std::numeric_limits<double>::quiet_NaN();
        };
    };
    return table_of<Row>("breadth", "", std::move(rows),
                         {{"name", "cloud", look::name, [](const Row& cloud) { return cloud->name; }},
                          {"file", "", {}, [](const Row& cloud) { return cloud->file; }},
                          {"n", "n", look::plain, [](const Row& cloud) { return cloud->breadth.n; }},
                          {"d", "d", look::plain, [](const Row& cloud) { return cloud->breadth.d; }},
                          {"r", "r", look::decimals(4), real(&Breadth::r)},
                          {"kappa", "kappa", look::digits(4), real(&Breadth::kappa)},
                          {"v", "breadth v", look::digits(4), real(&Breadth::v)},
                          {"standard_error", "s.e. of v", look::digits(2), real(&Breadth::v_standard_error)},
                          {"log_v_standard_error", "", {}, real(&Breadth::log_v_standard_error)},
                          {"undefined", "", {}, [](const Row& cloud) { return text_or_missing(cloud->undefined); }},
                          {"", come_from_one_file(clouds) ? "" : "file", look::name,
                           [dropped](const Row& cloud) { return cloud->file.substr(dropped); }}});
}

std::string instruction_sets(const Device& device) {
    std::string text;
    for (const std::string& set : device.instruction_sets) {
        if (!text.empty()) text += ", ";
        text += set == device.instruction_set ? set + " (used)" : set;
    }
    return text;
}

std::string what_auto_takes(std::span<const Device> devices) {
    const auto first =
        std::find_if(devices.begin(), devices.end(), [](const Device& device) { return device.available; });
    return first == devices.end() ? "none of them is usable"
                                  : "auto takes the first usable one: " + printable(first->name);
}

}  // namespace

Table table_of(std::span<const CloudBreadth> clouds) {
    return table_of(clouds, 0);
}

std::string text_of(std::span<const CloudBreadth> clouds, const Style& style) {
    std::vector<std::pair<std::string, std::string>> reasons;
    for (const CloudBreadth& cloud : clouds)
        if (!cloud.undefined.empty()) reasons.emplace_back("no breadth", cloud.undefined);
    return text_of(table_of(clouds, style.width > 0 ? shared_folders(clouds) : 0), style) +
           reason_lines(reasons, style);
}

Table table_of(std::span<const Device> devices) {
    return table_of<Device>(
        "devices", "", {devices.begin(), devices.end()},
        {{"name", "", {}, &Device::name},
         {"description", "", {}, &Device::description},
         {"available", "", {}, &Device::available},
         {"instruction_set", "", {}, [](const Device& device) { return text_or_missing(device.instruction_set); }},
         {"instruction_sets", "", {}, &Device::instruction_sets},
         {"unavailable_because", "", {}, [](const Device& device) {
              return text_or_missing(device.unavailable_because);
          }}});
}

std::string text_of(std::span<const Device> devices, const Style& style) {
    using Kind = TextColumn::Kind;
    TextTable table({{"device", Kind::note}, {"", Kind::note}});
    for (const Device& device : devices) {
        table.add({printable(device.name), printable(device.description)});
        if (!device.available) table.add({"", "not usable: " + printable(device.unavailable_because)});
        if (device.available && !device.instruction_sets.empty())
            table.add({"", "instruction sets: " + printable(instruction_sets(device))});
    }
    return table.text(style) + "\n" + what_auto_takes(devices) + "\n";
}

std::string why_no_gpu() {
    const Device gpu = engine::cuda::device();
    return gpu.available || !engine::cuda::gpu_is_visible() ? "" : gpu.unavailable_because;
}

}  // namespace wordbreadth::report
