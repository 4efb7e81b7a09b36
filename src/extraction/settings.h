// The settings of an extraction: options settled, as a store has them, and compared with those of a plan when it is
// resumed. Nothing that a call says may be ignored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "corpus/corpus.h"
#include "extraction/analyst.h"
#include "extraction/model.h"
#include "store/plan.h"
#include "wordbreadth/extract.h"

namespace wordbreadth::extraction {

[[nodiscard]] inline corpus::Selection selection_of(const ExtractOptions& options) {
    return {options.by_lemma, options.parts_of_speech};
}

[[nodiscard]] inline AnalystOptions analyst_options(const ExtractOptions& options) {
    return {options.unit, options.letter_case, options.subwords, options.max_tokens};
}

[[nodiscard]] inline std::uint64_t min_count_of(const ExtractOptions& options) {
    return options.min_count.value_or(options.unit == ExtractUnit::word ? 100 : 2);
}

[[nodiscard]] inline std::uint64_t per_word_of(const ExtractOptions& options) {
    return options.per_word.value_or(options.unit == ExtractUnit::word ? 100 : 0);
}

// Whether Bank and bank are two words. Labels are taken as they are.
[[nodiscard]] bool cases_differ(const ExtractOptions& options);

// The words that were asked for, in the case that is counted, each once, in byte order.
[[nodiscard]] std::vector<std::string> wanted_words(const ExtractOptions& options);

using Settings = std::vector<std::pair<std::string, std::string>>;

// What decides the contents of a store, as it is written into it.
[[nodiscard]] Settings settings_of(const ExtractOptions& options, const ModelRecord& model);

// A path that means the same whatever the working folder: absolute, without "..", links left as they are. A user
// knows the model by the link; its hash says what it is.
[[nodiscard]] std::string resolved(const std::string& path);

// Throws InputError, naming both values, when the call states a setting that is not the plan's: see
// ExtractOptions::stated. The model is compared by require_same_model.
void require_same(store::Plan& plan, const ExtractOptions& options);

// The folder of the plan's model. Throws InputError, saying how to name another, when it is not there any more.
[[nodiscard]] std::string planned_model(store::Plan& plan);

// Throws InputError, naming both, unless `sha256`, of the model in `folder`, is that of the plan's model.
void require_same_model(store::Plan& plan, const std::string& folder, const std::string& sha256);

// Throws InputError unless the model computes in the plan's precision here: the rows of one store are alike.
void require_same_precision(store::Plan& plan, const ModelRecord& model);

}  // namespace wordbreadth::extraction
