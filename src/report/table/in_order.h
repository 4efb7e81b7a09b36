// Pieces of a long table, made by several threads and taken in order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/workers.h"

namespace wordbreadth::report {

// take(made) of every piece, in order, after make(piece, made) has filled it. While some are made, those before them
// are taken, by one thread at a time. What was taken is filled again later: `take` leaves it empty. `of_a_thread`:
// pieces between two waits of the threads for each other.
template <class Made, class Make, class Take>
void in_order(std::size_t pieces, std::size_t of_a_thread, unsigned threads, const Make& make, const Take& take) {
    base::Workers workers(static_cast<unsigned>(std::clamp<std::size_t>(pieces, 1, base::thread_count(threads))));
    const std::size_t together = of_a_thread * workers.size();
    std::vector<Made> made(together), taken(together);
    for (std::size_t first = 0; first < pieces + together; first += together) {
        const std::size_t some = first < pieces ? std::min(together, pieces - first) : 0;
        workers.run(some + 1, [&](std::size_t piece, std::size_t) {
            if (piece > 0)
                make(first + piece - 1, made[piece - 1]);
            else
                for (Made& each : taken) take(each);
        });
        std::swap(made, taken);
    }
}

}  // namespace wordbreadth::report
