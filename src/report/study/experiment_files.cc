#include <nlohmann/json.hpp>
#include <utility>

#include "report/json.h"
#include "report/number.h"
#include "report/study/experiment_figures.h"
#include "report/study/experiment_page.h"
#include "report/study/experiment_tables.h"
#include "report/study/method_names.h"
#include "wordbreadth/names.h"

namespace wordbreadth::report {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const std::vector<Setting>& settings) {
    Json object = Json::object();
    for (const Setting& setting : settings) object[setting.name] = setting.value;
    return object;
}

std::string joined(const std::vector<std::size_t>& numbers) {
    std::string text;
    for (const std::size_t number : numbers) text += (text.empty() ? "" : ",") + std::to_string(number);
    return text;
}

std::string pairs_asked_for(const std::optional<std::size_t>& asked, std::size_t usual) {
    return asked ? std::to_string(*asked) : std::to_string(usual) + ", or all where there are fewer";
}

Json law_json(const LawFit& fit) {
    return {{"points", fit.points},
            {"slope", json_number(fit.slope)},
            {"slope_standard_error", json_number(fit.slope_standard_error)},
            {"intercept", json_number(fit.intercept)},
            {"r_squared", json_number(fit.r_squared)}};
}

void add_table(std::vector<StudyFile>& files, const StudyTable& table, const Json& settings, Json more = {}) {
    Json json{{"caption", table.caption}, {"settings", settings}, {"results", json_of(table)}};
    for (auto& [key, value] : more.items()) json[key] = value;
    files.push_back({table.name + ".tsv", tsv_of(table)});
    files.push_back({table.name + ".json", text_of(json)});
}

void add_tables(std::vector<StudyFile>& files, const Experiment& study, const Json& settings) {
    Json note = Json::object();
    if (!has_precision(study)) note["note"] = precision_note(study);
    for (const StudyTable& table : {main_table(study), methods_table(study)}) add_table(files, table, settings, note);
    for (const StudyTable& table :
         {rejection_table(study.cross_fitted), pairs_table(study), additional_table(study), split_half_table(study),
          papers_split_half_table(), uniformity_table(study), runtime_table(study), changed_table(study)})
        add_table(files, table, settings);
    add_table(files, plane_table(study), settings, {{"pair", {study.pair.x, study.pair.y}}, {"why", study.pair.why}});
    add_table(files, words_table(study), settings,
              {{"spearman", json_number(study.words.correlation)}, {"words_in_wordnet", study.words.known}});
    add_table(files, law_table(study), settings,
              {{"bins", law_json(study.law.of_bins)}, {"words", law_json(study.law.of_words)}});
}

void add_pictures(std::vector<StudyFile>& files, const Experiment& study, const Store& store, const WordNet& wordnet) {
    const auto add = [&](const std::string& name, const Svg& svg) { files.push_back({name + ".svg", svg.file()}); };
    add("main", rejection_figure(study.main));
    if (has_precision(study)) add("precision", precision_figure(study.main));
    add("cross_fitted", rejection_figure(study.cross_fitted));
    add("additional", additional_figure(study));
    for (std::size_t k = 0; k < methods.size(); ++k)
        add("split_half_" + key_of(methods[k]), split_half_figure(study, k));
    add("runtime", runtime_figure(study));
    if (has_precision(study)) add("words", words_figure(study, wordnet));
    add("changed", changed_figure(study));
    add("tsne", plane_figure(study.pair, pair_concordances(study.pair, store)));
    add("null_none", null_figure(study.pair.none));
    add("null_householder", null_figure(study.pair.householder));
    add("frequency_law", law_figure(study));
}

}  // namespace

std::vector<Setting> settings_of(const Experiment& study) {
    const ExperimentOptions& o = study.options;
    std::vector<Setting> settings{{"store", study.store},
                                  {"model", study.model},
                                  {"words", std::to_string(study.ranking.words.size())},
                                  {"rows of each word", std::to_string(study.ranking.common_size)},
                                  {"dimensions", std::to_string(study.dimension)},
                                  {"gaps", joined(o.gaps)},
                                  {"pairs at each gap", pairs_asked_for(o.count, 300)},
                                  {"alpha", shortest(o.alpha)},
                                  {"permutations", std::to_string(o.permutations)},
                                  {"additional gaps", joined(o.additional_gaps)},
                                  {"additional pairs", pairs_asked_for(o.additional_count, 500)},
                                  {"additional alpha", shortest(o.additional_alpha)},
                                  {"additional permutations", std::to_string(o.additional_permutations)},
                                  {"additional ranking", std::string(name_of(o.additional_by))},
                                  {"bin size", std::to_string(o.bin_size)},
                                  {"alternative", "two-sided"},
                                  {"adaptive stopping", o.adaptive ? "where no verdict changes" : "off"},
                                  {"seed", std::to_string(o.seed)}};
    for (std::size_t i = 1; i < study.additional.size(); ++i)
        settings.push_back({"store " + std::to_string(i + 1), study.additional[i].store});
    return settings;
}

std::vector<StudyFile> study_files(const Experiment& study, const Store& store, const WordNet& wordnet,
                                   const std::vector<Setting>& settings) {
    std::vector<StudyFile> files{{"settings.json", text_of(json_of(settings))}};
    add_tables(files, study, json_of(settings));
    add_pictures(files, study, store, wordnet);
    return files;
}

}  // namespace wordbreadth::report
