// A plan embedded by several encoders at once. Here they are on one GPU: a model of its own for each all the same.
#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <thread>

#include "encoder/cuda/random_model.h"
#include "extraction/embedding.h"
#include "store/plan.h"
#include "store/shards.h"
#include "support/gpu.h"
#include "support/temporary.h"

namespace wordbreadth::extraction {
namespace {

constexpr std::size_t shards = 40, sentences_of_a_shard = 1500;

// Sentences of 3 to 30 tokens, each with one row of one or two of them.
void write_plan(const std::string& folder) {
    store::PlanWriter plan(folder);
    plan.add_document(0, "document");
    std::mt19937 random(1);
    std::uint64_t row = 0;
    for (std::uint64_t shard = 0; shard < shards; ++shard) {
        std::uint64_t all = 0;
        const std::uint64_t first = shard * sentences_of_a_shard, end = first + sentences_of_a_shard;
        for (std::uint64_t s = first; s < end; ++s) {
            std::vector<std::int32_t> tokens(3 + random() % 28);
            for (std::int32_t& token : tokens) token = static_cast<std::int32_t>(random() % 90);
            plan.add_sentence({s, 0, "bank", tokens});
            plan.add_occurrence({0, row++, s, 0, 4, random() % (tokens.size() - 1), 1 + random() % 2});
            all += tokens.size();
        }
        plan.add_shard({first, end - 1, all, sentences_of_a_shard});
    }
    plan.add_word({"bank", row, row, row});
    plan.keep();
}

class CudaSeveral : public testing::Test {
  protected:
    void SetUp() override { WORDBREADTH_NEEDS_GPU(); }

    [[nodiscard]] std::unique_ptr<encoder::Encoder> open(Precision precision) const {
        return encoder::open_cuda_encoder(
            model_.folder(), {.layers = {{3, 3}}, .precision = precision, .threads = 4, .device = "cuda:0"});
    }

    // The rows of all shards.
    [[nodiscard]] std::vector<float> embedded(Precision precision, std::size_t others) const {
        const TemporaryFolder folder;
        write_plan(folder.path());
        store::Plan plan(folder.path());
        std::vector<std::size_t> all(shards);
        for (std::size_t i = 0; i < shards; ++i) all[i] = i;
        const auto first = open(precision);
        std::atomic<std::size_t> opened = 0;
        const std::vector<OpenEncoder> open_others(others, [&](const std::stop_token&) {
            auto one = open(precision);
            ++opened;
            return one;
        });
        // The first goes on alone until the others are there: it waits for them after its first batch.
        const auto wait = [&](std::size_t) {
            const auto late = std::chrono::steady_clock::now() + std::chrono::seconds(30);
            while (is_opening_ && opened < others && std::chrono::steady_clock::now() < late)
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            is_opening_ = true;
        };
        is_opening_ = false;
        store::CloudsWriter clouds(plan, first->config().hidden);
        embed(plan, all, *first, &clouds, {wait, {}, false, nullptr, open_others, 0});
        EXPECT_EQ(opened, others);
        std::vector<float> rows;
        for (const std::size_t shard : all) {
            const store::ShardFile file(plan, shard);
            rows.insert(rows.end(), file.rows().begin(), file.rows().end());
        }
        return rows;
    }

    const encoder::RandomModel model_{{{"model_type", "bert"},
                                       {"vocab_size", 100},
                                       {"hidden_size", 128},
                                       {"num_hidden_layers", 4},
                                       {"intermediate_size", 512},
                                       {"num_attention_heads", 4},
                                       {"hidden_act", "gelu"},
                                       {"max_position_embeddings", 64}}};
    mutable bool is_opening_ = false;
};

TEST_F(CudaSeveral, EncodersWriteTheBytesOfOne) {
    for (const Precision precision : {Precision::f16, Precision::f32}) {
        const std::vector<float> alone = embedded(precision, 0);
        ASSERT_EQ(alone.size(), shards * sentences_of_a_shard * 128);
        for (int again = 0; again < 3; ++again) EXPECT_TRUE(embedded(precision, 2) == alone) << again;
    }
}

}  // namespace
}  // namespace wordbreadth::extraction
