// The study as files for other programs.
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/strings.h"
#include "report/experiment.h"
#include "report/experiment_parts.h"
#include "report/files.h"
#include "report/names.h"
#include "report/table/number.h"

namespace wordbreadth::report {
namespace {

using Json = nlohmann::ordered_json;

struct StudyFile {
    std::string name;
    std::string content;
};

// What not every study has; see add_pictures().
constexpr const char* files_of_some[] = {"precision.svg", "words.svg"};

Json json_of(const std::vector<Setting>& settings) {
    Json object = Json::object();
    for (const Setting& setting : settings) object[setting.name] = setting.value;
    return object;
}

std::string listed(const std::vector<std::size_t>& numbers) {
    return base::joined(numbers, ",", [](std::size_t number) { return std::to_string(number); });
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

void add_table(std::vector<StudyFile>& files, const Table& table, const Json& settings, Json more = {}) {
    Json json{{"caption", table.caption}, {"settings", settings}, {"results", json_of(table)}};
    for (auto& [key, value] : more.items()) json[key] = value;
    files.push_back({table.name + ".tsv", tsv_of(table)});
    files.push_back({table.name + ".json", text_of(json)});
}

void add_tables(std::vector<StudyFile>& files, const Experiment& study, const Json& settings) {
    Json note = Json::object();
    if (!has_precision(study)) note["note"] = precision_note(study);
    for (const Table& table : {main_table(study), methods_table(study)}) add_table(files, table, settings, note);
    for (const Table& table :
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
                                  {"gaps", listed(o.gaps)},
                                  {"pairs at each gap", pairs_asked_for(o.count, 300)},
                                  {"alpha", shortest(o.alpha)},
                                  {"permutations", std::to_string(o.permutations)},
                                  {"additional gaps", listed(o.additional_gaps)},
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

StudyFolder::StudyFolder(const std::string& path)
    : path_(path.substr(0, std::max<std::size_t>(path.find_last_not_of('/') + 1, 1))), made_(path) {
    const ResultFile trial(page_path());
}

// The page comes last: where it is, all is.
void StudyFolder::write(const Experiment& study, const Store& store, const WordNet& wordnet,
                        const StudyOrigin& origin) const {
    Page page = study_page(study, store, wordnet);
    page.command = origin.command;
    page.settings.push_back({"wordnet", origin.wordnet});
    page.settings.push_back({"version", origin.version});
    std::vector<Setting> settings = page.settings;
    settings.push_back({"command", origin.command});
    std::vector<StudyFile> files{{"settings.json", text_of(json_of(settings))}};
    add_tables(files, study, json_of(settings));
    add_pictures(files, study, store, wordnet);
    for (const char* const name : files_of_some) {
        std::error_code ignored;
        if (std::ranges::find(files, name, &StudyFile::name) == files.end())
            std::filesystem::remove(path_ + "/" + name, ignored);
    }
    for (const StudyFile& file : files) ResultFile(path_ + "/" + file.name).write(file.content);
    write_page(page, page_path());
}

}  // namespace wordbreadth::report
