#include "extraction/plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>

namespace wordbreadth::extraction {
namespace {

std::vector<Sampled> sample_of(Sampler& sampler, const std::string& word) {
    sampler.finish();
    std::vector<Sampled> sample = sampler.words().at(word).sample;
    std::sort(sample.begin(), sample.end());
    return sample;
}

TEST(Sampler, CountsAllAndSamplesOnlyWhatIsUsable) {
    Sampler sampler({0, 100, 0});
    for (std::uint64_t i = 0; i < 10; ++i) sampler.add("bank", i % 2 == 0 ? Use::usable : Use::unknown, 0, i, 0);
    EXPECT_EQ(sample_of(sampler, "bank").size(), 5U);
    EXPECT_EQ(sampler.words().at("bank").frequency, 10U);
    EXPECT_EQ(sampler.words().at("bank").usable, 5U);
}

TEST(Sampler, CountsCopiesInTheFrequencyAndApart) {
    Sampler sampler({0, 100, 0});
    for (const Use use : {Use::usable, Use::exact_copy, Use::exact_copy, Use::near_copy, Use::unknown})
        sampler.add("bank", use, 0, 0, 0);
    EXPECT_EQ(sample_of(sampler, "bank").size(), 1U);
    EXPECT_EQ(sampler.words().at("bank").frequency, 5U);
    EXPECT_EQ(sampler.words().at("bank").exact_copies, 2U);
    EXPECT_EQ(sampler.words().at("bank").near_copies, 1U);
}

TEST(Sampler, DoesNotDependOnTheOrder) {
    std::vector<std::uint64_t> order(1000);
    std::iota(order.begin(), order.end(), 0);
    Sampler forward({7, 20, 0}), shuffled({7, 20, 0});
    for (const std::uint64_t i : order) forward.add("bank", Use::usable, 0, i, 3);
    std::ranges::shuffle(order, std::mt19937(1));
    for (const std::uint64_t i : order) shuffled.add("bank", Use::usable, 0, i, 3);
    EXPECT_EQ(sample_of(forward, "bank"), sample_of(shuffled, "bank"));
}

TEST(Sampler, ALargerSampleHoldsTheSmaller) {
    Sampler small({7, 20, 0}), large({7, 50, 0});
    for (std::uint64_t i = 0; i < 1000; ++i) {
        small.add("bank", Use::usable, 0, i, 3);
        large.add("bank", Use::usable, 0, i, 3);
    }
    const std::vector<Sampled> all = sample_of(large, "bank"), some = sample_of(small, "bank");
    EXPECT_TRUE(std::includes(all.begin(), all.end(), some.begin(), some.end()));
}

TEST(Sampler, ZeroKeepsAll) {
    Sampler sampler({0, 0, 0});
    for (std::uint64_t i = 0; i < 500; ++i) sampler.add("bank", Use::usable, 0, i, 0);
    EXPECT_EQ(sample_of(sampler, "bank").size(), 500U);
}

TEST(Sampler, HoldsToTheLimitPerDocument) {
    Sampler sampler({3, 10, 2});
    for (std::uint64_t i = 0; i < 60; ++i) sampler.add("bank", Use::usable, i / 20, i, 0);
    const std::vector<Sampled> sample = sample_of(sampler, "bank");
    EXPECT_EQ(sample.size(), 6U);  // 2 of each of 3 documents
    EXPECT_EQ(sampler.words().at("bank").usable, 6U);
    std::multiset<std::uint64_t> documents;
    for (const Sampled& sampled : sample) documents.insert(sampled.sentence / 20);
    for (const std::uint64_t document : {0, 1, 2}) EXPECT_EQ(documents.count(document), 2U);
}

TEST(Sampler, KnowsOnlyTheWordsItIsRestrictedTo) {
    Sampler sampler({0, 10, 0});
    sampler.restrict_to({"river"});
    sampler.add("bank", Use::usable, 0, 0, 0);
    sampler.add("river", Use::usable, 0, 0, 5);
    EXPECT_EQ(sampler.words().size(), 1U);
    EXPECT_EQ(sampler.words().at("river").frequency, 1U);
}

TEST(Sampler, CountsMoreWordsThanItRemembersAsRecent) {
    Sampler sampler({0, 10, 0});
    for (std::uint64_t i = 0; i < 60'000; ++i) sampler.add(std::to_string(i * i % 20'000), Use::usable, 0, i, 0);
    std::map<std::string, std::uint64_t> expected;
    for (std::uint64_t i = 0; i < 60'000; ++i) ++expected[std::to_string(i * i % 20'000)];
    sampler.finish();
    ASSERT_EQ(sampler.words().size(), expected.size());
    for (const auto& [type, count] : expected) EXPECT_EQ(sampler.words().at(type).frequency, count) << type;
}

TEST(Sampler, ForgetsWordsThatAreTooFewOnceTheyAreCounted) {
    const auto add = [](Sampler& sampler) {
        for (std::uint64_t i = 0; i < 3; ++i) sampler.add("bank", Use::usable, 0, i, 0);
        for (const Use use : {Use::usable, Use::exact_copy, Use::near_copy}) sampler.add("river", use, 0, 0, 5);
        for (const Use use : {Use::usable, Use::usable, Use::unknown}) sampler.add("rare", use, 0, 0, 9);
        sampler.finish();
    };
    Sampler all({0, 10, 0, SampleBy::rows, 3}), listed({0, 10, 0, SampleBy::rows, 3});
    listed.restrict_to({"rare", "bank", "absent"});
    add(all);
    add(listed);
    EXPECT_EQ(all.words().size(), 2U);
    EXPECT_FALSE(all.words().contains("rare"));
    EXPECT_EQ(all.types(), 3U);
    EXPECT_EQ(all.most_usable(), 3U);
    EXPECT_EQ(listed.words().size(), 3U);  // all that were asked for: why they are missing is to be said
    EXPECT_EQ(listed.types(), 2U);
}

// As a part of a corpus does, which does not know how many sentences come before it.
TEST(Sampler, SamplesAFileAlikeWhateverItsSentencesAreNumbered) {
    Sampler whole({7, 20, 0}), part({7, 20, 0});
    for (std::uint64_t i = 0; i < 500; ++i) {
        whole.add("bank", Use::usable, 9, 1234 + i, 3, {4, 1234, 9});
        part.add("bank", Use::usable, 2, 56 + i, 3, {4, 56, 2});
    }
    const std::vector<Sampled> all = sample_of(whole, "bank"), some = sample_of(part, "bank");
    ASSERT_EQ(all.size(), some.size());
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i].sentence - 1234, some[i].sentence - 56);
}

// Each of 200 occurrences is among 20 of them with probability 0.1; over 2,000 seeds, 200 times. Four standard errors.
TEST(Sampler, TakesEveryOccurrenceEquallyOften) {
    std::vector<int> taken(200);
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        Sampler sampler({seed, 20, 0});
        for (std::uint64_t i = 0; i < taken.size(); ++i)
            sampler.add("bank", Use::usable, 0, i / 3, static_cast<std::uint32_t>(i % 3));
        for (const Sampled& sampled : sample_of(sampler, "bank")) ++taken[sampled.sentence * 3 + sampled.begin];
    }
    double chi_square = 0;
    for (const int count : taken) chi_square += (count - 200.0) * (count - 200.0) / (200.0 * 0.9);
    EXPECT_NEAR(chi_square, 199, 4 * std::sqrt(2 * 199.0));
}

TEST(Priority, IsAPureFunctionWithKnownValues) {
    EXPECT_EQ(priority_of(0, 0, 0, 0), priority_of(0, 0, 0, 0));
    EXPECT_NE(priority_of(0, 0, 1, 0), priority_of(0, 0, 0, 1));
    EXPECT_NE(priority_of(0, 1, 0, 0), priority_of(0, 0, 1, 0));
    EXPECT_NE(priority_of(0, 0, 0, 0), priority_of(1, 0, 0, 0));
    EXPECT_EQ(priority_of(7, 0, 1000, 3), 0xa451e68add765fd1U);
    EXPECT_EQ(priority_of(7, 5, 1000, 3), 0xae922256627c620cU);
}

}  // namespace
}  // namespace wordbreadth::extraction
