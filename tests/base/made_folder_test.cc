#include "base/output_file.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "support/errors.h"
#include "support/temporary.h"

namespace wordbreadth::base {
namespace {

TEST(MadeFolder, IsGoneAgainUnlessSomethingIsInIt) {
    const TemporaryFolder folder;
    { const MadeFolder made(folder.path() + "/a/b/c/"); }
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
    {
        const MadeFolder made(folder.path() + "/a/b");
        folder.add("a/file", "");
    }
    EXPECT_FALSE(std::filesystem::exists(folder.path() + "/a/b"));
    EXPECT_TRUE(std::filesystem::exists(folder.path() + "/a/file"));
    { const MadeFolder there_before(folder.path() + "/a"); }
    EXPECT_TRUE(std::filesystem::exists(folder.path() + "/a"));
    const std::string error = error_of([&] { const MadeFolder made(folder.path() + "/a/file/b"); });
    EXPECT_TRUE(error.starts_with(folder.path() + "/a/file/b: cannot be made a folder: ")) << error;
}

}  // namespace
}  // namespace wordbreadth::base
