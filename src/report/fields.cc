#include "report/fields.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "report/tsv_record.h"
#include "wordbreadth/names.h"

namespace wordbreadth::report {
namespace {

void add_tail(Fields& fields, const std::optional<TailEstimate>& tail) {
    const auto value = [&](double TailEstimate::*member) {
        return tail ? number_or_null((*tail).*member) : Fields(nullptr);
    };
    fields["tail_p"] = value(&TailEstimate::p);
    fields["tail_shape"] = value(&TailEstimate::shape);
    fields["tail_scale"] = value(&TailEstimate::scale);
    fields["tail_exceedances"] = tail ? Fields(tail->exceedances) : Fields(nullptr);
    fields["tail_goodness_of_fit"] = value(&TailEstimate::goodness_of_fit);
}

void add_count(Fields& fields, const TestResult& result) {
    fields["exceedances"] = result.exceedances;
    fields["permutations"] = result.permutations;
    fields["exact"] = result.exact;
    fields["stopped_early"] = result.stopped_early;
    fields["alternative"] = name_of(result.alternative);
    fields["align"] = name_of(result.align);
    fields["seed"] = result.seed;
    fields["device"] = result.device;
    fields["seconds"] = number_or_null(result.seconds);
    fields["undefined"] = text_or_null(result.undefined);
}

std::string tsv_field(const Fields& value) {
    if (value.is_null()) return {};
    if (value.is_string()) return field(value.get_ref<const std::string&>());
    if (value.is_boolean()) return field(value.get<bool>());
    if (value.is_number_float()) return field(value.get<double>());
    if (value.is_number_unsigned()) return field(value.get<std::uint64_t>());
    std::string items;
    for (const Fields& item : value) (items += items.empty() ? "" : ",") += tsv_field(item);
    return items;
}

}  // namespace

Fields number_or_null(double value) {
    return std::isfinite(value) ? Fields(value) : Fields(nullptr);
}

Fields text_or_null(const std::string& text) {
    return text.empty() ? Fields(nullptr) : Fields(text);
}

// New fields go to the end: programs may know the columns by their numbers.
Fields fields_of(const TestResult& result, const TestContext& context) {
    Fields fields = {{"x", result.x},
                     {"y", result.y},
                     {"n", result.n},
                     {"m", result.m},
                     {"d", result.d},
                     {"r_x", number_or_null(result.r_x)},
                     {"r_y", number_or_null(result.r_y)},
                     {"v_x", number_or_null(result.v_x)},
                     {"v_y", number_or_null(result.v_y)},
                     {"T", number_or_null(result.T)},
                     {"ratio", number_or_null(result.ratio)},
                     {"t", result.t ? number_or_null(*result.t) : Fields(nullptr)},
                     {"statistic", name_of(result.statistic)},
                     {"standard_error", number_or_null(result.standard_error)},
                     {"ci_low", number_or_null(result.ci_low)},
                     {"ci_high", number_or_null(result.ci_high)},
                     {"p", number_or_null(result.p)}};
    if (context.adjusted) fields["p_adjusted"] = number_or_null(*context.adjusted);
    add_count(fields, result);
    add_tail(fields, result.tail);
    fields["x_source"] = text_or_null(result.x_source);
    fields["y_source"] = text_or_null(result.y_source);
    if (context.forced) fields["forced"] = text_or_null(*context.forced);
    return fields;
}

Fields fields_of(const CloudBreadth& cloud) {
    const Breadth& b = cloud.breadth;
    return {{"name", cloud.name},
            {"file", cloud.file},
            {"n", b.n},
            {"d", b.d},
            {"r", number_or_null(b.r)},
            {"kappa", number_or_null(b.kappa)},
            {"v", number_or_null(b.v)},
            {"standard_error", number_or_null(b.v_standard_error)},
            {"log_v_standard_error", number_or_null(b.log_v_standard_error)},
            {"undefined", text_or_null(cloud.undefined)}};
}

Fields fields_of(const Device& device) {
    return {{"name", device.name},
            {"description", device.description},
            {"available", device.available},
            {"instruction_set", text_or_null(device.instruction_set)},
            {"instruction_sets", device.instruction_sets},
            {"unavailable_because", text_or_null(device.unavailable_because)}};
}

void append(std::string& lines, const Fields& fields) {
    Record record;
    for (const auto& [name, value] : fields.items()) record.emplace_back(name, tsv_field(value));
    append(lines, record);
}

}  // namespace wordbreadth::report
