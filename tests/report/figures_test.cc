#include "report/figures/figures.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <regex>

#include "report/figures/drawing.h"
#include "support/xml.h"

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

// 110 and what the mean of many 110s may come out as.
TEST(FigureScale, TakesValuesThatDifferByRoundingForOne) {
    const Axis linear, logarithmic{.kind = Axis::Kind::logarithmic};
    for (const Axis* axis : {&linear, &logarithmic}) {
        Range one(*axis), noisy(*axis);
        one.include(110);
        for (const double value : {110.0, 110.00000000000101}) noisy.include(value);
        EXPECT_NEAR(noisy.ends(0.05).low, one.ends(0.05).low, 1e-9);
        EXPECT_NEAR(noisy.ends(0.05).high, one.ends(0.05).high, 1e-9);
    }
}

TEST(FigureTicks, HaveLabelsThatDiffer) {
    EXPECT_EQ(labels(linear_ticks(110, 110.0000009, 5, false)),
              "110.0000000 110.0000002 110.0000004 110.0000006 110.0000008");
    EXPECT_EQ(labels(linear_ticks(0, 9e-8, 5, false)), "0.0 2.0e-08 4.0e-08 6.0e-08 8.0e-08");
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
    EXPECT_NE(svg_of(histogram).wide.body.find("T = 40"), std::string::npos);
}

TEST(FigureLineChart, LeavesOutWhatCannotBeShown) {
    const LineChart chart{{"t", "d"},
                          {.label = "x", .kind = Axis::Kind::logarithmic},
                          {.label = "y"},
                          {{"a", {{0, {1}}, {1, {nan_value}}, {2, {0.5, 0.4, 0.6}}, {3, {0.7}}}}}};
    const std::string body = svg_of(chart).wide.body;
    EXPECT_EQ(occurrences(body, "class=\"point"), 2U);
    EXPECT_EQ(occurrences(body, "class=\"interval"), 1U);
}

TEST(FigureLineChart, PointsSayTheirValues) {
    const LineChart chart{
        {"t", "d"}, {.label = "gap"}, {.label = "rate", .percent = true}, {{"none", {{10, {0.1, 0.05, 0.15}}}}}};
    EXPECT_NE(svg_of(chart).wide.body.find("<title>none\ngap: 10\nrate: 10.0% (5.00% to 15.0%)</title>"),
              std::string::npos);
}

TEST(FigureDotPlot, HasADotForEveryValueThereIs) {
    DotPlot plot;
    plot.methods = {"a", "b"};
    plot.rows = {{"one", {{0.1}, {0.2}}}, {"two", {{}, {0.3}}}, {"three", {}}};
    EXPECT_EQ(occurrences(svg_of(plot).wide.body, "class=\"point"), 3U);
}

TEST(FigureScatterPlot, PointsCarryTheirEvidence) {
    const ScatterPlot plot{{"t", "d"}, {}, {}, {{"g"}}, {{"", {{1, 2, 0, "w", "", {"a\"b", 7}}, {3, 4, 0, "v"}}}}};
    const std::string body = svg_of(plot).wide.body;
    EXPECT_EQ(occurrences(body, "data-concordance=\"a&quot;b\" data-line=\"7\""), 1U);
    EXPECT_EQ(occurrences(body, "data-concordance"), 1U);
}

TEST(FigureScatterPlot, GroupsDifferInColourAndShape) {
    const ScatterPlot plot{{"t", "d"}, {}, {}, {{"a"}, {"b"}}, {{"", {{0, 0, 0}, {1, 1, 1}}}}};
    const std::string body = svg_of(plot).wide.body;
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
    LabelSpace space({0, 0, 200, 200});
    draw_labels(canvas, space, wanted);
    EXPECT_NE(canvas.body().find("label8"), std::string::npos);  // the most prominent one
    EXPECT_EQ(canvas.body().find("label0"), std::string::npos);
    EXPECT_LE(occurrences(canvas.body(), "<text"), 4U);
}

TEST(FigureLabels, StayOffOtherTextAndRatherOffPoints) {
    LabelSpace space({0, 0, 200, 200});
    const std::vector<TextPlace> places = {{10, 50, Anchor::start}, {10, 100, Anchor::start}, {10, 150, Anchor::start}};
    space.keep_free({0, 40, 200, 60});
    space.avoid_point(20, 97);
    EXPECT_EQ(space.take("first", 12, places)->baseline, 150);
    EXPECT_EQ(space.take("second", 12, places)->baseline, 100);  // over the point, since nothing better is left
    EXPECT_FALSE(space.take("third", 12, places));
    EXPECT_FALSE(space.take("outside", 12, std::vector<TextPlace>{{190, 190, Anchor::start}}));
}

// A text of a figure, about as wide as readers see it.
struct ShownText {
    std::string text;
    double left, right, baseline;
};

std::vector<ShownText> texts_of(const std::string& body) {
    const std::regex element("<text class=\"([^\"]*)\" x=\"([^\"]*)\" y=\"([^\"]*)\" text-anchor=\"(\\w+)\">([^<]*)<");
    std::vector<ShownText> texts;
    for (std::sregex_iterator found(body.begin(), body.end(), element), end; found != end; ++found) {
        const std::smatch& match = *found;
        const double size = match[1] == "title" ? 15 : match[1] == "name" ? 12 : 13;
        const double x = std::stod(match[2]), width = text_width(match[5].str(), size);
        const double left = match[4] == "start" ? x : match[4] == "end" ? x - width : x - width / 2;
        texts.push_back({match[5], left, left + width, std::stod(match[3])});
    }
    return texts;
}

// A page cuts the picture's edges off.
void expect_readable(const std::string& body, double width) {
    const std::vector<ShownText> texts = texts_of(body);
    EXPECT_FALSE(texts.empty());
    for (std::size_t i = 0; i < texts.size(); ++i) {
        EXPECT_GE(texts[i].left, figure_edge - 0.5) << texts[i].text;
        EXPECT_LE(texts[i].right, width - figure_edge + 0.5) << texts[i].text;
        for (std::size_t j = 0; j < i; ++j)
            EXPECT_FALSE(std::abs(texts[i].baseline - texts[j].baseline) < 11 && texts[i].left < texts[j].right &&
                         texts[j].left < texts[i].right)
                << texts[i].text << " over " << texts[j].text;
    }
}

// Figures with much to write: long titles and labels, words where guides have their labels, crowded ticks.
std::vector<Svg> wordy_figures() {
    const Heading heading{"A title that is far longer than a phone is wide, and has to go on in the next line", "d"};
    const Axis x{.label = "T: broader in a corpus of some name ← 0 → broader in another corpus of some name"};
    const Axis log{.label = "frequency", .kind = Axis::Kind::logarithmic};
    ScatterPlot scatter{heading, x, {.label = "y"}, {{"a long name of a group"}, {"another long name"}, {"third"}}};
    scatter.panels.resize(1);
    for (int i = 0; i < 40; ++i)
        scatter.panels[0].points.push_back({i / 40.0, i % 7 / 7.0, 0, "word" + std::to_string(i), "", {}, 1.0 + i});
    scatter.panels[0].segments = {{0, 0, 1, 1, "slope 0.2, R² 0.9"}};
    scatter.x_guides = {{0.1, "median"}, {0.11, "mean"}};
    scatter.y_guides = {{0.85, "alpha"}};
    LineChart lines{
        heading, log, {.label = "rejected", .percent = true}, {}, {{0.5, "alpha 50%"}, {0.51, "all pairs"}}};
    for (const char* name : {"none, plain", "householder, plain", "none, robust", "householder, robust"})
        lines.lines.push_back({name, {{1, {0.4, 0.3, 0.6}}, {20000, {0.55, 0.5, 0.6}}}});
    DotPlot dots{heading, {.label = "x"}, {"one", "two"}, {}, {{0.11, "nominal 11%"}}};
    for (int i = 0; i < 3; ++i)
        dots.rows.push_back({"a corpus and a model of long names " + std::to_string(i), {{0.1}, {0.2}}});
    Histogram bars{heading, {.label = "p"}, "words", {{0, 0.5, 1}, {3, 4}}, {{0.9, "T = 0.9"}}, {{3.5, "uniform"}}};
    return {svg_of(scatter), svg_of(lines), svg_of(dots), svg_of(bars)};
}

TEST(Figures, AreReadableOnWideAndOnNarrowPages) {
    for (const Svg& svg : wordy_figures()) {
        expect_readable(svg.wide.body, svg.wide.width);
        ASSERT_LT(svg.narrow.width, 400);
        expect_readable(svg.narrow.body, svg.narrow.width);
        EXPECT_EQ(occurrences(svg.wide.body, "class=\"point"), occurrences(svg.narrow.body, "class=\"point"));
        EXPECT_EQ(svg.narrow.body.find("<title>"), std::string::npos);  // the wide one's serve both
    }
}

TEST(Figures, PointsCarryTheirValuesForDownloads) {
    const LineChart chart{
        {"t", "d"}, {.label = "gap"}, {.label = "rate", .column = "share"}, {{"a\tb", {{3, {0.5, 0.25, 1}}}}}};
    const Svg svg = svg_of(chart);
    EXPECT_EQ(svg.columns, (std::vector<std::string>{"series", "gap", "share", "share low", "share high"}));
    EXPECT_NE(svg.wide.body.find("data-record=\"a\\tb&#9;3&#9;0.5&#9;0.25&#9;1\""), std::string::npos) << svg.wide.body;
    EXPECT_NE(svg.markup().find("data-columns=\"series&#9;gap&#9;share&#9;share low&#9;share high\""),
              std::string::npos);
}

TEST(FigureScatterPlot, PointsWithoutLinesNameTheirRow) {
    const ScatterPlot plot{{"t", "d"},
                           {},
                           {},
                           {{"g"}},
                           {{"", {{1, 2, 0, "w", "", {"k", {}, "w"}}, {3, 4, 0, "v", "", {"", {}, "a\"b"}}}}}};
    const std::string body = svg_of(plot).wide.body;
    EXPECT_EQ(occurrences(body, "data-row"), 1U);
    EXPECT_EQ(occurrences(body, "data-row=\"a&quot;b\""), 1U);
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
