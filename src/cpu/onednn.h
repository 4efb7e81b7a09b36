// What all users of oneDNN need before their first product.
#pragma once

#include <cstddef>
#include <new>
#include <oneapi/dnnl/dnnl.hpp>
#include <utility>

#include "base/reserve.h"

namespace wordbreadth::cpu {

[[nodiscard]] const dnnl::engine& engine();

// Holds oneDNN to these instructions at most. Returns false when it has chosen its instructions already: it does so
// once in a process.
[[nodiscard]] bool limit_instructions(dnnl::cpu_isa most);

// The most that oneDNN can use on this processor.
[[nodiscard]] dnnl::cpu_isa usable_instructions();

// From now on the calling thread runs oneDNN without others: OpenMP's number of threads is a setting of each thread
// that calls it, and ours call oneDNN side by side.
void run_alone();

// Returns work(), but throws std::bad_alloc where oneDNN gets no memory. It has no other words for that than "could not
// create a memory object", and none at all when it makes code.
template <class Work>
decltype(auto) within_memory(Work&& work) try {
    constexpr std::size_t needed = 32 * 1024 * 1024;  // 25 MB were not enough
    if (!base::Reserve(needed).is_there()) throw std::bad_alloc();
    return std::forward<Work>(work)();
} catch (const dnnl::error& error) {
    if (error.status == dnnl_out_of_memory) throw std::bad_alloc();
    throw;
}

[[nodiscard]] inline dnnl::memory::dim dim(std::size_t size) {
    return static_cast<dnnl::memory::dim>(size);
}

}  // namespace wordbreadth::cpu
