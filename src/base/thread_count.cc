#include "base/thread_count.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include "wordbreadth/error.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::base {

unsigned thread_count(unsigned asked) {
    if (asked > limits::threads)
        throw InputError("threads = " + std::to_string(asked) + "; expected 1 to " + std::to_string(limits::threads));
    if (asked != 0) return asked;
    if (const char* wanted = std::getenv("OMP_NUM_THREADS")) {
        unsigned threads = 0;
        // OMP_NUM_THREADS may be a list, one number per nesting level; the first is ours.
        const auto [rest, error] = std::from_chars(wanted, wanted + std::strlen(wanted), threads);
        if (error == std::errc{} && threads >= 1 && threads <= limits::threads) return threads;
    }
    return std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace wordbreadth::base
