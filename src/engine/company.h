// A list of work that a backend shares with its companions.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "base/workers.h"
#include "engine/backend.h"

namespace wordbreadth::engine {

// Runs work(backend, i) for each i, of whose size `sizes` has a measure. The calling thread works on `backend`, and a
// thread for each companion beside it, where there is enough to do; each takes the next i when it is done with one. So
// `work` must not care who does what, nor, within a backend, mind being called again for an i that failed.
//
// What a companion fails at is done by `backend`, and fails there if the fault is not the companion's. When `backend`
// fails, or the monitor says to stop, all stop, and one exception is thrown.
void run_with_company(Backend& backend, std::span<const double> sizes,
                      const std::function<void(Backend&, std::size_t)>& work, base::Monitor& monitor);

}  // namespace wordbreadth::engine
