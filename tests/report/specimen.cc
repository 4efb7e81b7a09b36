// Writes a report with every element, and each figure as a file of its own: report_specimen FOLDER
// For the browser test, and for eyes. Made-up data, but for hostile text, which is as bad as it gets.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>
#include <span>
#include <string>

#include "report/figures/figures.h"
#include "report/page/page.h"
#include "report/table/text.h"

namespace wordbreadth::report {
namespace {

// The same numbers on every machine, unlike those of the standard distributions.
class Random {
  public:
    double uniform() { return static_cast<double>(engine_()) / 4294967296.0; }
    double normal() {
        double sum = 0;
        for (int i = 0; i < 12; ++i) sum += uniform();
        return sum - 6;
    }

  private:
    std::mt19937 engine_{1};
};

const std::vector<std::string> hostile = {
    "</script><script>document.title='owned'</script>",
    "<img src=x onerror=\"document.title='owned'\">",
    "\"quoted\" & 'single' <b>bold</b>",
    "שלום עולם",
    "مرحبا",
    "e\xcc\x81\xcc\x81\xcc\x81z\xcc\xa7",  // combining marks
    "\xe2\x80\xaeoverride",                // right-to-left override
    "bad\xff\xfe utf-8",
    "bell\x07 tab\t end",
    "<!-- comment --> ]]> &amp;",
    "銀行 ぎんこう",
    "__proto__",
};

const std::vector<std::string> nouns = {"bank", "hand", "light", "triple", "articulate", "father", "flock",  "hosts",
                                        "acts", "said", "rest",  "commit", "file",       "spirit", "option", "house"};

std::string made_up_word(std::size_t i) {
    return i < hostile.size() ? hostile[i] : nouns[i % nouns.size()] + "-" + std::to_string(i);
}

LineChart rejection_rates() {
    LineChart chart{{"Rejected pairs by rank gap", "Rejection rates of three methods, rising with the gap in rank."},
                    {.label = "gap in rank"},
                    {.label = "share of pairs rejected", .low = 0, .percent = true, .column = "rate"},
                    {},
                    {{0.05, "nominal 5%"}}};
    const std::vector<std::string> names = {"none", "householder", "householder, robust"};
    for (std::size_t i = 0; i < names.size(); ++i) {
        Line line{names[i], {}};
        for (int gap = 1; gap <= 10; ++gap) {
            const double rate = 0.02 + (i == 0 ? 0.055 : 0.008 + 0.002 * static_cast<double>(i)) * gap;
            const double half = 1.96 * std::sqrt(rate * (1 - rate) / 300);
            line.points.push_back({static_cast<double>(gap), {rate, std::max(0.0, rate - half), rate + half}});
        }
        chart.lines.push_back(line);
    }
    return chart;
}

ScatterPlot clouds() {
    Random random;
    ScatterPlot plot{
        {"Two clouds before and after alignment", "Usages of articulate and triple, apart before, mixed after."},
        {.kind = Axis::Kind::hidden},
        {.kind = Axis::Kind::hidden},
        {{"articulate"}, {"triple"}},
        {{"before alignment", {}}, {"after alignment", {}}}};
    for (std::size_t i = 0; i < 160; ++i) {
        const std::size_t group = i % 2;
        const double x = random.normal(), y = random.normal() * (group == 0 ? 1.6 : 0.8);
        const std::string name = group == 0 ? "articulate" : "triple";
        const ScatterPoint point{x, y, group, name, "usage " + std::to_string(i / 2 + 1), {name, i / 2}};
        plot.panels[0].points.push_back(point);
        plot.panels[0].points.back().x += group == 0 ? -3.2 : 3.2;
        plot.panels[1].points.push_back(point);
    }
    return plot;
}

ScatterPlot volcano() {
    Random random;
    ScatterPlot plot{{"Scripture against manuals", "Words by how much broader they are in one corpus, and how surely."},
                     {.label = "log ratio of breadth (manuals / scripture)"},
                     {.label = "−log10 p", .low = 0},
                     {{"broader in manuals"}, {"broader in scripture"}, {"no difference shown", true}},
                     {{"", {}}},
                     {{0, ""}},
                     {{1.3, "p = 0.05"}}};
    for (std::size_t i = 0; i < 1500; ++i) {
        const double ratio = 0.35 * random.normal();
        const double p = std::abs(ratio) * (2 + 3 * random.uniform()) * 1.1;
        const bool shown = p > 1.3;
        const std::size_t group = !shown ? 2 : ratio > 0 ? 0 : 1;
        // Every other word has lines; the others have a row in the table.
        const Evidence evidence{i % 2 == 0 ? nouns[i % nouns.size()] : "", {}, made_up_word(i)};
        plot.panels[0].points.push_back({ratio, p, group, made_up_word(i), "", evidence, p > 3 ? p : 0});
    }
    return plot;
}

ScatterPlot law() {
    Random random;
    ScatterPlot plot{{"The meaning-frequency law", "Breadth grows with frequency, on logarithmic axes."},
                     {.label = "frequency (mean of a bin of 100 words)", .kind = Axis::Kind::logarithmic},
                     {.label = "breadth v", .kind = Axis::Kind::logarithmic},
                     {{"bins"}},
                     {{"", {}}}};
    for (int i = 0; i < 40; ++i) {
        const double frequency = 100 * std::pow(10.0, 0.06 * i);
        plot.panels[0].points.push_back(
            {frequency, 0.0004 * std::pow(frequency, 0.23) * std::exp(0.08 * random.normal())});
    }
    plot.panels[0].segments.push_back({100, 0.0004 * std::pow(100, 0.23), 22000, 0.0004 * std::pow(22000, 0.23),
                                       "slope 0.23 (0.21 to 0.25), R² 0.87"});
    return plot;
}

Histogram null_distribution() {
    Random random;
    std::vector<double> values;
    for (int i = 0; i < 20000; ++i) values.push_back(0.21 * random.normal());
    return {{"What chance alone does", "The null distribution of T, with the observed T far to the right."},
            {.label = "T"},
            "splits",
            bars_of(values),
            {{1.06, "T = 1.06"}},
            {},
            -0.5,
            0.5};
}

Histogram p_values() {
    Random random;
    std::vector<double> values;
    for (int i = 0; i < 1000; ++i) values.push_back(random.uniform());
    return {{"Split-half p-values", "Twenty bars of about equal height, as they should be."},
            {.label = "p", .low = 0, .high = 1},
            "words",
            bars_of(values, 0, 1, 20),
            {},
            {{50, "uniform"}},
            {},
            {}};
}

DotPlot false_positives() {
    return {{"False positives on turned halves", "Without alignment the plain test rejects far too often."},
            {.label = "rejected at nominal 5%", .low = 0, .percent = true},
            {"none", "householder"},
            {{"plain, 100 against 100", {{0.381, 0.355, 0.407}, {0.044, 0.034, 0.056}}},
             {"robust, 100 against 100", {{0.093, 0.078, 0.109}, {0.045, 0.035, 0.057}}},
             {"plain, 40 against 160", {{0.001, 0.0, 0.004}, {0.057, 0.046, 0.070}}},
             {"robust, 40 against 160", {{0.044, 0.034, 0.056}, {0.052, 0.041, 0.064}}}},
            {{0.05, "nominal 5%"}}};
}

Concordance concordance(const std::string& node, std::size_t count) {
    Random random;
    Concordance made{node, node, {}};
    const std::vector<std::string> before = {"and he stretched forth his", "keep a copy of the file at",
                                             "as it was said of the", "there was no",
                                             "when the system is started, the old and weary"};
    const std::vector<std::string> after = {"toward the sea, and the waters returned.", "before the package is removed",
                                            "of those that follow;", "is optional.", "(see the next chapter)"};
    for (std::size_t i = 0; i < count; ++i) {
        const std::string source = i % 3 == 0 ? "perlop.pod" : "Gen " + std::to_string(i + 1) + ":3";
        made.lines.push_back(
            {before[i % before.size()], node, after[(i * 3 + i / 7) % after.size()], source, 0.004 * random.normal()});
    }
    return made;
}

Concordance hostile_concordance() {
    Concordance made{"__proto__", hostile[0], {}};
    for (const std::string& text : hostile) made.lines.push_back({text, "node", text, text, NAN});
    return made;
}

Concordance hebrew() {
    Concordance made{"hebrew", "יד", {}};
    for (int i = 0; i < 4; ++i)
        made.lines.push_back({"וַיֵּט מֹשֶׁה אֶת", "יָדוֹ", "עַל הַיָּם וַיּוֹלֶךְ יְהוָה אֶת הַיָּם", "Exod 14:21", 0.001 * i});
    return made;
}

DataTable ranking() {
    Random random;
    const std::vector<std::string> parts = {"noun", "verb", "adjective", "adverb"};
    std::vector<Cells> rows;
    for (std::size_t i = 0; i < 5000; ++i) {
        const double r = 0.5 + 0.4 * random.uniform(), v = 0.002 * random.uniform(), kappa = 384 * r;
        const double frequency = std::floor(1e6 * std::pow(random.uniform(), 6)) + 20;
        const Value senses = i % 7 == 0 ? Value() : Value(static_cast<std::uint64_t>(20 * random.uniform()));
        rows.push_back({Value(made_up_word(i)).opening({i < hostile.size() ? "__proto__" : nouns[i % nouns.size()]}),
                        i + 1, 100U, static_cast<std::uint64_t>(frequency), r, kappa, v, v / 0.001, senses,
                        parts[i % parts.size()]});
    }
    return {table_of("words", "All words, broadest first.",
                     {{"word", "word", look::subject},
                      {"rank", "rank"},
                      {"n", "n", look::count, "occurrences in the cloud"},
                      {"frequency", "frequency"},
                      {"r", "r", look::decimals(3), "length of the mean vector"},
                      {"kappa", "kappa", look::decimals(1)},
                      {"v", "v", look::decimals(6), "breadth: large where the occurrences differ"},
                      {"v / median", "v / median", look::decimals(2)},
                      {"senses", "senses", look::count, "synsets in WordNet"},
                      {"part of speech", "part of speech", look::name}},
                     std::move(rows))};
}

DataTable small_table() {
    return {table_of("", "Rejection rates beside the paper's own.",
                     {{"gap", "gap"},
                      {"method", "method", look::name},
                      {"here", "here", look::decimals(3)},
                      {"95% interval", "95% interval", look::name},
                      {"paper", "paper", look::decimals(2)}},
                     {{50U, "none", 0.867, "0.83 to 0.90", 0.91},
                      {50U, "householder", 0.16, "0.12 to 0.20", 0.14},
                      {100U, "none", 1.0, "0.99 to 1.00", 0.99},
                      {100U, "householder", 0.727, "0.67 to 0.78", 0.7}})};
}

Page specimen() {
    Page page;
    page.title = "Breadth of words in scripture and manuals";
    page.subtitle = "1,000 words, at most 100 occurrences each, MiniLM layer 4. A specimen with made-up data.";
    page.sections = {
        {"In short",
         {Facts{{{"1,000", "words"},
                 {"4.4%", "false positives at 5%"},
                 {"0.73", "rejected at gap 100"},
                 {"20,000", "permutations per test"}}},
          Finding{Markup("Without alignment, ") + word("38% of the tests") +
                  " of a word against itself reject; with it, 4.4% do."},
          Paragraph{Markup("The word ") + word("articulate") + " and the word " + word("triple") +
                    " lie in different directions. The option " + code("--align none") +
                    " compares them where they lie, and takes the distance between them for breadth."}}},
        {"Are the tests honest?",
         {Figure{svg_of(false_positives()), "Each dot with its 95% interval."},
          Figure{svg_of(p_values()), "Made-up p-values.", "", true}}},
        {"Rejected pairs", {Figure{svg_of(rejection_rates()), "300 pairs a gap.", "rates"}, small_table()}},
        {"Two clouds",
         {Figure{svg_of(clouds()), "t-SNE."}, Figure{svg_of(null_distribution()), ""},
          ConcordanceView{"articulate", Markup("Occurrences of ") + word("articulate")}}},
        {"Word by word",
         {Figure{svg_of(volcano()), "Words beyond the line differ.", "volcano"}, Figure{svg_of(law()), ""}}},
        {"All words",
         {ranking(), ConcordanceView{"__proto__", hostile[1]}, ConcordanceView{"hebrew", "Right to left"}}}};
    for (const std::string& noun : nouns) page.concordances.push_back(concordance(noun, noun.size() > 5 ? 80 : 12));
    page.concordances.push_back(hostile_concordance());
    page.concordances.push_back(hebrew());
    page.settings = {{"store", "examples/store"},  {"seed", "0"},          {"permutations", "20,000"},
                     {"alignment", "householder"}, {"statistic", "plain"}, {"version", "0.1.0"},
                     {"note", hostile[2]}};
    page.command = "wordbreadth experiment examples/store --out study --seed 0";
    return page;
}

void write_file(const std::filesystem::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

void write_all(const std::filesystem::path& folder) {
    std::filesystem::create_directories(folder);
    ResultFile((folder / "report.html").string()).write(html_of(specimen()));
    write_file(folder / "rates.svg", svg_of(rejection_rates()).file());
    write_file(folder / "clouds.svg", svg_of(clouds()).file());
    write_file(folder / "volcano.svg", svg_of(volcano()).file());
    write_file(folder / "law.svg", svg_of(law()).file());
    write_file(folder / "null.svg", svg_of(null_distribution()).file());
    write_file(folder / "p_values.svg", svg_of(p_values()).file());
    write_file(folder / "false_positives.svg", svg_of(false_positives()).file());
}

}  // namespace
}  // namespace wordbreadth::report

int main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "usage: report_specimen FOLDER\n";
        return 2;
    }
    wordbreadth::report::write_all(argv[1]);
}
