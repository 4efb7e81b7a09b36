// pairs --gap, every number of it against the naive program.
#include "cli/study_output.h"

namespace wordbreadth::cli {
namespace {

constexpr std::size_t words = 30;
constexpr std::uint64_t permutations = 39;

// A call, and what it asks for.
struct Case {
    Arguments options;
    std::vector<std::size_t> gaps;
    std::size_t count = 300;
    naive::Ranks ranks{study_rows};
    naive::Test test{Alignment::householder, Statistic::plain, permutations};
    double alpha = 0.05;
};

const std::vector<Case> cases = {
    {{"--gap", "1-2,9"}, {1, 2, 9}},
    {{"--gap", "7", "--cross-fit", "--common-size", "13", "--seed", "8"}, {7}, 300, {13, 8, true}},
    {{"--gap", "1,4", "--rank-by", "frequency", "--count", "5", "--seed", "3", "--align", "none", "--confidence",
      "0.8"},
     {1, 4},
     5,
     {study_rows, 3, false, true},
     {Alignment::none, Statistic::plain, permutations},
     0.2},
    {{"--gap", "3", "--count", "9", "--statistic", "robust", "--alternative", "greater", "--adaptive", "4"},
     {3},
     9,
     {study_rows},
     {Alignment::householder, Statistic::robust, permutations, Alternative::greater, 4}},
    // So few rows that every split is looked at.
    {{"--gap", "12", "--common-size", "3", "--confidence", "0.8"},
     {12},
     300,
     {3},
     {Alignment::householder, Statistic::plain, permutations},
     0.2},
};

class GapPairsCommand : public ::testing::Test {
  protected:
    GapPairsCommand() { write_study_store(store_, words); }

    [[nodiscard]] Arguments call(const Arguments& options) const {
        return with({"pairs", store_, "--permutations", std::to_string(permutations)}, options);
    }
    [[nodiscard]] json results_of(const Arguments& options) const {
        return json::parse(output_of(with(call(options), {"--format", "json", "--threads", "1"})));
    }

    TemporaryFolder folder_;
    std::string store_ = folder_.path() + "/store";
};

void expect_pair(const json& found, const naive::Pair& pair, std::size_t index, const Case& of) {
    const std::string what = pair.x.word->name + " and " + pair.y.word->name;
    EXPECT_EQ(found["gap"], pair.gap);
    EXPECT_EQ(found["x"], pair.x.word->name);
    EXPECT_EQ(found["y"], pair.y.word->name);
    const naive::Rows x = tested_rows(*pair.x.word, of.ranks), y = tested_rows(*pair.y.word, of.ranks);
    EXPECT_EQ(found["n"], x.size());
    EXPECT_EQ(found["m"], y.size());
    expect_number(found["v_x"], naive::v(x), what);
    expect_number(found["v_y"], naive::v(y), what);
    const std::uint64_t seed = naive::seed_of_test(index, of.ranks.seed);
    EXPECT_EQ(found["seed"], seed);
    const naive::Tested expected = naive::test(x, y, of.test, seed);
    expect_number(found[of.test.statistic == Statistic::robust ? "t" : "T"], expected.value, what);
    EXPECT_EQ(found["exceedances"], expected.exceedances) << what;
    EXPECT_EQ(found["permutations"], expected.splits) << what;
    EXPECT_EQ(found["exact"], expected.exact);
    expect_number(found["p"], expected.p, what);
}

// Benjamini and Hochberg's: the smallest level at which the procedure rejects the pair.
std::vector<double> adjusted(const std::vector<double>& p) {
    std::vector<double> q;
    const auto total = static_cast<double>(p.size());
    for (const double mine : p) {
        double smallest = 1;
        for (const double level : p)
            if (level >= mine)
                smallest =
                    std::min(smallest, level * total / static_cast<double>(std::ranges::count_if(p, [&](double other) {
                                           return other <= level;
                                       })));
        q.push_back(smallest);
    }
    return q;
}

TEST_F(GapPairsCommand, EveryPairAndRateIsThatOfANaiveProgram) {
    const std::vector<naive::Word> all = naive::words_of(store_);
    for (const Case& of : cases) {
        SCOPED_TRACE(of.options[1] + " " + of.options.back());
        const json found = results_of(of.options);
        const std::vector<naive::Ranked> ranked = naive::ranking(all, of.ranks);
        const std::vector<naive::Pair> pairs = naive::pairs(ranked, of.gaps, of.count, of.ranks.seed);
        ASSERT_EQ(found["results"].size(), pairs.size());
        std::vector<double> p;
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            expect_pair(found["results"][i], pairs[i], i, of);
            p.push_back(number(found["results"][i]["p"]));
        }
        const std::vector<double> q = adjusted(p);
        for (std::size_t i = 0; i < q.size(); ++i) expect_number(found["results"][i]["p_adjusted"], q[i], "q");

        ASSERT_EQ(found["gaps"].size(), of.gaps.size());
        const std::string text = output_of(call(of.options));
        for (std::size_t g = 0; g < of.gaps.size(); ++g) {
            const json& row = found["gaps"][g];
            std::vector<double> of_gap;
            for (std::size_t i = 0; i < p.size(); ++i)
                if (pairs[i].gap == of.gaps[g]) of_gap.push_back(p[i]);
            const naive::Rate rate = naive::rejected(of_gap, of.alpha);
            EXPECT_EQ(row["gap"], of.gaps[g]);
            EXPECT_EQ(row["pairs"], rate.trials);
            EXPECT_EQ(row["rejected"], rate.hits);
            expect_rate(row["rate"], rate, "gap " + std::to_string(of.gaps[g]));
            for (const double each : {rate.value, rate.low, rate.high})
                EXPECT_TRUE(contains(text, in_decimals(each, 3))) << each << " in\n" << text;
        }
        EXPECT_TRUE(contains(text, std::to_string(ranked.size()) + " words")) << text;
        EXPECT_TRUE(contains(text, "seed " + std::to_string(of.ranks.seed))) << text;
        EXPECT_GT(naive::rejected(p, of.alpha).hits, 0U);
        EXPECT_LT(naive::rejected(p, of.alpha).hits, p.size());
    }
}

TEST_F(GapPairsCommand, FormatsAgreeAndThreadsChangeNothing) {
    for (const Case& of : cases) {
        const json found = results_of(of.options)["results"];
        const auto lines = read_tsv(output_of(with(call(of.options), {"--format", "tsv", "--threads", "3"})));
        ASSERT_EQ(lines.size(), found.size());
        for (std::size_t i = 0; i < lines.size(); ++i)
            for (const std::string key : {"gap",         "x",
                                          "y",           "n",
                                          "m",           "d",
                                          "r_x",         "r_y",
                                          "v_x",         "v_y",
                                          "T",           "ratio",
                                          "statistic",   "standard_error",
                                          "p",           "p_adjusted",
                                          "exceedances", "permutations",
                                          "exact",       "stopped_early",
                                          "alternative", "align",
                                          "seed"})
                expect_field(lines[i].at(key), found[i][key], key);
    }
}

TEST_F(GapPairsCommand, BadCallsAreOneLine) {
    const auto fails = [&](const Arguments& options, const std::string& part) {
        expect_one_line(run(call(options)), 2, part);
    };
    fails({"--gap", "30"},
          "has 30 words that can be ranked, so no two of them are 30 ranks apart; expected at least 31");
    fails({"--gap", "5", "--count", "26"}, "25 pairs are 5 ranks apart; expected at least 26: ask for fewer pairs");
    fails({"--gap", "1", "--common-size", "15"}, "no word has a cloud of 15 rows");
    fails({"--gap", "1", "--common-size", "14", "--count", "10"}, "has 10 words that can be ranked, so 9 pairs");
    fails({"--gap", "1", "--common-size", "2", "--cross-fit"}, "a common size of 2 is too small for cross-fitting");
    fails({"--gap", "0"}, "--gap 0: expected ranks apart, such as 1-10 or 50,100");
    fails({"--gap", "3-1"}, "--gap 3-1: expected ranks apart");
    fails({"--gap", "1", "--count", "0"}, "--count 0: expected a whole number from 1");
    fails({"--gap", "1", "--rank-by", "size"}, "--rank-by size: expected breadth|v|frequency");
}

TEST_F(GapPairsCommand, HelpListsItsOptions) {
    expect_help("pairs",
                {"CLOUDS", "--pairs FILE.tsv", "--all", "--gap G-G", "--count N", "--rank-by breadth|v|frequency",
                 "--cross-fit", "--common-size N", "--adjust", "--format text|json|tsv", "--permutations N"});
}

}  // namespace
}  // namespace wordbreadth::cli
