// A store to study, and reading the tables that the studies write.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "cli/naive_study.h"
#include "cli/tsv.h"
#include "support/program.h"
#include "support/small_store.h"

namespace wordbreadth::cli {

using nlohmann::json;

inline constexpr std::size_t study_rows = 12;  // of the smallest cloud

// `count` words, those of `names` and then "w000" and so on, of `rows` to `rows` + 2 rows of 6 dimensions. Breadth,
// frequency, size and the order of bytes have little to do with each other. Some words have the same frequency.
inline void write_study_store(const std::string& folder, std::size_t count, std::vector<std::string> names = {},
                              std::size_t rows = study_rows, double spread = 1) {
    for (std::size_t i = names.size(); i < count; ++i) {
        const std::string number = std::to_string(i);
        names.push_back("w" + std::string(3 - number.size(), '0') + number);
    }
    std::vector<store::PlannedWord> words;
    for (std::size_t i = 0; i < count; ++i)
        words.push_back({names[i], 20 + (i * 37) % 211, rows + (i * 5) % 3,
                         spread * (0.3 + 1.2 * static_cast<double>((i * 29) % count) / static_cast<double>(count))});
    store::write_store(folder, words, 6);
}
inline Arguments with(Arguments arguments, const Arguments& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

inline void expect_field(const std::string& field, const json& value, const std::string& key) {
    if (value.is_null())
        EXPECT_EQ(field, "") << key;
    else if (value.is_string())
        EXPECT_EQ(field, value.get<std::string>()) << key;
    else if (value.is_boolean())
        EXPECT_EQ(field, value.get<bool>() ? "true" : "false") << key;
    else
        EXPECT_EQ(json::parse(field, nullptr, false), value) << key << " " << field;
}

// A JSON number, or NaN where there is null.
inline double number(const json& value) {
    return value.is_null() ? NAN : value.get<double>();
}

// Every cell of a study's table is the same in both: a rate is an object here and three columns there.
inline void expect_same_table(const std::string& tsv, const json& results) {
    const std::vector<Line> lines = read_tsv(tsv);
    ASSERT_EQ(lines.size(), results.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
        std::size_t columns = 0;
        for (const auto& [key, value] : results[i].items()) {
            ASSERT_TRUE(lines[i].contains(key)) << key;
            const bool is_rate = value.is_object();
            expect_field(lines[i].at(key), is_rate ? value["value"] : value, key);
            ++columns;
            if (!lines[i].contains(key + "_low")) continue;
            expect_field(lines[i].at(key + "_low"), is_rate ? value["low"] : json(), key + "_low");
            expect_field(lines[i].at(key + "_high"), is_rate ? value["high"] : json(), key + "_high");
            columns += 2;
        }
        EXPECT_EQ(columns, lines[i].size());
    }
}

inline void expect_number(const json& found, double expected, const std::string& what) {
    if (std::isnan(expected))
        EXPECT_TRUE(found.is_null()) << what << ": " << found;
    else if (found.is_number())
        EXPECT_NEAR(found.get<double>(), expected, 1e-9 * std::max(1.0, std::abs(expected))) << what;
    else
        ADD_FAILURE() << what << ": " << found << ", expected " << expected;
}

inline void expect_rate(const json& found, const naive::Rate& expected, const std::string& what) {
    EXPECT_EQ(found["hits"], expected.hits) << what;
    EXPECT_EQ(found["trials"], expected.trials) << what;
    expect_number(found["value"], expected.value, what);
    expect_number(found["low"], expected.low, what + ", low");
    expect_number(found["high"], expected.high, what + ", high");
}

inline std::string in_decimals(double value, int decimals) {
    char text[64];
    (void)std::snprintf(text, sizeof text, "%.*f", decimals, value);
    return text;
}

// What --help prints has these in it, and is 80 columns wide.
inline void expect_help(const std::string& command, const std::vector<std::string>& parts) {
    const std::string text = output_of({command, "--help"});
    for (const std::string& part : parts) EXPECT_TRUE(contains(text, part)) << part;
    for (const std::string& line : lines_of(text)) EXPECT_LE(line.size(), 80U) << line;
}

}  // namespace wordbreadth::cli
