#include "wordbreadth/paper.h"

#include <algorithm>
#include <charconv>

#include "base/strings.h"
#include "wordbreadth/names.h"

namespace wordbreadth::paper {
namespace {

std::string listed(const std::vector<std::size_t>& numbers) {
    return base::joined(numbers, ",", [](std::size_t number) { return std::to_string(number); });
}

std::string shortest(double value) {
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, value).ptr;
    return {text, end};
}

std::string pairs(const std::optional<std::size_t>& count, std::size_t usual) {
    return std::to_string(count.value_or(usual));
}

constexpr std::size_t main_pairs = 300, additional_pairs = 500;

}  // namespace

ExperimentOptions settings() {
    ExperimentOptions options;
    options.alternative = Alternative::greater;
    options.additional_by = RankBy::frequency;
    options.own_halves = true;
    options.blocks = false;
    return options;
}

std::vector<std::string> deviations(const ExperimentOptions& options) {
    const ExperimentOptions paper = settings();
    std::vector<std::string> found;
    const auto compare = [&](const std::string& what, const std::string& ours, const std::string& papers) {
        if (ours != papers) found.push_back(what + ": " + ours + " (the paper: " + papers + ").");
    };
    compare("Alternative of the pair tests", std::string(name_of(options.alternative)),
            std::string(name_of(paper.alternative)));
    compare("Gaps of the main experiment", listed(options.gaps), listed(paper.gaps));
    compare("Pairs per gap of the main experiment", pairs(options.count, main_pairs), pairs(paper.count, main_pairs));
    compare("Level of the main experiment", shortest(options.alpha), shortest(paper.alpha));
    compare("Gaps of the additional experiment", listed(options.additional_gaps), listed(paper.additional_gaps));
    compare("Pairs per gap of the additional experiment", pairs(options.additional_count, additional_pairs),
            pairs(paper.additional_count, additional_pairs));
    compare("Level of the additional experiment", shortest(options.additional_alpha), shortest(paper.additional_alpha));
    compare("Permutations of the additional experiment", std::to_string(options.additional_permutations),
            std::to_string(paper.additional_permutations));
    compare("Ranking of the additional experiment", std::string(name_of(options.additional_by)),
            std::string(name_of(paper.additional_by)));
    compare("Split halves", options.own_halves ? "all rows of a word" : "the same number of rows of every word",
            "all rows of a word");
    compare("Permuted units", options.blocks ? "occurrences and, in an additional test, documents" : "occurrences",
            "occurrences");
    if (!options.words.empty())
        found.push_back("Words looked at one by one: " + std::to_string(options.words.size()) +
                        " that were asked for (the paper: those of its tables).");
    if (!options.pair.empty())
        compare("Pair that is drawn", base::joined(options.pair, " and "),
                std::string(paper::pair_x) + " and " + std::string(paper::pair_y));
    return found;
}

std::vector<std::string> deviations(const Experiment& study) {
    ExperimentOptions options = study.options;
    options.blocks = study.main.has_blocks();  // a store of one document has none, whatever was asked for
    std::vector<std::string> found = deviations(options);
    const auto compare = [&](const GapTests& tests, bool all_there_are, std::size_t papers, const std::string& what) {
        std::size_t fewest = papers;
        for (const GapRates& gap : rates_by_gap(tests)) fewest = std::min(fewest, gap.pairs);
        if (all_there_are && fewest < papers)
            found.push_back(what + " has as few as " + base::count_of(fewest, "pair") +
                            " at a gap, all that the store has (the paper: " + std::to_string(papers) + ").");
    };
    compare(study.main, !study.options.count, main_pairs, "The main experiment");
    compare(study.additional, !study.options.additional_count, additional_pairs, "The additional experiment");
    return found;
}

}  // namespace wordbreadth::paper
