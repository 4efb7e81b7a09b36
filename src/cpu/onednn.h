// What all users of oneDNN need before their first product.
#pragma once

#include <cstddef>
#include <oneapi/dnnl/dnnl.hpp>

namespace wordbreadth::onednn {

[[nodiscard]] const dnnl::engine& engine();

// Holds oneDNN to these instructions at most. Returns false when it has chosen its instructions already: it does so
// once in a process.
[[nodiscard]] bool limit_instructions(dnnl::cpu_isa most);

// The most that oneDNN can use on this processor.
[[nodiscard]] dnnl::cpu_isa usable_instructions();

// From now on the calling thread runs oneDNN without others: OpenMP's number of threads is a setting of each thread
// that calls it, and ours call oneDNN side by side.
void run_alone();

[[nodiscard]] inline dnnl::memory::dim dim(std::size_t size) {
    return static_cast<dnnl::memory::dim>(size);
}

}  // namespace wordbreadth::onednn
