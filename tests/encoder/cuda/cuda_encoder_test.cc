// The encoder on a GPU against transformers' vectors and the CPU's.
#include <random>
#include <span>

#include "encoder/cuda/random_model.h"
#include "encoder/model_testing.h"
#include "support/ballast.h"
#include "support/gpu.h"
#include "wordbreadth/breadth.h"

namespace wordbreadth::encoder {
namespace {

constexpr std::array precisions{Precision::f32, Precision::bf16, Precision::f16};

double least_cosine(Precision precision) {
    return precision == Precision::f32 ? 0.999999 : 0.999;
}

// Lists as they are, or a part of them.
Tokens sentence_of(const Tokens& tokens, std::size_t sentence) {
    const std::size_t begin = sentence == 0 ? 0 : tokens.ends[sentence - 1];
    const auto part = [&](const std::vector<std::int32_t>& list) {
        if (list.empty()) return list;
        return std::vector<std::int32_t>(list.begin() + static_cast<std::ptrdiff_t>(begin),
                                         list.begin() + static_cast<std::ptrdiff_t>(tokens.ends[sentence]));
    };
    Tokens alone;
    alone.add(part(tokens.ids), part(tokens.types));
    alone.keep_all();
    return alone;
}

Tokens random_sentences(std::size_t count, std::size_t longest, std::int32_t vocabulary) {
    std::mt19937 random(3);
    Tokens tokens;
    for (std::size_t i = 0; i < count; ++i) {
        std::vector<std::int32_t> ids(1 + random() % longest);
        for (std::int32_t& id : ids) id = static_cast<std::int32_t>(random()) & 0x7FFFFFFF, id %= vocabulary;
        tokens.add(ids, {});
    }
    tokens.keep_all();
    return tokens;
}

std::vector<double> doubles(const std::vector<float>& values) {
    return {values.begin(), values.end()};
}

class CudaEncoderParity : public testing::TestWithParam<const char*> {
  protected:
    const std::string folder_ = model_folder(GetParam());
    const Golden golden_ = golden_of(folder_);
    const std::size_t top_ = golden_.layers.size() - 1;
};

TEST_P(CudaEncoderParity, EveryLayerPointsAsTransformersLayer) {
    WORDBREADTH_NEEDS_GPU();
    for (const Precision precision : precisions) {
        for (std::size_t k = 0; k <= top_; ++k) {
            const auto encoder = open_cuda_encoder(folder_, {.layers = {{k, k}}, .precision = precision});
            const auto ours = encoded(*encoder, golden_.tokens);
            EXPECT_EQ(encoder->precision(), precision);
            EXPECT_GE(smallest_cosine(ours, golden_.layers[k], encoder->config().hidden), least_cosine(precision))
                << "layer " << k << ", precision " << static_cast<int>(precision);
        }
    }
}

TEST_P(CudaEncoderParity, Float32IsTransformersToFiveDigits) {
    WORDBREADTH_NEEDS_GPU();
    for (std::size_t k = 0; k <= top_; ++k) {
        const auto encoder = open_cuda_encoder(folder_, {.layers = {{k, k}}});
        EXPECT_LE(largest_difference(encoded(*encoder, golden_.tokens), golden_.layers[k]), 2e-5) << "layer " << k;
    }
}

TEST_P(CudaEncoderParity, ARangeOfLayersGivesTheirMean) {
    WORDBREADTH_NEEDS_GPU();
    for (const LayerRange layers :
         {LayerRange{0, 1}, LayerRange{1, 3}, LayerRange{0, top_}, LayerRange{top_ - 1, top_}}) {
        const auto cpu = encoded(folder_, {.layers = {layers}}, golden_.tokens);
        const auto encoder = open_cuda_encoder(folder_, {.layers = {layers}});
        EXPECT_LE(largest_difference(encoded(*encoder, golden_.tokens), doubles(cpu)), 2e-5);
    }
}

TEST_P(CudaEncoderParity, KeptRowsAreThoseOfTheWholeToTheLastBit) {
    WORDBREADTH_NEEDS_GPU();
    Tokens some = golden_.tokens;
    some.kept = {0, 2, 5, 6, 7, 8, 20, 21, 22, 45, 59, 60};
    for (const Precision precision : precisions) {
        for (const LayerRange layers : {LayerRange{0, 0}, LayerRange{1, 1}, LayerRange{1, 3}, LayerRange{top_, top_}}) {
            const auto encoder = open_cuda_encoder(folder_, {.layers = {layers}, .precision = precision});
            const auto all = encoded(*encoder, golden_.tokens);
            const std::size_t hidden = encoder->config().hidden;
            std::vector<float> expected;
            for (const std::size_t row : some.kept) {
                const auto begin = all.begin() + static_cast<std::ptrdiff_t>(row * hidden);
                expected.insert(expected.end(), begin, begin + static_cast<std::ptrdiff_t>(hidden));
            }
            EXPECT_EQ(encoded(*encoder, some), expected);
        }
    }
}

TEST_P(CudaEncoderParity, ALayerAmongSeveralIsTheSameToTheLastBit) {
    WORDBREADTH_NEEDS_GPU();
    const std::vector<LayerRange> layers = {{top_, top_}, {0, 0}, {1, 1}, {0, 1}, {1, top_}, {top_ - 1, top_ - 1}};
    for (const Precision precision : precisions) {
        const auto several = open_cuda_encoder(folder_, {.layers = layers, .precision = precision});
        const std::size_t hidden = several->config().hidden;
        const auto all = encoded(*several, golden_.tokens);
        for (std::size_t i = 0; i < layers.size(); ++i) {
            const auto encoder = open_cuda_encoder(folder_, {.layers = {layers[i]}, .precision = precision});
            const auto alone = encoded(*encoder, golden_.tokens);
            for (std::size_t k = 0; k < golden_.tokens.kept.size(); ++k) {
                const auto found = std::span(all).subspan((k * layers.size() + i) * hidden, hidden);
                EXPECT_TRUE(std::ranges::equal(found, std::span(alone).subspan(k * hidden, hidden)))
                    << "layers " << text_of(layers[i]) << ", token " << k;
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Models, CudaEncoderParity, testing::ValuesIn(golden_models), [](const auto& model) {
    std::string name = model.param;
    std::erase(name, '-');
    return name;
});

nlohmann::json bert(std::size_t hidden, std::size_t heads, const char* activation = "gelu") {
    return {{"model_type", "bert"},
            {"vocab_size", 300},
            {"hidden_size", hidden},
            {"num_hidden_layers", 4},
            {"intermediate_size", 2 * hidden},
            {"num_attention_heads", heads},
            {"hidden_act", activation},
            {"max_position_embeddings", 200}};
}

nlohmann::json modernbert(std::size_t hidden, std::size_t heads) {
    return {{"model_type", "modernbert"},
            {"vocab_size", 300},
            {"hidden_size", hidden},
            {"num_hidden_layers", 5},
            {"intermediate_size", 3 * hidden / 2},
            {"num_attention_heads", heads},
            {"local_attention", 24},
            {"max_position_embeddings", 200}};
}

// The sizes of a model of another kind.
nlohmann::json model(const char* type, std::size_t hidden, std::size_t heads, const nlohmann::json& more = {}) {
    nlohmann::json config = bert(hidden, heads);
    config["model_type"] = type;
    config.erase("hidden_act");
    if (!more.is_null()) config.update(more);
    return config;
}

nlohmann::json distilbert(std::size_t hidden, std::size_t heads) {
    return model("distilbert", hidden, heads,
                 {{"dim", hidden}, {"n_heads", heads}, {"n_layers", 4}, {"hidden_dim", 2 * hidden}});
}

nlohmann::json gpt2(std::size_t hidden, std::size_t heads) {
    return model("gpt2", hidden, heads, {{"n_embd", hidden}, {"n_head", heads}, {"n_layer", 4}, {"n_positions", 200}});
}

const nlohmann::json buckets{{"relative_attention", true},     {"position_buckets", 32},
                             {"share_att_key", true},          {"pos_att_type", "p2c|c2p"},
                             {"position_biased_input", false}, {"norm_rel_ebd", "layer_norm"}};

struct Shape {
    const char* name;
    nlohmann::json config;
};

class CudaEncoderShapes : public testing::TestWithParam<Shape> {};

TEST_P(CudaEncoderShapes, VectorsAndBreadthAreTheCpus) {
    WORDBREADTH_NEEDS_GPU();
    const RandomModel model(GetParam().config);
    const Tokens tokens = random_sentences(40, 90, 300);
    const std::size_t top = GetParam().config["num_hidden_layers"];
    const std::size_t hidden = GetParam().config["hidden_size"];
    const auto cpu = doubles(encoded(model.folder(), {.layers = {{top, top}}, .threads = 2}, tokens));
    const double v = breadth(Cloud("cpu", cpu, hidden)).v;
    for (const Precision precision : precisions) {
        const auto encoder = open_cuda_encoder(model.folder(), {.layers = {{top, top}}, .precision = precision});
        const auto ours = encoded(*encoder, tokens);
        EXPECT_GE(smallest_cosine(ours, cpu, hidden), least_cosine(precision)) << static_cast<int>(precision);
        EXPECT_NEAR(breadth(Cloud("gpu", doubles(ours), hidden)).v / v, 1, 0.01) << static_cast<int>(precision);
    }
}

// To the last bit, in every precision: alone, in the middle of others, and in another piece of a long batch.
TEST_P(CudaEncoderShapes, ASentenceDoesNotDependOnTheOthers) {
    WORDBREADTH_NEEDS_GPU();
    const RandomModel model(GetParam().config);
    const Tokens tokens = random_sentences(1600, 90, 300);
    ASSERT_GT(tokens.ids.size(), 65'536U) << "fewer than three pieces";
    const std::size_t top = GetParam().config["num_hidden_layers"];
    for (const Precision precision : precisions) {
        const auto encoder = open_cuda_encoder(model.folder(), {.layers = {{top, top}}, .precision = precision});
        const auto together = encoded(*encoder, tokens);
        EXPECT_EQ(encoded(*encoder, tokens), together);
        for (const std::size_t sentence : {0U, 1U, 2U, 3U, 800U, 801U, 1599U}) {
            const auto alone = encoded(*encoder, sentence_of(tokens, sentence));
            const std::size_t end = tokens.ends[sentence] * encoder->config().hidden;
            const auto part = std::span(together).subspan(end - alone.size(), alone.size());
            EXPECT_TRUE(std::ranges::equal(alone, part))
                << "sentence " << sentence << ", precision " << static_cast<int>(precision);
        }
    }
}

// The queries of a tile are then far apart.
TEST_P(CudaEncoderShapes, FewTokensOfLongSentencesAreThoseOfTheWholeToTheLastBit) {
    WORDBREADTH_NEEDS_GPU();
    const RandomModel model(GetParam().config);
    const Tokens tokens = random_sentences(60, 190, 300);
    const std::size_t top = GetParam().config["num_hidden_layers"];
    Tokens some = tokens;
    std::erase_if(some.kept, [](std::size_t token) { return token % 7 != 3; });
    for (const Precision precision : precisions) {
        const auto encoder = open_cuda_encoder(model.folder(), {.layers = {{top, top}}, .precision = precision});
        EXPECT_EQ(encoded(*encoder, some),
                  rows_of_tokens(encoded(*encoder, tokens), some.kept, encoder->config().hidden))
            << static_cast<int>(precision);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, CudaEncoderShapes,
    testing::Values(Shape{"BertHead64", bert(256, 4)}, Shape{"BertHead32", bert(384, 12)},
                    Shape{"BertHead128", bert(256, 2, "gelu_new")}, Shape{"BertHead26", bert(312, 12, "silu")},
                    Shape{"BertWide", bert(1040, 13, "relu")}, Shape{"ModernBertHead64", modernbert(192, 3)},
                    Shape{"ModernBertHead96", modernbert(192, 2)}, Shape{"RobertaHead64", model("roberta", 256, 4)},
                    Shape{"DistilBertHead40", distilbert(200, 5)},
                    Shape{"ElectraNarrow", model("electra", 256, 4, {{"embedding_size", 100}})},
                    Shape{"MpnetHead64", model("mpnet", 256, 4)},
                    Shape{"DebertaHead64", model("deberta-v2", 256, 4, buckets)}, Shape{"Gpt2Head32", gpt2(192, 6)},
                    Shape{"LlamaHead128", model("llama", 256, 2, {{"num_key_value_heads", 1}})},
                    Shape{"Qwen2Grouped", model("qwen2", 448, 7, {{"num_key_value_heads", 1}})},
                    Shape{"Qwen3Head48", model("qwen3", 250, 6, {{"num_key_value_heads", 2}, {"head_dim", 48}})}),
    [](const auto& shape) { return shape.param.name; });

TEST(CudaEncoder, TokenTypesMayBeLeftOut) {
    WORDBREADTH_NEEDS_GPU();
    const auto encoder = open_cuda_encoder(model_folder("bert"), {.layers = {{3, 3}}});
    Tokens tokens = golden_of(model_folder("bert")).tokens;
    tokens.types.assign(tokens.types.size(), 0);
    const auto zeros = encoded(*encoder, tokens);
    tokens.types.clear();
    EXPECT_EQ(encoded(*encoder, tokens), zeros);
}

TEST(CudaEncoder, KeepingNothingGivesNothing) {
    WORDBREADTH_NEEDS_GPU();
    Tokens tokens = golden_of(model_folder("bert")).tokens;
    tokens.kept.clear();
    EXPECT_TRUE(encoded(*open_cuda_encoder(model_folder("bert"), {.layers = {{2, 2}}}), tokens).empty());
}

TEST(CudaEncoder, NumbersTooLargeForHalfPrecisionAreTold) {
    WORDBREADTH_NEEDS_GPU();
    const RandomModel loud(modernbert(64, 1), 400);
    const Tokens tokens = random_sentences(3, 30, 300);
    const auto encoder = open_cuda_encoder(loud.folder(), {.layers = {{4, 4}}, .precision = Precision::f16});
    EXPECT_THROW((void)encoded(*encoder, tokens), NotFinite);
    const auto wider = open_cuda_encoder(loud.folder(), {.layers = {{4, 4}}, .precision = Precision::bf16});
    EXPECT_NO_THROW((void)encoded(*wider, tokens));
}

// Layers that are read ahead arrive in their order.
TEST(CudaEncoder, IsTheSameHoweverManyThreadsOpenIt) {
    WORDBREADTH_NEEDS_GPU();
    nlohmann::json config = bert(256, 4);
    config["num_hidden_layers"] = 13;  // more than are read at a time
    const RandomModel model(config);
    const Tokens tokens = random_sentences(50, 90, 300);
    const auto with = [&](unsigned threads) {
        const RunOptions options{.layers = {{5, 13}}, .precision = Precision::bf16, .threads = threads};
        return encoded(*open_cuda_encoder(model.folder(), options), tokens);
    };
    const auto alone = with(1);
    EXPECT_EQ(with(3), alone);
    EXPECT_EQ(with(16), alone);
}

// Its memory grows with the batches; what they hold does not change.
TEST(CudaEncoder, TakesBatchesOfAnySizeInTurn) {
    WORDBREADTH_NEEDS_GPU();
    const RandomModel model(bert(256, 4));
    const RunOptions options{.layers = {{2, 2}}, .precision = Precision::f16};
    const auto encoder = open_cuda_encoder(model.folder(), options);
    for (const std::size_t sentences : {1U, 30U, 3000U, 7U, 800U, 3100U}) {
        const Tokens tokens = random_sentences(sentences, 90, 300);
        EXPECT_EQ(encoded(*encoder, tokens), encoded(*open_cuda_encoder(model.folder(), options), tokens)) << sentences;
    }
}

// Little memory means smaller pieces, and the same bits.
TEST(CudaEncoder, MakesDoWithLittleMemory) {
    WORDBREADTH_NEEDS_GPU();
    const RandomModel model(bert(256, 4));
    const RunOptions options{.layers = {{3, 4}}, .precision = Precision::bf16};
    const Tokens tokens = random_sentences(800, 90, 300);
    const auto plenty = encoded(*open_cuda_encoder(model.folder(), options), tokens);
    const auto encoder = open_cuda_encoder(model.folder(), options);
    const ::wordbreadth::cuda::Ballast ballast(100 * ::wordbreadth::cuda::mib);
    EXPECT_EQ(encoded(*encoder, tokens), plenty);
}

TEST(CudaEncoder, NoMemoryIsToldAndDoesNoHarm) {
    WORDBREADTH_NEEDS_GPU();
    nlohmann::json config = bert(1040, 13);  // 256 tokens need more than the driver may have put aside
    config["num_hidden_layers"] = 1;
    const RandomModel model(config);
    const RunOptions options{.layers = {{1, 1}}, .precision = Precision::bf16};
    const Tokens tokens = random_sentences(30, 90, 300);
    const auto before = encoded(*open_cuda_encoder(model.folder(), options), tokens);
    const auto encoder = open_cuda_encoder(model.folder(), options);
    {
        const ::wordbreadth::cuda::Ballast ballast(0);
        EXPECT_NE(error_of([&] { (void)encoded(*encoder, tokens); }).find("the longest sentence"), std::string::npos);
        EXPECT_NE(error_of([&] { (void)open_cuda_encoder(model.folder(), options); }).find("does not fit"),
                  std::string::npos);
    }
    EXPECT_EQ(encoded(*encoder, tokens), before);
}

TEST(CudaEncoder, AFaultyBatchIsToldAndDoesNoHarm) {
    WORDBREADTH_NEEDS_GPU();
    const auto encoder = open_cuda_encoder(model_folder("bert"), {.layers = {{3, 3}}});
    const Tokens good = golden_of(model_folder("bert")).tokens;
    const auto before = encoded(*encoder, good);
    Tokens bad = good;
    bad.ids[3] = 60;
    EXPECT_THROW((void)encoded(*encoder, bad), InputError);
    EXPECT_EQ(encoded(*encoder, good), before);
}

TEST(CudaEncoder, SaysWhyItCannotBeOpened) {
    const std::string because = why_not("cuda");
    if (because.empty()) GTEST_SKIP() << "there is a GPU";
    const std::string error = error_of([&] { (void)open_cuda_encoder(model_folder("bert"), {.layers = {{1, 1}}}); });
    EXPECT_NE(error.find(because), std::string::npos) << error;
    EXPECT_NE(error.find("use the CPU"), std::string::npos) << error;
}

TEST(CudaEncoder, ReadsTheSnapshotBeforeItLooksForAGpu) {
    EXPECT_NE(error_of([] {
                  (void)open_cuda_encoder(model_folder("bert"), {.layers = {{9, 9}}});
              }).find("layer 9"),
              std::string::npos);
}

}  // namespace
}  // namespace wordbreadth::encoder
