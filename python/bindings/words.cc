// rank, triage, compare: the words of a store.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "bindings/bindings.h"
#include "bindings/lexicon.h"
#include "bindings/studies.h"
#include "wordbreadth/compare.h"
#include "wordbreadth/rank.h"
#include "wordbreadth/triage.h"

namespace nb = nanobind;

namespace wordbreadth::python {
namespace {

constexpr std::size_t ends_of_a_page = 20;  // words that open to occurrences, as the program has it

// ---- rank

RankOptions rank_options(const Arguments& arguments) {
    RankOptions options;
    arguments.read("by", options.by);
    arguments.read_blocks("blocks", options.documents);
    arguments.read("common_size", options.common_size);
    arguments.read("modes", options.modes);
    arguments.read("seed", options.seed);
    arguments.read("words", options.filter.words);
    arguments.read("min_frequency", options.filter.min_frequency);
    arguments.read("max_frequency", options.filter.max_frequency);
    arguments.read("stop_words", options.filter.stop_words);
    arguments.read(options.execution);
    return options;
}

// A ranking and the part of it that was asked for. The part is empty where no word was named.
struct Ranked {
    Ranking ranking;
    std::vector<std::string> named;
    Neighbourhood around;

    [[nodiscard]] const Neighbourhood* part() const { return named.empty() ? nullptr : &around; }
};

nb::dict facts_of(const Ranking& ranking) {
    nb::dict facts;
    facts["by"] = python_text(name_of(ranking.by));
    facts["common_size"] = ranking.common_size;
    facts["smallest"] = python_text(ranking.smallest);
    facts["seed"] = ranking.seed;
    facts["blocks"] = ranking.documents ? "document" : "none";
    facts["all_rows"] = ranking.whole;
    facts["groups"] = ranking.groups;
    nb::dict filtered;
    for (const FilteredOut& out : ranking.filtered) filtered[python_text(out.reason)] = out.words;
    facts["filtered"] = filtered;
    return facts;
}

KeptTable unranked_table(const Ranking& ranking) {
    std::vector<report::Cells> rows;
    for (const UnrankedWord& word : ranking.left_out)
        rows.push_back({report::Value(word.word), report::Value(word.frequency), report::Value(word.rows),
                        report::Value(word.reason)});
    return {report::table_of("left_out", "Words without a rank.",
                             {{"word", "word", report::look::subject},
                              {"frequency", "frequency", report::look::count},
                              {"rows", "rows", report::look::count},
                              {"reason", "reason", report::look::note}},
                             std::move(rows)),
            nullptr};
}

StudyResult python_rank(const StoreHandle& handle, const std::vector<std::string>& named, const nb::dict& given,
                        const nb::object& progress) {
    const SharedStore open = handle.open;
    const Arguments arguments(given);
    const RankOptions options = rank_options(arguments);
    std::size_t neighbours = 0;
    arguments.read("neighbours", neighbours);
    const auto found = with_stores({open}, progress, [&](const Watch& watch) {
        RankOptions completed = options;
        completed.execution = watched_by(completed.execution, watch);
        for (const std::string& word : named) (void)open->store.find(word);  // before the work
        Ranked ranked{rank(open->store, completed), named, {}};
        ranked.around = neighbourhood(ranked.ranking, named, neighbours);
        return std::make_shared<const Ranked>(std::move(ranked));
    });
    StudyResult result;
    result.tables = {{"words", {report::table_of(found->ranking, found->part()), found}},
                     {"left_out", unranked_table(found->ranking)}};
    result.facts = [found] { return facts_of(found->ranking); };
    result.text = [found](const report::Style& style, std::size_t ends) {
        return report::text_of(found->ranking, found->part(), ends, style);
    };
    result.json = [found] { return report::json_of(found->ranking, found->part()); };
    result.page = [found, open, execution = options.execution](const Watch& watch) {
        return report::page_of(found->ranking, open->store, ends_of_a_page, found->named, watched_by(execution, watch));
    };
    result.stores = {open};
    return result;
}

// ---- triage and compare

WordStudyOptions word_study_options(const Arguments& arguments, Alternative alternative) {
    WordStudyOptions options;
    options.test = options_of_many_tests(alternative);
    read(arguments, options.test);
    arguments.read("common_size", options.common_size);
    arguments.read("alpha", options.alpha);
    arguments.read("adjust", options.adjustment);
    arguments.read("concordances", options.concordances);
    arguments.read("lines", options.lines);
    arguments.read("modes", options.modes);
    arguments.read("force", options.force);
    return options;
}

nb::dict facts_of(const Triage& triage) {
    nb::dict facts;
    facts["store"] = python_text(triage.folder);
    facts["order"] = python_text(name_of(triage.order));
    facts["matched_by_senses"] = triage.matched_by_senses;
    facts["median_v"] = triage.median_v;
    facts["common_size"] = triage.common_size;
    facts["smallest"] = python_text(triage.smallest);
    facts["tests"] = triage.tests;
    facts["device"] = python_text(triage.device);
    facts["seconds"] = triage.seconds;
    return facts;
}

KeptTable references_table(const Triage& triage) {
    std::vector<report::Cells> rows;
    for (const ReferenceWord& word : triage.references)
        rows.push_back({report::Value(word.word), report::Value(word.frequency), report::Value(word.breadth.v),
                        report::Value(word.breadth.breadth),
                        triage.matched_by_senses ? report::Value(word.senses) : report::Value()});
    return {report::table_of("references", "The reference words, broadest first.",
                             {{"word", "word", report::look::subject},
                              {"frequency", "frequency", report::look::count},
                              {"v", "v", report::look::digits(4)},
                              {"breadth", "breadth", report::look::digits(4)},
                              {"senses", "senses", report::look::count}},
                             std::move(rows)),
            nullptr};
}

StudyResult python_triage(const StoreHandle& handle, const nb::dict& given, const WordNetHandle* wordnet,
                          const nb::object& progress) {
    const SharedStore open = handle.open;
    const Arguments arguments(given);
    const WordStudyOptions options = word_study_options(arguments, Alternative::greater);
    TriageWords words;
    arguments.read("references", words.references);
    arguments.read("candidates", words.candidates);
    words.references_from = "references";
    words.candidates_from = "candidates";
    TriageRules rules;
    arguments.read("order", rules.order);
    const auto senses = wordnet == nullptr ? nullptr : wordnet->open;
    rules.wordnet = senses.get();
    const auto found = watched_study({open}, progress, options, [&](const WordStudyOptions& completed) {
        return triage(open->store, words, completed, rules);
    });
    StudyResult result;
    result.tables = {{"words", {report::table_of(*found), found}},
                     {"references", references_table(*found)},
                     {"missing", reasons_table("missing", found->missing)},
                     {"left_out", reasons_table("left_out", found->left_out)}};
    result.facts = [found] { return facts_of(*found); };
    result.text = [found](const report::Style& style, std::size_t ends) {
        return report::text_of(*found, ends, style);
    };
    result.json = [found] { return report::json_of(*found); };
    result.page = [found, open](const Watch& watch) {
        return report::page_of(*found, open->store, watched_by(found->options.test.execution, watch));
    };
    result.stores = {open};
    return result;
}

nb::dict facts_of(const Comparison& comparison, const report::StoreNames& names, Center center) {
    nb::dict facts;
    facts["names"] = nb::make_tuple(python_text(names.a), python_text(names.b));
    facts["stores"] = nb::make_tuple(python_text(comparison.folder_a), python_text(comparison.folder_b));
    facts["forced"] = python_text(comparison.forced);
    facts["only_a"] = comparison.only_a;
    facts["only_b"] = comparison.only_b;
    facts["center"] = python_text(name_of(center));
    facts["median_T"] = comparison.median_T;
    facts["median_effect"] = comparison.median_effect;
    facts["median_effect_standard_error"] = comparison.median_standard_error;
    facts["alpha"] = comparison.options.alpha;
    facts["statistic"] = python_text(name_of(comparison.options.test.statistic));
    facts["device"] = python_text(comparison.device);
    facts["seconds"] = comparison.seconds;
    return facts;
}

report::StoreNames store_names(const Arguments& arguments, const Store& a, const Store& b) {
    std::vector<std::string> names;
    arguments.read("names", names);
    if (names.empty()) return report::folder_names(a.folder(), b.folder());
    if (names.size() != 2) throw nb::value_error(("names: expected two, not " + std::to_string(names.size())).c_str());
    return {names[0], names[1]};
}

StudyResult python_compare(const StoreHandle& first, const StoreHandle& second, const nb::dict& given,
                           const nb::object& progress) {
    const SharedStore a = first.open, b = second.open;
    const Arguments arguments(given);
    const WordStudyOptions options = word_study_options(arguments, Alternative::two_sided);
    std::optional<Center> center;
    arguments.read("center", center);
    const report::StoreNames names = store_names(arguments, a->store, b->store);
    const auto found = watched_study({a, b}, progress, options, [&](const WordStudyOptions& completed) {
        return compare(a->store, b->store, completed);
    });
    const Center of_result = center.value_or(Center::none);
    StudyResult result;
    result.tables = {{"words", {report::table_of(*found, names, of_result), found}},
                     {"left_out", reasons_table("left_out", found->left_out)}};
    result.facts = [found, names, of_result] { return facts_of(*found, names, of_result); };
    result.text = [found, names, of_result](const report::Style& style, std::size_t ends) {
        return report::text_of(*found, names, ends, style, of_result);
    };
    result.json = [found, names, of_result] { return report::json_of(*found, names, of_result); };
    result.page = [found, names, center, a, b](const Watch& watch) {
        return report::page_of(*found, a->store, b->store, names, center.value_or(Center::median),
                               watched_by(found->options.test.execution, watch));
    };
    result.stores = {a};
    if (a != b) result.stores.push_back(b);
    return result;
}

}  // namespace

void add_words(nb::module_& module) {
    module.def("rank", python_rank, nb::arg(), nb::arg(), nb::arg(), nb::arg().none());
    module.def("triage", python_triage, nb::arg(), nb::arg(), nb::arg().none(), nb::arg().none());
    module.def("compare", python_compare, nb::arg(), nb::arg(), nb::arg(), nb::arg().none());
    module.def("english_stop_words", [] {
        nb::list words;
        for (const std::string_view word : english_stop_words()) words.append(python_text(word));
        return words;
    });
}

}  // namespace wordbreadth::python
