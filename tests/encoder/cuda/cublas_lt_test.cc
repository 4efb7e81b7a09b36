#include "encoder/cuda/product.h"

#include <gtest/gtest.h>

#include "encoder/model_testing.h"

namespace wordbreadth::encoder::cuda {
namespace {

TEST(GpuCublasLt, IsToldToBeMissing) {
    const std::vector<std::string> files{"no-such-library.so"};
    const std::string error = error_of([&] { (void)LtFunctions(files); });
    EXPECT_NE(error.find("no-such-library.so"), std::string::npos) << error;
    EXPECT_NE(error.find("LD_LIBRARY_PATH"), std::string::npos) << error;
}

TEST(GpuCublasLt, AnotherLibraryIsRefused) {
    const std::vector<std::string> files{"libc.so.6"};
    const std::string error = error_of([&] { (void)LtFunctions(files); });
    EXPECT_NE(error.find("cublasLtCreate"), std::string::npos) << error;
}

}  // namespace
}  // namespace wordbreadth::encoder::cuda
