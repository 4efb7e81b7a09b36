// Clouds whose rows are on the device.
#include <gtest/gtest.h>

#include "cuda/runtime.h"
#include "engine/cuda_testing.h"
#include "support/errors.h"
#include "support/gpu.h"
#include "wordbreadth/session.h"

namespace wordbreadth {
namespace {

Execution on(const std::string& device) {
    Execution execution;
    execution.device = device;
    return execution;
}

TEST(CudaSession, TakesRowsOnTheDeviceAndNeedsThemNoLonger) {
    WORDBREADTH_NEEDS_GPU();
    const std::vector<Cloud> clouds = random_clouds(2, 40, 24);
    Session session(on("cuda"));
    std::vector<CloudHandle> handles;
    std::vector<Cloud> expected;
    for (const Cloud& cloud : clouds) {
        const std::vector<float> values(cloud.unit_rows().begin(), cloud.unit_rows().end());
        expected.emplace_back(cloud.name(), std::vector<double>(values.begin(), values.end()), cloud.dimension());
        const cuda::Stream stream;
        cuda::Buffer<float> there(values.size());
        there.upload(values, stream);
        stream.wait();
        handles.push_back(session.add(cloud.name(), Rows{there.data(), Element::f32, 40, 24, true}));
    }
    TestOptions options;
    options.permutations = 5000;
    const TestResult found = session.test(handles[0], handles[1], options);
    options.execution = on("cpu");
    const TestResult single = test(expected[0], expected[1], options);
    EXPECT_EQ(found.exceedances, single.exceedances);
    EXPECT_EQ(found.T, single.T);
}

TEST(CudaSession, RefusesRowsThatAreNotOnTheDevice) {
    WORDBREADTH_NEEDS_GPU();
    const std::vector<float> host(80, 1.0F);
    Session session(on("cuda"));
    EXPECT_EQ(error_of([&] {
                  (void)session.add("bank", Rows{host.data(), Element::f32, 10, 8, true});
              }),
              "bank: its rows are not in the memory of the GPU");
}

TEST(CudaSession, KeepsItsCloudsThroughManyCallsAndRemovals) {
    WORDBREADTH_NEEDS_GPU();
    const std::vector<Cloud> clouds = random_clouds(20, 100, 300);
    Session session(on("cuda"));
    std::vector<CloudHandle> handles;
    for (const Cloud& cloud : clouds) handles.push_back(session.add(Cloud(cloud)));
    TestOptions options;
    options.permutations = 2000;
    TestOptions by_cpu = options;
    by_cpu.execution = on("cpu");
    for (std::size_t k = 0; k + 1 < clouds.size(); ++k) {
        const TestResult expected = test(clouds[k], clouds[k + 1], by_cpu);
        EXPECT_EQ(session.test(handles[k], handles[k + 1], options).exceedances, expected.exceedances);
        session.remove(handles[k]);
    }
    EXPECT_EQ(session.size(), 1U);
}

}  // namespace
}  // namespace wordbreadth
