#include "encoder/cuda/copiers.h"

#include <gtest/gtest.h>

#include <numeric>

namespace wordbreadth::encoder::cuda {
namespace {

TEST(GpuCopiers, CopyEverythingWhateverTheirNumber) {
    for (const unsigned threads : {1U, 2U, 5U, 20U}) {
        Copiers copiers(threads);
        for (const std::size_t size : {0U, 1U, 131'072U, 131'073U, 1'000'003U}) {
            std::vector<float> from(size);
            std::iota(from.begin(), from.end(), 1.0F);
            std::vector<float> to(size + 1);
            copiers.copy(from, to.data());
            EXPECT_EQ(to.back(), 0);
            to.pop_back();
            EXPECT_EQ(to, from);
        }
    }
}

}  // namespace
}  // namespace wordbreadth::encoder::cuda
