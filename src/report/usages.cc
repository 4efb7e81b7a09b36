#include "report/usages.h"

#include <nlohmann/json.hpp>

#include "report/json.h"
#include "report/tsv_record.h"

namespace wordbreadth::report {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const ConcordanceLine& usage) {
    const Occurrence& place = usage.occurrence;
    return {{"row", place.row},
            {"document", place.document},
            {"sentence", place.sentence},
            {"start", place.start},
            {"end", place.end},
            {"text", place.text},
            {"influence", json_number(usage.influence)}};
}

Record record_of(const ConcordanceLine& usage) {
    const Occurrence& place = usage.occurrence;
    return {{"row", field(place.row)},     {"document", field(place.document)}, {"sentence", field(place.sentence)},
            {"start", field(place.start)}, {"end", field(place.end)},           {"influence", field(usage.influence)},
            {"text", field(place.text)}};
}

}  // namespace

Json json_of(const StoredWord& word, std::span<const ConcordanceLine> usages) {
    Json list = Json::array();
    for (const ConcordanceLine& usage : usages) list.push_back(json_of(usage));
    return {{"word", word.word}, {"frequency", word.frequency}, {"rows", word.rows}, {"results", std::move(list)}};
}

std::string tsv_of(std::span<const ConcordanceLine> usages) {
    std::string lines;
    for (const ConcordanceLine& usage : usages) append(lines, record_of(usage));
    return lines;
}

}  // namespace wordbreadth::report
