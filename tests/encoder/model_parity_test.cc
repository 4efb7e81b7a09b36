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

TEST_P(ModelParity, EveryLayerIsTransformersLayer) {
    for (std::size_t k = 0; k <= top_; ++k) {
        const auto ours = encoded(folder_, {.layers = {k, k}}, golden_.tokens);
        EXPECT_LE(largest_difference(ours, golden_.layers[k]), 1e-5) << "layer " << k;
    }
}

TEST_P(ModelParity, ARangeOfLayersGivesTheirMean) {
    for (const Layers layers : {Layers{0, 1}, Layers{1, 3}, Layers{0, top_}, Layers{top_ - 1, top_}}) {
        std::vector<double> mean(golden_.layers[0].size());
        const auto count = static_cast<double>(layers.last - layers.first + 1);
        for (std::size_t k = layers.first; k <= layers.last; ++k) {
            for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += golden_.layers[k][i] / count;
        }
        EXPECT_LE(largest_difference(encoded(folder_, {.layers = layers}, golden_.tokens), mean), 1e-5);
    }
}

TEST_P(ModelParity, KeptRowsAreThoseOfTheWhole) {
    Tokens some = golden_.tokens;
    some.kept = {0, 2, 5, 6, 7, 8, 20, 21, 22, 45, 59, 60};
    for (const Layers layers : {Layers{0, 0}, Layers{1, 1}, Layers{1, 3}, Layers{top_, top_}}) {
        const auto encoder = open_cpu_encoder(folder_, {.layers = layers});
        const auto all = encoded(*encoder, golden_.tokens);
        const auto kept = encoded(*encoder, some);
        const std::size_t hidden = encoder->config().hidden;
        std::vector<double> expected;
        for (const std::size_t row : some.kept) {
            const auto begin = all.begin() + static_cast<std::ptrdiff_t>(row * hidden);
            expected.insert(expected.end(), begin, begin + static_cast<std::ptrdiff_t>(hidden));
        }
        EXPECT_LE(largest_difference(kept, expected), 1e-5);
    }
}

TEST_P(ModelParity, ABatchGivesWhatItsSentencesGiveOneByOne) {
    const auto encoder = open_cpu_encoder(folder_, {.layers = {top_, top_}});
    std::vector<float> one_by_one;
    std::size_t begin = 0;
    for (const std::size_t end : golden_.tokens.ends) {
        Tokens sentence;
        const auto at = [](auto& list, std::size_t i) { return list.begin() + static_cast<std::ptrdiff_t>(i); };
        sentence.add({at(golden_.tokens.ids, begin), at(golden_.tokens.ids, end)},
                     {at(golden_.tokens.types, begin), at(golden_.tokens.types, end)});
        sentence.keep_all();
        const auto vectors = encoded(*encoder, sentence);
        one_by_one.insert(one_by_one.end(), vectors.begin(), vectors.end());
        begin = end;
    }
    EXPECT_EQ(one_by_one, encoded(*encoder, golden_.tokens));
}

TEST_P(ModelParity, ThreadsNeverChangeABit) {
    Tokens many;
    for (int i = 0; i < 40; ++i) {
        for (std::size_t s = 0; s < golden_.tokens.ends.size(); ++s) {
            const std::size_t begin = s == 0 ? 0 : golden_.tokens.ends[s - 1];
            const auto first = golden_.tokens.ids.begin() + static_cast<std::ptrdiff_t>(begin);
            const auto last = golden_.tokens.ids.begin() + static_cast<std::ptrdiff_t>(golden_.tokens.ends[s]);
            many.add({first, last}, {});
        }
    }
    many.keep_all();
    const auto alone = encoded(folder_, {.layers = {1, top_}}, many);
    for (const unsigned threads : {2U, 5U}) {
        EXPECT_EQ(encoded(folder_, {.layers = {1, top_}, .threads = threads}, many), alone);
    }
}

TEST_P(ModelParity, Bfloat16PointsTheSameWay) {
    for (std::size_t k = 0; k <= top_; ++k) {
        const auto encoder = open_cpu_encoder(folder_, {.layers = {k, k}, .precision = Precision::bf16});
        const auto ours = encoded(*encoder, golden_.tokens);
        EXPECT_GE(smallest_cosine(ours, golden_.layers[k], encoder->config().hidden), 0.999) << "layer " << k;
    }
}

INSTANTIATE_TEST_SUITE_P(Models, ModelParity,
                         testing::Values("bert", "bert-torch", "bert-f16", "modernbert", "modernbert-bf16"),
                         [](const auto& model) {
                             std::string name = model.param;
                             std::erase(name, '-');
                             return name;
                         });

TEST(Encoder, KeepingNothingGivesNothing) {
    Tokens tokens = golden_of(model_folder("bert")).tokens;
    tokens.kept.clear();
    EXPECT_TRUE(encoded(model_folder("bert"), {.layers = {2, 2}}, tokens).empty());
}

TEST(Encoder, TokenTypesMayBeLeftOut) {
    Tokens tokens = golden_of(model_folder("bert")).tokens;
    tokens.types.assign(tokens.types.size(), 0);
    const auto zeros = encoded(model_folder("bert"), {.layers = {3, 3}}, tokens);
    tokens.types.clear();
    EXPECT_EQ(encoded(model_folder("bert"), {.layers = {3, 3}}, tokens), zeros);
}

// Two tokens that are ten apart: a layer that reaches five does not carry one to the other.
TEST(Encoder, ALocalLayerSeesOnlyItsSurroundings) {
    Tokens tokens;
    tokens.add(std::vector<std::int32_t>(30, 7), {});
    tokens.kept = {0, 1, 2};
    ModelCopy local("modernbert-bf16");
    local.replace("config.json", "full_attention\",", "sliding_attention\",");
    const auto before = encoded(local.folder(), {.layers = {1, 1}}, tokens);
    tokens.ids[8] = 11;
    EXPECT_EQ(encoded(local.folder(), {.layers = {1, 1}}, tokens), before);
    tokens.ids[7] = 11;
    EXPECT_NE(encoded(local.folder(), {.layers = {1, 1}}, tokens), before);
}

}  // namespace
}  // namespace wordbreadth::encoder
