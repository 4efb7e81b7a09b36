// A model with random weights, in a folder that goes with the object.
#pragma once

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "support/temporary.h"

namespace wordbreadth::encoder {

class RandomModel {
  public:
    // `config` as in config.json. Weights keep the size of what goes through them, so that attention is not even.
    explicit RandomModel(nlohmann::json config, float loudness = 1) : config_(std::move(config)), loudness_(loudness) {
        if (config_["model_type"] == "bert") {
            add_bert();
        } else {
            add_modernbert();
        }
        write();
    }
    [[nodiscard]] const std::string& folder() const { return folder_.path(); }

  private:
    [[nodiscard]] std::size_t size(const char* key) const { return config_[key].get<std::size_t>(); }

    void add(const std::string& name, const std::vector<std::size_t>& shape, float mean, float deviation) {
        std::size_t count = 1;
        for (const std::size_t length : shape) count *= length;
        const std::size_t begin = values_.size() * sizeof(float);
        std::normal_distribution<float> normal(mean, deviation);
        for (std::size_t i = 0; i < count; ++i) values_.push_back(normal(random_));
        header_[name] = {{"dtype", "F32"}, {"shape", shape}, {"data_offsets", {begin, values_.size() * sizeof(float)}}};
    }
    void add_matrix(const std::string& name, std::size_t outputs, std::size_t inputs) {
        add(name + ".weight", {outputs, inputs}, 0, loudness_ / std::sqrt(static_cast<float>(inputs)));
    }
    void add_linear(const std::string& name, std::size_t outputs, std::size_t inputs) {
        add_matrix(name, outputs, inputs);
        add(name + ".bias", {outputs}, 0, 0.2F);
    }
    void add_norm(const std::string& name, bool bias) {
        add(name + ".weight", {size("hidden_size")}, 1, 0.2F);
        if (bias) add(name + ".bias", {size("hidden_size")}, 0, 0.2F);
    }

    void add_bert() {
        const std::size_t d = size("hidden_size");
        const std::string embeddings = "embeddings.";
        add(embeddings + "word_embeddings.weight", {size("vocab_size"), d}, 0, 1);
        add(embeddings + "position_embeddings.weight", {size("max_position_embeddings"), d}, 0, 0.3F);
        add(embeddings + "token_type_embeddings.weight", {2, d}, 0, 0.3F);
        add_norm(embeddings + "LayerNorm", true);
        for (std::size_t i = 0; i < size("num_hidden_layers"); ++i) {
            const std::string layer = "encoder.layer." + std::to_string(i) + ".";
            for (const char* part : {"query", "key", "value"}) add_linear(layer + "attention.self." + part, d, d);
            add_linear(layer + "attention.output.dense", d, d);
            add_norm(layer + "attention.output.LayerNorm", true);
            add_linear(layer + "intermediate.dense", size("intermediate_size"), d);
            add_linear(layer + "output.dense", d, size("intermediate_size"));
            add_norm(layer + "output.LayerNorm", true);
        }
    }

    void add_modernbert() {
        const std::size_t d = size("hidden_size");
        add("embeddings.tok_embeddings.weight", {size("vocab_size"), d}, 0, 1);
        add_norm("embeddings.norm", false);
        for (std::size_t i = 0; i < size("num_hidden_layers"); ++i) {
            const std::string layer = "layers." + std::to_string(i) + ".";
            if (i > 0) add_norm(layer + "attn_norm", false);
            add_matrix(layer + "attn.Wqkv", 3 * d, d);
            add_matrix(layer + "attn.Wo", d, d);
            add_norm(layer + "mlp_norm", false);
            add_matrix(layer + "mlp.Wi", 2 * size("intermediate_size"), d);
            add_matrix(layer + "mlp.Wo", d, size("intermediate_size"));
        }
        add_norm("final_norm", false);
    }

    void write() const {
        std::ofstream(folder() + "/config.json") << config_.dump();
        std::string header = header_.dump();
        header.resize((header.size() + 7) / 8 * 8, ' ');
        const std::uint64_t length = header.size();
        std::ofstream file(folder() + "/model.safetensors", std::ios::binary);
        file.write(reinterpret_cast<const char*>(&length), sizeof length);
        file << header;
        file.write(reinterpret_cast<const char*>(values_.data()),
                   static_cast<std::streamsize>(values_.size() * sizeof(float)));
    }

    nlohmann::json config_;
    float loudness_;
    TemporaryFolder folder_;
    nlohmann::json header_ = nlohmann::json::object();
    std::vector<float> values_;
    std::mt19937 random_{7};
};

}  // namespace wordbreadth::encoder
