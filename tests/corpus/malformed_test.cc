// The bad files of tests/data/corpora/malformed: each must raise the error that its expect.tsv tells, and be told
// there.
#include <gtest/gtest.h>

#include <map>

#include "corpus/corpus_testing.h"

namespace wordbreadth::corpus {
namespace {

using Expectations = std::map<std::string, std::string>;  // file name, fragment of the message

Expectations expectations_of(const std::string& format) {
    Expectations expected;
    std::ifstream stream(fixture("malformed/" + format + "/expect.tsv"));
    for (std::string line; std::getline(stream, line);) {
        const auto tab = line.find('\t');
        if (tab == std::string::npos || tab + 1 == line.size()) ADD_FAILURE() << "no fragment in: " << line;
        expected[line.substr(0, tab)] = line.substr(tab + 1);
    }
    return expected;
}

class MalformedCorpus : public testing::TestWithParam<const char*> {};

TEST_P(MalformedCorpus, FilesRaiseWhatIsExpected) {
    const auto expectations = expectations_of(GetParam());
    EXPECT_GT(expectations.size(), 3U);
    for (const auto& [name, fragment] : expectations) {
        const std::string path = fixture(std::string("malformed/") + GetParam() + "/" + name);
        ASSERT_TRUE(std::filesystem::exists(path)) << path;
        const std::string error = error_of([&] { (void)read_all({path}, {format_named(GetParam()), Unit::sentence}); });
        EXPECT_TRUE(contains(error, fragment)) << name << "\n  raised:   " << error << "\n  expected: " << fragment;
        EXPECT_TRUE(error.starts_with(path)) << name << " raised " << error;
        EXPECT_FALSE(contains(error, "\n")) << name;
    }
}

TEST_P(MalformedCorpus, FilesAllHaveAnExpectation) {
    const auto expectations = expectations_of(GetParam());
    for (const auto& entry : std::filesystem::directory_iterator(fixture(std::string("malformed/") + GetParam()))) {
        const std::string name = entry.path().filename().string();
        EXPECT_TRUE(name == "expect.tsv" || expectations.contains(name)) << name << " is not in expect.tsv";
    }
}

INSTANTIATE_TEST_SUITE_P(Corpus, MalformedCorpus,
                         testing::Values("text", "auto", "jsonl", "bnc", "bccwj", "conllu", "vertical", "dwug",
                                         "brown"));

}  // namespace
}  // namespace wordbreadth::corpus
