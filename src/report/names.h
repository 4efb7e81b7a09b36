// The words that stand for the library's choices, on the command line and in every output: one place to edit.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wordbreadth/adjust.h"
#include "wordbreadth/extract.h"
#include "wordbreadth/test.h"

namespace wordbreadth {

enum class RankBy;        // study/rank.h
enum class ContextOrder;  // study/context.h
struct Method;            // study/methods.h

}  // namespace wordbreadth

namespace wordbreadth::report {

template <class Choice>
struct Named {
    Choice value;
    std::string_view name;
};

// All the values of a choice, in the order in which help lists them. The argument only selects the choice.
[[nodiscard]] std::span<const Named<Alignment>> names_of(Alignment);
[[nodiscard]] std::span<const Named<Statistic>> names_of(Statistic);
[[nodiscard]] std::span<const Named<Alternative>> names_of(Alternative);
[[nodiscard]] std::span<const Named<Adjustment>> names_of(Adjustment);
[[nodiscard]] std::span<const Named<RankBy>> names_of(RankBy);
[[nodiscard]] std::span<const Named<ContextOrder>> names_of(ContextOrder);
[[nodiscard]] std::span<const Named<Subwords>> names_of(Subwords);
[[nodiscard]] std::span<const Named<ExtractUnit>> names_of(ExtractUnit);
[[nodiscard]] std::span<const Named<LetterCase>> names_of(LetterCase);
[[nodiscard]] std::span<const Named<InvalidBytes>> names_of(InvalidBytes);
[[nodiscard]] std::span<const Named<NumberType>> names_of(NumberType);

template <class Choice>
[[nodiscard]] std::string_view name_of(Choice value) {
    for (const auto& entry : names_of(value))
        if (entry.value == value) return entry.name;
    return "unknown";
}

// " (did you mean --seed?)", " (did you mean calibrate or compare?)", of names that begin with `text`, or else are
// close to it; "" where there are none.
[[nodiscard]] std::string suggestion(const std::string& text, const std::vector<std::string>& known);

// The methods that studies compare.
[[nodiscard]] std::string name_of(const Method& method);     // for people: householder, robust
[[nodiscard]] std::string key_of(const Method& method);      // for programs: householder_robust
[[nodiscard]] std::string options_of(const Method& method);  // --align householder --statistic robust

}  // namespace wordbreadth::report
