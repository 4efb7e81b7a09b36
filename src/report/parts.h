// What several results have in common: names of methods, sentences, settings, and parts of pages.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "report/figures/figures.h"
#include "report/results.h"
#include "wordbreadth/names.h"

namespace wordbreadth::report {

// The name of a choice as a string.
template <class Choice>
[[nodiscard]] std::string spelled(Choice value) {
    return std::string(wordbreadth::name_of(value));
}

// The methods that studies compare.
[[nodiscard]] std::string name_of(const Method& method);  // for people: householder, robust
[[nodiscard]] std::string key_of(const Method& method);   // for programs: householder_robust

// "two-sided plain test, householder alignment", "one-sided (greater) test of documents as blocks, no alignment".
[[nodiscard]] std::string test_and_alignment(Alternative alternative, Statistic statistic, Alignment align);

// "two-sided plain test, householder alignment; at most 20,000 permutations per test, ...; p adjusted by bh; seed 0;
// cpu (avx512), 2.1 s".
[[nodiscard]] std::string method_sentence(const WordStudyOptions& options, const std::string& device, double seconds);

// The options of a study, for a page and for JSON.
[[nodiscard]] std::vector<Setting> settings_of(const WordStudyOptions& options, const std::string& device);
[[nodiscard]] Json json_of(const WordStudyOptions& options, const std::string& device);

[[nodiscard]] Json json_of(const std::vector<LeftOut>& left_out);

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

// What there is no result for, and why: one line each, the first few, lest they bury the table.
[[nodiscard]] std::string reason_lines(const std::vector<std::pair<std::string, std::string>>& reasons,
                                       const Style& style);

// Words that are spoken about, with commas between them.
[[nodiscard]] Markup word_list(const std::vector<std::string>& words);

// Frequency against breadth, one panel, without points.
[[nodiscard]] ScatterPlot frequency_plot(std::string description);

// The concordances of these words, and how to read them.
[[nodiscard]] Section concordance_section(std::string heading, const std::vector<std::string>& words);

}  // namespace wordbreadth::report
