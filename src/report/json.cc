#include "report/json.h"

#include <nlohmann/json.hpp>

#include "report/fields.h"

namespace wordbreadth::report {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const std::optional<TailEstimate>& tail) {
    if (!tail) return nullptr;
    return {{"p", json_number(tail->p)},
            {"shape", json_number(tail->shape)},
            {"scale", json_number(tail->scale)},
            {"exceedances", tail->exceedances},
            {"goodness_of_fit", json_number(tail->goodness_of_fit)},
            {"estimate", true}};
}

// The fields, and two of them as programs that read JSON like them: the interval as a pair, the tail as an object.
Json result_json(const TestResult& result, const TestContext& context) {
    Json json = fields_of(result, context);
    json["ci"] = Json::array({json_number(result.ci_low), json_number(result.ci_high)});
    json["tail"] = json_of(result.tail);
    return json;
}

}  // namespace

Json json_number(double value) {
    return number_or_null(value);
}

Json json_of(const TestResult& result, const std::string& forced) {
    return result_json(result, {.adjusted = {}, .forced = forced});
}

Json json_of(std::span<const TestResult> results, std::span<const double> adjusted, double seconds) {
    Json list = Json::array();
    for (std::size_t i = 0; i < results.size(); ++i)
        list.push_back(result_json(results[i], {.adjusted = adjusted[i], .forced = {}}));
    return {{"results", std::move(list)}, {"seconds", json_number(seconds)}};
}

Json json_of(std::span<const CloudBreadth> clouds) {
    Json list = Json::array();
    for (const CloudBreadth& cloud : clouds) list.push_back(fields_of(cloud));
    return {{"results", std::move(list)}};
}

Json json_of(std::span<const Device> devices) {
    Json list = Json::array();
    for (const Device& device : devices) list.push_back(fields_of(device));
    return {{"devices", std::move(list)}};
}

std::string text_of(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace wordbreadth::report
