// Pages with what only the stores know: occurrences of words, why they are broad, where the vectors come from.
#include <algorithm>
#include <filesystem>
#include <iterator>

#include "report/results.h"
#include "wordbreadth/timing.h"

namespace wordbreadth::report {
namespace {

// Appends a section on why the words are broad that the page shows occurrences of, from the first on.
void explain_words(Page& page, const Store& store, std::uint64_t seed, const Execution& execution,
                   const std::string& heading) {
    constexpr std::size_t most = 60, lines = 5;
    std::vector<std::size_t> words;
    for (const Concordance& shown : page.concordances) {
        const auto place = store.index_of(shown.key);
        if (place && words.size() < most) words.push_back(*place);
    }
    ModesOptions options;
    options.seed = seed;
    options.execution = execution;
    add_modes(page, explain(store, words, lines, options), heading);
}

// Of the words at both ends, and of those that were named.
UsagesOfWords usages_to_show(const Store& store, const Ranking& ranking, std::size_t ends,
                             const std::vector<std::string>& named) {
    constexpr std::size_t lines = 10;
    UsagesOfWords found;
    for (std::size_t i = 0; i < ranking.words.size(); ++i) {
        const std::string& word = ranking.words[i].word;
        const bool at_an_end = i < ends || i + ends >= ranking.words.size();
        if (at_an_end || std::ranges::find(named, word) != named.end())
            found[word] = concordance(store, word, {ConcordanceOrder::spread, lines, ranking.seed});
    }
    return found;
}

void append(std::vector<Setting>& settings, std::vector<Setting> more) {
    settings.insert(settings.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

std::string folder_name(const std::string& path) {
    const std::filesystem::path normal = (std::filesystem::path(path) / ".").lexically_normal().parent_path();
    const std::string name = normal.filename().string();
    return name.empty() || name.starts_with('.') ? path : name;
}

}  // namespace

StoreNames folder_names(const std::string& a, const std::string& b) {
    const StoreNames names{folder_name(a), folder_name(b)};
    return names.a == names.b ? StoreNames{a, b} : names;
}

void add_origin(Page& page, const Store& store) {
    append(page.settings, origin_of(store));
    append(page.settings, vectors_of(store));
}

Page page_of(const Ranking& ranking, const Store& store, std::size_t ends, const std::vector<std::string>& named,
             const Execution& execution) {
    const UsagesOfWords usages =
        timed(execution.timing, "concordances", [&] { return usages_to_show(store, ranking, ends, named); });
    Page page = timed(execution.timing, "drawing the page", [&] { return page_of(ranking, usages); });
    explain_words(page, store, ranking.seed, execution, "Why words are broad");
    add_origin(page, store);
    return page;
}

Page page_of(const Triage& triage, const Store& store, const Execution& execution) {
    Page page = timed(execution.timing, "drawing the page", [&] { return page_of(triage); });
    explain_words(page, store, triage.options.test.seed, execution, "Why words are broad");
    add_origin(page, store);
    return page;
}

Page page_of(const Comparison& comparison, const Store& a, const Store& b, const StoreNames& names, Center center,
             const Execution& execution) {
    Page page = timed(execution.timing, "drawing the page", [&] { return page_of(comparison, names, center); });
    for (const auto& [store, name] : {std::pair(&a, names.a), std::pair(&b, names.b)})
        explain_words(page, *store, comparison.options.test.seed, execution, "Why words are broad in " + name);
    if (!comparison.forced.empty()) page.subtitle += "; " + forced_note(comparison.forced);
    const std::string of_a = names.a + ": ", of_b = names.b + ": ";
    append(page.settings, origin_of(a, of_a));
    append(page.settings, origin_of(b, of_b));
    append(page.settings, vectors_of(a, comparison.forced.empty() ? "" : of_a));
    if (!comparison.forced.empty()) append(page.settings, vectors_of(b, of_b));
    return page;
}

}  // namespace wordbreadth::report
