// A model with random weights, of any architecture, in a folder that goes with the object.
#pragma once

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "encoder/snapshot/architecture.h"
#include "support/temporary.h"

namespace wordbreadth::encoder {

class RandomModel {
  public:
    // `config` as in config.json. Weights keep the size of what goes through them, so that attention is not even.
    explicit RandomModel(const nlohmann::json& config, float loudness = 1) : loudness_(loudness) {
        std::ofstream(folder() + "/config.json") << config.dump();
        config_ = snapshot::read_config(folder());
        add_embeddings();
        for (std::size_t layer = 0; layer < config_.layers; ++layer) add_layer(layer);
        if (!names().final_norm.empty()) add_norm(names().final_norm, config_.hidden);
        write();
    }
    [[nodiscard]] const std::string& folder() const { return folder_.path(); }
    [[nodiscard]] const snapshot::ModelConfig& config() const { return config_; }

  private:
    [[nodiscard]] const snapshot::TensorNames& names() const { return config_.architecture->tensors; }

    void add(const std::string& name, const std::vector<std::size_t>& shape, float mean, float deviation) {
        std::size_t count = 1;
        for (const std::size_t length : shape) count *= length;
        const std::size_t begin = values_.size() * sizeof(float);
        std::normal_distribution<float> normal(mean, deviation);
        for (std::size_t i = 0; i < count; ++i) values_.push_back(normal(random_));
        header_[name] = {{"dtype", "F32"}, {"shape", shape}, {"data_offsets", {begin, values_.size() * sizeof(float)}}};
    }
    void add_table(std::string_view name, std::size_t rows, std::size_t width, float deviation) {
        if (!name.empty() && rows > 0) add(std::string(name) + ".weight", {rows, width}, 0, deviation);
    }
    void add_linear(const std::string& name, std::size_t outputs, std::size_t inputs, bool has_bias) {
        const std::vector<std::size_t> stored{outputs, inputs};
        const std::vector<std::size_t> turned{inputs, outputs};
        add(name + ".weight", config_.architecture->transposed ? turned : stored, 0,
            loudness_ / std::sqrt(static_cast<float>(inputs)));
        if (has_bias) add(name + ".bias", {outputs}, 0, 0.2F);
    }
    void add_norm(std::string_view name, std::size_t width) {
        add(std::string(name) + ".weight", {width}, 1, 0.2F);
        if (config_.norm_bias) add(std::string(name) + ".bias", {width}, 0, 0.2F);
    }

    void add_embeddings() {
        add_table(names().words, config_.vocabulary, config_.embedding, 1);
        add_table(names().positions, config_.position_rows, config_.embedding, 0.3F);
        add_table(names().types, config_.token_types, config_.embedding, 0.3F);
        if (!names().embedding_norm.empty()) add_norm(names().embedding_norm, config_.embedding);
        if (config_.embedding != config_.hidden)
            add_linear(std::string(names().embedding_projection), config_.hidden, config_.embedding, true);
        if (!config_.relative) return;
        add_table(names().relative_bias, config_.relative->buckets, config_.heads, 1);
        add_table(names().relative_rows, config_.relative->buckets, config_.hidden, 1);
        if (config_.relative->norms_rows) add_norm(names().relative_norm, config_.hidden);
    }

    void add_layer(std::size_t index) {
        const auto place = [&](std::string_view name) {
            return std::string(names().layer) + std::to_string(index) + "." + std::string(name);
        };
        const std::size_t hidden = config_.hidden;
        const std::size_t width = config_.intermediate;
        const auto linear = [&](std::string_view name, std::size_t outputs, std::size_t inputs, bool has_bias) {
            if (!name.empty()) add_linear(place(name), outputs, inputs, has_bias);
        };
        if (index > 0 || config_.norms_first_layer) add_norm(place(names().attention_norm), hidden);
        linear(names().qkv, config_.attended() + 2 * config_.keys(), hidden, config_.attention_bias);
        linear(names().query, config_.attended(), hidden, config_.attention_bias);
        linear(names().key, config_.keys(), hidden, config_.attention_bias);
        linear(names().value, config_.keys(), hidden, config_.attention_bias);
        for (const std::string_view name : {names().query_norm, names().key_norm})
            if (!name.empty()) add(place(name) + ".weight", {config_.head_size}, 1, 0.2F);
        if (config_.relative && !config_.relative->shares_projections) {
            if (config_.relative->position_keys) linear(names().position_key, config_.attended(), hidden, true);
            if (config_.relative->position_queries) linear(names().position_query, config_.attended(), hidden, true);
        }
        linear(names().out, hidden, config_.attended(), config_.out_bias);
        add_norm(place(names().mlp_norm), hidden);
        const bool both = names().gate == names().up;
        linear(names().up, both ? 2 * width : width, hidden, config_.mlp_bias);
        if (!both) linear(names().gate, width, hidden, config_.mlp_bias);
        linear(names().down, hidden, width, config_.mlp_bias);
    }

    void write() const {
        std::string header = header_.dump();
        header.resize((header.size() + 7) / 8 * 8, ' ');
        const std::uint64_t length = header.size();
        std::ofstream file(folder() + "/model.safetensors", std::ios::binary);
        file.write(reinterpret_cast<const char*>(&length), sizeof length);
        file << header;
        file.write(reinterpret_cast<const char*>(values_.data()),
                   static_cast<std::streamsize>(values_.size() * sizeof(float)));
    }

    float loudness_;
    TemporaryFolder folder_;
    snapshot::ModelConfig config_;
    nlohmann::json header_ = nlohmann::json::object();
    std::vector<float> values_;
    std::mt19937 random_{7};
};

}  // namespace wordbreadth::encoder
