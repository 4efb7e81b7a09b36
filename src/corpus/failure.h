// How the readers say that a line of a corpus is bad.
#pragma once

#include "base/failure.h"

namespace wordbreadth::corpus {

using base::count_of;
using base::fail;
using base::fail_at;
using base::in_quotes;

}  // namespace wordbreadth::corpus
