// The list of devices, and which of them runs what is asked for: on machines with and without a GPU, in builds with and
// without CUDA.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "cuda/gpu_names.h"
#include "engine/backend.h"
#include "engine/cuda/cuda.h"
#include "support/errors.h"
#include "support/temporary.h"
#include "wordbreadth/error.h"

namespace wordbreadth::engine {
namespace {

Device named(const std::string& name) {
    const std::vector<Device> all = devices();
    const auto found = std::ranges::find(all, name, &Device::name);
    EXPECT_NE(found, all.end()) << name;
    return found == all.end() ? Device{} : *found;
}

Execution on(const std::string& device, const std::string& instruction_set = {}) {
    Execution execution;
    execution.device = device;
    execution.instruction_set = instruction_set;
    return execution;
}

std::string complaint(const Execution& execution) {
    return error_of([&] { (void)make_backend(execution); });
}

TEST(Devices, AreListedInTheOrderInWhichAutoTriesThem) {
    std::vector<std::string> names;
    for (const Device& device : devices()) names.push_back(device.name);
    std::erase_if(names, [](const std::string& name) { return name.starts_with("cuda:"); });  // of several GPUs
    EXPECT_EQ(names, (std::vector<std::string>{"cuda", "cpu", "reference", "cuda-paper"}));
}

TEST(Devices, SayWhyExactlyWhereTheyCannotBeUsed) {
    for (const Device& device : devices()) {
        EXPECT_FALSE(device.description.empty()) << device.name;
        EXPECT_EQ(device.available, device.unavailable_because.empty()) << device.name;
        EXPECT_EQ(device.unavailable_because.find('\n'), std::string::npos) << device.unavailable_because;
        if (device.available) {
            EXPECT_EQ(std::ranges::count(device.instruction_sets, device.instruction_set), 1) << device.name;
        }
    }
}

TEST(Devices, OfEveryMachineAreTheCpuAndTheReference) {
    EXPECT_TRUE(named("cpu").available);
    EXPECT_TRUE(named("reference").available);
}

TEST(Devices, ThePapersAlgorithmIsCalledApproximate) {
    EXPECT_NE(named("cuda-paper").description.find("approximate"), std::string::npos);
}

TEST(Devices, SayWhetherItIsTheBuildOrTheMachineThatLacksAGpu) {
    const std::vector<std::string> reasons =
        WORDBREADTH_HAS_CUDA ? std::vector<std::string>{"no NVIDIA driver", "no NVIDIA GPU",      "driver is too old",
                                                        "GPU does not",     "compute capability", "cuBLAS"}
                             : std::vector<std::string>{"this build has no CUDA engine"};
    for (const std::string name : {"cuda", "cuda-paper"}) {
        const std::string because = named(name).unavailable_because;
        const auto is_said = [&](const std::string& part) { return because.find(part) != std::string::npos; };
        EXPECT_TRUE(because.empty() || std::ranges::any_of(reasons, is_said)) << because;
    }
}

TEST(Devices, TheGpuIsDescribed) {
    const Device cuda = named("cuda");
    if (!cuda.available) GTEST_SKIP() << "no GPU: " << cuda.unavailable_because;
    EXPECT_TRUE(cuda.instruction_set.starts_with("sm_")) << cuda.instruction_set;
    EXPECT_NE(cuda.description.find(" GiB, compute capability "), std::string::npos) << cuda.description;
}

TEST(DeviceChoice, AutoTakesTheGpuOrElseTheCpu) {
    const std::string expected = named("cuda").available ? "cuda (" : "cpu (";
    EXPECT_TRUE(make_backend(on("auto"))->label().starts_with(expected)) << make_backend(on("auto"))->label();
}

TEST(DeviceChoice, AForcedInstructionSetLeadsAutoToTheDeviceThatHasIt) {
    for (const std::string& set : named("cpu").instruction_sets)
        EXPECT_EQ(make_backend(on("auto", set))->label(), "cpu (" + set + ")");
}

TEST(DeviceChoice, AutoRefusesAnInstructionSetThatOnlyTheReferenceHas) {
    const std::string message = complaint(on("auto", "float64"));
    EXPECT_TRUE(message.starts_with("instruction set 'float64' cannot be used here; expected one of: ")) << message;
    for (const std::string& set : named("cpu").instruction_sets) EXPECT_NE(message.find(set), std::string::npos);
}

TEST(DeviceChoice, ADeviceTakesOnlyItsOwnInstructionSets) {
    EXPECT_EQ(complaint(on("reference", "avx2")),
              "instruction set 'avx2' cannot be used by device reference here; expected one of: float64");
}

TEST(DeviceChoice, ADeviceThatCannotBeUsedIsRefusedWithTheReasonAndTheOthers) {
    for (const Device& device : devices()) {
        if (device.available) continue;
        const std::string message = complaint(on(device.name));
        EXPECT_TRUE(message.starts_with("device '" + device.name + "' cannot be used: " + device.unavailable_because))
            << message;
        EXPECT_NE(message.find("; usable here: auto, "), std::string::npos) << message;
        EXPECT_NE(message.find("cpu, reference"), std::string::npos) << message;
    }
}

TEST(DeviceChoice, AnUnknownDeviceIsRefusedWithTheKnownOnes) {
    const std::string message = complaint(on("abacus"));
    EXPECT_TRUE(message.starts_with("unknown device 'abacus'; expected one of: auto, ")) << message;
    EXPECT_NE(message.find("cpu, reference"), std::string::npos) << message;
}

TEST(GpuNames, AreCudaWithANumber) {
    EXPECT_EQ(wordbreadth::cuda::gpu_named("cuda:0"), 0);
    EXPECT_EQ(wordbreadth::cuda::gpu_named("cuda:12"), 12);
    for (const std::string other :
         {"cuda", "cuda:", "cuda:-1", "cuda:x", "cuda:01", "cuda:1 ", "cuda:99999999999", "cpu:0"})
        EXPECT_EQ(wordbreadth::cuda::gpu_named(other), std::nullopt) << other;
    EXPECT_EQ(wordbreadth::cuda::kind_of_device("cuda:3"), "cuda");
    EXPECT_EQ(wordbreadth::cuda::kind_of_device("cuda-paper"), "cuda-paper");
}

TEST(DeviceChoice, AGpuThatIsNotThereIsRefusedWithThoseThatAre) {
    const std::string message = complaint(on("cuda:64"));
    const std::string because = named("cuda").unavailable_because;
    const std::string expected = !because.empty() ? because : "GPU";  // "there is one GPU, cuda:0"
    EXPECT_TRUE(message.starts_with("device 'cuda:64' cannot be used: ")) << message;
    EXPECT_NE(message.find(expected), std::string::npos) << message;
    EXPECT_NE(message.find("; usable here: auto, "), std::string::npos) << message;
    EXPECT_EQ(complaint(on("cuda:x")).substr(0, 23), "unknown device 'cuda:x'");
}

TEST(DeviceChoice, AGpuCanBeNamedByItsNumber) {
    if (!named("cuda").available) GTEST_SKIP() << "no GPU: " << named("cuda").unavailable_because;
    EXPECT_EQ(make_backend(on("cuda:0"))->companions(), 0U);
    EXPECT_TRUE(make_backend(on("cuda:0"))->label().starts_with("cuda ("));
}

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
