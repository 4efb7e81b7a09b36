// calibrate, every number of it against the naive program.
#include "cli/study_output.h"
#include "support/xml.h"

namespace wordbreadth::cli {
namespace {

struct Case {
    Arguments options;
    std::vector<double> alphas;
    std::size_t count = 0;
    std::size_t size = study_rows;
    std::uint64_t permutations = 39;
    std::uint64_t seed = 0;
    bool complete = false;
};

const std::vector<Case> cases = {
    // More tests than words: these are halved again.
    {{"--count", "70", "--permutations", "39"}, {0.01, 0.05, 0.1}, 70},
    {{"--count", "9", "--permutations", "59", "--common-size", "13", "--seed", "4", "--alpha", "0.2,0.03",
      "--complete"},
     {0.2, 0.03},
     9,
     13,
     59,
     4,
     true},
    // All splits of the unequal parts are looked at, 2 rows of 12.
    {{"--count", "12", "--permutations", "66", "--alpha", "0.3"}, {0.3}, 12, study_rows, 66},
};

// One kind of pairs: p of each method, pair after pair.
struct Kind {
    std::string key;
    std::size_t n = 0, m = 0;
    std::vector<std::vector<double>> p;
};

void add(Kind& kind, const naive::Rows& x, const naive::Rows& y, const naive::Test& how, std::uint64_t seed) {
    const std::vector<double> p = naive::p_of_methods(x, y, how, seed);
    for (std::size_t k = 0; k < p.size(); ++k) kind.p[k].push_back(p[k]);
}

naive::Test test_of(const Case& of, bool to_the_end) {
    naive::Test test{.permutations = of.permutations};
    if (!of.complete && !to_the_end) test.adaptive = naive::enough(std::ranges::max(of.alphas), of.permutations);
    return test;
}

Kind halves(const std::vector<naive::Word>& words, const std::string& key, std::size_t first, bool turned,
            const Case& of) {
    Kind kind{key, first, of.size - first, std::vector<std::vector<double>>(4)};
    const auto halvings = naive::halvings(words, of.size, of.count, of.seed);
    for (std::size_t i = 0; i < halvings.size(); ++i) {
        const naive::Parts parts = naive::parts(halvings[i], first, of.size, turned);
        add(kind, parts.first, parts.second, test_of(of, !turned), naive::seed_of_test(i, of.seed));
    }
    return kind;
}

Kind neighbours(const std::vector<naive::Word>& words, const Case& of) {
    const naive::Ranks how{of.size, of.seed, true};
    const std::size_t tested = of.size - of.size / 2;
    Kind kind{"cross_fitted_neighbours", tested, tested, std::vector<std::vector<double>>(4)};
    const auto pairs = naive::pairs(naive::ranking(words, how), {1}, of.count, of.seed);
    for (std::size_t i = 0; i < pairs.size(); ++i)
        add(kind, tested_rows(*pairs[i].x.word, how), tested_rows(*pairs[i].y.word, how), test_of(of, false),
            naive::seed_of_test(i, of.seed));
    return kind;
}

std::vector<Kind> kinds(const std::vector<naive::Word>& words, const Case& of) {
    return {halves(words, "split_halves", of.size / 2, false, of),
            halves(words, "turned_halves", of.size / 2, true, of),
            halves(words, "turned_unequal_halves", of.size / 5, true, of), neighbours(words, of)};
}

void expect_rates(const json& row, const Kind& kind, std::size_t method, double alpha) {
    const std::string what = kind.key + ", " + naive::method_names[method];
    const std::vector<double>& p = kind.p[method];
    EXPECT_EQ(row["pairs"], kind.key);
    EXPECT_EQ(row["n"], kind.n);
    EXPECT_EQ(row["m"], kind.m);
    EXPECT_EQ(row["method"], naive::method_names[method]);
    EXPECT_EQ(row["alpha"], alpha);
    const naive::Rate rate = naive::rejected(p, alpha);
    EXPECT_EQ(row["tests"], rate.trials);
    expect_rate(row["rate"], rate, what);
    const double distance = naive::ks_distance(p);
    expect_number(row["ks_distance"], distance, what);
    expect_number(row["ks_p"], naive::ks_p(distance, rate.trials), what);
}

// No rate of halves is surely above its level: the lower end of its 99.9% interval is not.
bool keeps_its_level(const std::vector<Kind>& kinds, std::size_t method, const std::vector<double>& alphas) {
    for (std::size_t kind = 0; kind < 3; ++kind)
        for (const double alpha : alphas) {
            const naive::Rate rate = naive::rejected(kinds[kind].p[method], alpha);
            if (naive::rate(rate.hits, rate.trials, 3.290526731491926).low > alpha) return false;
        }
    return true;
}

json settings_of(const Case& of, const std::string& store, const std::vector<naive::Word>& words) {
    const auto has_enough = [&](const naive::Word& word) { return word.rows.size() >= of.size; };
    return {{"store", store},
            {"words", std::ranges::count_if(words, has_enough)},
            {"common_size", of.size},
            {"count", of.count},
            {"alphas", of.alphas},
            {"permutations", of.permutations},
            {"alternative", "two-sided"},
            {"adaptive", !of.complete},
            {"seed", of.seed},
            {"blocks", "none"},
            {"power", false}};
}

void expect_verdict(const json& found, const std::vector<Kind>& expected, const Case& of) {
    std::string recommended;
    for (const std::size_t k : {0, 2, 3, 1}) {  // the last that passes is the one preferred
        const bool passes = keeps_its_level(expected, k, of.alphas);
        const std::string align = k % 2 == 1 ? "householder" : "none", statistic = k < 2 ? "plain" : "robust";
        EXPECT_EQ(found["methods"][k],
                  json({{"align", align}, {"statistic", statistic}, {"keeps_its_level", passes}, {"shapes", nullptr}}));
        if (passes) recommended = "--align " + align + " --statistic " + statistic;
    }
    EXPECT_EQ(found["recommended"], recommended);
    EXPECT_TRUE(contains(found["verdict"], recommended));
}

class CalibrateCommand : public ::testing::Test {
  protected:
    CalibrateCommand() { write_study_store(store_, 30); }

    [[nodiscard]] Arguments call(const Arguments& options) const { return with({"calibrate", store_}, options); }
    [[nodiscard]] json results_of(const Arguments& options) const {
        return json::parse(output_of(with(call(options), {"--format", "json"})));
    }

    void expect_results(const json& found, const Case& of) const {
        const std::vector<naive::Word> words = naive::words_of(store_);
        const std::vector<Kind> expected = kinds(words, of);
        ASSERT_EQ(found["results"].size(), 4 * 4 * of.alphas.size());
        std::size_t row = 0;
        for (const Kind& kind : expected)
            for (std::size_t k = 0; k < 4; ++k)
                for (const double alpha : of.alphas) expect_rates(found["results"][row++], kind, k, alpha);
        expect_verdict(found, expected, of);
        EXPECT_EQ(found["settings"], settings_of(of, store_, words));
    }

    TemporaryFolder folder_;
    std::string store_ = folder_.path() + "/store";
};

TEST_F(CalibrateCommand, EveryRateAndVerdictIsThatOfANaiveProgram) {
    for (const Case& of : cases) {
        SCOPED_TRACE(of.count);
        expect_results(results_of(of.options), of);
    }
}

// Clouds so narrow that direction is most of what is seen without alignment.
TEST_F(CalibrateCommand, AMethodThatFailsIsNotTrusted) {
    store_ += "-narrow";
    write_study_store(store_, 6, {}, 40, 0.2);
    const Case narrow{{"--count", "30", "--permutations", "39", "--alpha", "0.05"}, {0.05}, 30, 40};
    const json found = results_of(narrow.options);
    expect_results(found, narrow);
    EXPECT_EQ(found["methods"][0]["keeps_its_level"], false);
    EXPECT_EQ(found["recommended"], "--align householder --statistic plain");
}

TEST_F(CalibrateCommand, FormatsAgreeAndThreadsChangeNothing) {
    for (const Case& of : cases) {
        const json found = results_of(of.options);
        expect_same_table(output_of(with(call(of.options), {"--format", "tsv", "--threads", "3"})), found["results"]);
        const std::string picture = folder_.path() + "/rates.svg";
        const std::string text = output_of(with(call(of.options), {"--svg", picture}));
        for (const json& row : found["results"]) {
            const auto percent = [&](const char* key) { return in_decimals(100 * number(row["rate"][key]), 1); };
            EXPECT_TRUE(contains(text, percent("value") + "% (" + percent("low") + " to " + percent("high") + ")"))
                << row;
        }
        EXPECT_TRUE(contains(text, found["recommended"].get<std::string>()));
        const std::string svg = content_of(picture);
        EXPECT_EQ(report::xml_fault(svg), "");
        for (const std::string& method : naive::method_names) EXPECT_TRUE(contains(svg, method)) << method;
    }
}

// What is stopped early rejects no less often, and no more.
TEST_F(CalibrateCommand, CompleteChangesNoRate) {
    const json stopped = results_of(cases[0].options), complete = results_of(with(cases[0].options, {"--complete"}));
    ASSERT_EQ(stopped["results"].size(), complete["results"].size());
    bool changed = false;
    for (std::size_t i = 0; i < complete["results"].size(); ++i) {
        EXPECT_EQ(stopped["results"][i]["rate"], complete["results"][i]["rate"]);
        changed = changed || stopped["results"][i]["ks_distance"] != complete["results"][i]["ks_distance"];
    }
    EXPECT_TRUE(changed);
    EXPECT_EQ(stopped["methods"], complete["methods"]);
}

// Pairs are tested some hundred at a time, which must not be seen: every test has a seed of its own.
TEST_F(CalibrateCommand, TestsOfLaterBatchesHaveSeedsOfTheirOwn) {
    const Case many{{"--count", "520", "--permutations", "9", "--alpha", "0.1"}, {0.1}, 520, study_rows, 9};
    const json found = results_of(many.options);
    const Kind kind = halves(naive::words_of(store_), "split_halves", study_rows / 2, false, many);
    for (std::size_t k = 0; k < 4; ++k) expect_rates(found["results"][k], kind, k, 0.1);
}

// A store of documents, with all that can be asked for; every format has it.
TEST_F(CalibrateCommand, DocumentsAndPowerAreInEveryFormat) {
    store_ += "-documents";
    std::vector<store::PlannedWord> words;
    for (std::size_t i = 0; i < 8; ++i)
        words.push_back({"w" + std::to_string(i), 50, 30, 0.3 + 0.1 * static_cast<double>(i)});
    store::write_store(store_, words, 12, 3);
    const std::string picture = folder_.path() + "/power.svg", page = folder_.path() + "/calibration.html";
    const Arguments options = {"--count", "10", "--permutations", "39", "--alpha", "0.1", "--power"};
    const json found = results_of(options);
    ASSERT_EQ(found["results"].size(), 4 * 4 + 2 * 3 + 8 * 3 + 12 * 3U);
    EXPECT_EQ(found["settings"]["blocks"], "document");
    EXPECT_EQ(found["methods"][4]["statistic"], "blocks");
    EXPECT_GE(found["methods"][4]["shapes"]["rate"], 0);
    EXPECT_TRUE(found["methods"][0]["shapes"].is_null());
    if (!found["recommended"].is_null()) {
        EXPECT_TRUE(contains(found["verdict"], "Its highest rate on simulated shapes is"));
    }
    EXPECT_EQ(found["needed"]["ratios"].size(), 3U);
    for (const json& row : found["results"]) {
        const bool mixed = row["pairs"] == "mixtures";
        EXPECT_EQ(row["share"].is_null(), !mixed) << row;
        EXPECT_EQ(row["wrong"].is_null(), !mixed) << row;
        if (row["pairs"] == "turned_document_halves") {
            EXPECT_EQ(row["documents_n"], 5) << row;
        }
    }
    expect_same_table(output_of(with(call(options), {"--format", "tsv"})), found["results"]);
    const std::string text = output_of(with(call(options), {"--svg", picture, "--html", page}));
    for (const char* part : {"halves of whole documents, turned apart, about 15 and 15 rows of 5 and 5",
                             "50% of another", "wrong direction", "ratio of breadths", "report: "})
        EXPECT_TRUE(contains(text, part)) << part << " in: " << text;
    EXPECT_EQ(report::xml_fault(content_of(picture)), "");
    EXPECT_TRUE(contains(content_of(picture), "householder, blocks"));
    EXPECT_TRUE(contains(content_of(page), "How many occurrences"));
    EXPECT_EQ(
        results_of({"--count", "10", "--permutations", "39", "--alpha", "0.1", "--blocks", "none"})["results"].size(),
        16U);
}

TEST_F(CalibrateCommand, BadCallsAreOneLine) {
    const auto fails = [&](const Arguments& options, const std::string& part) {
        expect_one_line(run(call(options)), 2, part);
    };
    fails({"--common-size", "15"}, "0 words have the 15 rows to be halved; expected at least 2 words: take fewer rows");
    fails({"--common-size", "9"}, "--common-size 9: expected a whole number from 10");
    fails({"--alpha", "0.05,1"}, "--alpha 1: expected levels between 0 and 1, such as 0.01,0.05");
    fails({"--blocks", "document"}, "all rows are of one document; expected several to divide and permute");
    fails({"--blocks", "word"}, "--blocks word: expected document|none");
    fails({"--count", "0"}, "--count 0: expected a whole number from 1");
    fails({"--svg", folder_.path() + "/none/rates.svg"}, "/none/rates.svg: cannot be written");
    const std::string small = folder_.path() + "/small", picture = folder_.path() + "/rates.svg";
    store::write_store(small, {{"few", 9, 9, 1}, {"fewer", 9, 4, 1}}, 4);
    expect_one_line(run({"calibrate", small, "--svg", picture}), 2,
                    "no word has the 10 rows that calibration needs; extract more rows per word");
    EXPECT_FALSE(std::filesystem::exists(picture));
}

TEST_F(CalibrateCommand, HelpListsItsOptions) {
    expect_help("calibrate",
                {"STORE", "--alpha A,A,...", "(default 0.01,0.05,0.1)", "--count N", "(default 1000)",
                 "--permutations N", "(default 20000)", "--blocks document|none", "--power", "--html", "--complete",
                 "--common-size N", "--seed N", "--svg FILE.svg", "--format text|json|tsv", "--threads N", "--device"});
}

}  // namespace
}  // namespace wordbreadth::cli
