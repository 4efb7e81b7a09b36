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
[[nodiscard]] Settings settings_of(const ExtractOptions& options, const ModelRecord& model);

// A path that means the same whatever the working folder: absolute, without "..", links left as they are. A link that a
// user made is what he knows the model by; what it is, its hash tells.
[[nodiscard]] std::string resolved(const std::string& path);

// Writes the plan into options.out. Throws InputError when the corpus is bad, no word is frequent enough, or none has a
// part of speech that was asked for. Words of a list that are not frequent enough are written down as missing.
void make_plan(corpus::Reader& reader, const Model& model, const ExtractOptions& options, ExtractSummary& summary);

}  // namespace wordbreadth::extraction
