#include "report/tsv.h"

#include <optional>
#include <vector>

#include "report/names.h"
#include "report/tsv_record.h"

namespace wordbreadth::report {
namespace {

std::string joined(const std::vector<std::string>& items) {
    std::string text;
    for (const std::string& item : items) text += (text.empty() ? "" : ",") + item;
    return text;
}

void add_tail(Record& record, const std::optional<TailEstimate>& tail) {
    const auto value = [&](double TailEstimate::*member) { return tail ? field((*tail).*member) : std::string(); };
    record.insert(record.end(), {{"tail_p", value(&TailEstimate::p)},
                                 {"tail_shape", value(&TailEstimate::shape)},
                                 {"tail_scale", value(&TailEstimate::scale)},
                                 {"tail_exceedances", tail ? field(tail->exceedances) : std::string()},
                                 {"tail_goodness_of_fit", value(&TailEstimate::goodness_of_fit)}});
}

Record record_of(const TestResult& result, std::optional<double> adjusted) {
    Record record = {{"x", field(result.x)},
                     {"y", field(result.y)},
                     {"n", field(result.n)},
                     {"m", field(result.m)},
                     {"d", field(result.d)},
                     {"r_x", field(result.r_x)},
                     {"r_y", field(result.r_y)},
                     {"v_x", field(result.v_x)},
                     {"v_y", field(result.v_y)},
                     {"T", field(result.T)},
                     {"ratio", field(result.ratio)},
                     {"t", field(result.t)},
                     {"statistic", field(name_of(result.statistic))},
                     {"standard_error", field(result.standard_error)},
                     {"ci_low", field(result.ci_low)},
                     {"ci_high", field(result.ci_high)},
                     {"p", field(result.p)}};
    if (adjusted) record.emplace_back("p_adjusted", field(*adjusted));
    record.insert(record.end(), {{"exceedances", field(result.exceedances)},
                                 {"permutations", field(result.permutations)},
                                 {"exact", field(result.exact)},
                                 {"stopped_early", field(result.stopped_early)},
                                 {"alternative", field(name_of(result.alternative))},
                                 {"align", field(name_of(result.align))},
                                 {"seed", field(result.seed)},
                                 {"device", field(result.device)},
                                 {"seconds", field(result.seconds)},
                                 {"undefined", field(result.undefined)}});
    add_tail(record, result.tail);
    return record;
}

Record record_of(const CloudBreadth& cloud) {
    const Breadth& b = cloud.breadth;
    return {{"name", field(cloud.name)},
            {"file", field(cloud.file)},
            {"n", field(b.n)},
            {"d", field(b.d)},
            {"r", field(b.r)},
            {"kappa", field(b.kappa)},
            {"v", field(b.v)},
            {"standard_error", field(b.v_standard_error)},
            {"log_v_standard_error", field(b.log_v_standard_error)}};
}

Record record_of(const Device& device) {
    return {{"name", field(device.name)},
            {"description", field(device.description)},
            {"available", field(device.available)},
            {"instruction_set", field(device.instruction_set)},
            {"instruction_sets", field(joined(device.instruction_sets))},
            {"unavailable_because", field(device.unavailable_because)}};
}

}  // namespace

std::string tsv_of(std::span<const TestResult> results, std::span<const double> adjusted) {
    std::string lines;
    for (std::size_t i = 0; i < results.size(); ++i)
        append(lines, record_of(results[i], adjusted.empty() ? std::nullopt : std::optional(adjusted[i])));
    return lines;
}

std::string tsv_of(std::span<const CloudBreadth> clouds) {
    std::string lines;
    for (const CloudBreadth& cloud : clouds) append(lines, record_of(cloud));
    return lines;
}

std::string tsv_of(std::span<const Device> devices) {
    std::string lines;
    for (const Device& device : devices) append(lines, record_of(device));
    return lines;
}

}  // namespace wordbreadth::report
