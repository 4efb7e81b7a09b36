#include "report/json.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "report/names.h"

namespace wordbreadth::report {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const TailEstimate& tail) {
    return {{"p", json_number(tail.p)},
            {"shape", json_number(tail.shape)},
            {"scale", json_number(tail.scale)},
            {"exceedances", tail.exceedances},
            {"goodness_of_fit", json_number(tail.goodness_of_fit)},
            {"estimate", true}};
}

Json json_of(const CloudBreadth& cloud) {
    const Breadth& b = cloud.breadth;
    return {{"name", cloud.name},
            {"file", cloud.file},
            {"n", b.n},
            {"d", b.d},
            {"r", json_number(b.r)},
            {"kappa", json_number(b.kappa)},
            {"v", json_number(b.v)},
            {"standard_error", json_number(b.v_standard_error)},
            {"log_v_standard_error", json_number(b.log_v_standard_error)}};
}

Json json_of(const Device& device) {
    Json json = {{"name", device.name},
                 {"description", device.description},
                 {"available", device.available},
                 {"instruction_set", device.instruction_set},
                 {"instruction_sets", device.instruction_sets}};
    if (!device.available) json["unavailable_because"] = device.unavailable_because;
    return json;
}

Json result_json(const TestResult& result, const double* adjusted) {
    Json json = {{"x", result.x},
                 {"y", result.y},
                 {"n", result.n},
                 {"m", result.m},
                 {"d", result.d},
                 {"r_x", json_number(result.r_x)},
                 {"r_y", json_number(result.r_y)},
                 {"v_x", json_number(result.v_x)},
                 {"v_y", json_number(result.v_y)},
                 {"T", json_number(result.T)},
                 {"ratio", json_number(result.ratio)}};
    if (result.t) json["t"] = json_number(*result.t);
    json["statistic"] = name_of(result.statistic);
    json["standard_error"] = json_number(result.standard_error);
    json["ci"] = Json::array({json_number(result.ci_low), json_number(result.ci_high)});
    json["p"] = json_number(result.p);
    if (adjusted != nullptr) json["p_adjusted"] = json_number(*adjusted);
    json["exceedances"] = result.exceedances;
    json["permutations"] = result.permutations;
    json["exact"] = result.exact;
    json["stopped_early"] = result.stopped_early;
    json["alternative"] = name_of(result.alternative);
    json["align"] = name_of(result.align);
    json["seed"] = result.seed;
    json["device"] = result.device;
    json["seconds"] = json_number(result.seconds);
    if (!result.undefined.empty()) json["undefined"] = result.undefined;
    if (result.tail) json["tail"] = json_of(*result.tail);
    return json;
}

}  // namespace

Json json_number(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json json_of(const TestResult& result) {
    return result_json(result, nullptr);
}

Json json_of(std::span<const TestResult> results, std::span<const double> adjusted, double seconds) {
    Json list = Json::array();
    for (std::size_t i = 0; i < results.size(); ++i) list.push_back(result_json(results[i], &adjusted[i]));
    return {{"results", std::move(list)}, {"seconds", json_number(seconds)}};
}

Json json_of(std::span<const CloudBreadth> clouds) {
    Json list = Json::array();
    for (const CloudBreadth& cloud : clouds) list.push_back(json_of(cloud));
    return {{"results", std::move(list)}};
}

Json json_of(std::span<const Device> devices) {
    Json list = Json::array();
    for (const Device& device : devices) list.push_back(json_of(device));
    return {{"devices", std::move(list)}};
}

std::string text_of(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace wordbreadth::report
