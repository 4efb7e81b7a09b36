#include "base/file.h"

#include <gtest/gtest.h>

#include <utility>

#include "support/array_testing.h"
#include "support/temporary.h"

namespace wordbreadth::base {
namespace {

std::string text_of(const MappedFile& file) {
    return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

TEST(MappedFile, HoldsTheFilesBytes) {
    const TemporaryFile file(".bin", "some bytes");
    EXPECT_EQ(text_of(MappedFile(file.path())), "some bytes");
}

TEST(MappedFile, OfAnEmptyFileIsEmpty) {
    const TemporaryFile file(".bin", "");
    EXPECT_TRUE(MappedFile(file.path()).bytes().empty());
}

TEST(MappedFile, IsReadAgainAfterItWasForgotten) {
    const TemporaryFile file(".bin", "some bytes"), empty(".bin", "");
    const MappedFile mapped(file.path());
    EXPECT_EQ(text_of(mapped), "some bytes");
    mapped.forget();
    EXPECT_EQ(text_of(mapped), "some bytes");
    MappedFile(empty.path()).forget();
}

TEST(MappedFile, CanBeMoved) {
    const TemporaryFile one(".bin", "one"), two(".bin", "two");
    MappedFile first(one.path()), second(std::move(first));
    EXPECT_EQ(text_of(second), "one");
    second = MappedFile(two.path());
    EXPECT_EQ(text_of(second), "two");
}

TEST(MappedFile, RefusesWhatIsNoRegularFile) {
    for (const std::string path : {"/no/such/file", "/", "/dev/zero"})
        EXPECT_NE(error_of([&] { MappedFile{path}; }), "no error") << path;
}

}  // namespace
}  // namespace wordbreadth::base
