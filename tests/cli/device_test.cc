// --device, as a user meets it on a machine with or without a GPU.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <functional>
#include <utility>

#include "cli/cloud_files.h"
#include "engine/cuda/cuda.h"
#include "support/program.h"
#include "wordbreadth/device.h"

namespace wordbreadth::cli {
namespace {

Device named(const std::string& name) {
    for (const Device& device : devices())
        if (device.name == name) return device;
    ADD_FAILURE() << "no device " << name;
    return {};
}

class DeviceOption : public testing::Test {
  protected:
    [[nodiscard]] Outcome run_test(const Arguments& more) const {
        Arguments arguments{"test", x.path(), y.path(), "--permutations", "300"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run(arguments);
    }

    const TemporaryFile x = npy_file(1, {.n = 12}), y = npy_file(2, {.n = 14});
};

TEST_F(DeviceOption, ThatCannotBeUsedIsOneLineAndExitCodeTwo) {
    for (const std::string name : {"cuda", "cuda-paper"}) {
        const Device device = named(name);
        if (device.available) continue;
        expect_one_line(run_test({"--device", name}), 2,
                        "device '" + name + "' cannot be used: " + device.unavailable_because);
    }
}

TEST_F(DeviceOption, OfOneGpuSaysWhichThereAre) {
    const Device gpus = named("cuda");
    expect_one_line(run_test({"--device", "cuda:64"}), 2,
                    "device 'cuda:64' cannot be used: " + (gpus.available ? "there " : gpus.unavailable_because));
    if (gpus.available) {
        EXPECT_EQ(run_test({"--device", "cuda:0"}).code, 0);
    }
}

TEST_F(DeviceOption, IsAutoByDefaultAndTellsPeopleWhenAGpuThatIsThereCouldNotBeUsed) {
    const Device gpu = named("cuda");
    const std::string note =
        engine::cuda::gpu_is_visible() && !gpu.available
            ? "wordbreadth: note: running on the CPU, no GPU is used: " + gpu.unavailable_because + "\n"
            : "";
    for (const Arguments& arguments : {Arguments{}, {"--device", "auto"}}) {
        const Outcome outcome = run_test(arguments);
        EXPECT_EQ(outcome.code, 0);
        EXPECT_EQ(outcome.err, note);
        EXPECT_NE(outcome.out.find(gpu.available ? "; cuda (" : "; cpu ("), std::string::npos) << outcome.out;
    }
}

TEST_F(DeviceOption, PairsTellsItOnceHoweverManyThereAre) {
    const std::string bytes = safetensors_bytes(
        {{"a", cloud_values(1, {.n = 9})}, {"b", cloud_values(2, {.n = 8})}, {"c", cloud_values(3, {.n = 7})}}, 8);
    const TemporaryFile clouds(".safetensors", bytes);
    const Outcome outcome = run({"pairs", clouds.path(), "--all", "--permutations", "300"});
    EXPECT_EQ(outcome.code, 0);
    const bool told = engine::cuda::gpu_is_visible() && !named("cuda").available;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), told ? 1 : 0) << outcome.err;
}

TEST_F(DeviceOption, TellsNothingWhenAskedForOrToAProgramOrBesideAnError) {
    for (const Arguments& arguments : {Arguments{"--device", "cpu"},
                                       {"--device", "reference"},
                                       {"--instruction-set", "generic"},
                                       {"--format", "json"},
                                       {"--format", "tsv"}})
        EXPECT_EQ(run_test(arguments).err, "");
    expect_one_line(run_test({"--confidence", "1"}), 2, "confidence");
}

// For the programs that are started while it lives.
class Variable {
  public:
    Variable(const char* name, const std::string& value) : name_(name) { setenv(name, value.c_str(), 1); }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;
    ~Variable() { unsetenv(name_); }

  private:
    const char* name_;
};

TEST_F(DeviceOption, CudaSaysWhetherTheDriverTheGpuOrANewerDriverIsMissing) {
    if (!WORDBREADTH_HAS_CUDA) return;  // the build lacks more: ThatCannotBeUsedIsOneLineAndExitCodeTwo
    const Variable folder("LD_LIBRARY_PATH", FAKE_DRIVER_FOLDER);
    const std::vector<std::pair<std::string, std::string>> drivers = {
        {"0", "no NVIDIA driver is installed"},
        {"11040", "the NVIDIA driver is too old: it knows CUDA 11.4, this build needs 1"},
        {"99000", "there is no NVIDIA GPU here"}};
    for (const auto& [version, reason] : drivers) {
        const Variable driver("FAKE_DRIVER_VERSION", version);
        expect_one_line(run_test({"--device", "cuda"}), 2, "device 'cuda' cannot be used: " + reason);
    }
}

// A GPU that the driver cannot use is worth a line, that there is none is not.
TEST_F(DeviceOption, TellsOnlyOfAGpuThatIsThere) {
    if (!WORDBREADTH_HAS_CUDA) return;  // promised none
    const bool shown = engine::cuda::system_shows_gpu("/");
    const Variable folder("LD_LIBRARY_PATH", FAKE_DRIVER_FOLDER);
    const std::vector<std::pair<std::string, bool>> drivers = {{"0", shown}, {"11040", true}, {"99000", shown}};
    for (const auto& [version, told] : drivers) {
        const Variable driver("FAKE_DRIVER_VERSION", version);
        const Outcome outcome = run_test({});
        EXPECT_EQ(outcome.err.starts_with("wordbreadth: note: running on the CPU"), told) << version << outcome.err;
        EXPECT_EQ(run_test({"--quiet"}).err, "");
        EXPECT_EQ(run_test({"--quiet"}).code, 0);
        const Variable hidden("CUDA_VISIBLE_DEVICES", "");
        EXPECT_EQ(run_test({}).err, "");
    }
}

// What the system's loader was asked for while the program ran.
std::string libraries_looked_for(const std::function<void()>& call, const std::string& path) {
    {
        const Variable what("LD_DEBUG", "libs"), where("LD_DEBUG_OUTPUT", path);
        call();
    }
    std::string all;
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (!entry.path().string().starts_with(path + ".")) continue;
        all += content_of(entry.path());
        std::filesystem::remove(entry.path());
    }
    return all;
}

// Starting it takes a tenth of a second, more than most tests.
TEST_F(DeviceOption, LeavesTheGpusDriverAloneWhenTheCpuIsAskedFor) {
    const TemporaryFile log(".log", "");
    const auto with = [&](const std::string& device) {
        return libraries_looked_for([&] { EXPECT_EQ(run_test({"--device", device}).code, 0); }, log.path());
    };
    EXPECT_EQ(with("cpu").find("libcuda.so"), std::string::npos);
    EXPECT_EQ(with("reference").find("libcuda.so"), std::string::npos);
    if (WORDBREADTH_HAS_CUDA) {
        EXPECT_NE(with("auto").find("libcuda.so"), std::string::npos) << "this test cannot fail";
    }
}

}  // namespace
}  // namespace wordbreadth::cli
