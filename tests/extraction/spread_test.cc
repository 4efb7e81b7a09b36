// Samples that are spread over documents, and what they are good for.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "extraction/plan.h"
#include "store/layout.h"
#include "support/errors.h"
#include "support/snapshot.h"
#include "wordbreadth/breadth.h"
#include "wordbreadth/store.h"

namespace wordbreadth::extraction {
namespace {

// Documents of these numbers of occurrences, one after the other; the number of an occurrence is that of its sentence.
struct Documents {
    std::vector<std::size_t> sizes;

    [[nodiscard]] std::vector<std::uint64_t> of_occurrences() const {
        std::vector<std::uint64_t> documents;
        for (std::size_t document = 0; document < sizes.size(); ++document)
            documents.insert(documents.end(), sizes[document], document);
        return documents;
    }

    // The occurrences of a sample, ascending.
    [[nodiscard]] std::vector<std::uint64_t> sample(const SamplerOptions& options, bool backwards = false) const {
        const std::vector<std::uint64_t> documents = of_occurrences();
        Sampler sampler(options);
        for (std::size_t i = 0; i < documents.size(); ++i) {
            const std::size_t at = backwards ? documents.size() - 1 - i : i;
            sampler.add("bank", Use::usable, documents[at], at, 0);
        }
        sampler.finish();
        std::vector<std::uint64_t> taken;
        for (const Sampled& sampled : sampler.words().at("bank").sample) taken.push_back(sampled.sentence);
        std::ranges::sort(taken);
        EXPECT_EQ(sampler.words().at("bank").usable, options.per_document == 0 ? documents.size() : taken.size());
        return taken;
    }

    // How many of each document.
    [[nodiscard]] std::vector<std::size_t> taken(const SamplerOptions& options) const {
        const std::vector<std::uint64_t> documents = of_occurrences();
        std::vector<std::size_t> counts(sizes.size());
        for (const std::uint64_t occurrence : sample(options)) ++counts[documents[occurrence]];
        return counts;
    }
};

SamplerOptions spread(std::size_t per_word, std::uint64_t seed = 0, std::size_t per_document = 0) {
    return {seed, per_word, per_document, SampleBy::documents};
}

TEST(SampleOverDocuments, TakesOneOfEachBeforeASecondOfAny) {
    const Documents documents{{50, 1, 3, 10, 2}};
    using Counts = std::vector<std::size_t>;
    EXPECT_EQ(documents.taken(spread(5)), (Counts{1, 1, 1, 1, 1}));
    EXPECT_EQ(documents.taken(spread(9)), (Counts{2, 1, 2, 2, 2}));
    EXPECT_EQ(documents.taken(spread(12)), (Counts{3, 1, 3, 3, 2}));
    EXPECT_EQ(documents.taken(spread(30)), (Counts{14, 1, 3, 10, 2}));
    EXPECT_EQ(documents.taken(spread(100)), (Counts{50, 1, 3, 10, 2}));
    EXPECT_EQ(documents.taken(spread(0)), (Counts{50, 1, 3, 10, 2}));
    Counts of_three = documents.taken(spread(3));
    EXPECT_EQ(std::ranges::count(of_three, 1U), 3);
}

TEST(SampleOverDocuments, HoldsToTheLimitPerDocumentToo) {
    const Documents documents{{50, 1, 3, 10, 2}};
    EXPECT_EQ(documents.sample(spread(100, 0, 2)).size(), 9U);
    Sampler sampler(spread(4, 0, 2));
    for (std::uint64_t i = 0; i < 60; ++i) sampler.add("bank", Use::usable, i / 20, i, 0);
    sampler.finish();
    EXPECT_EQ(sampler.words().at("bank").usable, 6U);
    EXPECT_EQ(sampler.words().at("bank").sample.size(), 4U);
}

TEST(SampleOverDocuments, DependsOnTheSeedAndNotOnTheOrderAndALargerOneHoldsTheSmaller) {
    const Documents documents{{30, 1, 3, 10, 2, 7, 7, 1, 1, 40}};
    const auto small = documents.sample(spread(12)), large = documents.sample(spread(31));
    EXPECT_EQ(small, documents.sample(spread(12), true));
    EXPECT_NE(small, documents.sample(spread(12, 1)));
    EXPECT_TRUE(std::ranges::includes(large, small));
}

// Each of 8 documents is among 4 of them with probability 1/2, and each of its occurrences as often as another.
TEST(SampleOverDocuments, TakesEveryDocumentEquallyOften) {
    const Documents documents{{40, 1, 1, 5, 2, 2, 10, 3}};
    const std::vector<std::uint64_t> of_occurrences = documents.of_occurrences();
    std::map<std::uint64_t, int> of_documents, of_first;
    constexpr int seeds = 2000;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        for (const std::uint64_t occurrence : documents.sample(spread(4, seed))) {
            ++of_documents[of_occurrences[occurrence]];
            if (occurrence < 40) ++of_first[occurrence];
        }
    }
    double chi_square = 0;
    for (const auto& [document, count] : of_documents) chi_square += std::pow(count - seeds / 2.0, 2) / (seeds / 4.0);
    EXPECT_LT(chi_square, 7 + 5 * std::sqrt(14.0));
    chi_square = 0;
    for (std::uint64_t i = 0; i < 40; ++i) chi_square += std::pow(of_first[i] - seeds / 80.0, 2) / (seeds / 80.0);
    EXPECT_LT(chi_square, 40 + 5 * std::sqrt(80.0));
}

// Occurrences about one direction; those of a document share a part of what is their own.
class Corpus {
  public:
    Corpus(const Documents& documents, unsigned seed) : documents_(documents.of_occurrences()), random_(seed) {
        std::vector<double> shared;
        for (std::size_t i = 0; i < documents_.size(); ++i) {
            if (i == 0 || documents_[i] != documents_[i - 1]) shared = noise(0.8);
            const std::vector<double> own = noise(0.6);
            for (std::size_t j = 0; j < dimension; ++j) values_.push_back((j == 0 ? 6 : 0) + shared[j] + own[j]);
        }
    }

    [[nodiscard]] Breadth breadth_of(const std::vector<std::uint64_t>& sample) const {
        std::vector<double> values;
        std::vector<std::uint64_t> blocks;
        for (const std::uint64_t i : sample) {
            const auto row = values_.begin() + static_cast<std::ptrdiff_t>(i * dimension);
            values.insert(values.end(), row, row + dimension);
            blocks.push_back(documents_[i]);
        }
        Cloud cloud("bank", std::move(values), dimension);
        cloud.set_blocks(blocks);
        return breadth(cloud);
    }

  private:
    static constexpr std::ptrdiff_t dimension = 32;

    std::vector<double> noise(double length) {
        std::vector<double> values(dimension);
        for (double& value : values) value = length * normal_(random_);
        return values;
    }

    std::vector<std::uint64_t> documents_;
    std::mt19937 random_;
    std::normal_distribution<double> normal_;
    std::vector<double> values_;
};

// 600 occurrences in 54 documents, the longest with a tenth of all; 60 are taken.
TEST(SampleOverDocuments, HasASmallerStandardErrorThanAsManyRowsAtRandom) {
    Documents documents;
    documents.sizes.assign(40, 4);
    documents.sizes.insert(documents.sizes.end(), 10, 20);
    documents.sizes.insert(documents.sizes.end(), 4, 60);
    struct Mean {
        double standard_error = 0, design_effect = 0, blocks = 0, log_v = 0, square = 0;
    } rows, spread_out;
    constexpr int trials = 60;
    for (int trial = 0; trial < trials; ++trial) {
        const Corpus corpus(documents, static_cast<unsigned>(trial));
        for (const SampleBy by : {SampleBy::rows, SampleBy::documents}) {
            const Breadth found = corpus.breadth_of(documents.sample({static_cast<std::uint64_t>(trial), 60, 0, by}));
            Mean& mean = by == SampleBy::rows ? rows : spread_out;
            mean.standard_error += found.log_v_standard_error / trials;
            mean.design_effect += found.design_effect / trials;
            mean.blocks += static_cast<double>(found.blocks) / trials;
            mean.log_v += std::log(found.breadth) / trials;
            mean.square += std::pow(std::log(found.breadth), 2) / trials;
        }
    }
    const auto spread_of = [](const Mean& mean) { return std::sqrt(mean.square - mean.log_v * mean.log_v); };
    RecordProperty("rows", std::to_string(rows.standard_error) + " " + std::to_string(rows.design_effect));
    RecordProperty("documents",
                   std::to_string(spread_out.standard_error) + " " + std::to_string(spread_out.design_effect));
    EXPECT_NEAR(spread_out.blocks, 54, 1e-9);
    EXPECT_LT(rows.blocks, 40);
    EXPECT_LT(spread_out.standard_error, 0.75 * rows.standard_error);
    EXPECT_LT(spread_out.design_effect, 0.6 * rows.design_effect);
    EXPECT_LT(spread_of(spread_out), spread_of(rows));
    EXPECT_NEAR(spread_out.log_v, rows.log_v, 0.03);  // the documents are alike here, so the breadth is the same
}

TEST(SampleOverDocuments, IsPartOfThePlan) {
    const Workshop workshop;
    std::filesystem::create_directory(workshop.path("corpus"));
    for (int i = 0; i < 8; ++i)
        write_file(workshop.path("corpus/" + std::to_string(i) + ".txt"),
                   random_lines(i == 0 ? 300 : 10, static_cast<unsigned>(i)));
    ExtractOptions options = workshop.options();
    options.corpus = {workshop.path("corpus")};
    options.sample = SampleBy::documents;
    options.per_word = 8;
    extract(options);
    const Store store(options.out);
    EXPECT_EQ(store.setting("sample"), "documents");
    for (std::size_t word = 0; word < store.words().size(); ++word) {
        std::vector<std::uint64_t> documents = store.documents(word);
        std::ranges::sort(documents);
        documents.erase(std::unique(documents.begin(), documents.end()), documents.end());
        EXPECT_EQ(documents.size(), 8U) << store.words()[word].word;
    }
    ExtractOptions other = options;
    other.out = workshop.path("threads");
    other.threads = 3;
    extract(other);
    EXPECT_EQ(files_in(options.out), files_in(other.out));
    other = options;
    other.resume = true;
    other.sample = SampleBy::rows;
    EXPECT_TRUE(
        contains(error_of([&] { extract(other); }), "was planned with sample \"documents\"; this call says \"rows\""));
    extract(workshop.options("rows"));
    EXPECT_FALSE(contains(content_of(store::plan_path(workshop.path("rows"))), "sample"));
}

}  // namespace
}  // namespace wordbreadth::extraction
