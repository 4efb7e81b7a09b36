// The bad files of tests/malformed. Each folder has an expect.tsv: file, fragment of the error that it must raise.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>

namespace wordbreadth {

inline std::filesystem::path malformed_folder(const std::string& name) {
    return std::filesystem::path(TESTS_DIR) / "malformed" / name;
}

struct Raised {
    std::string error;
    std::string where;  // what the message must start with: the file
};

// Reads each file by `read`, whose error must be one line that names the file and holds the fragment. Files without an
// expectation, and fewer files than `fewest`, are failures too.
inline void expect_errors(const std::filesystem::path& folder, std::size_t fewest,
                          const std::function<Raised(const std::filesystem::path&)>& read) {
    std::map<std::string, std::string> expected;
    std::ifstream stream(folder / "expect.tsv");
    for (std::string line; std::getline(stream, line);) {
        const auto tab = line.find('\t');
        if (tab == std::string::npos || tab + 1 == line.size()) ADD_FAILURE() << "no fragment in: " << line;
        expected[line.substr(0, tab)] = line.substr(tab + 1);
    }
    EXPECT_GE(expected.size(), fewest);
    for (const auto& [name, fragment] : expected) {
        ASSERT_TRUE(std::filesystem::exists(folder / name)) << name;
        const auto [error, where] = read(folder / name);
        EXPECT_NE(error.find(fragment), std::string::npos)
            << name << "\n  raised:   " << error << "\n  expected: " << fragment;
        EXPECT_TRUE(error.starts_with(where)) << name << " raised " << error;
        EXPECT_EQ(error.find('\n'), std::string::npos) << name;
    }
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        EXPECT_TRUE(name == "expect.tsv" || expected.contains(name)) << name << " is not in expect.tsv";
    }
}

}  // namespace wordbreadth
