// The studies as JSON.
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "report/json.h"
#include "report/study_pages/compare.h"
#include "report/study_pages/triage.h"
#include "report/usages.h"
#include "wordbreadth/names.h"

namespace wordbreadth::report {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const std::vector<LeftOut>& left_out) {
    Json list = Json::array();
    for (const auto& [word, reason] : left_out) list.push_back({{"word", word}, {"reason", reason}});
    return list;
}

// As report/usages.h has them.
Json json_of(const std::vector<ConcordanceLine>& usages) {
    return std::move(report::json_of(StoredWord(), std::span<const ConcordanceLine>(usages))["results"]);
}

Json json_of(const WordStudyOptions& options, const std::string& device) {
    const TestOptions& test = options.test;
    return {{"alternative", name_of(test.alternative)},
            {"statistic", name_of(test.statistic)},
            {"align", name_of(test.align)},
            {"permutations", test.permutations},
            {"adaptive", test.adaptive},
            {"confidence", json_number(test.confidence)},
            {"adjust", name_of(options.adjustment)},
            {"alpha", json_number(options.alpha)},
            {"common_size", options.common_size},
            {"seed", test.seed},
            {"device", device}};
}

Json json_of(const ComparedWord& word) {
    const TestResult& test = word.test;
    Json json = {{"word", word.word},
                 {"n", test.n},
                 {"v_a", json_number(test.v_x)},
                 {"v_b", json_number(test.v_y)},
                 {"ratio", json_number(test.ratio)},
                 {"T", json_number(test.T)},
                 {"standard_error", json_number(test.standard_error)},
                 {"ci", Json::array({json_number(test.ci_low), json_number(test.ci_high)})},
                 {"p", json_number(test.p)},
                 {"p_adjusted", json_number(word.q)},
                 {"exceedances", test.exceedances},
                 {"permutations", test.permutations},
                 {"stopped_early", test.stopped_early},
                 {"frequency_a", word.frequency_a},
                 {"frequency_b", word.frequency_b},
                 {"rows_a", word.rows_a},
                 {"rows_b", word.rows_b},
                 {"ci_low", json_number(test.ci_low)},
                 {"ci_high", json_number(test.ci_high)}};
    if (word.concordance_a.empty()) return json;
    json["concordance_a"] = json_of(word.concordance_a);
    json["concordance_b"] = json_of(word.concordance_b);
    return json;
}

Json json_of(const ReferenceWord& reference) {
    return {{"word", reference.word},
            {"v", json_number(reference.breadth.v)},
            {"standard_error", json_number(reference.breadth.v_standard_error)},
            {"frequency", reference.frequency}};
}

Json tests_of(const Triage& triage, const Candidate& candidate) {
    Json tests = Json::array();
    for (std::size_t k = 0; k < candidate.tests.size(); ++k) {
        const ReferenceTest& test = candidate.tests[k];
        tests.push_back({{"reference", triage.references[k].word},
                         {"T", json_number(test.T)},
                         {"p", json_number(test.p)},
                         {"p_adjusted", json_number(test.q)},
                         {"broader", test.broader}});
    }
    return tests;
}

Json json_of(const Triage& triage, const Candidate& candidate) {
    Json json = {{"word", candidate.word},
                 {"attention", json_number(candidate.attention)},
                 {"broader_than", candidate.broader_than},
                 {"v", json_number(candidate.breadth.v)},
                 {"standard_error", json_number(candidate.breadth.v_standard_error)},
                 {"ratio_to_median", json_number(candidate.breadth.v / triage.median_v)},
                 {"frequency", candidate.frequency},
                 {"rows", candidate.rows},
                 {"tests", tests_of(triage, candidate)}};
    if (!candidate.concordance.empty()) json["usages"] = json_of(candidate.concordance);
    return json;
}

}  // namespace

Json json_of(const Comparison& comparison, const StoreNames& names) {
    Json results = Json::array();
    for (const ComparedWord& word : comparison.words) results.push_back(json_of(word));
    return {{"a", {{"name", names.a}, {"store", comparison.folder_a}, {"words_of_its_own", comparison.only_a}}},
            {"b", {{"name", names.b}, {"store", comparison.folder_b}, {"words_of_its_own", comparison.only_b}}},
            {"forced", comparison.forced.empty() ? Json(nullptr) : Json(comparison.forced)},
            {"settings", json_of(comparison.options, comparison.device)},
            {"median_T", json_number(comparison.median_T)},
            {"seconds", json_number(comparison.seconds)},
            {"results", std::move(results)},
            {"left_out", json_of(comparison.left_out)}};
}

Json json_of(const Triage& triage) {
    Json references = Json::array(), results = Json::array(), missing = Json::array(), reasons = Json::array();
    for (const auto& [word, reason] : triage.missing) {
        missing.push_back(word);
        reasons.push_back(reason.empty() ? Json(nullptr) : Json(reason));
    }
    for (const ReferenceWord& reference : triage.references) references.push_back(json_of(reference));
    for (const Candidate& candidate : triage.candidates) results.push_back(json_of(triage, candidate));
    return {{"store", triage.folder},
            {"references", std::move(references)},
            {"missing", std::move(missing)},
            {"missing_because", std::move(reasons)},
            {"settings", json_of(triage.options, triage.device)},
            {"common_size", triage.common_size},
            {"tests", triage.tests},
            {"seconds", json_number(triage.seconds)},
            {"results", std::move(results)},
            {"left_out", json_of(triage.left_out)}};
}

}  // namespace wordbreadth::report
