#include "report/tsv.h"

#include <nlohmann/json.hpp>

#include "report/fields.h"

namespace wordbreadth::report {

std::string tsv_of(const TestResult& result, const std::string& forced) {
    std::string lines;
    append(lines, fields_of(result, {.adjusted = {}, .forced = forced}));
    return lines;
}

std::string tsv_of(std::span<const TestResult> results, std::span<const double> adjusted) {
    std::string lines;
    for (std::size_t i = 0; i < results.size(); ++i)
        append(lines, fields_of(results[i], {.adjusted = adjusted[i], .forced = {}}));
    return lines;
}

std::string tsv_of(std::span<const CloudBreadth> clouds) {
    std::string lines;
    for (const CloudBreadth& cloud : clouds) append(lines, fields_of(cloud));
    return lines;
}

std::string tsv_of(std::span<const Device> devices) {
    std::string lines;
    for (const Device& device : devices) append(lines, fields_of(device));
    return lines;
}

}  // namespace wordbreadth::report
