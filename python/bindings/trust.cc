// calibrate, compare_layers and experiment: how far tests on a store can be trusted, what its layers change, and the
// paper's study on it.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "bindings/bindings.h"
#include "bindings/calibration_steps.h"
#include "bindings/lexicon.h"
#include "bindings/studies.h"
#include "report/experiment_parts.h"
#include "wordbreadth/calibrate.h"
#include "wordbreadth/experiment.h"
#include "wordbreadth/layer_study.h"
#include "wordbreadth/paper.h"
#include "wordbreadth/version.h"

namespace nb = nanobind;

namespace wordbreadth::python {
namespace {

// complete=True: no adaptive stopping.
void read_adaptive(const Arguments& arguments, bool& adaptive) {
    bool complete = !adaptive;
    arguments.read("complete", complete);
    adaptive = !complete;
}

// blocks='document' or 'none'; neither where it is not given.
void read_documents(const Arguments& arguments, std::optional<bool>& documents) {
    if (arguments.has("blocks")) arguments.read_blocks("blocks", documents.emplace(true));
}

// ---- calibrate

CalibrateOptions calibrate_options(const Arguments& arguments) {
    CalibrateOptions options;
    arguments.read("alpha", options.alphas);
    arguments.read("count", options.count);
    arguments.read("permutations", options.permutations);
    read_adaptive(arguments, options.adaptive);
    arguments.read("seed", options.seed);
    arguments.read("common_size", options.common_size);
    read_documents(arguments, options.documents);
    arguments.read("power", options.power);
    arguments.read(options.execution);
    return options;
}

nb::object python_of(const std::optional<Method>& method) {
    if (!method) return nb::none();
    return nb::make_tuple(python_text(name_of(method->align)), python_text(name_of(method->statistic)));
}

nb::dict facts_of(const Calibration& calibration) {
    nb::dict facts;
    facts["store"] = python_text(calibration.store);
    facts["words"] = calibration.words;
    facts["common_size"] = calibration.options.common_size;
    facts["recommended"] = python_of(calibration.recommended);
    facts["design_effect"] = calibration.needed.design_effect;
    return facts;
}

KeptTable methods_table(const Calibration& calibration) {
    namespace look = report::look;
    std::vector<report::Cells> rows;
    for (const JudgedMethod& each : calibration.judged)
        rows.push_back({report::Value(each.method.align), report::Value(each.method.statistic),
                        report::Value(each.keeps_its_level), report::Value(each.keeps_its_level_on_shapes),
                        report::Value(each.power)});
    return {report::table_of("methods", "What was found about each method.",
                             {{"align", "align", look::name},
                              {"statistic", "statistic", look::name},
                              {"keeps_its_level", "keeps its level", look::name, "on no kind of halves surely above"},
                              {"keeps_its_level_on_shapes", "on shapes too", look::name, "simulated ones, with power"},
                              {"power", "power", look::rate, "at the alpha nearest to 0.05, over all mixtures"}},
                             std::move(rows)),
            nullptr};
}

KeptTable needed_table(const Calibration& calibration) {
    namespace look = report::look;
    std::vector<report::Cells> rows;
    for (const NeededRows& each : calibration.needed.ratios)
        rows.push_back({report::Value(each.ratio), report::Value(each.rows), report::Value(each.documents),
                        report::Value(each.most_rows), report::Value(each.most_documents)});
    return {
        report::table_of("needed", "Occurrences of each of two words that show the ratio of their breadths.",
                         {{"ratio", "ratio", look::digits(3)},
                          {"rows", "rows", look::digits(3), "for the word in the middle"},
                          {"documents", "documents", look::digits(3), "0 where none are known"},
                          {"most_rows", "rows, nine in ten", look::digits(3), "at which nine of ten words have enough"},
                          {"most_documents", "documents, nine in ten", look::digits(3), "likewise"}},
                         std::move(rows)),
        nullptr};
}

StudyResult result_of(const SharedStore& open, const std::shared_ptr<const Calibration>& found) {
    StudyResult result;
    result.tables = {{"rates", {report::table_of(*found), found}},
                     {"methods", methods_table(*found)},
                     {"needed", needed_table(*found)}};
    result.facts = [found] { return facts_of(*found); };
    result.text = [found](const report::Style& style, std::size_t) {
        return report::text_of(*found, style, report::Caller::python);
    };
    result.json = [found] { return report::json_of(*found, report::Caller::python); };
    result.page = [found, open](const Watch&) {
        report::Page page = report::page_of(*found, report::Caller::python);
        report::add_origin(page, open->store);
        return page;
    };
    result.svg = [found] { return report::figure_of(*found).file(); };
    result.stores = {open};
    return result;
}

StudyResult python_calibrate(const StoreHandle& handle, const nb::dict& given, const nb::object& progress) {
    const SharedStore open = handle.open;
    const CalibrateOptions options = calibrate_options(Arguments(given));
    return result_of(open, watched_study({open}, progress, options, [&](const CalibrateOptions& completed) {
                         return calibrate(open->store, completed);
                     }));
}

// ---- calibrate in steps, which processes share

std::size_t python_calibration_steps(const StoreHandle& handle, const nb::dict& given) {
    const CalibrateOptions options = calibrate_options(Arguments(given));
    return with_store(handle.open, [&](const Store& store) { return calibration_steps(store, options); });
}

nb::list python_calibrate_steps(const StoreHandle& handle, const nb::dict& given,
                                const std::vector<std::size_t>& numbers, const nb::object& progress) {
    const SharedStore open = handle.open;
    const CalibrateOptions options = calibrate_options(Arguments(given));
    return state_of(with_stores({open}, progress, [&](const Watch& watch) {
        CalibrateOptions completed = options;
        completed.execution = watched_by(completed.execution, watch);
        return calibrate_steps(open->store, completed, numbers);
    }));
}

// `states`: one per step, in their order.
StudyResult python_calibration_of(const StoreHandle& handle, const nb::dict& given,
                                  const std::vector<nb::list>& states) {
    const SharedStore open = handle.open;
    std::vector<CalibrationStep> steps;
    for (const nb::list& state : states)
        for (CalibrationStep& step : steps_of(state)) steps.push_back(std::move(step));
    const CalibrateOptions options = calibrate_options(Arguments(given));
    return result_of(open, watched_study({open}, nb::none(), options, [&](const CalibrateOptions& completed) {
                         return calibration_of(open->store, completed, steps);
                     }));
}

// ---- the layers of a store

LayerStudyOptions layer_options(const Arguments& arguments) {
    LayerStudyOptions options;
    arguments.read("count", options.count);
    arguments.read("alpha", options.alpha);
    arguments.read("permutations", options.permutations);
    arguments.read("seed", options.seed);
    read_documents(arguments, options.documents);
    arguments.read(options.execution);
    return options;
}

nb::dict facts_of(const LayerStudy& study) {
    nb::dict facts;
    facts["store"] = python_text(study.store);
    facts["words"] = study.words;
    facts["lemmas"] = study.known;
    facts["tagged"] = study.tagged;
    facts["pairs"] = study.pairs;
    facts["reference"] = python_text(study.layers[study.reference].layer);
    return facts;
}

StudyResult python_compare_layers(const StoreHandle& handle, const WordNetHandle& wordnet, const nb::dict& given,
                                  const nb::object& progress) {
    const SharedStore open = handle.open;
    const LayerStudyOptions options = layer_options(Arguments(given));
    const auto found = watched_study({open}, progress, options, [&](const LayerStudyOptions& completed) {
        return study_layers(open->store.folder(), wordnet.open.get(), completed);
    });
    StudyResult result;
    result.tables = {{"layers", {report::table_of(*found), found}},
                     {"correlations", {report::correlations_table(*found), found}},
                     {"verdicts", {report::verdicts_table(*found), found}}};
    result.facts = [found] { return facts_of(*found); };
    result.svg = [found] { return report::figure_of(*found).file(); };
    show(result, open, found);
    return result;
}

// ---- experiment

ExperimentOptions experiment_options(const Arguments& arguments) {
    bool as_in_the_paper = false;
    arguments.read("paper", as_in_the_paper);
    ExperimentOptions options = as_in_the_paper ? paper::settings() : ExperimentOptions{};
    arguments.read("alternative", options.alternative);
    arguments.read("words", options.words);
    arguments.read("pair", options.pair);
    arguments.read_either("halves", "own", "common", options.own_halves);
    arguments.read("gaps", options.gaps);
    arguments.read("count", options.count);
    arguments.read("alpha", options.alpha);
    arguments.read("permutations", options.permutations);
    arguments.read("additional_gaps", options.additional_gaps);
    arguments.read("additional_count", options.additional_count);
    arguments.read("additional_alpha", options.additional_alpha);
    arguments.read("additional_permutations", options.additional_permutations);
    arguments.read("additional_rank_by", options.additional_by);
    arguments.read("sanity_words", options.sanity_words);
    arguments.read("bin_size", options.bin_size);
    arguments.read("common_size", options.common_size);
    read_adaptive(arguments, options.adaptive);
    arguments.read("seed", options.seed);
    arguments.read_blocks("blocks", options.blocks);
    arguments.read(options.execution);
    return options;
}

using Studies = std::vector<Experiment>;  // one per store

// Those of the first store, and of all in the additional experiment.
std::vector<std::pair<std::string, KeptTable>> tables_of(const std::shared_ptr<const Studies>& studies) {
    std::vector<std::pair<std::string, KeptTable>> tables;
    for (report::StudyTable& each : report::tables_of({*studies, 0, {}})) {
        std::string name = each.table.name;
        tables.emplace_back(std::move(name), KeptTable(std::move(each.table), studies));
    }
    return tables;
}

nb::dict facts_of(const Experiment& study) {
    nb::dict facts;
    facts["store"] = python_text(study.store);
    facts["model"] = python_text(study.model);
    facts["dimension"] = study.dimension;
    facts["common_size"] = study.ranking.common_size;
    facts["spearman"] = study.words.correlation;
    facts["words_in_wordnet"] = study.words.known;
    facts["law_slope"] = study.law.of_bins.slope;
    facts["law_r_squared"] = study.law.of_bins.r_squared;
    facts["pair"] = nb::make_tuple(python_text(study.pair.x), python_text(study.pair.y));
    return facts;
}

// What the program writes to settings.json and to a file per table.
report::Json json_of(const Studies& studies, const std::vector<std::pair<std::string, KeptTable>>& tables) {
    report::Json settings = report::Json::object(), json = report::Json::object();
    for (const report::Setting& setting : report::settings_of({studies, 0, {}})) settings[setting.name] = setting.value;
    json["settings"] = std::move(settings);
    for (const auto& [name, kept] : tables)
        json[name] = {{"caption", kept.table().caption}, {"results", report::json_of(kept.table())}};
    return json;
}

StudyResult python_experiment(const std::vector<StoreHandle>& handles, const std::vector<WordNetHandle>& wordnets,
                              const nb::dict& given, const nb::object& progress) {
    std::vector<SharedStore> stores;
    std::vector<const Store*> places;
    std::vector<std::string> names;
    for (const StoreHandle& handle : handles) {
        stores.push_back(handle.open);
        places.push_back(&handle.open->store);
        names.push_back(handle.open->store.folder());
    }
    if (wordnets.empty()) throw nb::value_error("wordnet: none is given; expected one or more");
    std::vector<const WordNet*> lexicons;
    std::vector<std::string> folders;
    for (const WordNetHandle& wordnet : wordnets) {
        lexicons.push_back(wordnet.open.get());
        folders.push_back(wordnet.folder);
    }
    const ExperimentOptions options = experiment_options(Arguments(given));
    const auto found = with_stores(stores, progress, [&](const Watch& watch) {
        ExperimentOptions completed = options;
        completed.execution = watched_by(completed.execution, watch);
        Studies studies = experiment(places, lexicons, completed);
        for (Experiment& study : studies) study.options.execution = options.execution;
        return std::make_shared<const Studies>(std::move(studies));
    });
    StudyResult result;
    result.tables = tables_of(found);
    result.facts = [found] { return facts_of(found->front()); };
    result.text = [found](const report::Style& style, std::size_t) { return report::study_text(*found, style); };
    result.json = [found, tables = result.tables] { return json_of(*found, tables); };
    // `wordnets` and `stores` keep what the pointers are of.
    result.page = [found, wordnets, open = stores.front()](const Watch&) {
        const WordNetHandle& used = wordnets[found->front().wordnet];
        report::Page page = report::study_page({*found, 0, {}}, open->store, *used.open);
        page.settings.push_back({"wordnet", used.folder});
        return page;
    };
    result.folder = [found, wordnets, stores, places, names, lexicons, folders](const std::string& path,
                                                                                const std::string& again) {
        report::StudyFolder(path, names).write(*found, places, lexicons, {again, folders, std::string(version()), {}});
    };
    result.stores = std::move(stores);
    return result;
}

}  // namespace

void add_trust(nb::module_& module) {
    module.def("calibrate", python_calibrate, nb::arg(), nb::arg(), nb::arg().none());
    module.def("calibration_steps", python_calibration_steps);
    module.def("calibrate_steps", python_calibrate_steps, nb::arg(), nb::arg(), nb::arg(), nb::arg().none());
    module.def("calibration_of", python_calibration_of);
    module.def("compare_layers", python_compare_layers, nb::arg(), nb::arg(), nb::arg(), nb::arg().none());
    module.def("experiment", python_experiment, nb::arg(), nb::arg(), nb::arg(), nb::arg().none());
}

}  // namespace wordbreadth::python
