// What a test refuses before it starts.
#pragma once

#include "wordbreadth/cloud.h"
#include "wordbreadth/test.h"

namespace wordbreadth::engine {

// Throws InputError, naming the option, the value and what was expected.
void check_options(const TestOptions& options);

// Throws InputError, naming the clouds, when they have different dimensions or too many rows together.
void check_pair(const Cloud& x, const Cloud& y);

}  // namespace wordbreadth::engine
