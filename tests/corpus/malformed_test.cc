#include "malformed/malformed.h"

#include <gtest/gtest.h>

#include "support/corpus_testing.h"

namespace wordbreadth::corpus {
namespace {

class MalformedCorpus : public testing::TestWithParam<const char*> {};

TEST_P(MalformedCorpus, FilesRaiseWhatIsExpected) {
    const Options options{format_named(GetParam()), Unit::sentence};
    expect_errors(malformed_folder("corpora") / GetParam(), 4, [&](const std::filesystem::path& path) -> Raised {
        return {error_of([&] { (void)read_all({path.string()}, options); }), path.string()};
    });
}

INSTANTIATE_TEST_SUITE_P(Corpus, MalformedCorpus,
                         testing::Values("text", "auto", "jsonl", "bnc", "bccwj", "conllu", "vertical", "dwug",
                                         "brown"));

}  // namespace
}  // namespace wordbreadth::corpus
