// Snapshots and batches that are at fault: each is reported in one line that names what is wrong.
#include <nlohmann/json.hpp>

#include "encoder/model_testing.h"
#include "encoder/snapshot/architecture.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::encoder::snapshot {
namespace {

void expect_error(const std::string& error, const std::vector<std::string>& parts) {
    for (const std::string& part : parts) EXPECT_NE(error.find(part), std::string::npos) << part << "\nin: " << error;
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
}

TEST(ModelLoad, AFolderWithoutConfigIsTold) {
    const ModelCopy model("bert");
    model.remove("config.json");
    expect_error(model.error(), {"config.json", "no such file"});
}

TEST(ModelLoad, AFolderWithoutWeightsIsTold) {
    const ModelCopy model("bert");
    model.remove("model.safetensors");
    expect_error(model.error(), {model.folder(), "model.safetensors", "pytorch_model.bin"});
    model.write("pytorch_model.bin.index.json", "{}");
    expect_error(model.error(), {model.folder(), "in several files, which is not supported; save the model again"});
}

TEST(ModelLoad, AnUnknownArchitectureIsNamed) {
    const ModelCopy model("bert");
    model.replace("config.json", "\"model_type\": \"bert\"", "\"model_type\": \"t5\"");
    expect_error(model.error(), {"config.json", "model_type", "\"t5\"", "modernbert"});
}

struct BadConfig {
    const char *model, *old, *now, *part;
};

class ModelConfigFault : public testing::TestWithParam<BadConfig> {};

TEST_P(ModelConfigFault, IsNamed) {
    const ModelCopy model(GetParam().model);
    model.replace("config.json", GetParam().old, GetParam().now);
    expect_error(model.error(), {"config.json", GetParam().part});
}

INSTANTIATE_TEST_SUITE_P(
    Configs, ModelConfigFault,
    testing::Values(
        BadConfig{"bert", "\"hidden_size\": 24", "\"hidden_size\": 25", "not a multiple"},
        BadConfig{"bert", "\"hidden_size\": 24", "\"hidden_size\": -24", "hidden_size is -24"},
        BadConfig{"bert", "\"hidden_size\": 24", "\"hidden_size\": 1e9", "hidden_size"},
        BadConfig{"bert", "\"hidden_size\": 24", "\"hidden_size\": \"24\"", "hidden_size"},
        BadConfig{"bert", "\"num_attention_heads\": 3", "\"num_attention_heads\": 0", "num_attention_heads is 0"},
        BadConfig{"bert", "\"num_hidden_layers\": 3", "\"num_hidden_layers\": 1025", "1 to 1024"},
        BadConfig{"bert", "\"hidden_act\": \"gelu\"", "\"hidden_act\": \"xielu\"", "\"xielu\""},
        BadConfig{"bert", "\"layer_norm_eps\": 1e-12", "\"layer_norm_eps\": -1", "layer_norm_eps"},
        BadConfig{"bert", "\"is_decoder\": false", "\"is_decoder\": true", "is_decoder"},
        BadConfig{"bert", "{", "{\"position_embedding_type\": \"relative_key\", ", "\"relative_key\""},
        BadConfig{"modernbert-bf16", "\"sliding_attention\"", "\"chunked_attention\"", "\"chunked_attention\""},
        BadConfig{"modernbert-bf16", "\"full_attention\",\n", "", "has 3 members; expected 4"},
        BadConfig{"modernbert-bf16", "\"rope_type\": \"default\"", "\"rope_type\": \"yarn\"", "\"yarn\""},
        BadConfig{"modernbert", "\"num_attention_heads\": 2", "\"num_attention_heads\": 4", "odd size"},
        BadConfig{"modernbert", "{", "{\"rope_scaling\": {\"type\": \"linear\"}, ", "no \"factor\""},
        BadConfig{"modernbert", "{", "{\"rope_scaling\": {\"type\": \"dynamic\"}, ", "\"dynamic\""},
        BadConfig{"modernbert-bf16", "{", "{\"rope_scaling\": {\"type\": \"linear\"}, ",
                  "null where there are rope_parameters"},
        BadConfig{"roberta", "\"max_position_embeddings\": 42", "\"max_position_embeddings\": 2", "more than 2"},
        BadConfig{"distilbert", "\"dim\": 20", "\"dim\": 21", "dim of 21, which is not a multiple of its 4 n_heads"},
        BadConfig{"electra", "\"embedding_size\": 10", "\"embedding_size\": 0", "embedding_size is 0"},
        BadConfig{"mpnet", "_num_buckets\": 32", "_num_buckets\": 31", "at least 32"},
        BadConfig{"deberta", "{", "{\"conv_kernel_size\": 3, ", "convolution"},
        BadConfig{"deberta", "{", "{\"embedding_size\": 12, ", "projected embeddings"},
        BadConfig{"deberta", "\"attention_head_size\": 12", "\"attention_head_size\": 8", "attention_head_size is 8"},
        BadConfig{"deberta", "\"position_buckets\": 8", "\"position_buckets\": 1", "2 or more"},
        BadConfig{"deberta", "\"max_relative_positions\": -1", "\"max_relative_positions\": 5",
                  "position_buckets is 8"},
        BadConfig{"gpt2", "\"add_cross_attention\": false", "\"add_cross_attention\": true", "a decoder by itself"},
        BadConfig{"gpt2", "\"n_head\": 2", "\"n_head\": 3", "n_embd of 20, which is not a multiple of its 3 n_head"},
        BadConfig{"llama", "_heads\": 2", "_heads\": 4", "not a multiple of its 4 num_key_value_heads"},
        BadConfig{"llama", "\"head_dim\": 10", "\"head_dim\": 9", "odd size"},
        BadConfig{"llama", "\"rope_type\": \"llama3\"", "\"rope_type\": \"yarn\"",
                  "\"llama3\", the rotations supported"},
        BadConfig{"llama", "{", "{\"rope_scaling\": {\"type\": \"yarn\"}, ", "rope_scaling.type is \"yarn\""},
        BadConfig{"llama", "{", "{\"original_max_position_embeddings\": 0, ", "original_max_position_embeddings is 0"},
        BadConfig{"llama", "_freq_factor\": 4.0", "_freq_factor\": 1.0", "above low_freq_factor"},
        BadConfig{"llama", "\"factor\": 8.0", "\"other\": 8.0", "no \"factor\""},
        BadConfig{"qwen2", "\"sliding_window\": 7", "\"sliding_window\": 0", "sliding_window is 0"},
        BadConfig{"qwen3", "\"full_attention\",\n", "", "has 2 members; expected 3"}));

// What config.json says, and the first tensor that is then of another shape.
struct BadShape {
    const char *model, *old, *now, *tensor;
};

class ModelShapeFault : public testing::TestWithParam<BadShape> {};

TEST_P(ModelShapeFault, IsNamed) {
    const ModelCopy model(GetParam().model);
    model.replace("config.json", GetParam().old, GetParam().now);
    expect_error(model.error(), {GetParam().tensor, "has the shape", "config.json asks for"});
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, ModelShapeFault,
    testing::Values(
        BadShape{"roberta", "\"max_position_embeddings\": 42", "\"max_position_embeddings\": 43",
                 "position_embeddings"},
        BadShape{"camembert", "\"type_vocab_size\": 2", "\"type_vocab_size\": 1", "token_type_embeddings"},
        BadShape{"distilbert", "\"hidden_dim\": 36", "\"hidden_dim\": 35", "distilbert.transformer.layer.0.ffn.lin1"},
        BadShape{"electra", "\"embedding_size\": 10", "\"embedding_size\": 11", "electra.embeddings.word_embeddings"},
        BadShape{"mpnet", "_num_buckets\": 32", "_num_buckets\": 33", "mpnet.encoder.relative_attention_bias"},
        BadShape{"deberta", "\"position_buckets\": 8", "\"position_buckets\": 10", "deberta.encoder.rel_embeddings"},
        BadShape{"gpt2", "\"n_inner\": null", "\"n_inner\": 81", "transformer.h.0.mlp.c_fc.weight"},
        BadShape{"llama", "_heads\": 2", "_heads\": 3", "model.layers.0.self_attn.k_proj"},
        BadShape{"qwen2", "_heads\": 2", "_heads\": 1", "model.layers.0.self_attn.k_proj"},
        BadShape{"qwen3", "\"head_dim\": 14", "\"head_dim\": 16", "layers.0.self_attn.q_proj"}));

// What is left of a configuration of the first years.
void forget_the_type(const ModelCopy& model, const nlohmann::json& architectures) {
    nlohmann::json config = nlohmann::json::parse(model.read("config.json"));
    config.erase("model_type");
    config["architectures"] = architectures;
    model.write("config.json", config.dump());
}

TEST(ModelLoad, AModelIsRecognisedByItsTensors) {
    const std::vector<std::pair<const char*, const char*>> models{
        {"bert", "bert"},       {"bert-torch", "bert"},  {"roberta", "roberta"},      {"xlm-roberta", "roberta"},
        {"electra", "electra"}, {"mpnet", "mpnet"},      {"deberta", "deberta-v2"},   {"distilbert", "distilbert"},
        {"gpt2", "gpt2"},       {"gpt2-scaled", "gpt2"}, {"modernbert", "modernbert"}};
    for (const auto& [name, type] : models) {
        const ModelCopy model(name);
        forget_the_type(model, nullptr);
        EXPECT_EQ(read_config(model.folder()).architecture->type, type) << name;
    }
}

TEST(ModelLoad, AModelIsRecognisedByTheNameOfItsClass) {
    for (const Architecture* architecture : architectures()) {
        const ModelCopy model("bert");
        model.replace("config.json", "{", "{\"num_key_value_heads\": 1, ");
        for (const char* head : {"Model", "ForMaskedLM", "LMHeadModel"}) {
            forget_the_type(model, {std::string(architecture->family) + head});
            EXPECT_EQ(read_config(model.folder()).architecture, architecture) << architecture->type;
        }
    }
}

TEST(ModelLoad, EveryArchitectureHasAGolden) {
    for (const Architecture* architecture : architectures())
        EXPECT_TRUE(std::ranges::any_of(golden_models, [&](const char* name) {
            return read_config(model_folder(name)).architecture == architecture;
        })) << architecture->type;
}

TEST(ModelLoad, TheUsualNamesOfSizesGoBeforeAnArchitecturesOwn) {
    const ModelCopy model("gpt2");
    model.replace("config.json", "{", "{\"num_attention_heads\": 4, \"num_hidden_layers\": 2, ");
    const ModelConfig config = read_config(model.folder());
    EXPECT_EQ(config.heads, 4U);
    EXPECT_EQ(config.layers, 2U);
}

TEST(ModelLoad, AWindowOfNullIsNone) {
    const ModelCopy model("qwen2");
    EXPECT_EQ(read_config(model.folder()).attention[1].before, 6U);
    model.replace("config.json", "\"sliding_window\": 7", "\"sliding_window\": null");
    EXPECT_EQ(read_config(model.folder()).attention[1].before, LayerAttention::everywhere);
}

struct Limit {
    const char* key;
    std::size_t most;
};

class ModelLimit : public testing::TestWithParam<Limit> {};

TEST_P(ModelLimit, IsTheLastThatIsAccepted) {
    const ModelCopy model("bert");
    nlohmann::json config = nlohmann::json::parse(model.read("config.json"));
    config["num_attention_heads"] = 1;
    config[GetParam().key] = GetParam().most;
    model.write("config.json", config.dump());
    EXPECT_EQ(error_of([&] { (void)read_config(model.folder()); }), "no error");
    config[GetParam().key] = GetParam().most + 1;
    model.write("config.json", config.dump());
    expect_error(error_of([&] { (void)read_config(model.folder()); }),
                 {GetParam().key, "1 to " + std::to_string(GetParam().most)});
}

INSTANTIATE_TEST_SUITE_P(Limits, ModelLimit,
                         testing::Values(Limit{"num_hidden_layers", limits::model_layers},
                                         Limit{"max_position_embeddings", limits::model_positions},
                                         Limit{"intermediate_size", limits::model_intermediate},
                                         Limit{"hidden_size", limits::dimension},
                                         Limit{"vocab_size", limits::vocabulary}));

TEST(ModelLoad, AShapeThatDoesNotFitTheConfigIsNamed) {
    const ModelCopy model("bert");
    model.replace("config.json", "\"intermediate_size\": 34", "\"intermediate_size\": 35");
    expect_error(model.error(),
                 {"model.safetensors:encoder.layer.0.intermediate.dense.weight", "(34, 24)", "(35, 24)"});
}

TEST(ModelLoad, ATensorThatIsMissingIsNamed) {
    const ModelCopy model("bert");
    model.replace("config.json", "\"num_hidden_layers\": 3", "\"num_hidden_layers\": 4");
    expect_error(model.error(4), {"model.safetensors", "no tensor \"encoder.layer.3.attention.self.query.weight\""});
}

TEST(ModelLoad, LayersAboveTheLastAskedForAreNotRead) {
    const ModelCopy model("bert");
    model.replace("config.json", "\"num_hidden_layers\": 3", "\"num_hidden_layers\": 4");
    EXPECT_EQ(model.error(3), "no error");
}

TEST(ModelLoad, AWeightThatIsNoNumberIsTold) {
    const ModelCopy model("bert");
    const std::string content = model.read("model.safetensors");
    model.write("model.safetensors", content.substr(0, content.size() - 4) + std::string("\0\0\xC0\x7F", 4));
    expect_error(model.error(), {"model.safetensors:", "not a finite number"});
}

TEST(ModelLoad, ATypeThatIsNotOfFloatsIsNamed) {
    const ModelCopy model("bert");
    model.replace("model.safetensors", "\"dtype\":\"F32\"", "\"dtype\":\"I32\"");
    expect_error(model.error(), {"model.safetensors:", "\"I32\"", "F32"});
}

TEST(ModelLoad, AShardOutsideTheFolderIsRefused) {
    for (const char* name : {"../model-00001-of-00002.safetensors", "/etc/passwd", "..", ""}) {
        const ModelCopy model("modernbert");
        model.replace("model.safetensors.index.json", "model-00001-of-00002.safetensors", name);
        expect_error(model.error(), {"model.safetensors.index.json", "weight_map", "in the same folder"});
    }
}

TEST(ModelLoad, AShardThatIsMissingIsNamed) {
    const ModelCopy model("modernbert");
    model.remove("model-00002-of-00002.safetensors");
    expect_error(model.error(), {"model-00002-of-00002.safetensors", "no such file"});
}

TEST(ModelLoad, AnIndexThatPointsToTheWrongShardIsTold) {
    const ModelCopy model("modernbert");
    model.replace("model.safetensors.index.json", "model-00001-of-00002.safetensors",
                  "model-00002-of-00002.safetensors");
    expect_error(model.error(), {"model.safetensors.index.json", "model-00002-of-00002.safetensors", "no such tensor"});
}

TEST(ModelLoad, ALayerThatTheModelHasNotIsTold) {
    const std::string folder = model_folder("bert");
    expect_error(error_of([&] { (void)open_cpu_encoder(folder, {.layers = {{4, 4}}}); }), {folder, "layer 4", "has 3"});
    expect_error(error_of([&] { (void)open_cpu_encoder(folder, {.layers = {{2, 1}}}); }), {"2 to 1"});
    expect_error(error_of([&] {
                     (void)open_cpu_encoder(folder, {.layers = {{2, 2}, {1, 1}, {2, 2}}});
                 }),
                 {"2 is named twice"});
    expect_error(error_of([&] { (void)open_cpu_encoder(folder, {.layers = {}}); }), {"0 layers", "1 to 1024"});
    expect_error(error_of([&] { (void)open_cpu_encoder(folder, {.threads = 0}); }), {"0 threads"});
}

class BatchFault : public testing::Test {
  protected:
    std::string error() {
        const auto encoder = open_cpu_encoder(model_folder("bert"), {.layers = {{1, 1}}});
        return error_of([&] { (void)encoded(*encoder, tokens_); });
    }
    void SetUp() override {
        tokens_.add({1, 2, 3}, {0, 0, 1});
        tokens_.keep_all();
    }
    Tokens tokens_;
};

TEST_F(BatchFault, AnIdPastTheVocabularyIsTold) {
    tokens_.ids[1] = 60;
    expect_error(error(), {"token id 60", "has 60"});
    tokens_.ids[1] = -1;
    expect_error(error(), {"token id -1"});
}

TEST_F(BatchFault, ATokenTypePastTheModelsIsTold) {
    tokens_.types[1] = 2;
    expect_error(error(), {"token type 2"});
    tokens_.types = {0};
    expect_error(error(), {"1 token types for 3 tokens"});
}

TEST_F(BatchFault, ASentenceThatIsTooLongIsTold) {
    tokens_.add(std::vector<std::int32_t>(40, 1), std::vector<std::int32_t>(40));
    EXPECT_EQ(error(), "no error");
    tokens_.add(std::vector<std::int32_t>(41, 1), std::vector<std::int32_t>(41));
    expect_error(error(), {"41 tokens", "at most 40"});
}

TEST_F(BatchFault, MoreTokensThanTheLimitAreTold) {
    tokens_.ids.resize(limits::batch_tokens + 1);
    expect_error(error(), {std::to_string(limits::batch_tokens + 1) + " tokens"});
}

TEST_F(BatchFault, ListsThatDoNotAgreeAreTold) {
    tokens_.ends = {2};
    expect_error(error(), {"3 tokens", "end at 2"});
    tokens_.ends = {2, 2, 3};
    expect_error(error(), {"from token 2 to 2"});
    tokens_.ends = {4};
    expect_error(error(), {"to 4"});
    tokens_.ends = {3};
    tokens_.kept = {1, 1};
    expect_error(error(), {"ascending"});
    tokens_.kept = {3};
    expect_error(error(), {"among its 3"});
}

}  // namespace
}  // namespace wordbreadth::encoder::snapshot
