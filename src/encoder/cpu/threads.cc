#include "encoder/cpu/threads.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace wordbreadth::encoder::cpu {

void run_on_threads(unsigned threads, std::size_t count,
                    const std::function<void(std::size_t piece, unsigned thread)>& work) {
    std::atomic<std::size_t> next = 0;
    std::mutex mutex;
    std::exception_ptr failure;
    const auto take_pieces = [&](unsigned thread) {
        try {
            for (std::size_t piece = next++; piece < count; piece = next++) work(piece, thread);
        } catch (...) {
            next = count;
            const std::lock_guard lock(mutex);
            if (!failure) failure = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> others;
        for (unsigned thread = 1; thread < std::min<std::size_t>(threads, count); ++thread)
            others.emplace_back(take_pieces, thread);
        take_pieces(0);
    }
    if (failure) std::rethrow_exception(failure);
}

}  // namespace wordbreadth::encoder::cpu
