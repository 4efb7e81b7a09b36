// From finished shards to clouds: the last step of making a store.
#pragma once

#include "store/plan.h"

namespace wordbreadth::store {

// Writes clouds.safetensors, a matrix for each word, from the shards of the plan, which must all be finished; then
// removes them. Throws InputError when one is not, or the clouds cannot be written.
void join_shards(Plan& plan);

// Once there are clouds: removes the shards, and what processes left that were killed while they wrote.
void remove_leftovers(const std::string& folder);

}  // namespace wordbreadth::store
