// From finished shards to clouds: the last step of making a store.
#pragma once

#include "store/plan.h"

namespace wordbreadth::store {

// Writes clouds.safetensors, a matrix for each word, from the shards of the plan, which must all be finished; then
// removes them. Throws InputError when one is not, or the clouds cannot be written.
void join_shards(Plan& plan);

// Removes what processes left that were killed while they wrote. Only for who has the store's lock.
void remove_incomplete(const std::string& folder);

// Once there are clouds: removes the shards, too.
void remove_leftovers(const std::string& folder);

// Whether a file of that name, in the folder of a store, is a lock or was never completed.
[[nodiscard]] bool is_incomplete(const std::string& name);

}  // namespace wordbreadth::store
