// What rankings, comparisons and triages have in common: how they were made, what they left out, and parts of their
// pages.
#pragma once

#include <algorithm>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "report/figures/figures.h"
#include "report/page/page.h"
#include "report/table/number.h"
#include "wordbreadth/store.h"
#include "wordbreadth/word_study.h"

namespace wordbreadth::report {

// "two-sided plain test, householder alignment; at most 20,000 permutations per test, ...; p adjusted by bh; seed 0;
// cpu (avx512), 2.1 s".
[[nodiscard]] std::string method_sentence(const WordStudyOptions& options, const std::string& device, double seconds);

// The options of a study, for a page and for JSON.
[[nodiscard]] std::vector<Setting> settings_of(const WordStudyOptions& options, const std::string& device);
[[nodiscard]] nlohmann::ordered_json json_of(const WordStudyOptions& options, const std::string& device);

[[nodiscard]] nlohmann::ordered_json json_of(const std::vector<LeftOut>& left_out);

// "left out: few (has 3 rows), same (...) and 7 more"; empty where there is none. Of anything with a word and a reason.
template <class Words>
[[nodiscard]] std::string left_out_sentence(const Words& left_out) {
    constexpr std::size_t most = 5;
    std::string text;
    for (std::size_t i = 0; i < std::min(left_out.size(), most); ++i)
        text +=
            (i == 0 ? "left out: " : ", ") + printable(left_out[i].word) + " (" + printable(left_out[i].reason) + ")";
    if (left_out.size() > most) text += " and " + count(left_out.size() - most) + " more";
    return text;
}

// Where the clouds of a store come from, each name preceded by `prefix`; and what its vectors are: model, layers and so
// on, which stores that are compared share unless it was forced.
[[nodiscard]] std::vector<Setting> origin_of(const Store& store, const std::string& prefix = "");
[[nodiscard]] std::vector<Setting> vectors_of(const Store& store, const std::string& prefix = "");

// Frequency against breadth, one panel, without points.
[[nodiscard]] ScatterPlot frequency_plot(std::string description);

// The concordances of these words, and how to read them.
[[nodiscard]] Section concordance_section(std::string heading, const std::vector<std::string>& words);

}  // namespace wordbreadth::report
