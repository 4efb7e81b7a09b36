#include "base/output_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "support/temporary.h"
#include "wordbreadth/error.h"

namespace wordbreadth::base {
namespace {

std::string content(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void write(OutputFile& file, const std::string& text) {
    file.write(std::as_bytes(std::span(text)));
}

TEST(OutputFile, ReplacesAFileOnlyOnceComplete) {
    const TemporaryFile target(".txt", "old");
    OutputFile file(target.path());
    write(file, "new");
    EXPECT_EQ(content(target.path()), "old");
    file.keep();
    EXPECT_EQ(content(target.path()), "new");
}

TEST(OutputFile, HoldsWhatIsWrittenWhereRoomWasReserved) {
    const TemporaryFolder folder;
    OutputFile file(folder.path() + "/x");
    file.reserve(10);
    for (const std::size_t offset : {5U, 0U}) {
        const std::string text = offset == 0 ? "first" : "other";
        file.rewrite(offset, std::as_bytes(std::span(text)));
    }
    file.keep();
    EXPECT_EQ(content_of(folder.path() + "/x"), "firstother");
}

TEST(OutputFile, LeavesNothingWhenItIsNotKept) {
    const TemporaryFile target(".txt", "old");
    const std::filesystem::path folder = target.path() + ".folder";
    std::filesystem::create_directory(folder);
    {
        OutputFile file((folder / "file").string());
        write(file, "new");
        EXPECT_FALSE(std::filesystem::is_empty(folder));
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder));
    std::filesystem::remove(folder);
}

TEST(OutputFile, RefusesAPlaceItCannotWriteTo) {
    EXPECT_THROW(OutputFile("/no/such/folder/file"), InputError);
    EXPECT_THROW(OutputFile{std::filesystem::temp_directory_path().string()}, InputError);
}

}  // namespace
}  // namespace wordbreadth::base
