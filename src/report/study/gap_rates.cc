#include "report/study/gap_rates.h"

#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "report/number.h"
#include "wordbreadth/rates.h"

namespace wordbreadth::report {

StudyTable gap_rates(const GapPairs& pairs, std::span<const TestResult> results, double alpha) {
    std::map<std::size_t, std::vector<double>> p;
    for (std::size_t i = 0; i < results.size(); ++i) p[pairs.pairs[i].gap].push_back(results[i].p);
    StudyTable table{
        "gaps",
        "Rejection rates by rank gap.",
        {{"gap", "gap"}, {"pairs", "pairs"}, {"rejected", "p <= " + shortest(alpha)}, {"rate", "rate (95% interval)"}}};
    for (const auto& [gap, values] : p) {
        const Rate rate = rejection_rate(values, alpha);
        table.rows.push_back({std::uint64_t{gap}, std::uint64_t{rate.trials}, std::uint64_t{rate.hits}, rate});
    }
    return table;
}

void add_gaps(nlohmann::ordered_json& results, const GapPairs& pairs) {
    auto& list = results["results"];
    for (std::size_t i = 0; i < list.size(); ++i) list[i]["gap"] = pairs.pairs[i].gap;
}

std::string with_gaps(const std::string& tsv, const GapPairs& pairs) {
    std::string lines;
    std::size_t line = 0;
    for (std::size_t begin = 0; begin < tsv.size(); ++line) {
        const std::size_t end = tsv.find('\n', begin) + 1;
        lines +=
            (line == 0 ? "gap" : std::to_string(pairs.pairs[line - 1].gap)) + "\t" + tsv.substr(begin, end - begin);
        begin = end;
    }
    return lines;
}

}  // namespace wordbreadth::report
