#include "report/names.h"

#include "study/context.h"
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
constexpr Named<Precision> precisions[] = {
    {Precision::automatic, "auto"}, {Precision::f32, "f32"}, {Precision::bf16, "bf16"}, {Precision::f16, "f16"}};

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
std::span<const Named<Precision>> names_of(Precision) {
    return precisions;
}
std::span<const Named<RankBy>> names_of(RankBy) {
    return rank_keys;
}
std::span<const Named<ContextOrder>> names_of(ContextOrder) {
    return context_orders;
}

}  // namespace wordbreadth::report
