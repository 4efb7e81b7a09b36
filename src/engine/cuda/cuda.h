// The CUDA engines: ours (`cuda`), and the paper's Algorithm 2 as it is written (`cuda-paper`), for comparison.
//
// Always declared. A build without a CUDA compiler has only devices.cc of this folder: both devices are then listed as
// missing from the build, and cannot be made.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/backend.h"
#include "wordbreadth/device.h"

namespace wordbreadth::engine::cuda {

// `unavailable_because` gives the reason: not compiled in, no driver, no device, driver too old. The first is of all
// GPUs together, the second of one.
[[nodiscard]] Device device();
[[nodiscard]] Device device(int ordinal);
[[nodiscard]] Device paper_device();

// Each of the GPUs by itself where there are several; else nothing, since device() is it.
[[nodiscard]] std::vector<Device> each_of_several();

// Whether this machine shows an NVIDIA GPU to a build that could use one: its driver knows of it, or the system has its
// files although the driver's library is missing. Not where CUDA_VISIBLE_DEVICES hides all of them.
[[nodiscard]] bool gpu_is_visible();

// The second half of it: /dev/nvidia0, /proc/driver/nvidia/gpus/..., below `root`.
[[nodiscard]] bool system_shows_gpu(const std::string& root);

// Where cuda-paper looks for cuBLAS, in this order; and InputError unless one of `files` is a cuBLAS that it can use.
[[nodiscard]] std::vector<std::string> cublas_files();
void check_cublas(std::span<const std::string> files);

// The backends keep the clouds they were given on the device: a cloud must outlive the backend, unchanged. Of the GPU
// that the execution names, or else of the first usable one, with the others beside it.
[[nodiscard]] std::unique_ptr<Backend> make(const Execution& execution);
// Of the first of these GPUs, with the others beside it. One may be named twice, for tests.
[[nodiscard]] std::unique_ptr<Backend> make_on(std::span<const int> ordinals, const Execution& execution);
[[nodiscard]] std::unique_ptr<Backend> make_paper(const Execution& execution);

}  // namespace wordbreadth::engine::cuda
