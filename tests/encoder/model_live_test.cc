// The same vectors as transformers on the real model of the demo (tests/tools/make_demo_model_golden.py made what they
// are compared with). Skipped, saying why, where the model is not there.
#include "encoder/model_testing.h"
#include "support/python.h"

namespace wordbreadth::encoder {
namespace {

class ModelLive : public testing::Test {
  protected:
    void SetUp() override {
        folder_ = tokenizer::demo_model();
        if (folder_.empty()) GTEST_SKIP() << "the demo's model is not here: " << tokenizer::how_to_install();
        const std::string path = model_folder("all-minilm-l6-v2.safetensors");
        golden_ = read_golden(path);
        golden_.tokens.kept.clear();
        for (const std::int32_t token : row_of(arrays::open_safetensors(path)->read("kept"), 0))
            golden_.tokens.kept.push_back(static_cast<std::size_t>(token));
    }

    [[nodiscard]] std::vector<float> vectors(std::size_t layer, Precision precision, const Tokens& tokens) const {
        return encoded(folder_, {.layers = {{layer, layer}}, .precision = precision, .threads = 2}, tokens);
    }

    std::string folder_;
    Golden golden_;
    const std::size_t hidden_ = 384;
    const std::size_t layers_ = 6;
};

TEST_F(ModelLive, EveryLayerIsTransformersLayer) {
    ASSERT_EQ(golden_.layers.size(), layers_ + 1);
    for (std::size_t k = 0; k <= layers_; ++k) {
        const double difference = largest_difference(vectors(k, Precision::f32, golden_.tokens), golden_.layers[k]);
        std::printf("layer %zu: f32 at most %.2g apart\n", k, difference);
        EXPECT_LE(difference, 1e-4) << "layer " << k;
    }
}

// Two tokens of a sentence, as above, come another way than all.
TEST_F(ModelLive, EveryLayerIsTransformersLayerWhenAllIsKept) {
    Tokens all = golden_.tokens;
    all.keep_all();
    for (std::size_t k = 0; k <= layers_; ++k) {
        const auto ours = rows_of_tokens(vectors(k, Precision::f32, all), golden_.tokens.kept, hidden_);
        EXPECT_LE(largest_difference(ours, golden_.layers[k]), 1e-4) << "layer " << k;
    }
}

TEST_F(ModelLive, Bfloat16PointsTheSameWay) {
    for (std::size_t k = 0; k <= layers_; ++k) {
        const double cosine = smallest_cosine(vectors(k, Precision::bf16, golden_.tokens), golden_.layers[k], hidden_);
        std::printf("layer %zu: bf16 cosine at least %.6f\n", k, cosine);
        EXPECT_GE(cosine, 0.999) << "layer " << k;
    }
}

// Each sentence in the company of others, in another order, and alone.
TEST_F(ModelLive, NeighboursNeverChangeABit) {
    const Tokens& all = golden_.tokens;
    for (const Precision precision : {Precision::f32, Precision::bf16}) {
        const auto encoder = open_cpu_encoder(folder_, {.layers = {{3, 3}}, .precision = precision, .threads = 2});
        const auto together = encoded(*encoder, all);
        for (std::size_t s = 0; s < all.ends.size(); ++s) {
            const std::size_t begin = all.begin_of(s);
            Tokens alone = all.sentence(s);
            for (const std::size_t token : all.kept) {
                if (token >= begin && token < all.ends[s]) alone.kept.push_back(token - begin);
            }
            const auto rows = encoded(*encoder, alone);
            EXPECT_TRUE(
                std::equal(rows.begin(), rows.end(), together.begin() + static_cast<std::ptrdiff_t>(s * 2 * hidden_)))
                << "sentence " << s;
        }
    }
}

}  // namespace
}  // namespace wordbreadth::encoder
