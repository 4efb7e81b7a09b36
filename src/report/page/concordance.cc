#include <nlohmann/json.hpp>

#include "report/page/blocks.h"

namespace wordbreadth::report {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const PageLine& line) {
    return Json::array({line.left, line.node, line.right, line.source,
                        std::isfinite(line.influence) ? Json(line.influence) : Json(nullptr)});
}

Json json_of(const Concordance& concordance) {
    Json lines = Json::array();
    for (const PageLine& line : concordance.lines) lines.push_back(json_of(line));
    return {{"title", concordance.title}, {"lines", std::move(lines)}};
}

// Outside of strings JSON has none of these, and inside it may spell them out: no text can end the script element.
std::string without_markup(const std::string& json) {
    std::string safe;
    safe.reserve(json.size());
    for (const char c : json) switch (c) {
            case '<':
                safe += "\\u003c";
                break;
            case '>':
                safe += "\\u003e";
                break;
            case '&':
                safe += "\\u0026";
                break;
            default:
                safe += c;
        }
    return safe;
}

}  // namespace

std::string script_json(const std::vector<Concordance>& concordances) {
    Json all = Json::array();
    for (const Concordance& concordance : concordances)
        all.push_back(Json::array({concordance.key, json_of(concordance)}));
    return without_markup(all.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace wordbreadth::report
