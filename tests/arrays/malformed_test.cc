#include "malformed/malformed.h"

#include <gtest/gtest.h>

#include "support/array_testing.h"

namespace wordbreadth::arrays {
namespace {

class Malformed : public testing::TestWithParam<const char*> {};

TEST_P(Malformed, FilesRaiseWhatIsExpected) {
    expect_errors(malformed_folder(GetParam()), 31, [](const std::filesystem::path& path) -> Raised {
        return {error_of([&] { read_everything(path.string()); }), path.string()};
    });
}

INSTANTIATE_TEST_SUITE_P(Store, Malformed, testing::Values("npy", "npz", "safetensors"));

}  // namespace
}  // namespace wordbreadth::arrays
