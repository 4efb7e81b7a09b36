// Traces of a GPU that do not need its driver's library.
#include <algorithm>
#include <filesystem>

#include "engine/cuda/cuda.h"

namespace wordbreadth::engine::cuda {
namespace {

namespace fs = std::filesystem;

// nvidia0, but not nvidiactl, which is there without a GPU, too.
bool is_gpu(const fs::directory_entry& entry) {
    const std::string name = entry.path().filename().string();
    return name.size() > 6 && name.starts_with("nvidia") && name[6] >= '0' && name[6] <= '9';
}

}  // namespace

bool system_shows_gpu(const std::string& root) {
    std::error_code ignored;
    const fs::path dev = fs::path(root) / "dev", gpus = fs::path(root) / "proc/driver/nvidia/gpus";
    if (fs::is_directory(gpus, ignored) && !fs::is_empty(gpus, ignored)) return true;
    const fs::directory_iterator entries(dev, ignored);
    return !ignored && std::any_of(begin(entries), end(entries), is_gpu);
}

}  // namespace wordbreadth::engine::cuda
