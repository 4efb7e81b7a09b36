// Whether the clouds of two stores may be compared.
#pragma once

#include <string>

#include "store/cloud_store.h"

namespace wordbreadth {

// What differs in how the vectors of two stores were made (model, layers, unit, case, lemmas, subwords), with both
// values: "layers: 1 and 4, subwords: mean and single". Empty where nothing does.
[[nodiscard]] std::string differences(const store::CloudStore& a, const store::CloudStore& b);

// Throws InputError, with both values, when the vectors have different dimensions: those cannot even be forced
// together.
void check_dimensions(const store::CloudStore& a, const store::CloudStore& b);

// Breadths of different models, layers or ways to cut words say nothing about each other. Throws InputError, with both
// values, when the stores have differences, or different dimensions.
void check_comparable(const store::CloudStore& a, const store::CloudStore& b);

}  // namespace wordbreadth
