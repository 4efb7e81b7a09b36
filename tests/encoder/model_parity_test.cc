// The same vectors as transformers, on small random models of each architecture in each form of file
// (tests/tools/make_model_goldens.py makes them).
#include "encoder/model_testing.h"

namespace wordbreadth::encoder {
namespace {

class ModelParity : public testing::TestWithParam<const char*> {
  protected:
    const std::string folder_ = model_folder(GetParam());
    const Golden golden_ = golden_of(folder_);
    const std::size_t top_ = golden_.layers.size() - 1;
};

// With every instruction set that there is here.
TEST_P(ModelParity, EveryLayerIsTransformersLayer) {
    for (const std::string& instructions : describe_cpu().instruction_sets) {
        for (std::size_t k = 0; k <= top_; ++k)
            EXPECT_LE(largest_difference(
                          encoded(folder_, {.layers = {{k, k}}, .instruction_set = instructions}, golden_.tokens),
                          golden_.layers[k]),
                      1e-5)
                << "layer " << k << ", " << instructions;
    }
}

TEST_P(ModelParity, ARangeOfLayersGivesTheirMean) {
    for (const LayerRange layers :
         {LayerRange{0, 1}, LayerRange{1, 3}, LayerRange{0, top_}, LayerRange{top_ - 1, top_}}) {
        std::vector<double> mean(golden_.layers[0].size());
        const auto count = static_cast<double>(layers.last - layers.first + 1);
        for (std::size_t k = layers.first; k <= layers.last; ++k) {
            for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += golden_.layers[k][i] / count;
        }
        EXPECT_LE(largest_difference(encoded(folder_, {.layers = {layers}}, golden_.tokens), mean), 1e-5);
    }
}

// Whatever else is asked for, and however many tokens are kept: of all, of one of each sentence.
TEST_P(ModelParity, ALayerAmongSeveralIsTheSameToTheLastBit) {
    const std::vector<LayerRange> layers = {{top_, top_}, {0, 0}, {1, 1}, {0, 1}, {1, top_}, {top_ - 1, top_ - 1}};
    for (const Precision precision : {Precision::f32, Precision::bf16}) {
        const auto several = open_cpu_encoder(folder_, {.layers = layers, .precision = precision});
        const std::size_t hidden = several->config().hidden;
        ASSERT_EQ(several->width(), layers.size() * hidden);
        for (const Tokens& tokens : {golden_.tokens, golden_.tokens.with_kept(1, 2)}) {
            const auto all = encoded(*several, tokens);
            for (std::size_t i = 0; i < layers.size(); ++i) {
                const auto alone = encoded(folder_, {.layers = {layers[i]}, .precision = precision}, tokens);
                for (std::size_t k = 0; k < tokens.kept.size(); ++k) {
                    const auto found = std::span(all).subspan((k * layers.size() + i) * hidden, hidden);
                    EXPECT_TRUE(std::ranges::equal(found, std::span(alone).subspan(k * hidden, hidden)))
                        << "layers " << text_of(layers[i]) << ", token " << tokens.kept[k];
                }
            }
        }
    }
}

TEST_P(ModelParity, KeptRowsAreThoseOfTheWhole) {
    Tokens some = golden_.tokens;
    some.kept = {0, 2, 5, 6, 7, 8, 20, 21, 22, 45, 59, 60};
    for (const LayerRange layers : {LayerRange{0, 0}, LayerRange{1, 1}, LayerRange{1, 3}, LayerRange{top_, top_}}) {
        const auto encoder = open_cpu_encoder(folder_, {.layers = {layers}});
        const auto all = encoded(*encoder, golden_.tokens);
        const auto expected = rows_of_tokens(all, some.kept, encoder->config().hidden);
        EXPECT_LE(largest_difference(encoded(*encoder, some), {expected.begin(), expected.end()}), 1e-5);
    }
}

// Of each sentence its first token, then its second, ...: where few are kept, keys and values are not made.
TEST_P(ModelParity, ATokenKeptAloneIsTransformersToo) {
    for (std::size_t k = 1; k <= top_; ++k) {
        const auto plain = open_cpu_encoder(folder_, {.layers = {{k, k}}});
        const auto rounded = open_cpu_encoder(folder_, {.layers = {{k, k}}, .precision = Precision::bf16});
        const std::size_t hidden = plain->config().hidden;
        for (std::size_t place = 0;; ++place) {
            const Tokens some = golden_.tokens.with_kept(place, place + 1);
            if (some.kept.empty()) break;
            const auto expected = rows_of_tokens(golden_.layers[k], some.kept, hidden);
            EXPECT_LE(largest_difference(encoded(*plain, some), expected), 1e-5) << "layer " << k << ", " << place;
            EXPECT_GE(smallest_cosine(encoded(*rounded, some), expected, hidden), 0.999) << "layer " << k;
        }
    }
}

TEST_P(ModelParity, ABatchGivesWhatItsSentencesGiveOneByOne) {
    const auto encoder = open_cpu_encoder(folder_, {.layers = {{top_, top_}}});
    for (const std::size_t kept : {1, 3, 1000}) {
        const Tokens all = golden_.tokens.with_kept(0, kept);
        std::vector<float> one_by_one;
        for (std::size_t s = 0; s < all.ends.size(); ++s) {
            const auto vectors = encoded(*encoder, all.sentence(s).with_kept(0, kept));
            one_by_one.insert(one_by_one.end(), vectors.begin(), vectors.end());
        }
        EXPECT_EQ(one_by_one, encoded(*encoder, all));
    }
}

TEST_P(ModelParity, ThreadsNeverChangeABit) {
    Tokens many;
    for (int i = 0; i < 40; ++i) {
        for (std::size_t s = 0; s < golden_.tokens.ends.size(); ++s) many.add(golden_.tokens.sentence(s).ids, {});
    }
    for (const std::size_t kept : {2, 1000}) {
        const Tokens tokens = many.with_kept(0, kept);
        const auto alone = encoded(folder_, {.layers = {{1, top_}}}, tokens);
        for (const unsigned threads : {2U, 5U})
            EXPECT_EQ(encoded(folder_, {.layers = {{1, top_}}, .threads = threads}, tokens), alone);
    }
}

TEST_P(ModelParity, Bfloat16PointsTheSameWay) {
    for (std::size_t k = 0; k <= top_; ++k) {
        const auto encoder = open_cpu_encoder(folder_, {.layers = {{k, k}}, .precision = Precision::bf16});
        const auto ours = encoded(*encoder, golden_.tokens);
        EXPECT_GE(smallest_cosine(ours, golden_.layers[k], encoder->config().hidden), 0.999) << "layer " << k;
    }
}

INSTANTIATE_TEST_SUITE_P(Models, ModelParity, testing::ValuesIn(golden_models), [](const auto& model) {
    std::string name = model.param;
    std::erase(name, '-');
    return name;
});

TEST(Encoder, KeepingNothingGivesNothing) {
    Tokens tokens = golden_of(model_folder("bert")).tokens;
    tokens.kept.clear();
    EXPECT_TRUE(encoded(model_folder("bert"), {.layers = {{2, 2}}}, tokens).empty());
}

TEST(Encoder, TokenTypesMayBeLeftOut) {
    Tokens tokens = golden_of(model_folder("bert")).tokens;
    tokens.types.assign(tokens.types.size(), 0);
    const auto zeros = encoded(model_folder("bert"), {.layers = {{3, 3}}}, tokens);
    tokens.types.clear();
    EXPECT_EQ(encoded(model_folder("bert"), {.layers = {{3, 3}}}, tokens), zeros);
}

// Two tokens that are ten apart: a layer that reaches five does not carry one to the other.
TEST(Encoder, ALocalLayerSeesOnlyItsSurroundings) {
    Tokens tokens;
    tokens.add(std::vector<std::int32_t>(30, 7), {});
    tokens.kept = {0, 1, 2};
    ModelCopy local("modernbert-bf16");
    local.replace("config.json", "full_attention\",", "sliding_attention\",");
    const auto before = encoded(local.folder(), {.layers = {{1, 1}}}, tokens);
    tokens.ids[8] = 11;
    EXPECT_EQ(encoded(local.folder(), {.layers = {{1, 1}}}, tokens), before);
    tokens.ids[7] = 11;
    EXPECT_NE(encoded(local.folder(), {.layers = {{1, 1}}}, tokens), before);
}

}  // namespace
}  // namespace wordbreadth::encoder
