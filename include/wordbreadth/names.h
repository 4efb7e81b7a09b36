// The names of the library's choices, the same in every front end, file and output.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "wordbreadth/adjust.h"
#include "wordbreadth/extract.h"
#include "wordbreadth/test.h"

namespace wordbreadth {

template <class Choice>
struct Named {
    Choice value;
    std::string_view name;
};

// All values of a choice with their names, in the order in which help lists them; the argument only selects the choice.
// A new enum needs one such function, here or beside it: the others find it by the type of their argument.
[[nodiscard]] constexpr auto names_of(Alignment) {
    using enum Alignment;
    return std::to_array<Named<Alignment>>({{householder, "householder"}, {none, "none"}});
}

[[nodiscard]] constexpr auto names_of(Statistic) {
    using enum Statistic;
    return std::to_array<Named<Statistic>>(
        {{automatic, "auto"}, {plain, "plain"}, {robust, "robust"}, {blocks, "blocks"}});
}

[[nodiscard]] constexpr auto names_of(Alternative) {
    using enum Alternative;
    return std::to_array<Named<Alternative>>({{greater, "greater"}, {less, "less"}, {two_sided, "two-sided"}});
}

[[nodiscard]] constexpr auto names_of(Adjustment) {
    using enum Adjustment;
    return std::to_array<Named<Adjustment>>(
        {{benjamini_hochberg, "bh"}, {benjamini_yekutieli, "by"}, {holm, "holm"}, {max_t, "maxT"}, {none, "none"}});
}

[[nodiscard]] constexpr auto names_of(Subwords) {
    using enum Subwords;
    return std::to_array<Named<Subwords>>({{single, "single"}, {mean, "mean"}, {first, "first"}, {last, "last"}});
}

[[nodiscard]] constexpr auto names_of(ExtractUnit) {
    using enum ExtractUnit;
    return std::to_array<Named<ExtractUnit>>({{word, "word"}, {text, "text"}});
}

[[nodiscard]] constexpr auto names_of(LetterCase) {
    using enum LetterCase;
    return std::to_array<Named<LetterCase>>({{lower, "lower"}, {keep, "keep"}});
}

[[nodiscard]] constexpr auto names_of(InvalidBytes) {
    using enum InvalidBytes;
    return std::to_array<Named<InvalidBytes>>({{error, "error"}, {skip, "skip"}, {replace, "replace"}});
}

[[nodiscard]] constexpr auto names_of(SampleBy) {
    using enum SampleBy;
    return std::to_array<Named<SampleBy>>({{rows, "rows"}, {documents, "documents"}});
}

[[nodiscard]] constexpr auto names_of(Deduplicate) {
    using enum Deduplicate;
    return std::to_array<Named<Deduplicate>>({{none, "none"}, {exact, "exact"}, {near, "near"}});
}

[[nodiscard]] constexpr auto names_of(Precision) {
    using enum Precision;
    return std::to_array<Named<Precision>>({{automatic, "auto"}, {f32, "f32"}, {bf16, "bf16"}, {f16, "f16"}});
}

// "unknown" for a value outside its type.
template <class Choice>
[[nodiscard]] constexpr std::string_view name_of(Choice value) {
    for (const auto& entry : names_of(value))
        if (entry.value == value) return entry.name;
    return "unknown";
}

// The choice of that name, exactly so written.
template <class Choice>
[[nodiscard]] constexpr std::optional<Choice> choice_named(std::string_view name) {
    for (const auto& entry : names_of(Choice{}))
        if (entry.name == name) return entry.value;
    return std::nullopt;
}

}  // namespace wordbreadth
