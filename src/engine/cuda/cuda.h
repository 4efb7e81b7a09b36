// The CUDA engines: ours (`cuda`), and the paper's Algorithm 2 as it is written (`cuda-paper`), for comparison.
//
// Always declared. A build without a CUDA compiler has absent.cc instead of the rest of this folder: both devices are
// then listed as missing from the build, and cannot be made.
#pragma once

#include <memory>

#include "engine/backend.h"
#include "wordbreadth/device.h"

namespace wordbreadth {

// What stands in the way is in `unavailable_because`: not compiled in, no driver, no device, driver too old.
[[nodiscard]] Device cuda_device();
[[nodiscard]] Device cuda_paper_device();

// The backends keep the clouds they were given on the device: a cloud must outlive the backend, unchanged.
[[nodiscard]] std::unique_ptr<Backend> make_cuda(const Execution& execution);
[[nodiscard]] std::unique_ptr<Backend> make_cuda_paper(const Execution& execution);

}  // namespace wordbreadth
