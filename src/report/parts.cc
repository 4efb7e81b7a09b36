#include "report/parts.h"

#include <initializer_list>
#include <nlohmann/json.hpp>

#include "base/names.h"

namespace wordbreadth::report {
namespace {

std::string stopping(const TestOptions& test) {
    return test.adaptive == 0 ? "never" : "at exceedance " + count(test.adaptive);
}

// Those of these settings that the store has, each on one line.
void add(std::vector<Setting>& settings, const Store& store, std::initializer_list<std::string_view> names,
         const std::string& prefix) {
    for (const std::string_view name : names) {
        std::string value = store.setting(name);
        std::ranges::replace(value, '\n', ' ');
        if (!value.empty()) settings.push_back({prefix + std::string(name), std::move(value)});
    }
}

std::string method_text(const Method& method, const std::string& between) {
    return spelled(method.align) + between + spelled(method.statistic);
}

}  // namespace

std::string test_and_alignment(Alternative alternative, Statistic statistic, Alignment align) {
    const std::string sides =
        alternative == Alternative::two_sided ? "two-sided" : "one-sided (" + spelled(alternative) + ")";
    const std::string name =
        statistic == Statistic::blocks ? "test of documents as blocks" : spelled(statistic) + " test";
    return sides + " " + name + ", " + (align == Alignment::none ? "no" : spelled(align)) + " alignment";
}

std::string method_sentence(const WordStudyOptions& options, const std::string& device, double seconds) {
    const TestOptions& test = options.test;
    std::string text = test_and_alignment(test.alternative, test.statistic, test.align) + "; at most " +
                       count(test.permutations) + " permutations per test";
    if (test.adaptive > 0) text += ", fewer where " + count(test.adaptive) + " as extreme are found earlier";
    return text + "; p adjusted by " + spelled(options.adjustment) + "; seed " + std::to_string(test.seed) + "; " +
           device + ", " + duration(seconds);
}

std::vector<Setting> settings_of(const WordStudyOptions& options, const std::string& device) {
    const TestOptions& test = options.test;
    return {{"test", spelled(test.alternative)},
            {"statistic", spelled(test.statistic)},
            {"alignment", spelled(test.align)},
            {"permutations of a test, at most", count(test.permutations)},
            {"stops early", stopping(test)},
            {"p adjusted by", spelled(options.adjustment)},
            {"level", shortest(options.alpha)},
            {"seed", std::to_string(test.seed)},
            {"device", device}};
}

Json json_of(const WordStudyOptions& options, const std::string& device) {
    const TestOptions& test = options.test;
    return {{"alternative", name_of(test.alternative)},
            {"statistic", name_of(test.statistic)},
            {"align", name_of(test.align)},
            {"permutations", test.permutations},
            {"adaptive", test.adaptive},
            {"confidence", json_number(test.confidence)},
            {"adjust", name_of(options.adjustment)},
            {"alpha", json_number(options.alpha)},
            {"common_size", options.common_size},
            {"seed", test.seed},
            {"device", device}};
}

Json json_of(const std::vector<LeftOut>& left_out) {
    Json list = Json::array();
    for (const auto& [word, reason] : left_out) list.push_back({{"word", word}, {"reason", reason}});
    return list;
}

std::vector<Setting> origin_of(const Store& store, const std::string& prefix) {
    std::vector<Setting> settings = {{prefix + "store", store.folder()}};
    add(settings, store, {"corpus", "per word"}, prefix);
    if (const std::string seed = store.setting("seed"); !seed.empty())
        settings.push_back({prefix + "seed of the rows drawn", seed});
    return settings;
}

std::vector<Setting> vectors_of(const Store& store, const std::string& prefix) {
    std::vector<Setting> settings;
    add(settings, store, {"model", "layers", "unit", "case", "lemmas", "subwords"}, prefix);
    return settings;
}

std::string reason_lines(const std::vector<std::pair<std::string, std::string>>& reasons, const Style& style) {
    constexpr std::size_t most = 10;
    std::string lines;
    for (std::size_t i = 0; i < std::min(reasons.size(), most); ++i)
        lines += style.dim_line(reasons[i].first + ": " + printable(reasons[i].second));
    if (reasons.size() > most)
        lines += style.dim("and " + count(reasons.size() - most) + " more reasons, which JSON lists") + "\n";
    return lines.empty() ? lines : "\n" + lines;
}

Markup word_list(const std::vector<std::string>& words) {
    Markup text;
    for (std::size_t i = 0; i < words.size(); ++i) text += (i > 0 ? Markup(", ") : Markup()) + word(words[i]);
    return text;
}

ScatterPlot frequency_plot(std::string description) {
    ScatterPlot plot;
    plot.heading = {"Breadth and frequency", std::move(description)};
    plot.x = {.label = "frequency in the corpus", .kind = Axis::Kind::logarithmic, .column = "frequency"};
    plot.y = {.label = "breadth v", .kind = Axis::Kind::logarithmic, .column = "v"};
    plot.panels.emplace_back();
    return plot;
}

Section concordance_section(std::string heading, const std::vector<std::string>& words) {
    Section section{
        std::move(heading),
        {Paragraph{"Each line is as far as can be from those above it, so that few lines show what the word "
                   "does. Influence is how much the breadth falls when that occurrence is left out."}}};
    for (const std::string& word : words) section.blocks.emplace_back(ConcordanceView{word, ""});
    return section;
}

std::string suggestion(const std::string& text, const std::vector<std::string>& known) {
    const std::size_t dashes = std::min(text.find_first_not_of('-'), text.size());
    if (text.size() < dashes + 2) return {};  // a letter tells nothing
    std::vector<std::string> meant;
    std::ranges::copy_if(known, std::back_inserter(meant),
                         [&](const std::string& name) { return name.starts_with(text); });
    if (meant.empty()) meant = base::close_names(text, known);
    std::string list;
    for (std::size_t i = 0; i < meant.size(); ++i)
        list += (i == 0 ? " (did you mean " : i + 1 == meant.size() ? " or " : ", ") + meant[i];
    return list.empty() ? list : list + "?)";
}

std::string name_of(const Method& method) {
    return method_text(method, ", ");
}

std::string key_of(const Method& method) {
    return method_text(method, "_");
}

}  // namespace wordbreadth::report
