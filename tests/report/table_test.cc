#include "report/table.h"

#include <gtest/gtest.h>

#include <sstream>

#include "report/result.h"
#include "report/tables.h"
#include "report/text.h"

namespace wordbreadth::report {
namespace {

using Kind = Column::Kind;

TEST(Table, AlignsNamesLeftAndNumbersRight) {
    Table table({{"word", Kind::name}, {"n"}});
    table.add({"a", "1"});
    table.add({"bank", "200"});
    EXPECT_EQ(table.text({}),
              "word    n\n"
              "a       1\n"
              "bank  200\n");
}

TEST(Table, AlignsByWhatTheTerminalShows) {
    Table table({{"word", Kind::name}, {"n"}});
    table.add({"银行", "1"});
    table.add({"Fuß", "2"});
    EXPECT_EQ(table.text({}),
              "word  n\n"
              "银行  1\n"
              "Fuß   2\n");
}

TEST(Table, ShortensOnlyNamesToFitTheTerminal) {
    Table table({{"word", Kind::name}, {"number"}});
    table.add({"a-name-that-is-rather-long", "1234567890"});
    std::istringstream lines(table.text({.width = 24}));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), 24U) << line;
    EXPECT_NE(table.text({.width = 24}).find("1234567890"), std::string::npos);
    EXPECT_NE(table.text({.width = 3}).find("1234567890"), std::string::npos);
    EXPECT_NE(table.text({}).find("a-name-that-is-rather-long"), std::string::npos);
}

TEST(Table, HasColourOnlyWhereAsked) {
    Table table({{"word", Kind::name}});
    table.add({"a"});
    EXPECT_EQ(table.text({}).find('\x1b'), std::string::npos);
    EXPECT_NE(table.text({.colour = true}).find('\x1b'), std::string::npos);
}

TEST(PairsTable, SortsByPWithUndefinedPairsLastAndExplained) {
    std::vector<TestResult> results = {undefined_example(), example(), example()};
    results[1].x = "second";
    results[1].p = 0.5;
    results[2].x = "first";
    const std::vector<double> q = {std::nan(""), 0.5, 0.0008};
    const std::string text = pairs_table(results, q, Adjustment::benjamini_hochberg, {});
    EXPECT_EQ(text,
              "x       y        n     m  ratio       T        p   q (bh)\n"
              "first   river  100  1200  1.258  0.2296  0.00040  0.00080\n"
              "second  river  100  1200  1.258  0.2296  0.50000  0.50000\n"
              "flat    river  100  1200      -       -        -        -\n"
              "\n"
              "no p-value for flat and river: flat: its rows cancel out\n");
}

TEST(PairsTable, HasNoAdjustedColumnWithoutAMethod) {
    const TestResult result = example();
    const std::vector<double> q = {result.p};
    EXPECT_TRUE(pairs_table({&result, 1}, q, Adjustment::none, {})
                    .starts_with("x     y        n     m  ratio       T        p\n"));
    EXPECT_NE(pairs_table({&result, 1}, q, Adjustment::holm, {}).find("p (holm)"), std::string::npos);
}

TEST(PairsTable, ListsOnlyTheFirstFewReasons) {
    const std::vector<TestResult> results(25, undefined_example());
    const std::vector<double> q(25, std::nan(""));
    EXPECT_NE(pairs_table(results, q, Adjustment::none, {}).find("and for 15 more"), std::string::npos);
}

TEST(DevicesTable, SaysWhyADeviceIsNotUsableAndWhatAutoTakes) {
    const std::vector<Device> devices = {{"cuda", "NVIDIA GPU", false, "no driver", {}, {}},
                                         {"cpu", "all cores", true, {}, {"avx2", "avx512"}, "avx512"}};
    EXPECT_EQ(devices_table(devices, {}),
              "device\n"
              "cuda    NVIDIA GPU\n"
              "        not usable: no driver\n"
              "cpu     all cores\n"
              "        instruction sets: avx2, avx512 (used)\n"
              "\n"
              "auto takes the first usable one: cpu\n");
}

}  // namespace
}  // namespace wordbreadth::report
