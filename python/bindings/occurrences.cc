// concordance, modes, by_size: one word of a store, looked at closely; and pairs of words some ranks apart.
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>

#include "bindings/bindings.h"
#include "bindings/studies.h"
#include "wordbreadth/adjust.h"
#include "wordbreadth/by_size.h"
#include "wordbreadth/concordance.h"
#include "wordbreadth/error.h"
#include "wordbreadth/gap_pairs.h"
#include "wordbreadth/modes.h"

namespace nb = nanobind;

namespace wordbreadth::python {
namespace {

constexpr std::size_t narrowest = 40;

report::ConcordanceLook look_of(const report::Style& style, bool influence = false) {
    return {std::max(style.width, narrowest), influence, style};
}

// ---- concordance

struct Lines {
    StoredWord word;
    std::vector<ConcordanceLine> lines;
};

StudyResult python_concordance(const StoreHandle& handle, std::size_t index, const nb::dict& given) {
    const Arguments arguments(given);
    ConcordanceOptions options;
    arguments.read("sort", options.order);
    arguments.read("count", options.count);
    arguments.read("seed", options.seed);
    const auto found = with_store(handle.open, [&](const Store& store) {
        const StoredWord word = store.word(index);
        return std::make_shared<const Lines>(Lines{word, concordance(store, word.word, options)});
    });
    const bool influence = options.order == ConcordanceOrder::influence;
    StudyResult result;
    result.tables = {{"lines", {report::table_of(found->lines), found}}};
    result.facts = [found] {
        nb::dict facts;
        facts["word"] = python_text(found->word.word);
        facts["frequency"] = found->word.frequency;
        facts["rows"] = found->word.rows;
        return facts;
    };
    result.text = [found, influence](const report::Style& style, std::size_t ends) {
        const std::size_t shown = std::min(found->lines.size(), 2 * ends);
        return report::concordance(std::span(found->lines).first(shown), look_of(style, influence)) + "\n" +
               report::count(shown) + " of the " + report::count(found->word.rows) + " rows of " +
               report::printable(found->word.word) + ", which the corpus has " +
               report::counted(found->word.frequency, "time") + "\n";
    };
    result.json = [found] { return report::json_of(found->word, found->lines); };
    return result;
}

// ---- modes

nb::object matrix_of(const std::vector<double>& values, std::size_t columns) {
    auto* const kept = new std::vector<double>(values);
    const nb::capsule owner(kept, [](void* all) noexcept { delete static_cast<std::vector<double>*>(all); });
    return nb::ndarray<nb::numpy, double, nb::ndim<2>>(kept->data(),
                                                       {columns == 0 ? 0 : values.size() / columns, columns}, owner)
        .cast();
}

nb::dict facts_of(const Explanation& explanation) {
    const ExplainedWord& word = explanation.words.front();
    const Modes found = word.found.modes.value_or(Modes());
    const bool known = word.found.modes.has_value();
    const auto number = [&](double value) { return known ? nb::object(nb::float_(value)) : nb::none(); };
    nb::list rows;
    for (const Mode& mode : found.modes) {
        nb::list of_mode;
        for (const std::size_t row : mode.rows) of_mode.append(row);
        rows.append(of_mode);
    }
    nb::dict facts;
    facts["word"] = python_text(word.found.word);
    facts["frequency"] = word.frequency;
    facts["spread"] = known ? nb::object(python_text(name_of(found.spread))) : nb::none();
    facts["breadth"] = number(found.v);
    facts["within"] = number(found.within);
    facts["between"] = number(found.between);
    facts["p"] = number(found.p);
    facts["median_breadth"] = explanation.typical;
    facts["why"] = python_text(report::why_broad(word.found, explanation.typical));
    facts["undefined"] = python_text(word.found.reason);
    facts["rows"] = rows;
    facts["responsibilities"] = matrix_of(found.responsibilities, found.modes.size());
    return facts;
}

StudyResult python_modes(const StoreHandle& handle, std::size_t index, const nb::dict& given,
                         const nb::object& progress) {
    const SharedStore open = handle.open;
    const Arguments arguments(given);
    std::size_t lines = 0;
    arguments.read("count", lines);
    ModesOptions options;
    arguments.read("most", options.most);
    arguments.read("alpha", options.alpha);
    arguments.read("random_clouds", options.random_clouds);
    arguments.read("seed", options.seed);
    arguments.read(options.execution);
    const auto found = watched_study({open}, progress, options, [&](const ModesOptions& completed) {
        return explain(open->store, std::vector{index}, lines, completed);
    });
    const ExplainedWord& word = found->words.front();
    StudyResult result;
    result.tables = {{"modes", {report::table_of(*found, word), found}}};
    for (std::size_t i = 0; i < word.lines.size(); ++i)
        result.tables.push_back({"lines " + std::to_string(i), {report::table_of(word.lines[i]), found}});
    result.facts = [found] { return facts_of(*found); };
    result.text = [found](const report::Style& style, std::size_t) {
        return report::text_of(*found, found->words.front(), look_of(style));
    };
    result.json = [found] { return report::json_of(*found, found->words.front()); };
    return result;
}

// ---- by_size

Cloud cloud_of(const Store& store, std::size_t index, bool documents) {
    if (documents) return store.cloud(index);
    const StoredWord word = store.word(index);
    return {word.word, Rows{store.rows(index).data(), Element::f32, word.rows, store.dimension()}, nullptr,
            store.folder()};
}

StudyResult python_by_size(const StoreHandle& handle, std::size_t index, const nb::dict& given,
                           const nb::object& progress) {
    const SharedStore open = handle.open;
    const Arguments arguments(given);
    BySizeOptions options;
    bool documents = true;
    arguments.read_blocks("blocks", documents);
    arguments.read("draws", options.draws);
    arguments.read("confidence", options.confidence);
    arguments.read("seed", options.seed);
    arguments.read(options.execution);
    const auto found = watched_study({open}, progress, options, [&](const BySizeOptions& completed) {
        return by_size(cloud_of(open->store, index, documents), completed);
    });
    StudyResult result;
    result.tables = {{"sizes", {report::table_of(*found), found}}};
    result.facts = [found] {
        nb::dict facts, enough;
        for (const EnoughRows& each : found->enough) enough[nb::float_(each.half_width)] = each.n;
        facts["word"] = python_text(found->name);
        facts["breadth"] = found->all.breadth;
        facts["enough"] = enough;
        facts["breadth_in_order"] = found->in_order;
        facts["p_in_order"] = found->p_in_order;
        return facts;
    };
    show(result, open, found);
    return result;
}

// ---- Pairs by gap

struct TestedGaps {
    GapPairs drawn;
    report::TestedPairs pairs{};
};

struct GapCall {
    GapOptions gap;
    TestOptions test;
    Adjustment adjustment = Adjustment::benjamini_hochberg;
    std::optional<double> equivalence;

    explicit GapCall(const Arguments& arguments) {
        read(arguments, test);
        arguments.read("alternative", test.alternative);
        arguments.read("gaps", gap.gaps);
        arguments.read("count", gap.count);
        arguments.read("rank_by", gap.by);
        arguments.read("cross_fit", gap.cross_fit);
        arguments.read("common_size", gap.common_size);
        arguments.read("adjust", adjustment);
        arguments.read("equivalence", equivalence);
        test.max_t = adjustment == Adjustment::max_t;
        gap.seed = test.seed;
        gap.blocks = takes_blocks(test.statistic);
    }
};

std::shared_ptr<const TestedGaps> tested(const Store& store, const GapCall& call, const Watch& watch) {
    GapOptions gap = call.gap;
    gap.execution = call.test.execution;
    gap.execution.stop = watch.stop;
    const auto found = std::make_shared<TestedGaps>(TestedGaps{gap_pairs(store, gap)});
    if (found->drawn.tests.empty()) throw InputError(store.folder() + ": none of the pairs has rows to test");
    TestOptions test = call.test;
    test.execution = watched_by(test.execution, watch);
    const auto start = std::chrono::steady_clock::now();
    TestResults results(test_for_rates(found->drawn.clouds, found->drawn.tests, test));
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    std::vector<double> adjusted = adjusted_p(results, call.adjustment);
    if (call.equivalence && results.size() > 0)  // which checks the ratio
        (void)equivalence(results.result(0), *call.equivalence, 1 - call.test.confidence);
    found->pairs = {std::move(results),   call.test,     call.adjustment, std::move(adjusted), spent.count(),
                    call.gap.common_size, &found->drawn, call.gap,        call.equivalence};
    return found;
}

StudyResult python_gap_pairs(const StoreHandle& handle, const nb::dict& given, const nb::object& progress) {
    const SharedStore open = handle.open;
    const GapCall call{Arguments(given)};
    const auto found =
        with_stores({open}, progress, [&](const Watch& watch) { return tested(open->store, call, watch); });
    StudyResult result;
    result.tables = {{"pairs", {report::table_of(found->pairs), found}}};
    result.facts = [found] {
        nb::dict facts;
        facts["words"] = found->drawn.words.size();
        facts["rows"] = found->drawn.rows;
        facts["dropped"] = found->drawn.dropped;
        facts["adjust"] = python_text(name_of(found->pairs.adjustment));
        facts["seconds"] = found->pairs.seconds;
        facts["gaps"] = python_of(report::json_without_results(found->pairs)["gaps"]);
        return facts;
    };
    result.text = [found](const report::Style& style, std::size_t ends) {
        return report::text_of(found->pairs, ends, style);
    };
    result.json = [found] { return report::json_of(found->pairs); };
    return result;
}

}  // namespace

void add_occurrences(nb::module_& module) {
    module.def("concordance", python_concordance);
    module.def("modes", python_modes, nb::arg(), nb::arg(), nb::arg(), nb::arg().none());
    module.def("by_size", python_by_size, nb::arg(), nb::arg(), nb::arg(), nb::arg().none());
    module.def("gap_pairs", python_gap_pairs, nb::arg(), nb::arg(), nb::arg().none());
}

}  // namespace wordbreadth::python
