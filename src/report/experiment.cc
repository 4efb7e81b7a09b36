// The paper's study in a few lines, and as files for other programs.
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "report/experiment_parts.h"
#include "report/verification.h"
#include "wordbreadth/error.h"

namespace wordbreadth::report {
namespace {

struct StudyFile {
    std::string name;
    std::string content;
};

// What not every study has.
constexpr const char* files_of_some[] = {"precision.svg", "words.svg", "frequency_senses.svg"};

std::string share_with_interval(const Rate& rate) {
    if (rate.trials == 0) return "-";
    return share(rate) + " (" + fixed(100 * rate.low, 1) + " to " + fixed(100 * rate.high, 1) + ")";
}

// Without what cannot be told of so few points.
std::string fit_text(const LawFit& fit) {
    if (std::isnan(fit.slope)) return "no slope";
    std::string text = "slope " + fixed(fit.slope, 3);
    if (!std::isnan(fit.slope_standard_error)) text += " (s.e. " + fixed(fit.slope_standard_error, 3) + ")";
    if (!std::isnan(fit.r_squared)) text += ", R² " + fixed(fit.r_squared, 2);
    return text;
}

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

// What every file of a study says of how it was made.
struct Origin {
    Json settings;
    Provenance provenance;
    std::string below;  // the folder of the file, below that of the run: "" or "bccwj/"

    [[nodiscard]] Provenance of_file(const std::string& name) const {
        Provenance named = provenance;
        named.file = below + name;
        return named;
    }
};

void add_json(std::vector<StudyFile>& files, const std::string& name, Json json, const Origin& origin) {
    files.push_back({name, text_of(with_provenance(std::move(json), origin.of_file(name)))});
}

void add_table(std::vector<StudyFile>& files, const StudyTable& study_table, const Origin& origin) {
    const auto& [table, more] = study_table;
    Json json{{"caption", table.caption}, {"settings", origin.settings}, {"results", json_of(table)}};
    for (const auto& [key, value] : more.items()) json[key] = value;
    files.push_back({table.name + ".tsv", tsv_of(table)});
    add_json(files, table.name + ".json", std::move(json), origin);
}

Json json_of(const std::vector<AbsentWord>& absent) {
    Json list = Json::array();
    for (const AbsentWord& word : absent) list.push_back({{"word", word.word}, {"reason", word.reason}});
    return list;
}

// Those of the page, under the names that readers download them by.
void add_pictures(std::vector<StudyFile>& files, const Page& page) {
    for (const Section& section : page.sections)
        for (const Block& block : section.blocks)
            if (const auto* const figure = std::get_if<Figure>(&block))
                files.push_back({figure->name + ".svg", figure->svg.file()});
}

}  // namespace

std::string share(const Rate& rate) {
    return rate.trials == 0 ? "-" : fixed(100 * rate.value, 1) + "%";
}

std::string main_sentence(const GapTests& tests) {
    const GapRates all = rates_of_all(tests);
    const bool robust = all.rejected.size() >= methods.size();
    return "Over all gaps " + share_with_interval(all.rejected[0]) + " of " + counted(all.pairs, "pair") +
           (all.pairs == 1 ? " is rejected at " : " are rejected at ") + percent(tests.alpha) + " without alignment, " +
           share_with_interval(all.rejected[1]) + " with it" +
           (robust ? "; with the robust statistic " + share(all.rejected[2]) + " and " + share(all.rejected[3]) : "") +
           (tests.has_blocks() ? "; aligned and with documents as blocks " + share_with_interval(all.rejected[4])
                               : "") +
           ".";
}

std::string precision_sentence(const GapTests& tests) {
    const GapRates all = rates_of_all(tests);
    return "Of the rejected pairs " + share_with_interval(all.precision[0]) + " (none) and " +
           share_with_interval(all.precision[1]) +
           " (householder) have different numbers of WordNet senses; of all pairs " + share(all.differing) +
           " do; only precision above that is to the credit of the test.";
}

namespace {

// Of valid tests, each at 5%, between those that always agree and those that are independent. These nearly agree: all
// look at the same halves.
std::string chance_of_failing(std::size_t tests) {
    return "Of " + counted(tests, "such test") + ", all of the same halves, at least one fails by chance 5 to " +
           fixed(100 * (1 - std::pow(0.95, static_cast<double>(tests))), 0) + "% of the time.";
}

}  // namespace

std::string uniformity_sentence(const SplitHalf& halves) {
    std::vector<std::string> failing, undefined;
    for (std::size_t k = 0; k < halves.tested; ++k)
        for (const auto& [found, side] : {std::pair(halves.greater_uniformity[k].p, "greater"),
                                          std::pair(halves.two_sided_uniformity[k].p, "two-sided")}) {
            const std::string what = name_of(methods[k]) + ", " + side;
            if (std::isnan(found)) undefined.push_back(what);
            if (found < 0.05) failing.push_back(what + " (p = " + p_value(found) + ")");
        }
    const std::string tested = "Kolmogorov-Smirnov over " + count(halves.words.size()) + " words: ";
    if (undefined.size() == 2 * halves.tested) return tested + "not available, since no test is defined.";
    const std::string rest =
        undefined.empty() ? "" : " Not available, since no test is defined: " + base::joined(undefined, "; ") + ".";
    if (!failing.empty())
        return tested + "not uniform at 5%: " + base::joined(failing, "; ") + ". " +
               chance_of_failing(2 * halves.tested - undefined.size()) + rest;
    return tested + "the p-values of " + (undefined.empty() ? "every method" : "all others") +
           " are uniform as far as can be told." + rest;
}

std::string law_sentence(const FrequencyLaw& law) {
    std::string text = "log v on log frequency: " + fit_text(law.of_bins) + " over " + count(law.bins.size()) +
                       (law.bins.size() == 1 ? " bin; " : " bins; ") + fit_text(law.of_words) + " over single words.";
    if (law.bins.size() < least_points_of_a_fit)
        text += " R² is not available for the bins: a line fits one or two points whatever they are; at least " +
                count(least_points_of_a_fit) + " bins of " + count(law.bin_size) + " words are needed.";
    return text;
}

namespace {

std::string study_text(const Experiment& study, const Style& style) {
    return text_of(main_table(study), style) + "\n" + style.plain_line(main_sentence(study.main)) +
           style.plain_line(summary_sentence(study)) + style.plain_line(precision_note(study)) +
           style.plain_line("Cross-fitted: " + main_sentence(study.cross_fitted)) +
           style.plain_line(uniformity_sentence(study.split_half)) + style.plain_line(law_sentence(study.law)) +
           style.plain_line(absent_sentence(study));
}

std::string joined_words(const std::vector<std::string>& words) {
    return base::joined(words, ",");
}

}  // namespace

std::string study_text(const std::vector<Experiment>& studies, const Style& style) {
    const std::vector<std::string> names = store_names(studies);
    std::string text;
    for (std::size_t i = 0; i < studies.size(); ++i) {
        if (studies.size() > 1) text += style.bold_line(printable(names[i])) + "\n";
        text += study_text(studies[i], style) + "\n";
    }
    return text + text_of(additional_table(studies), style) + "\n";
}

std::vector<StudyTable> tables_of(const StudyPlace& place) {
    const Experiment& study = place.study();
    Json note = Json::object();
    if (!has_precision(study)) note["note"] = precision_note(study);
    std::vector<StudyTable> tables{{main_table(study), note},
                                   {methods_table(study), note},
                                   {summary_table(study)},
                                   {rejection_table(study.cross_fitted)},
                                   {pairs_table(study)}};
    if (place.index == 0)
        for (Table& table : std::vector{additional_table(place.studies), additional_pairs_table(place.studies),
                                        additional_changed_table(place.studies)})
            tables.push_back({std::move(table)});
    tables.push_back({split_half_table(study)});
    tables.push_back({split_half_words_table(study), {{"absent", json_of(study.absent)}}});
    tables.push_back({papers_split_half_table()});
    tables.push_back({uniformity_table(study)});
    tables.push_back({runtime_table(study)});
    tables.push_back({changed_table(study)});
    tables.push_back({plane_table(study), {{"pair", {study.pair.x, study.pair.y}}, {"why", study.pair.why}}});
    tables.push_back({words_table(study),
                      {{"spearman", json_number(study.words.correlation)}, {"words_in_wordnet", study.words.known}}});
    tables.push_back(
        {law_table(study), {{"bins", law_json(study.law.of_bins)}, {"words", law_json(study.law.of_words)}}});
    return tables;
}

std::vector<Setting> settings_of(const StudyPlace& place) {
    const Experiment& study = place.study();
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
                                  {"additional ranking", spelled(o.additional_by)},
                                  {"bin size", std::to_string(o.bin_size)},
                                  {"alternative", spelled(o.alternative)},
                                  {"blocks", study.main.has_blocks() ? "documents" : "none"},
                                  {"split halves of", o.own_halves ? "all rows of a word" : "the common size"},
                                  {"adaptive stopping", o.adaptive ? "where no verdict changes" : "off"},
                                  {"seed", std::to_string(o.seed)}};
    if (!study.layer.empty()) settings.insert(settings.begin() + 2, {"layer", study.layer});
    if (!o.words.empty()) settings.push_back({"words asked for", joined_words(o.words)});
    if (!o.pair.empty()) settings.push_back({"pair asked for", joined_words(o.pair)});
    settings.push_back({"deviations from the paper", base::joined(paper::deviations(study), " ")});
    if (place.index > 0) return settings;
    for (std::size_t i = 1; i < place.studies.size(); ++i)
        settings.push_back({"store " + std::to_string(i + 1), place.studies[i].store});
    return settings;
}

namespace {

// One folder per study, named after its store; none is named like a file of the study or like another one.
std::vector<std::string> folders_of(const std::vector<std::string>& stores) {
    const std::vector<std::string> names = store_names(stores);
    std::vector<std::string> folders = {""};
    for (std::size_t i = 1; i < names.size(); ++i) {
        std::string name = short_path(names[i]);
        if (name.empty() || name.starts_with('.')) name = "store";
        std::string unique = name;
        for (std::size_t n = 2; std::ranges::find(folders, unique) != folders.end() || unique.ends_with(".json") ||
                                unique.ends_with(".tsv") || unique.ends_with(".svg") || unique.ends_with(".html");
             ++n)
            unique = name + "-" + std::to_string(n);
        folders.push_back(unique);
    }
    return folders;
}

struct Destination {
    std::string folder;  // where the files go
    std::string below;   // the same, below the folder of the run: "" or "bccwj/"
};

// The page comes last: where it is, all is.
void write_study(const StudyPlace& place, const Store& store, const WordNet& wordnet, const std::string& wordnet_path,
                 const StudyOrigin& origin, const Destination& where) {
    Page page = study_page(place, store, wordnet);
    page.command = origin.command;
    page.settings.push_back({"wordnet", wordnet_path});
    page.settings.push_back({"version", origin.version});
    std::vector<Setting> settings = page.settings;
    settings.push_back({"command", origin.command});
    const Origin of_files{json_of(settings), origin.provenance, where.below};
    page.provenance = of_files.of_file("report.html");
    std::vector<StudyFile> files;
    add_json(files, "settings.json", of_files.settings, of_files);
    for (const StudyTable& table : tables_of(place)) add_table(files, table, of_files);
    add_pictures(files, page);
    for (const char* const name : files_of_some) {
        std::error_code ignored;
        if (std::ranges::find(files, name, &StudyFile::name) == files.end())
            std::filesystem::remove(where.folder + "/" + name, ignored);
    }
    for (const StudyFile& file : files) ResultFile(where.folder + "/" + file.name).write(file.content);
    ResultFile(where.folder + "/report.html").write(html_of(page));
}

}  // namespace

namespace {

void remove_page(const std::string& path) {
    std::error_code error;
    std::filesystem::remove(path, error);
    if (error) throw InputError(path + ": cannot be removed: " + error.message());
}

}  // namespace

StudyFolder::StudyFolder(const std::string& path, const std::vector<std::string>& stores)
    : path_(path.substr(0, std::max<std::size_t>(path.find_last_not_of('/') + 1, 1))), folders_(folders_of(stores)) {
    for (std::size_t i = 0; i < folders_.size(); ++i) {
        made_.emplace_front(folder(i));
        const ResultFile trial(folder(i) + "/report.html");
    }
}

std::string StudyFolder::folder(std::size_t study) const {
    return study == 0 ? path_ : path_ + "/" + folders_[study];
}

// Pages of an earlier study go first. The first study comes last: where its page is, all is.
void StudyFolder::write(const std::vector<Experiment>& studies, const std::vector<const Store*>& stores,
                        const std::vector<const WordNet*>& wordnets, const StudyOrigin& origin) const {
    for (std::size_t i = 0; i < studies.size(); ++i) remove_page(folder(i) + "/report.html");
    for (std::size_t i = studies.size(); i-- > 0;) {
        const Destination where{folder(i), i == 0 ? "" : folders_[i] + "/"};
        const std::size_t used = studies[i].wordnet;
        write_study({studies, i, folders_}, *stores[i], *wordnets[used], origin.wordnets[used], origin, where);
    }
}

}  // namespace wordbreadth::report
