// How far the tests on a store can be trusted, as text, tables and a picture.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "report/figures/figures.h"
#include "report/table/table.h"
#include "wordbreadth/calibrate.h"

namespace wordbreadth::report {

// What the pairs of a kind are, in words: "halves turned apart, 50 and 50 rows".
[[nodiscard]] std::string description_of(const NullRates& null);

// A row for each kind of pairs, method and alpha.
[[nodiscard]] Table rates_table(const Calibration& calibration);

// The rates at one of the alphas, by its place: a row per kind of pairs, a dot per method, a line where they should be.
[[nodiscard]] DotPlot rates_plot(const Calibration& calibration, std::size_t alpha);

// The alpha nearest to 0.05, by its place: the one that pictures and verdicts speak of.
[[nodiscard]] std::size_t main_alpha(const Calibration& calibration);

// What it comes to, in plain language, a few sentences.
[[nodiscard]] std::string verdict(const Calibration& calibration);

[[nodiscard]] std::string text_of(const Calibration& calibration, const Style& style);
[[nodiscard]] nlohmann::ordered_json json_of(const Calibration& calibration);

}  // namespace wordbreadth::report
