// Makes the plan of a store: two passes over the corpus, and everything laid out before the first vector.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "corpus/corpus.h"
#include "extraction/model.h"
#include "wordbreadth/extract.h"

namespace wordbreadth::extraction {

using Settings = std::vector<std::pair<std::string, std::string>>;

// What decides the contents of a store, as it is written into it.
[[nodiscard]] Settings settings_of(const ExtractOptions& options, const Model& model);

// Writes the plan into options.out. Throws InputError when the corpus is bad, no word is frequent enough, or a word
// that was asked for is not.
void make_plan(corpus::Reader& reader, const Model& model, const ExtractOptions& options, ExtractSummary& summary);

}  // namespace wordbreadth::extraction
