// How soon a long batch on the GPU ends once a stop is requested.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <stop_token>
#include <thread>

#include "encoder/cuda/random_model.h"
#include "encoder/encoder.h"
#include "support/gpu.h"

namespace wordbreadth::encoder {
namespace {

using Clock = std::chrono::steady_clock;

// Some seconds of work in float32: 2^20 tokens, of which few are kept.
struct LongBatch {
    static constexpr std::size_t sentence = 64, sentences = 16'384;
    std::vector<std::int32_t> ids = std::vector<std::int32_t>(sentence * sentences, 7);
    std::vector<std::size_t> ends, kept;

    LongBatch() {
        for (std::size_t i = 1; i <= sentences; ++i) {
            ends.push_back(i * sentence);
            kept.push_back(i * sentence - 1);
        }
    }
};

TEST(CudaEncoderStopping, EndsSoonAfterItIsAskedToAndWorksOn) {
    WORDBREADTH_NEEDS_GPU();
    const RandomModel model({{"model_type", "bert"},
                             {"vocab_size", 100},
                             {"hidden_size", 1024},
                             {"num_hidden_layers", 6},
                             {"intermediate_size", 4096},
                             {"num_attention_heads", 16},
                             {"hidden_act", "gelu"},
                             {"max_position_embeddings", 128}});
    const auto encoder = open_cuda_encoder(model.folder(), {.layers = {{6, 6}}, .threads = 4});
    const LongBatch batch;
    std::vector<float> vectors(batch.kept.size() * 1024);
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 3; ++i) {
        std::stop_source source;
        Clock::time_point asked;
        const std::jthread stopper([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(300));
            asked = Clock::now();
            source.request_stop();
        });
        const Encoder::Watch watch(*encoder, source.get_token());
        EXPECT_THROW(encoder->encode({batch.ids, {}, batch.ends, batch.kept}, vectors), Cancelled);
        ASSERT_TRUE(source.stop_requested());
        best = std::min(best, std::chrono::duration<double>(Clock::now() - asked).count());
    }
    std::printf("encoder: %.3f s\n", best);
    EXPECT_LT(best, 0.2);
    const std::vector<std::int32_t> few{1, 2, 3};
    const std::vector<std::size_t> ends{3}, kept{0, 2};
    std::vector<float> of_few(2 * 1024), again(of_few.size());
    encoder->encode({few, {}, ends, kept}, of_few);
    open_cuda_encoder(model.folder(), {.layers = {{6, 6}}})->encode({few, {}, ends, kept}, again);
    EXPECT_EQ(of_few, again);
}

}  // namespace
}  // namespace wordbreadth::encoder
