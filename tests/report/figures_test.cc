#include "report/figures/figures.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "report/figures/labels.h"
#include "report/figures/scale.h"
#include "report/xml.h"

namespace wordbreadth::report {
namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

std::size_t occurrences(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
    return count;
}

std::string labels(const std::vector<Tick>& ticks) {
    std::string text;
    for (const Tick& tick : ticks) text += (text.empty() ? "" : " ") + tick.label;
    return text;
}

TEST(FigureTicks, AreRoundNumbers) {
    EXPECT_EQ(labels(linear_ticks(0, 1, 5, false)), "0.0 0.2 0.4 0.6 0.8 1.0");
    EXPECT_EQ(labels(linear_ticks(-1.1, 1.1, 4, false)), "−1 0 1");
    EXPECT_EQ(labels(linear_ticks(0, 9000, 4, false)), "0 5,000");
    EXPECT_EQ(labels(linear_ticks(0, 0.07, 4, true)), "0% 2% 4% 6%");
    EXPECT_EQ(labels(linear_ticks(0, 0.002, 4, false)), "0.0000 0.0005 0.0010 0.0015 0.0020");
}

TEST(FigureTicks, ArePowersOfTenOnLogarithmicAxes) {
    EXPECT_EQ(labels(logarithmic_ticks(0.05, 20000, 8)), "0.1 1 10 100 1,000 10,000");
    EXPECT_EQ(labels(logarithmic_ticks(20, 600, 6)), "20 50 100 200 500");
    EXPECT_EQ(labels(logarithmic_ticks(1e-9, 1, 4)), "10⁻⁹ 10⁻⁶ 0.001 1");
}

TEST(FigureScale, MapsTheEndsToTheirPixels) {
    const Axis linear, logarithmic{.kind = Axis::Kind::logarithmic};
    EXPECT_DOUBLE_EQ(Scale(linear, {2, 4}, 100, 0, 5).at(3), 50);
    EXPECT_DOUBLE_EQ(Scale(logarithmic, {1, 100}, 0, 200, 5).at(10), 100);
    EXPECT_TRUE(std::isnan(Scale(logarithmic, {1, 100}, 0, 200, 5).at(-1)));
}

TEST(FigureScale, HasSomeLengthWhateverTheData) {
    const Axis linear, logarithmic{.kind = Axis::Kind::logarithmic}, fixed{.low = 5, .high = 5};
    for (const Axis* axis : {&linear, &logarithmic, &fixed})
        for (const double value : {nan_value, infinite, 0.0, -3.0, 7.0, 1e300}) {
            Range range(*axis);
            range.include(value);
            const Range::Ends ends = range.ends(0.05);
            EXPECT_LT(ends.low, ends.high) << value;
            EXPECT_TRUE(std::isfinite(ends.high - ends.low)) << value;
        }
}

TEST(FigureHistogram, CountsEveryValueOnce) {
    const std::vector<double> values = {0, 0.1, 0.25, 0.5, 0.75, 1, nan_value, infinite, -5};
    EXPECT_EQ(bars_of(values, 0, 1, 4).counts, (std::vector<double>{2, 1, 1, 2}));
}

TEST(FigureHistogram, ChoosesBarsThatHoldAllValues) {
    std::vector<double> values;
    for (int i = 0; i < 1000; ++i) values.push_back(0.003 * i - 1);
    const Bars bars = bars_of(values);
    double sum = 0;
    for (const double count : bars.counts) sum += count;
    EXPECT_EQ(sum, 1000);
    EXPECT_GE(bars.counts.size(), 8U);
    EXPECT_LE(bars.counts.size(), 62U);
    EXPECT_EQ(bars_of(std::vector<double>(5, 2.0)).counts, std::vector<double>{5});
    EXPECT_TRUE(bars_of(std::vector<double>{}).counts.empty());
}

TEST(FigureHistogram, ReachesToItsMarks) {
    const Axis axis{.label = "T"};
    const Histogram histogram{{"t", "d"}, axis, "splits", {{0, 1}, {3}}, {{40, "T = 40"}}};
    EXPECT_NE(svg_of(histogram).body.find("T = 40"), std::string::npos);
}

TEST(FigureLineChart, LeavesOutWhatCannotBeShown) {
    const LineChart chart{{"t", "d"},
                          {.label = "x", .kind = Axis::Kind::logarithmic},
                          {.label = "y"},
                          {{"a", {{0, {1}}, {1, {nan_value}}, {2, {0.5, 0.4, 0.6}}, {3, {0.7}}}}}};
    const std::string body = svg_of(chart).body;
    EXPECT_EQ(occurrences(body, "class=\"point"), 2U);
    EXPECT_EQ(occurrences(body, "class=\"interval"), 1U);
}

TEST(FigureLineChart, PointsSayTheirValues) {
    const LineChart chart{
        {"t", "d"}, {.label = "gap"}, {.label = "rate", .percent = true}, {{"none", {{10, {0.1, 0.05, 0.15}}}}}};
    EXPECT_NE(svg_of(chart).body.find("<title>none\ngap: 10\nrate: 10.0% (5.00% to 15.0%)</title>"), std::string::npos);
}

TEST(FigureDotPlot, HasADotForEveryValueThereIs) {
    DotPlot plot;
    plot.methods = {"a", "b"};
    plot.rows = {{"one", {{0.1}, {0.2}}}, {"two", {{}, {0.3}}}, {"three", {}}};
    EXPECT_EQ(occurrences(svg_of(plot).body, "class=\"point"), 3U);
}

TEST(FigureScatterPlot, PointsCarryTheirEvidence) {
    const ScatterPlot plot{{"t", "d"}, {}, {}, {{"g"}}, {{"", {{1, 2, 0, "w", "", {"a\"b", 7}}, {3, 4, 0, "v"}}}}};
    const std::string body = svg_of(plot).body;
    EXPECT_EQ(occurrences(body, "data-concordance=\"a&quot;b\" data-line=\"7\""), 1U);
    EXPECT_EQ(occurrences(body, "data-concordance"), 1U);
}

TEST(FigureScatterPlot, GroupsDifferInColourAndShape) {
    const ScatterPlot plot{{"t", "d"}, {}, {}, {{"a"}, {"b"}}, {{"", {{0, 0, 0}, {1, 1, 1}}}}};
    const std::string body = svg_of(plot).body;
    EXPECT_NE(body.find("dot s0"), std::string::npos);
    EXPECT_NE(body.find("dot s1"), std::string::npos);
    const auto shape = [&](const char* classes) {
        const std::size_t d = body.find(" d=\"M", body.find(classes));
        return body.substr(body.find('m', d), 6);
    };
    EXPECT_NE(shape("dot s0"), shape("dot s1"));
}

TEST(FigureLabels, AreNeverWrittenOverEachOther) {
    Canvas canvas;
    std::vector<WantedLabel> wanted;
    for (int i = 0; i < 9; ++i) wanted.push_back({100, 100, static_cast<double>(i), "label" + std::to_string(i)});
    draw_labels(canvas, {0, 0, 200, 200}, wanted);
    EXPECT_NE(canvas.body().find("label8"), std::string::npos);  // the most prominent one
    EXPECT_EQ(canvas.body().find("label0"), std::string::npos);
    EXPECT_LE(occurrences(canvas.body(), "<text"), 4U);
}

// Every figure, made of values that a study may well bring: none, one, equal ones, missing ones.
std::vector<std::function<Svg(std::vector<double>)>> all_figures() {
    const Heading heading{"<title>", "d"};
    const auto points = [](const std::vector<double>& values) {
        std::vector<ScatterPoint> made;
        for (const double v : values) made.push_back({v, v, 0, "w", "", {}, 1});
        return made;
    };
    const Axis plain, log{.kind = Axis::Kind::logarithmic}, hidden{.kind = Axis::Kind::hidden};
    return {[=](std::vector<double> v) {
                LineChart chart{heading, {}, {.percent = true}, {{"a", {}}}, {{v.empty() ? 0 : v[0], "level"}}};
                for (const double x : v) chart.lines[0].points.push_back({x, {x, x, x}});
                return svg_of(chart);
            },
            [=](std::vector<double> v) {
                return svg_of(Histogram{heading, plain, "n", bars_of(v), {{1, "m"}}});
            },
            [=](std::vector<double> v) {
                DotPlot plot{heading, plain, {"a"}, {}, {}};
                for (const double x : v) plot.rows.push_back({"row", {{x, x, x}}});
                return svg_of(plot);
            },
            [=](std::vector<double> v) {
                return svg_of(ScatterPlot{heading, log, log, {{"g"}}, {{"p", points(v)}}});
            },
            [=](std::vector<double> v) {
                return svg_of(ScatterPlot{heading, hidden, hidden, {{"g"}}, {{"a", points(v)}, {"b", points(v)}}});
            },
            [=](std::vector<double>) { return svg_of(ScatterPlot{heading}); }};
}

TEST(Figures, AreWellFormedAndFiniteWhateverTheData) {
    const std::vector<std::vector<double>> data = {
        {}, {0}, {nan_value}, {1, 1, 1}, {-1, 0, 1}, {1e-300, 1e300}, {infinite, 2, 3}, {1e-12, 2e-12}};
    for (const auto& figure : all_figures())
        for (const auto& values : data) {
            const std::string file = figure(values).file();
            EXPECT_EQ(xml_fault(file), "");
            EXPECT_EQ(file.find("=\"nan"), std::string::npos) << file;
            EXPECT_EQ(file.find("inf\""), std::string::npos);
            EXPECT_EQ(file.find("Mnan"), std::string::npos);
        }
}

TEST(Figures, AreTheSameEveryTime) {
    for (const auto& figure : all_figures()) EXPECT_EQ(figure({1, 2, 3}).file(), figure({1, 2, 3}).file());
}

}  // namespace
}  // namespace wordbreadth::report
