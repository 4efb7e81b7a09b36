// In place of NVIDIA's driver, for tests: a libcuda.so.1 that knows the CUDA of FAKE_DRIVER_VERSION (12040 is 12.4) and
// has no GPU.
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

constexpr int done = 0;         // CUDA_SUCCESS
constexpr int no_device = 100;  // CUDA_ERROR_NO_DEVICE

int answer_no_device() {
    return no_device;
}

}  // namespace

extern "C" {

int cuDriverGetVersion(int* version) {
    const char* const wanted = std::getenv("FAKE_DRIVER_VERSION");
    *version = wanted == nullptr ? 0 : std::atoi(wanted);
    return done;
}

// How CUDA's runtime finds all functions: here one, and for every other name one that fails.
int cuGetProcAddress_v2(const char* name, void** function, int, std::uint64_t, int* status) {
    if (std::string_view(name) == "cuDriverGetVersion")
        *function = reinterpret_cast<void*>(&cuDriverGetVersion);
    else if (std::string_view(name) == "cuGetProcAddress")
        *function = reinterpret_cast<void*>(&cuGetProcAddress_v2);
    else
        *function = reinterpret_cast<void*>(&answer_no_device);
    if (status != nullptr) *status = done;
    return done;
}

int cuGetProcAddress(const char* name, void** function, int version, std::uint64_t flags) {
    return cuGetProcAddress_v2(name, function, version, flags, nullptr);
}

}  // extern "C"
