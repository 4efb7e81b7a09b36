// Traces of a GPU in the system's files.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "engine/cuda/cuda.h"
#include "support/temporary.h"

namespace wordbreadth::engine {
namespace {

TEST(SystemShowsGpu, ByTheFilesOfADevice) {
    const TemporaryFolder none, device, module;
    for (const TemporaryFolder* root : {&none, &device}) std::filesystem::create_directories(root->path() + "/dev");
    std::ofstream(none.path() + "/dev/nvidiactl") << "";
    std::filesystem::create_directories(none.path() + "/proc/driver/nvidia/gpus");
    EXPECT_FALSE(cuda::system_shows_gpu(none.path()));
    EXPECT_FALSE(cuda::system_shows_gpu(none.path() + "/gone"));
    std::ofstream(device.path() + "/dev/nvidia0") << "";
    EXPECT_TRUE(cuda::system_shows_gpu(device.path()));
    std::filesystem::create_directories(module.path() + "/proc/driver/nvidia/gpus/0000:01:00.0");
    EXPECT_TRUE(cuda::system_shows_gpu(module.path()));
}

}  // namespace
}  // namespace wordbreadth::engine
