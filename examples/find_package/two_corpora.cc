// From two corpora to the words that differ in breadth: two_corpora MODEL CORPUS_A CORPUS_B FOLDER
// Extracts a store from each corpus into FOLDER, ranks the first, compares the two, and prints the result as JSON.
#include <algorithm>
#include <iostream>
#include <span>
#include <string>
#include <vector>

#include "wordbreadth/wordbreadth.h"

namespace {

std::string extracted(const std::string& model, const std::string& corpus, const std::string& folder) {
    wordbreadth::ExtractOptions options;
    options.model = model;
    options.corpus = {corpus};
    options.out = folder;
    options.min_count = 40;
    options.resume = wordbreadth::is_store(folder);  // a finished store is left as it is
    const wordbreadth::ExtractSummary summary = wordbreadth::extract(options);
    std::cerr << folder << ": " << summary.words << " words, " << summary.rows << " rows, " << summary.device << '\n';
    return folder;
}

void print(const wordbreadth::Ranking& ranking, const wordbreadth::Comparison& comparison) {
    std::cout << R"({"broadest": [)";
    for (std::size_t i = 0; i < std::min<std::size_t>(5, ranking.words.size()); ++i)
        std::cout << (i > 0 ? ", " : "") << R"({"word": ")" << ranking.words[i].word << R"(", "v": )"
                  << ranking.words[i].breadth.v << "}";
    std::cout << R"(], "compared": )" << comparison.words.size() << R"(, "findings": [)";
    const char* separator = "";
    for (const wordbreadth::ComparedWord& word : comparison.words) {
        if (!comparison.is_finding(word)) break;  // they are sorted by q
        std::cout << separator << R"({"word": ")" << word.word << R"(", "T": )" << word.test.T << R"(, "q": )" << word.q
                  << "}";
        separator = ", ";
    }
    std::cout << "]}\n";
}

}  // namespace

int main(int count, char** values) try {
    const std::vector<std::string> arguments(values, values + count);
    if (count != 5) throw wordbreadth::InputError("usage: two_corpora MODEL CORPUS_A CORPUS_B FOLDER");
    const wordbreadth::Store a(extracted(arguments[1], arguments[2], arguments[4] + "/a.store"));
    const wordbreadth::Store b(extracted(arguments[1], arguments[3], arguments[4] + "/b.store"));
    const wordbreadth::Ranking ranking = wordbreadth::rank(a);
    wordbreadth::WordStudyOptions options;
    options.test = wordbreadth::options_of_many_tests(wordbreadth::Alternative::two_sided);
    print(ranking, wordbreadth::compare(a, b, options));
} catch (const wordbreadth::InputError& error) {
    std::cerr << "two_corpora: " << error.what() << '\n';
    return 2;
}
