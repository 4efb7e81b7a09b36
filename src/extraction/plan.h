// Makes the plan of a store: two passes over the corpus, and everything laid out before the first vector.
#pragma once

#include "corpus/corpus.h"
#include "extraction/model.h"
#include "wordbreadth/extract.h"

namespace wordbreadth::extraction {

// Writes the plan into options.out. Throws InputError when the corpus is bad, no word is frequent enough, or none has a
// part of speech that was asked for. Words of a list that are not frequent enough are written down as missing.
void make_plan(corpus::Reader& reader, const Model& model, const ExtractOptions& options, ExtractSummary& summary);

}  // namespace wordbreadth::extraction
