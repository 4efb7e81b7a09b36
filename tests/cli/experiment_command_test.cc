// experiment, every file of it: the tables against the naive program, the pictures and the page as what they are.
#include <filesystem>
#include <fstream>
#include <set>

#include "cli/study_output.h"
#include "support/xml.h"

namespace wordbreadth::cli {
namespace {

constexpr std::size_t words = 252;  // bins of 100, 100 and 52
constexpr std::uint64_t permutations = 39, seed = 5;
constexpr double alpha = 0.05;
const std::vector<std::size_t> gaps = {1, 3, 40};
constexpr std::size_t count = 20;

constexpr double additional_alpha = 0.1;
constexpr std::uint64_t additional_permutations = 29;
const std::vector<std::size_t> additional_gaps = {50, 100};
constexpr std::size_t additional_count = 15;

// Senses of the i-th word as noun, verb, adjective and adverb; WordNet has three words in four.
std::array<std::size_t, 4> senses_of(std::size_t i) {
    if (i % 4 == 3) return {};
    return {1 + i % 3, i % 2, i % 5 / 4, i % 7 / 6};
}

// A WordNet of those words.
void write_wordnet(const TemporaryFolder& folder, const std::vector<naive::Word>& all) {
    const std::array<std::string, 4> parts = {"noun", "verb", "adj", "adv"}, letters = {"n", "v", "a", "r"};
    std::size_t synset = 10000000;
    for (std::size_t part = 0; part < 4; ++part) {
        std::string index;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (senses_of(i)[part] == 0) continue;
            const std::string senses = std::to_string(senses_of(i)[part]);
            index += all[i].name + " " + letters[part] + " " + senses + " 1 @ " + senses + " 0";
            for (std::size_t k = 0; k < senses_of(i)[part]; ++k) index += " " + std::to_string(synset++);
            index += "  \n";
        }
        folder.add("wordnet/index." + parts[part], index);
        folder.add("wordnet/" + parts[part] + ".exc", "");
    }
}

// One run of the program on two stores, for all the tests of this process.
struct Study {
    Study() {
        write_study_store(a, words, {"debtor", "mark", "triple"});
        write_study_store(b, 120);
        all = naive::words_of(a);
        write_wordnet(folder, all);
        for (std::size_t i = 0; i < all.size(); ++i)
            for (const std::size_t each : senses_of(i)) senses[all[i].name] += each;
        text = output_of(with({"experiment", a, b, "--out", out}, options()));
    }

    [[nodiscard]] Arguments options() const {
        return {"--wordnet",
                wordnet,
                "--gaps",
                "1,3,40",
                "--count",
                "20",
                "--alpha",
                "0.05",
                "--permutations",
                "39",
                "--additional-count",
                "15",
                "--additional-alpha",
                "0.1",
                "--additional-permutations",
                "29",
                "--additional-rank-by",
                "frequency",
                "--seed",
                "5"};
    }
    [[nodiscard]] std::string content(const std::string& name) const { return content_of(out + "/" + name); }
    [[nodiscard]] json read(const std::string& table) const { return json::parse(content(table + ".json")); }
    [[nodiscard]] json results(const std::string& table) const { return read(table)["results"]; }

    TemporaryFolder folder;
    std::string a = folder.path() + "/a", b = folder.path() + "/b", out = folder.path() + "/made/out",
                wordnet = folder.path() + "/wordnet";
    std::vector<naive::Word> all;
    std::map<std::string, std::size_t> senses;
    std::string text;
};

const Study& study() {
    static const Study made;
    return made;
}

struct Tested {
    naive::Pair pair;
    std::vector<double> p;  // of each method

    [[nodiscard]] bool differ() const {
        return study().senses.at(pair.x.word->name) != study().senses.at(pair.y.word->name);
    }
};

std::vector<Tested> tested(const std::vector<naive::Pair>& pairs, const naive::Ranks& how, double level,
                           std::uint64_t B) {
    std::vector<Tested> results;
    for (std::size_t i = 0; i < pairs.size(); ++i)
        results.push_back(
            {pairs[i], naive::p_of_methods(tested_rows(*pairs[i].x.word, how), tested_rows(*pairs[i].y.word, how),
                                           {.permutations = B, .adaptive = naive::enough(level, B)},
                                           naive::seed_of_test(i, seed))});
    return results;
}

std::vector<Tested> main_pairs(bool cross_fit) {
    const naive::Ranks how{study_rows, seed, cross_fit};
    return tested(naive::pairs(naive::ranking(study().all, how), gaps, count, seed), how, alpha, permutations);
}

struct Rates {
    std::vector<naive::Rate> rejected, precision;  // of each method
    naive::Rate differing;
};

Rates rates_of(const std::vector<Tested>& pairs, std::size_t gap, double level) {
    Rates rates;
    std::size_t all = 0, unlike = 0;
    for (const Tested& each : pairs)
        if (each.pair.gap == gap) ++all, unlike += each.differ();
    rates.differing = naive::rate(unlike, all);
    for (std::size_t k = 0; k < 4; ++k) {
        std::vector<double> p;
        std::size_t right = 0;
        for (const Tested& each : pairs) {
            if (each.pair.gap != gap) continue;
            p.push_back(each.p[k]);
            right += each.p[k] <= level && each.differ();
        }
        rates.rejected.push_back(naive::rejected(p, level));
        rates.precision.push_back(naive::rate(right, rates.rejected.back().hits));
    }
    return rates;
}

void expect_pairs(const json& rows, std::size_t first, const std::string& fit, const std::vector<Tested>& expected) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const json& row = rows[first + i];
        const auto& [pair, p] = expected[i];
        const std::string what = fit + ", " + pair.x.word->name + " and " + pair.y.word->name;
        EXPECT_EQ(row["fit"], fit);
        EXPECT_EQ(row["gap"], pair.gap) << what;
        EXPECT_EQ(row["x"], pair.x.word->name);
        EXPECT_EQ(row["y"], pair.y.word->name);
        expect_number(row["v_x"], pair.x.v, what);
        expect_number(row["v_y"], pair.y.v, what);
        EXPECT_EQ(row["senses_x"], study().senses.at(pair.x.word->name)) << what;
        EXPECT_EQ(row["senses_y"], study().senses.at(pair.y.word->name)) << what;
        for (std::size_t k = 0; k < 4; ++k) expect_number(row["p_" + naive::method_keys[k]], p[k], what);
    }
}

TEST(ExperimentCommand, PairsAreThoseOfANaiveProgram) {
    const std::vector<Tested> same = main_pairs(false), cross = main_pairs(true);
    const json rows = study().results("pairs");
    ASSERT_EQ(rows.size(), same.size() + cross.size());
    expect_pairs(rows, 0, "same rows", same);
    expect_pairs(rows, same.size(), "cross-fitted", cross);
}

// Rates are recomputed from the pairs that the program lists, which the test above holds to the naive program.
std::vector<Tested> listed(const std::string& fit) {
    static const std::map<std::string, const naive::Word*> by_name = [] {
        std::map<std::string, const naive::Word*> found;
        for (const naive::Word& word : study().all) found[word.name] = &word;
        return found;
    }();
    std::vector<Tested> pairs;
    for (const json& row : study().results("pairs")) {
        if (row["fit"] != fit) continue;
        pairs.push_back(
            {{row["gap"], {by_name.at(row["x"]), number(row["v_x"])}, {by_name.at(row["y"]), number(row["v_y"])}}, {}});
        for (const std::string& key : naive::method_keys) pairs.back().p.push_back(number(row["p_" + key]));
    }
    return pairs;
}

TEST(ExperimentCommand, RatesAreThoseOfItsPairs) {
    const json main = study().results("main"), methods = study().results("methods"),
               cross = study().results("cross_fitted");
    ASSERT_EQ(main.size(), gaps.size());
    ASSERT_EQ(cross.size(), gaps.size());
    ASSERT_EQ(methods.size(), 2 * 4 * gaps.size());
    std::size_t line = 0;
    for (const std::string fit : {"same rows", "cross-fitted"})
        for (std::size_t g = 0; g < gaps.size(); ++g) {
            const Rates rates = rates_of(listed(fit), gaps[g], alpha);
            const json& row = fit == "same rows" ? main[g] : cross[g];
            EXPECT_EQ(row["gap"], gaps[g]);
            EXPECT_EQ(row["pairs"], count);
            for (std::size_t k = 0; k < 4; ++k, ++line) {
                EXPECT_EQ(methods[line]["fit"], fit);
                EXPECT_EQ(methods[line]["gap"], gaps[g]);
                EXPECT_EQ(methods[line]["method"], naive::method_names[k]);
                EXPECT_EQ(methods[line]["rows"], fit == "same rows" ? study_rows : study_rows / 2);
                EXPECT_EQ(methods[line]["pairs"], rates.rejected[k].trials);
                expect_rate(methods[line]["rejected"], rates.rejected[k], naive::method_names[k]);
                expect_rate(methods[line]["precision"], rates.precision[k], naive::method_names[k] + ", precision");
                if (fit == "cross-fitted") expect_rate(row[naive::method_keys[k]], rates.rejected[k], "cross-fitted");
            }
            if (fit == "cross-fitted") continue;
            expect_rate(row["rejected_none"], rates.rejected[0], "none");
            expect_rate(row["rejected_householder"], rates.rejected[1], "householder");
            expect_rate(row["precision_none"], rates.precision[0], "none, precision");
            expect_rate(row["precision_householder"], rates.precision[1], "householder, precision");
            expect_rate(row["differing"], rates.differing, "differing");
            for (const double each : {rates.rejected[0].value, rates.rejected[1].low, rates.differing.value})
                EXPECT_TRUE(contains(study().text, in_decimals(each, 3))) << each;
        }
    EXPECT_GT(main[2]["rejected_none"]["hits"], main[0]["rejected_none"]["hits"]);  // the store is no dull one
}

// Whatever the verdicts.
void expect_most_changed_first(const json& rows) {
    double before = INFINITY;
    for (const json& row : rows) {
        const double change = std::abs(std::log(number(row["p_householder"]) / number(row["p_none"])));
        EXPECT_LE(change, before + 1e-12) << row;
        before = change;
    }
}

TEST(ExperimentCommand, ListsThePairsWhoseVerdictAlignmentChanges) {
    std::set<std::vector<std::string>> expected, found;
    for (const auto& [pair, p] : listed("same rows"))
        if ((p[0] <= alpha) != (p[1] <= alpha))
            expected.insert({p[0] <= alpha ? "none only" : "householder only", std::to_string(pair.gap),
                             pair.x.word->name, pair.y.word->name, json(p[0]).dump(), json(p[1]).dump(),
                             json(pair.x.v).dump(), json(pair.y.v).dump()});
    const json rows = study().results("changed");
    for (const json& row : rows) {
        found.insert({row["verdict"], row["gap"].dump(), row["x"], row["y"], row["p_none"].dump(),
                      row["p_householder"].dump(), row["v_x"].dump(), row["v_y"].dump()});
        EXPECT_EQ(row["senses_x"], study().senses.at(row["x"]));
        EXPECT_EQ(row["senses_y"], study().senses.at(row["y"]));
    }
    expect_most_changed_first(rows);
    EXPECT_EQ(found, expected);
    EXPECT_EQ(rows.size(), expected.size());
    EXPECT_FALSE(expected.empty());
}

TEST(ExperimentCommand, WideGapsAreTestedOnEveryStore) {
    const json rows = study().results("additional");
    std::size_t line = 0;
    for (const std::string& store : {study().a, study().b}) {
        const std::vector<naive::Word> all = naive::words_of(store);
        const naive::Ranks how{study_rows, seed, false, true};
        const std::vector<Tested> expected =
            tested(naive::pairs(naive::ranking(all, how), additional_gaps, additional_count, seed), how,
                   additional_alpha, additional_permutations);
        for (const std::size_t gap : additional_gaps) {
            const json& row = rows[line++];
            EXPECT_EQ(row["corpus"], store.substr(store.size() - 1) + " / a model");
            EXPECT_EQ(row["gap"], gap);
            EXPECT_EQ(row["pairs"], additional_count);
            const std::vector<std::string> keys = {"none", "householder", "none_robust", "householder_robust"};
            for (std::size_t k = 0; k < 4; ++k) {
                std::vector<double> p;
                for (const Tested& each : expected)
                    if (each.pair.gap == gap) p.push_back(each.p[k]);
                expect_rate(row[keys[k]], naive::rejected(p, additional_alpha), store + ", " + keys[k]);
            }
        }
    }
    EXPECT_EQ(rows.size(), line);
}

TEST(ExperimentCommand, ShowsNoRatesOfThePaperAtAnotherLevel) {
    const json rows = study().results("main");
    for (const auto& [key, value] : rows[0].items()) EXPECT_FALSE(contains(key, "paper")) << key;
    EXPECT_FALSE(contains(study().read("main")["caption"], "paper"));
    const std::string html = study().content("report.html");
    for (const char* const claim : {"Hollow", "The last rows are the paper", "(the paper: 3 wins", "paper: BNC"})
        EXPECT_FALSE(contains(html, claim)) << claim;
    EXPECT_FALSE(contains(study().content("additional.svg"), "paper: "));
    EXPECT_FALSE(contains(study().text, "paper: ")) << study().text;
}

TEST(ExperimentCommand, ListsThePairsOfWideGapsAndThoseThatAreRejected) {
    const json pairs = study().results("additional_pairs"), rejected = study().results("additional_changed");
    ASSERT_EQ(pairs.size(), 2 * additional_gaps.size() * additional_count);
    std::map<std::string, std::set<std::vector<std::string>>> expected, found;
    for (const json& row : pairs) {
        const bool none = row["p_none_plain"] <= additional_alpha,
                   householder = row["p_householder_plain"] <= additional_alpha;
        if (none || householder)
            expected[none && householder ? "both"
                     : none              ? "none only"
                                         : "householder only"]
                .insert({row["store"], row["gap"].dump(), row["x"], row["y"]});
    }
    for (const json& row : rejected)
        found[row["verdict"]].insert({row["store"], row["gap"].dump(), row["x"], row["y"]});
    EXPECT_EQ(found, expected);
    EXPECT_FALSE(expected["both"].empty());
    expect_most_changed_first(rejected);
    // Rates are those of the pairs.
    std::size_t hits = 0;
    for (const json& row : pairs)
        hits += row["store"] == "a" && row["gap"] == 50 && row["p_none_plain"] <= additional_alpha;
    EXPECT_EQ(study().results("additional")[0]["none"]["hits"], hits);
}

TEST(ExperimentCommand, SummaryCountsWinsTiesAndLosses) {
    std::size_t wins = 0, ties = 0, losses = 0, none = 0, householder = 0;
    for (const json& row : study().results("main")) {
        const std::size_t a = row["rejected_none"]["hits"], b = row["rejected_householder"]["hits"];
        wins += b<a, ties += b == a, losses += b> a;
        none += a, householder += b;
    }
    const json rows = study().results("summary");
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0]["what"], "rejected");
    EXPECT_EQ(rows[0]["wins"], wins);
    EXPECT_EQ(rows[0]["ties"], ties);
    EXPECT_EQ(rows[0]["losses"], losses);
    expect_number(rows[0]["reduction"], 1 - static_cast<double>(householder) / static_cast<double>(none), "reduction");
}

// The most frequent words first; equally frequent ones, of which the store has some, by their bytes.
std::vector<naive::Ranked> by_frequency() {
    std::vector<naive::Ranked> order = naive::ranking(study().all, {study_rows, seed});
    std::ranges::sort(order, {}, [](const auto& each) { return each.word->name; });
    std::ranges::stable_sort(order, std::greater<>{}, [](const auto& each) { return each.word->frequency; });
    return order;
}

TEST(ExperimentCommand, BinsHaveTheirMeanNumberOfSenses) {
    const std::vector<naive::Ranked> order = by_frequency();
    const json rows = study().results("frequency_law");
    for (std::size_t bin = 0; bin < 2; ++bin) {
        double sum = 0, known = 0;
        for (std::size_t i = 100 * bin; i < 100 * bin + 100; ++i) {
            const std::size_t senses = study().senses.at(order[i].word->name);
            sum += static_cast<double>(senses);
            known += senses > 0;
        }
        EXPECT_EQ(rows[bin]["known"], known);
        expect_number(rows[bin]["senses"], sum / known, "senses");
    }
}

TEST(ExperimentCommand, SplitHalvesAreThoseOfANaiveProgram) {
    const json rows = study().results("split_half"), uniformity = study().results("uniformity");
    ASSERT_EQ(rows.size(), 20U);
    ASSERT_EQ(uniformity.size(), 8U);
    const auto halvings = naive::halvings(study().all, study_rows, words, seed);
    std::map<Alternative, std::vector<std::vector<double>>> p;
    for (const Alternative side : {Alternative::greater, Alternative::two_sided}) {
        p[side].resize(4);
        for (std::size_t i = 0; i < words; ++i) {
            const naive::Parts parts = naive::parts(halvings[i], study_rows / 2, study_rows, false);
            const std::vector<double> found =
                naive::p_of_methods(parts.first, parts.second, {.permutations = permutations, .alternative = side},
                                    naive::seed_of_test(i, seed));
            for (std::size_t k = 0; k < 4; ++k) p[side][k].push_back(found[k]);
        }
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(rows[i]["word"], halvings[i].word->name);
        EXPECT_EQ(rows[i]["total"], halvings[i].word->rows.size());
        expect_number(rows[i]["none_greater"], p[Alternative::greater][0][i], "none");
        expect_number(rows[i]["householder_greater"], p[Alternative::greater][1][i], "householder");
        expect_number(rows[i]["none_two_sided"], p[Alternative::two_sided][0][i], "none, two-sided");
        expect_number(rows[i]["householder_two_sided"], p[Alternative::two_sided][1][i], "householder, two-sided");
    }
    for (std::size_t i = 0; i < 8; ++i) {
        const json& row = uniformity[i];
        const std::vector<double>& values = p[i < 4 ? Alternative::greater : Alternative::two_sided][i % 4];
        EXPECT_EQ(row["method"], naive::method_names[i % 4]);
        EXPECT_EQ(row["alternative"], i < 4 ? "greater" : "two-sided");
        const naive::Rate at_5 = naive::rejected(values, 0.05);
        EXPECT_EQ(row["words"], at_5.trials);
        const double distance = naive::ks_distance(values);
        expect_number(row["ks_distance"], distance, "distance");
        expect_number(row["ks_p"], naive::ks_p(distance, at_5.trials), "p");
        expect_rate(row["rate_01"], naive::rejected(values, 0.01), "0.01");
        expect_rate(row["rate_05"], at_5, "0.05");
        expect_rate(row["rate_10"], naive::rejected(values, 0.1), "0.1");
    }
    const json paper = study().results("split_half_paper");
    ASSERT_EQ(paper.size(), 20U);
    EXPECT_EQ(paper[0], json({{"word", "ablaze"},
                              {"total", 160},
                              {"none_greater", 0.2441},
                              {"householder_greater", 0.2474},
                              {"none_two_sided", 0.4895},
                              {"householder_two_sided", 0.4956}}));
}

// Of the ranks of two lists, in which equal values share their mean rank.
double spearman(const std::vector<double>& a, const std::vector<double>& b) {
    const auto centred_ranks = [](const std::vector<double>& of) {
        std::vector<double> ranks;
        for (const double mine : of) {
            double rank = 0;
            for (const double other : of) rank += other < mine ? 0.5 : other > mine ? -0.5 : 0;
            ranks.push_back(rank);
        }
        return ranks;
    };
    const std::vector<double> x = centred_ranks(a), y = centred_ranks(b);
    return naive::product(x, y) / std::sqrt(naive::product(x, x) * naive::product(y, y));
}

TEST(ExperimentCommand, WordsHaveTheirRankBreadthAndSenses) {
    const std::vector<naive::Ranked> ranked = naive::ranking(study().all, {study_rows, seed});
    const json table = study().read("words"), &rows = table["results"];
    const std::vector<std::string> papers = {"articulate", "triple", "mark", "colitis", "debtor"};
    ASSERT_EQ(rows.size(), papers.size() + 20);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const json& row = rows[i];
        const std::size_t place =
            i < 5 ? static_cast<std::size_t>(
                        std::ranges::find(ranked, papers[i], [](const auto& each) { return each.word->name; }) -
                        ranked.begin())
            : i < 15 ? i - 5
                     : words - 25 + i;
        EXPECT_TRUE(i >= 5 || row["word"] == papers[i]) << row;
        EXPECT_EQ(row["paper_v"].is_number(), std::ranges::count(papers, row["word"].get<std::string>()) > 0);
        if (place == words) {
            EXPECT_TRUE(row["rank"].is_null() && row["v"].is_null() && row["frequency"].is_null());
            EXPECT_EQ(row["senses"], 0);
            continue;
        }
        EXPECT_EQ(row["word"], ranked[place].word->name);
        EXPECT_EQ(row["rank"], place + 1);
        expect_number(row["v"], ranked[place].v, "v");
        EXPECT_EQ(row["senses"], study().senses.at(ranked[place].word->name));
        EXPECT_EQ(row["frequency"], ranked[place].word->frequency);
    }
    EXPECT_EQ(rows[0]["paper_v"], 0.00074);
    EXPECT_EQ(rows[2]["paper_senses"], 30);
    std::vector<double> v, senses;
    for (const naive::Ranked& each : ranked)
        if (const std::size_t known = study().senses.at(each.word->name); known > 0) {
            v.push_back(each.v);
            senses.push_back(static_cast<double>(known));
        }
    EXPECT_EQ(table["words_in_wordnet"], v.size());
    expect_number(table["spearman"], spearman(v, senses), "spearman");
}

// The normal equations, and what is left.
void expect_fit(const json& found, const std::vector<double>& x, const std::vector<double>& y) {
    const auto n = static_cast<double>(x.size());
    const double sx = std::accumulate(x.begin(), x.end(), 0.0), sy = std::accumulate(y.begin(), y.end(), 0.0);
    const double spread = naive::product(x, x) - sx * sx / n;
    const double slope = (naive::product(x, y) - sx * sy / n) / spread, intercept = (sy - slope * sx) / n;
    double left = 0, all = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        left += std::pow(y[i] - intercept - slope * x[i], 2);
        all += std::pow(y[i] - sy / n, 2);
    }
    EXPECT_EQ(found["points"], x.size());
    expect_number(found["slope"], slope, "slope");
    expect_number(found["intercept"], intercept, "intercept");
    expect_number(found["r_squared"], 1 - left / all, "R²");
    expect_number(found["slope_standard_error"], std::sqrt(left / (n - 2) / spread), "standard error");
}

TEST(ExperimentCommand, FrequencyLawIsLeastSquaresOverBins) {
    const std::vector<naive::Ranked> order = by_frequency();
    const json law = study().read("frequency_law"), &rows = law["results"];
    ASSERT_EQ(rows.size(), 3U);
    std::vector<double> x, y, bin_x, bin_y;
    for (const naive::Ranked& each : order) {
        x.push_back(std::log(static_cast<double>(each.word->frequency)));
        y.push_back(std::log(each.v));
    }
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t begin = 100 * i, size = std::min<std::size_t>(100, words - begin);
        const auto mean = [&](const std::vector<double>& of) {
            return std::accumulate(of.begin() + static_cast<std::ptrdiff_t>(begin),
                                   of.begin() + static_cast<std::ptrdiff_t>(begin + size), 0.0) /
                   static_cast<double>(size);
        };
        bin_x.push_back(mean(x));
        bin_y.push_back(mean(y));
        EXPECT_EQ(rows[i]["bin"], i + 1);
        EXPECT_EQ(rows[i]["words"], size);
        EXPECT_EQ(rows[i]["from"], order[begin].word->name);
        expect_number(rows[i]["frequency"], std::exp(bin_x[i]), "frequency");
        expect_number(rows[i]["v"], std::exp(bin_y[i]), "v");
    }
    expect_fit(law["bins"], bin_x, bin_y);
    expect_fit(law["words"], x, y);
}

// The share of points whose nearest one is of the same word.
double purity(const json& rows, const std::string& x, const std::string& y) {
    double same = 0;
    for (const json& a : rows) {
        const json* nearest = nullptr;
        double smallest = INFINITY;
        for (const json& b : rows) {
            const double distance = std::hypot(number(a[x]) - number(b[x]), number(a[y]) - number(b[y]));
            if (&a == &b || distance >= smallest) continue;
            smallest = distance;
            nearest = &b;
        }
        same += a["word"] == (*nearest)["word"];
    }
    return same / static_cast<double>(rows.size());
}

TEST(ExperimentCommand, OnePairIsShownClosely) {
    const std::vector<Tested> pairs = listed("same rows");
    const auto ratio = [](const Tested& each) { return std::isnan(each.p[0]) ? 0 : each.p[1] / each.p[0]; };
    const naive::Pair& pair = std::ranges::max_element(pairs, {}, ratio)->pair;
    const json plane = study().read("tsne"), &rows = plane["results"];
    EXPECT_EQ(plane["pair"], json({pair.x.word->name, pair.y.word->name}));
    EXPECT_TRUE(contains(plane["why"], "whose p alignment raises most"));
    ASSERT_EQ(rows.size(), 2 * study_rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const naive::Word& word = i < study_rows ? *pair.x.word : *pair.y.word;
        EXPECT_EQ(rows[i]["word"], word.name);
        EXPECT_EQ(rows[i]["row"], naive::sample(word.name, word.rows.size(), 0, study_rows, seed)[i % study_rows]);
        for (const std::string key : {"before_x", "before_y", "after_x", "after_y"})
            EXPECT_TRUE(rows[i][key].is_number()) << key;
    }
    EXPECT_GT(purity(rows, "before_x", "before_y"), purity(rows, "after_x", "after_y"));
    const naive::Ranks how{study_rows, seed};
    for (const auto& [name, align] :
         {std::pair("null_none.svg", Alignment::none), std::pair("null_householder.svg", Alignment::householder)}) {
        const naive::Tested result = naive::test(tested_rows(*pair.x.word, how), tested_rows(*pair.y.word, how),
                                                 {align, Statistic::plain, permutations}, seed);
        char T[32], p[32];
        (void)std::snprintf(T, sizeof T, "%#.3g", result.value);
        (void)std::snprintf(p, sizeof p, "%.3g", result.p);
        const std::string svg = study().content(name);
        EXPECT_TRUE(contains(svg, T)) << name << " " << T;
        EXPECT_TRUE(contains(svg, p)) << name << " " << p;
        EXPECT_TRUE(contains(svg, pair.x.word->name) && contains(svg, pair.y.word->name)) << name;
    }
}

TEST(ExperimentCommand, EveryDeviceIsTimed) {
    const json rows = study().results("runtime");
    bool cpu = false, reference = false;
    for (const json& row : rows) {
        const std::string name = row["implementation"];
        if (name.starts_with("paper: ")) continue;
        cpu = cpu || name.starts_with("cpu");
        reference = reference || name.starts_with("reference");
        if (!row["ms_total"].is_number()) {
            EXPECT_NE(row["note"], "") << name;
            continue;
        }
        EXPECT_GT(number(row["ms_total"]), 0) << name;
        expect_number(row["us_per_permutation"], 1000 * number(row["ms_total"]) / permutations, name);
    }
    EXPECT_TRUE(cpu && reference);
    EXPECT_EQ(rows.back(), json({{"implementation", "paper: GPU"},
                                 {"us_per_permutation", 69.0},
                                 {"ms_total", 1377.0},
                                 {"ms_each", nullptr},
                                 {"note", "BCCWJ, BERT-large"}}));
}

std::vector<std::string> joined(std::vector<std::string> names, const std::vector<std::string>& more) {
    names.insert(names.end(), more.begin(), more.end());
    return names;
}

std::vector<std::string> with_senses(const std::vector<std::string>& pictures) {
    return joined(pictures, {"frequency_senses"});
}

const std::vector<std::string> tables = {
    "main",       "methods",          "summary",          "cross_fitted", "pairs",
    "split_half", "split_half_words", "split_half_paper", "runtime",      "changed",
    "words",      "frequency_law",    "uniformity",       "tsne"};
const std::vector<std::string> tables_of_all_stores = {"additional", "additional_pairs", "additional_changed"};
const std::vector<std::string> pictures = {"main",
                                           "precision",
                                           "cross_fitted",
                                           "split_half_none_plain",
                                           "split_half_householder_plain",
                                           "split_half_none_robust",
                                           "split_half_householder_robust",
                                           "runtime",
                                           "words",
                                           "changed",
                                           "tsne",
                                           "null_none",
                                           "null_householder",
                                           "frequency_law"};

std::set<std::string> files_in(const std::string& folder) {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        if (entry.is_regular_file()) names.insert(std::filesystem::relative(entry.path(), folder).string());
    return names;
}

// The names of the files of a study, which are those expected; `below`: where they are ("b/").
std::set<std::string> expect_files(const std::string& below, std::vector<std::string> expected_tables,
                                   const std::vector<std::string>& expected_pictures) {
    std::set<std::string> names = {below + "settings.json", below + "report.html"};
    json settings = json::parse(study().content(below + "settings.json"));
    settings.erase("provenance");  // each file has its own
    for (const std::string& name : expected_tables) {
        const std::string table = below + name;
        SCOPED_TRACE(table);
        names.insert({table + ".tsv", table + ".json"});
        const json file = study().read(table);
        expect_same_table(study().content(table + ".tsv"), file["results"]);
        EXPECT_EQ(file["settings"], settings);
        EXPECT_NE(file["caption"], "");
        EXPECT_EQ(file["provenance"]["file"], table + ".json");
    }
    for (const std::string& picture : expected_pictures) {
        names.insert(below + picture + ".svg");
        EXPECT_EQ(report::xml_fault(study().content(below + picture + ".svg")), "") << picture;
    }
    return names;
}

// The second store has the same, in a folder; WordNet has three of four of its words. What is of all stores is with the
// first.
TEST(ExperimentCommand, WritesEveryTableTwiceAndEveryPictureForEveryStore) {
    std::set<std::string> expected = expect_files("b/", tables, with_senses(pictures));
    expected.merge(
        expect_files("", joined(tables, tables_of_all_stores), joined(with_senses(pictures), {"additional"})));
    EXPECT_EQ(files_in(study().out), expected);
    EXPECT_EQ(json::parse(study().content("b/settings.json"))["store"], study().b);
    EXPECT_EQ(json::parse(study().content("b/settings.json"))["words"], "120");
    EXPECT_TRUE(contains(study().content("report.html"), "<a href=\"b/report.html\">b</a>"));
    EXPECT_TRUE(contains(study().content("b/report.html"), "<a href=\"../report.html\">a</a>"));
}

TEST(ExperimentCommand, SettingsSayWhatWasDone) {
    const json settings = json::parse(study().content("settings.json"));
    const std::map<std::string, std::string> expected = {{"store", study().a},
                                                         {"store 2", study().b},
                                                         {"model", "a model"},
                                                         {"words", "252"},
                                                         {"rows of each word", "12"},
                                                         {"dimensions", "6"},
                                                         {"gaps", "1,3,40"},
                                                         {"pairs at each gap", "20"},
                                                         {"alpha", "0.05"},
                                                         {"permutations", "39"},
                                                         {"additional gaps", "50,100"},
                                                         {"additional pairs", "15"},
                                                         {"additional alpha", "0.1"},
                                                         {"additional permutations", "29"},
                                                         {"additional ranking", "frequency"},
                                                         {"bin size", "100"},
                                                         {"alternative", "two-sided"},
                                                         {"adaptive stopping", "where no verdict changes"},
                                                         {"seed", "5"},
                                                         {"wordnet", study().wordnet}};
    for (const auto& [name, value] : expected) EXPECT_EQ(settings[name], value) << name;
}

// But for the times, and for where the files are.
TEST(ExperimentCommand, TheCommandInItsSettingsRepeatsTheRunOnAnyNumberOfThreads) {
    const std::string again = study().folder.path() + "/again";
    std::istringstream command(json::parse(study().content("settings.json"))["command"].get<std::string>());
    Arguments arguments;
    for (std::string word; command >> word;) arguments.push_back(word == study().out ? again : word);
    ASSERT_EQ(arguments[0], "wordbreadth");
    arguments.erase(arguments.begin());
    (void)output_of(with(arguments, {"--threads", "3"}));
    const std::set<std::string> names = files_in(study().out);
    EXPECT_EQ(files_in(again), names);
    for (const std::string& name : names) {
        const std::string file = std::filesystem::path(name).filename().string();
        const bool repeats = !file.starts_with("runtime.") && !file.ends_with(".json") && file != "report.html";
        EXPECT_TRUE(!repeats || content_of(again + "/" + name) == study().content(name)) << name;
    }
}

TEST(ExperimentCommand, CompleteChangesNoRate) {
    const std::string complete = study().folder.path() + "/complete";
    (void)output_of(with({"experiment", study().a, "--out", complete, "--complete"}, study().options()));
    for (const std::string table : {"main", "methods", "cross_fitted"})
        EXPECT_EQ(content_of(complete + "/" + table + ".tsv"), study().content(table + ".tsv")) << table;
    EXPECT_NE(content_of(complete + "/pairs.tsv"), study().content("pairs.tsv"));
}

TEST(ExperimentCommand, ThePageStandsAlone) {
    const std::string html = study().content("report.html");
    EXPECT_TRUE(html.starts_with("<!DOCTYPE html>"));
    EXPECT_TRUE(html.ends_with("</html>\n"));
    EXPECT_TRUE(contains(html, "<title>Semantic breadth in a</title>"));
    EXPECT_TRUE(contains(html, "default-src 'none'"));
    for (const std::string part : {"src=\"", "@import", "url("}) EXPECT_FALSE(contains(html, part)) << part;
    for (const std::string& setting : {study().a, study().b, std::string("additional permutations")})
        EXPECT_TRUE(contains(html, setting)) << setting;
    EXPECT_TRUE(contains(html, "<code>wordbreadth experiment " + study().a + " " + study().b));
    std::size_t pictures_found = 0;
    for (std::size_t at = html.find("<svg"); at != html.npos; at = html.find("<svg", at + 1), ++pictures_found) {
        const std::size_t end = html.find("</svg>", at) + 6;
        EXPECT_EQ(report::xml_fault(html.substr(at, end - at)), "");
    }
    EXPECT_GT(pictures_found, 5U);
    EXPECT_TRUE(study().text.ends_with(study().out + "/report.html\n"));
}

// Japanese words, one whose rows are all alike, one with too few to halve, and the pair that the paper shows.
void write_japanese_store(const std::string& folder) {
    std::vector<store::PlannedWord> planned = {{"articulate", 30, 11, 0.4}, {"triple", 40, 12, 0.5}};
    for (std::size_t i = 10; i < 48; ++i)
        planned.push_back(
            {"語" + std::to_string(i), 5 * i, i == 14 ? 3U : 10U, i == 15 ? 0 : 0.02 * static_cast<double>(i)});
    store::write_store(folder, planned, 6);
}

TEST(ExperimentCommand, GivesNoPrecisionWhereWordNetLacksTheWords) {
    const std::string store = study().folder.path() + "/japanese", out = store + "-out";
    write_japanese_store(store);
    std::filesystem::create_directory(out);
    for (const char* const stale : {"/precision.svg", "/words.svg", "/mine.txt"}) std::ofstream(out + stale) << "old";
    const std::string text =
        output_of({"experiment", store, "--out", out, "--wordnet", study().wordnet, "--gaps", "1,2", "--permutations",
                   "19", "--alpha", "0.1", "--additional-gaps", "5", "--additional-permutations", "9"});
    const std::string note = "No precision: WordNet has 1 of the 38 words, fewer than half.";
    const std::string html = content_of(out + "/report.html");
    EXPECT_TRUE(contains(text, note)) << text;
    EXPECT_TRUE(contains(html, note));
    EXPECT_FALSE(contains(text, "precision, ") || contains(text, "all pairs")) << text;
    EXPECT_FALSE(contains(html, "Precision by rank gap") || contains(html, "precision, none"));
    for (const std::string table : {"main", "methods"}) {
        const json file = json::parse(content_of(out + "/" + table + ".json"));
        EXPECT_TRUE(contains(file["note"], note));
        EXPECT_FALSE(contains(file["caption"], "precision"));
        expect_same_table(content_of(out + "/" + table + ".tsv"), file["results"]);
        for (const auto& [key, value] : file["results"][0].items())
            EXPECT_FALSE(contains(key, "precision") || contains(key, "differing")) << key;
        EXPECT_TRUE(file["results"][0].contains(table == "main" ? "rejected_householder" : "rejected"));
    }
    EXPECT_FALSE(files_in(out).contains("precision.svg") || files_in(out).contains("words.svg"));  // nor old ones
    EXPECT_TRUE(files_in(out).contains("mine.txt"));
    EXPECT_FALSE(study().read("main").contains("note"));
    // And what else this store has: all pairs there are, since none were asked for, and the paper's own.
    EXPECT_EQ(json::parse(content_of(out + "/main.json"))["results"][1]["pairs"], 36);
    const json plane = json::parse(content_of(out + "/tsne.json"));
    EXPECT_EQ(plane["pair"], json({"articulate", "triple"}));
    EXPECT_EQ(plane["why"], "the pair that the paper shows");
    EXPECT_EQ(json::parse(content_of(out + "/uniformity.json"))["results"][0]["words"], 38);
    EXPECT_EQ(json::parse(content_of(out + "/settings.json"))["rows of each word"], "10");
}

void expect_papers_main_rates(const json& main) {
    EXPECT_EQ(main[0]["paper_rejected_none"], 0.013);
    EXPECT_EQ(main[2]["paper_rejected_householder"], 0.007);
    EXPECT_EQ(main[0]["paper_precision_none"], 0.25);
    EXPECT_EQ(main[2]["paper_precision_householder"], 0.5);
}

void expect_papers_summary(const json& summary) {
    ASSERT_EQ(summary.size(), 4U);
    for (const std::size_t papers : {2U, 3U}) {
        EXPECT_EQ(summary[papers]["source"], "paper");
        EXPECT_EQ(summary[papers]["wins"], 3);
        EXPECT_EQ(summary[papers]["ties"], 6);
        EXPECT_EQ(summary[papers]["losses"], 1);
    }
    EXPECT_NEAR(number(summary[2]["reduction"]), 0.061, 0.0005);
}

void expect_papers_additional_rates(const json& rows) {
    ASSERT_EQ(rows.size(), 2U + 6U);
    EXPECT_EQ(rows[2], json({{"corpus", "paper: BNC / BERT-tiny"},
                             {"gap", 50},
                             {"pairs", 500},
                             {"none", 0.034},
                             {"householder", 0.024},
                             {"none_robust", nullptr},
                             {"householder_robust", nullptr},
                             {"householder_blocks", nullptr},
                             {"paper_reading", "Type-I error"},
                             {"our_reading", "share told apart"}}));
    EXPECT_EQ(rows[3]["paper_reading"], "power");
}

TEST(ExperimentCommand, PaperSetsWhatThePaperStates) {
    const std::string out = study().folder.path() + "/paper";
    const Arguments call = {"experiment",
                            study().a,
                            "--out",
                            out,
                            "--wordnet",
                            study().wordnet,
                            "--permutations",
                            "39",
                            "--paper",
                            "--count",
                            "5",
                            "--additional-count",
                            "5"};
    (void)output_of(call);
    const auto read = [&](const std::string& name) { return json::parse(content_of(out + "/" + name + ".json")); };
    json settings = read("settings");
    EXPECT_EQ(settings["alternative"], "greater");
    EXPECT_EQ(settings["additional ranking"], "frequency");
    EXPECT_EQ(settings["split halves of"], "all rows of a word");
    EXPECT_EQ(settings["blocks"], "none");
    EXPECT_EQ(settings["alpha"], "0.01");
    EXPECT_EQ(settings["additional permutations"], "5000");
    expect_papers_main_rates(read("main")["results"]);
    expect_papers_summary(read("summary")["results"]);
    expect_papers_additional_rates(read("additional")["results"]);
    EXPECT_TRUE(contains(content_of(out + "/report.html"), "Hollow: the paper"));
    EXPECT_EQ(
        settings["deviations from the paper"],
        "Pairs per gap of the main experiment: 5 (the paper: 300). Pairs per gap of the additional experiment: 5 (the "
        "paper: 500).");
    EXPECT_TRUE(contains(content_of(out + "/report.html"), "Settings that are not the paper&#39;s: Pairs per gap") ||
                contains(content_of(out + "/report.html"), "Settings that are not the paper's: Pairs per gap"));
    // X is the broader word, and the test asks whether it is: p of the naive program, one-sided.
    const naive::Ranks how{study_rows, 0};
    const auto pairs = naive::pairs(naive::ranking(study().all, how), {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 5, 0);
    const json rows = read("pairs")["results"];
    for (std::size_t i = 0; i < 10; ++i) {
        const auto p = naive::p_of_methods(
            tested_rows(*pairs[i].x.word, how), tested_rows(*pairs[i].y.word, how),
            {.permutations = 39, .alternative = Alternative::greater, .adaptive = naive::enough(0.01, 39)},
            naive::seed_of_test(i, 0));
        EXPECT_EQ(rows[i]["x"], pairs[i].x.word->name);
        for (std::size_t k = 0; k < 4; ++k) expect_number(rows[i]["p_" + naive::method_keys[k]], p[k], "one-sided");
    }
    EXPECT_TRUE(contains(content_of(out + "/report.html"), "Orange: at least as large (one-sided)."));
    // What is given is kept.
    (void)output_of(with(call, {"--alternative", "two-sided", "--halves", "common", "--additional-rank-by", "v"}));
    settings = read("settings");
    EXPECT_EQ(settings["alternative"], "two-sided");
    EXPECT_EQ(settings["split halves of"], "the common size");
    EXPECT_TRUE(contains(settings["deviations from the paper"], "Alternative of the pair tests: two-sided"));
    EXPECT_TRUE(contains(content_of(out + "/report.html"), "Orange: at least as far from 0."));
}

TEST(ExperimentCommand, LooksAtTheWordsAndThePairThatAreAskedFor) {
    const std::string out = study().folder.path() + "/words";
    study().folder.add("list.txt", "w010\nmark\nunheard\nMark\n");
    const std::string text =
        output_of(with({"experiment", study().a, study().b, "--out", out, "--words",
                        study().folder.path() + "/list.txt", "--pair", "mark,w010", "--halves", "own"},
                       study().options()));
    const auto read = [&](const std::string& name) { return json::parse(content_of(out + "/" + name + ".json")); };
    const json halves = read("split_half_words");
    ASSERT_EQ(halves["results"].size(), 4U);
    const auto rows_of = [&](const std::string& word) {
        return std::ranges::find(study().all, word, &naive::Word::name)->rows.size();
    };
    EXPECT_EQ(halves["results"][0]["word"], "w010");
    EXPECT_EQ(halves["results"][0]["total"], rows_of("w010"));
    EXPECT_TRUE(halves["results"][0]["none_greater"].is_number());
    EXPECT_TRUE(halves["results"][0]["paper_total"].is_null());
    EXPECT_TRUE(halves["results"][2]["none_greater"].is_null());
    EXPECT_EQ(halves["absent"], json({{{"word", "unheard"}, {"reason", "not in the store"}},
                                      {{"word", "Mark"}, {"reason", "did you mean \"mark\"?"}}}));
    EXPECT_TRUE(contains(text, "unheard (not in the store); Mark (did you mean \"mark\"?)")) << text;
    EXPECT_FALSE(contains(study().text, "did you mean"))
        << study().text;  // of the paper's words, which nobody mistyped
    EXPECT_EQ(read("words")["results"][0]["word"], "w010");
    EXPECT_EQ(read("tsne")["pair"], json({"mark", "w010"}));
    EXPECT_EQ(read("tsne")["why"], "the pair that was asked for");
    EXPECT_TRUE(contains(read("b/tsne")["why"], "the store lacks the pair that was asked for, mark and w010"));
    // Halves of all rows, of which this word has more than the smallest cloud.
    ASSERT_GT(rows_of("w010"), study_rows);
    const auto halvings = naive::halvings(study().all, study_rows, words, seed);
    const auto halving = std::ranges::find_if(halvings, [](const auto& each) { return each.word->name == "w010"; });
    const naive::Parts parts = naive::parts(*halving, rows_of("w010") / 2, rows_of("w010"), false);
    const auto p = naive::p_of_methods(parts.first, parts.second,
                                       {.permutations = permutations, .alternative = Alternative::greater},
                                       naive::seed_of_test(static_cast<std::size_t>(halving - halvings.begin()), seed));
    expect_number(halves["results"][0]["none_greater"], p[0], "none");
    expect_number(halves["results"][0]["householder_greater"], p[1], "householder");
}

TEST(ExperimentCommand, AlsoPermutesDocumentsWhereTheStoreKnowsThem) {
    const std::string store = study().folder.path() + "/documents", out = store + "-out";
    std::vector<store::PlannedWord> planned;
    for (std::size_t i = 10; i < 30; ++i)
        planned.push_back({"w" + std::to_string(i), 5 * i, 20, 0.05 * static_cast<double>(i)});
    store::write_store(store, planned, 6, 3);
    const Arguments call = {"experiment",
                            store,
                            "--out",
                            out,
                            "--wordnet",
                            study().wordnet,
                            "--gaps",
                            "1",
                            "--permutations",
                            "19",
                            "--alpha",
                            "0.1",
                            "--additional-gaps",
                            "5"};
    EXPECT_TRUE(contains(output_of(call), "aligned and with documents as blocks"));
    const auto first = [&](const std::string& table) {
        return json::parse(content_of(out + "/" + table + ".json"))["results"][0];
    };
    EXPECT_TRUE(first("main")["rejected_blocks"].is_object());
    EXPECT_TRUE(first("pairs")["p_householder_blocks"].is_number());
    EXPECT_TRUE(first("additional")["householder_blocks"].is_object());
    EXPECT_EQ(json::parse(content_of(out + "/settings.json"))["blocks"], "documents");
    EXPECT_TRUE(contains(content_of(out + "/report.html"), "householder, blocks"));
    EXPECT_FALSE(contains(output_of(with(call, {"--blocks", "none"})), "documents as blocks"));
    EXPECT_FALSE(first("main").contains("rejected_blocks"));
    EXPECT_EQ(json::parse(content_of(out + "/settings.json"))["blocks"], "none");
}

// A page says that the files beside it are its own.
TEST(ExperimentCommand, AnOldPageDoesNotOutliveAStudyThatFails) {
    const TemporaryFolder folder;
    const std::string store = folder.path() + "/store", out = folder.path() + "/out";
    write_study_store(store, 30);
    folder.add("out/report.html", "old");
    folder.add("out/settings.json/is/a/folder", "");
    expect_one_line(run({"experiment", store, "--wordnet", study().wordnet, "--out", out, "--permutations", "9",
                         "--gaps", "1", "--additional-gaps", "5", "--additional-permutations", "9"}),
                    2, "settings.json");
    EXPECT_FALSE(std::filesystem::exists(out + "/report.html"));
}

TEST(ExperimentCommand, AStoreOfImportedVectorsHasNoModel) {
    const TemporaryFolder folder;
    const std::string store = folder.path() + "/vectors", out = folder.path() + "/out";
    std::string lines;
    for (std::size_t word = 0; word < 8; ++word)
        for (std::size_t row = 0; row < 10; ++row)
            lines +=
                json({{"word", "word" + std::to_string(word)}, {"vector", {1, row % 3, row % 4 * word}}}).dump() + "\n";
    folder.add("x.jsonl", lines);
    ASSERT_EQ(run({"import", folder.path() + "/x.jsonl", "--out", store}).code, 0);
    (void)output_of({"experiment", store, "--wordnet", study().wordnet, "--out", out, "--permutations", "9", "--gaps",
                     "1", "--additional-gaps", "5", "--additional-permutations", "9"});
    EXPECT_EQ(json::parse(content_of(out + "/additional.json"))["results"][0]["corpus"], "vectors");
    EXPECT_TRUE(contains(content_of(out + "/report.html"), "on vectors, beside the figures of the paper"));
}

TEST(ExperimentCommand, DocumentsAreOnlyAskedForWhereThereAreAny) {
    const std::string store = study().folder.path() + "/one-document", out = store + "-out";
    write_study_store(store, 30);
    const Arguments call = {"experiment", store, "--out", out, "--wordnet", study().wordnet, "--blocks", "document"};
    expect_one_line(run(call), 2, store + " has a single document");
    expect_one_line(run(with(call, {"--device", "cuda-paper"})), 2, "--blocks has no effect on cuda-paper");
}

TEST(ExperimentCommand, BadCallsAreOneLineAndLeaveNothing) {
    const TemporaryFolder folder;
    const std::string store = folder.path() + "/store", out = folder.path() + "/out";
    write_study_store(store, 30);
    folder.add("file", "");
    const auto fails = [&](const Arguments& options, const std::string& part) {
        expect_one_line(run(with({"experiment", store, "--wordnet", study().wordnet, "--permutations", "9"}, options)),
                        2, part);
    };
    fails({}, "--out");
    fails({"--out", out},
          "has 30 words with at least 12 rows, so no two of them are 100 ranks apart; expected at least 101 words, or "
          "smaller gaps");
    fails({"--out", out, "--gaps", "40", "--additional-gaps", "5"}, "no two of them are 40 ranks apart");
    fails({"--out", out, "--gaps", "1-10", "--count", "21", "--additional-gaps", "5"},
          "only 20 pairs are 10 ranks apart; expected 21: ask for fewer pairs");
    fails({"--out", out, "--additional-gaps", "28", "--additional-count", "3"}, "only 2 pairs are 28 ranks apart");
    fails({"--out", out, "--additional-gaps", "29", "--additional-count", "3"}, "only 1 pair is 29 ranks apart");
    fails({"--out", out, "--gaps", "1", "--additional-gaps", "5", "--common-size", "15"},
          "has 0 words with at least 15 rows, so no two of them are 1 rank apart; expected at least 2 words, smaller "
          "gaps, "
          "or a smaller common size");
    fails({"--out", out, "--gaps", "1", "--additional-gaps", "11", "--common-size", "14"},
          "has 10 words with at least 14 rows, so no two of them are 11 ranks apart");
    fails({"--out", out, "--common-size", "3"}, "--common-size 3: expected a whole number from 4");
    fails({"--out", out, "--alpha", "1"}, "--alpha 1: expected a number between 0 and 1, such as 0.01");
    fails({"--out", out, "--additional-alpha", "0"},
          "--additional-alpha 0: expected a number between 0 and 1, such as 0.05");
    fails({"--out", out, "--additional-rank-by", "size"}, "expected breadth|v|frequency");
    fails({"--out", out, "--alternative", "less"}, "expected greater|two-sided");
    fails({"--out", out, "--pair", "w001"}, "--pair w001: expected two different words with a comma between them");
    fails({"--out", out, "--gaps", "1", "--additional-gaps", "5", "--pair", "w001,wood"},
          "no store has the pair w001 and wood: ");
    fails({"--out", store}, "--out " + store + ": expected a folder that is not a store");
    fails({"--out", folder.path() + "/file"}, "/file: cannot be made a folder");
    expect_one_line(run({"experiment", store, "--out", out, "--wordnet", folder.path() + "/none"}), 2,
                    "/none: no such folder; install Debian's package wordnet-base");
    expect_one_line(run({"experiment", folder.path() + "/none", "--out", out}), 2, "no such folder; expected a store");
    const std::string small = folder.path() + "/small";
    store::write_store(small, {{"one", 9, 3, 1}, {"two", 9, 2, 1}}, 4);
    expect_one_line(run({"experiment", small, "--out", out, "--wordnet", study().wordnet}), 2,
                    "no word has the 4 rows that halving needs; extract more rows per word");
    EXPECT_FALSE(std::filesystem::exists(out) && !std::filesystem::is_empty(out));
}

TEST(ExperimentCommand, HelpListsItsOptions) {
    expect_help("experiment", {"STORE",
                               "--out DIR",
                               "--wordnet PATH",
                               "--paper",
                               "--words FILE",
                               "--pair A,B",
                               "--alternative greater|two-sided",
                               "--halves common|own",
                               "--gaps G-G",
                               "(default 1-10)",
                               "--count N",
                               "--alpha SHARE",
                               "(default 0.01)",
                               "--permutations N",
                               "--additional-gaps G-G",
                               "(default 50,100)",
                               "--additional-count N",
                               "--additional-alpha SHARE",
                               "--additional-permutations N",
                               "(default 5000)",
                               "--additional-rank-by breadth|v|frequency",
                               "--common-size N",
                               "--complete",
                               "--seed N",
                               "--threads N",
                               "--device"});
}

}  // namespace
}  // namespace wordbreadth::cli
