// Whether the clouds of two stores may be compared.
#pragma once

#include "store/cloud_store.h"

namespace wordbreadth {

// Breadths of different models, layers or ways to cut words say nothing about each other. Throws InputError, with both
// values, when the stores differ in what their vectors are: model, layers, unit, case, lemmas, subwords, dimension.
void check_comparable(const store::CloudStore& a, const store::CloudStore& b);

}  // namespace wordbreadth
