// The bad files of tests/malformed: each must raise the error that its expect.tsv tells, and each must be told there.
#include <gtest/gtest.h>

#include <map>

#include "arrays/array_testing.h"

namespace wordbreadth::arrays {
namespace {

using Expectations = std::map<std::string, std::string>;  // file name, fragment of the message

std::filesystem::path folder_of(const std::string& reader) {
    return std::filesystem::path(TESTS_DIR) / "malformed" / reader;
}

Expectations expectations_of(const std::string& reader) {
    Expectations expected;
    std::ifstream stream(folder_of(reader) / "expect.tsv");
    for (std::string line; std::getline(stream, line);) {
        const auto tab = line.find('\t');
        if (tab == std::string::npos || tab + 1 == line.size()) ADD_FAILURE() << "no fragment in: " << line;
        expected[line.substr(0, tab)] = line.substr(tab + 1);
    }
    return expected;
}

class Malformed : public testing::TestWithParam<const char*> {};

TEST_P(Malformed, FilesRaiseWhatIsExpected) {
    const auto expectations = expectations_of(GetParam());
    EXPECT_GT(expectations.size(), 30U);
    for (const auto& [name, fragment] : expectations) {
        const std::string path = (folder_of(GetParam()) / name).string();
        ASSERT_TRUE(std::filesystem::exists(path)) << path;
        const std::string error = error_of([&] { read_everything(path); });
        EXPECT_NE(error.find(fragment), std::string::npos)
            << name << "\n  raised:   " << error << "\n  expected: " << fragment;
        EXPECT_TRUE(error.starts_with(path)) << name << " raised " << error;
        EXPECT_EQ(error.find('\n'), std::string::npos) << name;
    }
}

TEST_P(Malformed, FilesAllHaveAnExpectation) {
    const auto expectations = expectations_of(GetParam());
    for (const auto& entry : std::filesystem::directory_iterator(folder_of(GetParam()))) {
        const std::string name = entry.path().filename().string();
        EXPECT_TRUE(name == "expect.tsv" || expectations.contains(name)) << name << " is not in expect.tsv";
    }
}

INSTANTIATE_TEST_SUITE_P(Store, Malformed, testing::Values("npy", "npz", "safetensors"));

}  // namespace
}  // namespace wordbreadth::arrays
