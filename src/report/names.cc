#include "report/names.h"

#include <algorithm>

#include "base/names.h"
#include "study/context.h"
#include "study/methods.h"
#include "study/rank.h"

namespace wordbreadth::report {
namespace {

constexpr Named<Alignment> alignments[] = {{Alignment::householder, "householder"}, {Alignment::none, "none"}};
constexpr Named<Statistic> statistics[] = {{Statistic::plain, "plain"}, {Statistic::robust, "robust"}};
constexpr Named<Alternative> alternatives[] = {
    {Alternative::greater, "greater"}, {Alternative::less, "less"}, {Alternative::two_sided, "two-sided"}};
constexpr Named<Adjustment> adjustments[] = {{Adjustment::benjamini_hochberg, "bh"},
                                             {Adjustment::benjamini_yekutieli, "by"},
                                             {Adjustment::holm, "holm"},
                                             {Adjustment::none, "none"}};
constexpr Named<RankBy> rank_keys[] = {{RankBy::breadth, "v"}, {RankBy::frequency, "frequency"}};
constexpr Named<ContextOrder> context_orders[] = {{ContextOrder::corpus, "corpus"},
                                                  {ContextOrder::left, "left"},
                                                  {ContextOrder::right, "right"},
                                                  {ContextOrder::influence, "influence"}};

constexpr Named<Subwords> subwords[] = {
    {Subwords::single, "single"}, {Subwords::mean, "mean"}, {Subwords::first, "first"}, {Subwords::last, "last"}};
constexpr Named<ExtractUnit> units[] = {{ExtractUnit::word, "word"}, {ExtractUnit::text, "text"}};
constexpr Named<LetterCase> cases[] = {{LetterCase::lower, "lower"}, {LetterCase::keep, "keep"}};
constexpr Named<InvalidBytes> invalid_bytes[] = {
    {InvalidBytes::error, "error"}, {InvalidBytes::skip, "skip"}, {InvalidBytes::replace, "replace"}};
constexpr Named<NumberType> number_types[] = {
    {NumberType::automatic, "auto"}, {NumberType::f32, "f32"}, {NumberType::bf16, "bf16"}, {NumberType::f16, "f16"}};

std::string names_of(const Method& method, const std::string& before, const std::string& between) {
    return before + std::string(name_of(method.align)) + between + std::string(name_of(method.statistic));
}

}  // namespace

std::span<const Named<Alignment>> names_of(Alignment) {
    return alignments;
}
std::span<const Named<Statistic>> names_of(Statistic) {
    return statistics;
}
std::span<const Named<Alternative>> names_of(Alternative) {
    return alternatives;
}
std::span<const Named<Adjustment>> names_of(Adjustment) {
    return adjustments;
}
std::span<const Named<Subwords>> names_of(Subwords) {
    return subwords;
}
std::span<const Named<ExtractUnit>> names_of(ExtractUnit) {
    return units;
}
std::span<const Named<LetterCase>> names_of(LetterCase) {
    return cases;
}
std::span<const Named<InvalidBytes>> names_of(InvalidBytes) {
    return invalid_bytes;
}
std::span<const Named<NumberType>> names_of(NumberType) {
    return number_types;
}
std::span<const Named<RankBy>> names_of(RankBy) {
    return rank_keys;
}
std::span<const Named<ContextOrder>> names_of(ContextOrder) {
    return context_orders;
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
    return names_of(method, "", ", ");
}
std::string key_of(const Method& method) {
    return names_of(method, "", "_");
}
std::string options_of(const Method& method) {
    return names_of(method, "--align ", " --statistic ");
}

}  // namespace wordbreadth::report
