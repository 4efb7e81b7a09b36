// What all users of oneDNN need before their first product.
#pragma once

#include <cstddef>
#include <oneapi/dnnl/dnnl.hpp>

namespace wordbreadth::onednn {

[[nodiscard]] const dnnl::engine& engine();

// From now on the calling thread runs oneDNN without others: OpenMP's number of threads is a setting of each thread
// that calls it, and ours call oneDNN side by side.
void run_alone();

[[nodiscard]] inline dnnl::memory::dim dim(std::size_t size) {
    return static_cast<dnnl::memory::dim>(size);
}

}  // namespace wordbreadth::onednn
