// How many threads to use where the caller leaves it open.
#pragma once

namespace wordbreadth::base {

// `asked`, or where it is 0 OMP_NUM_THREADS, else one thread per core. Throws InputError past limits::threads.
[[nodiscard]] unsigned thread_count(unsigned asked);

}  // namespace wordbreadth::base
