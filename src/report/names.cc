#include "report/names.h"

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

}  // namespace wordbreadth::report
