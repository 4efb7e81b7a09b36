// A file that cannot be opened is told apart from one whose contents are wrong.
#include <gtest/gtest.h>

#include <cerrno>

#include "wordbreadth/error.h"
#include "wordbreadth/files.h"

namespace wordbreadth {
namespace {

TEST(FileError, SaysWhy) {
    try {
        (void)load_clouds("/no/such/clouds.npz");
        FAIL();
    } catch (const FileError& error) {
        EXPECT_EQ(error.error(), ENOENT);
        EXPECT_STREQ(error.what(), "/no/such/clouds.npz: no such file");
    }
}

}  // namespace
}  // namespace wordbreadth
