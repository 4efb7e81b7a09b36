// Breadth with the real model of the demo on real text. Skipped, saying why, where either is not there.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "support/python.h"
#include "support/snapshot.h"
#include "wordbreadth/rank.h"
#include "wordbreadth/store.h"

namespace wordbreadth::extraction {
namespace {

// By word.
std::map<std::string, double> breadths(const ExtractOptions& options) {
    extract(options);
    std::map<std::string, double> found;
    for (const RankedWord& word : rank(Store(options.out), {}).words) found[word.word] = word.breadth.v;
    return found;
}

TEST(ExtractLive, BreadthInBfloat16IsWithinOnePercent) {
    const std::string model = encoder::tokenizer::demo_model();
    if (model.empty()) GTEST_SKIP() << "the demo's model is not here: " << encoder::tokenizer::how_to_install();
    const TemporaryFolder folder;
    ExtractOptions options;
    options.model = model;
    options.corpus = {folder.path() + "/genesis.txt"};
    options.corpus_format = "lines";
    options.min_count = 40;
    options.per_word = 40;
    const std::string command = "bible -f gen1:1-gen30:43 2>/dev/null | cut -d ' ' -f 2- >'" + options.corpus[0] + "'";
    if (std::system(command.c_str()) != 0 || std::filesystem::file_size(options.corpus[0]) == 0)
        GTEST_SKIP() << "the Debian package bible-kjv is not installed";

    options.out = folder.path() + "/f32";
    options.precision = Precision::f32;
    const auto exact = breadths(options);
    options.out = folder.path() + "/bf16";
    options.precision = Precision::bf16;
    const auto rounded = breadths(options);
    ASSERT_GE(exact.size(), 50U);
    ASSERT_EQ(rounded.size(), exact.size());
    double largest = 0;
    for (const auto& [word, v] : exact) largest = std::max(largest, std::abs(rounded.at(word) / v - 1));
    std::printf("%zu words: v in bf16 at most %.3f%% from f32\n", exact.size(), 100 * largest);
    EXPECT_LE(largest, 0.01);
}

}  // namespace
}  // namespace wordbreadth::extraction
