#include "report/results.h"

#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <vector>

#include "report/result.h"

namespace wordbreadth::report {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts{""};
    for (const char c : text)
        if (c == separator)
            parts.emplace_back();
        else
            parts.back() += c;
    return parts;
}

// The fields of one line by their titles.
std::map<std::string, std::string> record(const std::string& tsv, std::size_t line) {
    const auto lines = split(tsv, '\n');
    const auto titles = split(lines.at(0), '\t'), fields = split(lines.at(line), '\t');
    EXPECT_EQ(titles.size(), fields.size());
    std::map<std::string, std::string> named;
    for (std::size_t i = 0; i < titles.size(); ++i) named[titles[i]] = fields[i];
    return named;
}

TEST(Tsv, HasOneTitleLineAndOneLineAResult) {
    const std::vector<TestResult> results(3, example());
    const std::vector<double> q(3, 0.5);
    EXPECT_EQ(split(tsv_of(table_of(TestedPairs{.results = TestResults(results), .adjusted = q})), '\n').size(),
              4U + 1U);
}

TEST(Tsv, WritesNumbersSoThatTheyReadBack) {
    const TestResult result = example();
    auto fields = record(tsv_of(table_of(result, "")), 1);
    EXPECT_EQ(std::stod(fields["T"]), result.T);
    EXPECT_EQ(std::stod(fields["p"]), result.p);
    EXPECT_EQ(fields["m"], "1200");
    EXPECT_EQ(fields["exact"], "false");
    EXPECT_EQ(fields["alternative"], "two-sided");
}

TEST(Tsv, LeavesFieldsEmptyWhereThereIsNoValue) {
    const TestResult result = undefined_example();
    auto fields = record(tsv_of(table_of(result, "")), 1);
    for (const char* title : {"p", "t", "T", "ci_low", "tail_p", "tail_exceedances", "forced"})
        EXPECT_EQ(fields.at(title), "") << title;
}

TEST(Tsv, EscapesWhatWouldBreakALine) {
    TestResult result = example();
    result.x = "a\tb\nc\rd\\e";
    EXPECT_EQ(record(tsv_of(table_of(result, "")), 1)["x"], "a\\tb\\nc\\rd\\\\e");
}

TEST(Tsv, HasNothingThatATerminalObeys) {
    TestResult result = example();
    result.x = "\x1b[31mred\x7f \xc2\x9b银é\xc2";
    EXPECT_EQ(record(tsv_of(table_of(result, "")), 1)["x"], "\\x1b[31mred\\x7f \\xc2\\x9b银é\xc2");
    result.x = std::string("a\0b", 3);
    EXPECT_EQ(record(tsv_of(table_of(result, "")), 1)["x"], "a\\x00b");
}

TEST(Tsv, HasTheAdjustedColumnOnlyForPairs) {
    const TestResult result = example();
    const std::vector<double> q = {0.25};
    EXPECT_EQ(record(tsv_of(table_of(TestedPairs{.results = TestResults({result}), .adjusted = q})), 1)["p_adjusted"],
              "0.25");
    EXPECT_FALSE(record(tsv_of(table_of(result, "")), 1).contains("p_adjusted"));
}

}  // namespace
}  // namespace wordbreadth::report
