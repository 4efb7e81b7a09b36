// Threads that take numbered pieces of work until none is left.
#pragma once

#include <cstddef>
#include <functional>

namespace wordbreadth::encoder::cpu {

// Runs pieces 0 .. count - 1 on so many threads, the caller's among them; `work` is given a piece and the number of its
// thread. Returns when all are done. The first exception stops the taking of new pieces and is thrown again here.
void run_on_threads(unsigned threads, std::size_t count,
                    const std::function<void(std::size_t piece, unsigned thread)>& work);

}  // namespace wordbreadth::encoder::cpu
