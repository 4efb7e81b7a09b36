#include "base/output_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "report/npy.h"
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

TEST(NpyWriter, HeaderIsPaddedToSixtyFourBytes) {
    for (const std::size_t length : {std::size_t{0}, std::size_t{7}, std::size_t{100'000'000}}) {
        const std::string header = report::npy_header(length);
        EXPECT_EQ(header.size() % 64, 0U);
        EXPECT_EQ(header.back(), '\n');
        EXPECT_EQ(header.size(),
                  10 + static_cast<unsigned char>(header[8]) + 256U * static_cast<unsigned char>(header[9]));
        EXPECT_NE(header.find("'shape': (" + std::to_string(length) + ",)"), std::string::npos);
    }
}

}  // namespace
}  // namespace wordbreadth::base
