#include "encoder/cpu/pass.h"

#include <algorithm>
#include <cstring>

namespace wordbreadth::encoder::cpu {

void Pass::run(const Batch& batch, const Piece& piece, Layers layers, std::span<float> vectors) {
    batch_ = &batch;
    piece_ = &piece;
    vectors_ = vectors.subspan(piece.first_kept * model_.config.hidden, piece.kept() * model_.config.hidden);
    reserve(piece.tokens(), piece.kept());
    if (layers.last == 0) return embed_kept();
    embed_all();
    if (layers.first == 0) collect(all_.floats.as<float>(), false, true);
    for (std::size_t layer = 1; layer < layers.last; ++layer) {
        run_layer(model_.layers[layer - 1]);
        if (layer >= layers.first) collect(all_.floats.as<float>(), false, layer == layers.first);
    }
    run_last_layer(model_.layers[layers.last - 1]);
    collect(kept_.floats.as<float>(), true, layers.first == layers.last);
    divide(layers.last - layers.first + 1);
}

// Products work on a few rows more than there are; what those hold is never looked at.
void Pass::reserve(std::size_t tokens, std::size_t kept) {
    const std::size_t hidden = model_.config.hidden;
    const std::size_t rows = Product::padded_rows(tokens);
    const std::size_t kept_rows = Product::padded_rows(kept);
    all_.floats.reserve(rows * hidden * sizeof(float));
    all_.operands.reserve(rows * hidden * operand_bytes());
    kept_.floats.reserve(kept_rows * hidden * sizeof(float));
    kept_.operands.reserve(kept_rows * hidden * operand_bytes());
    projected_.reserve(rows * 3 * hidden * sizeof(float));
    queries_.reserve(kept_rows * hidden * sizeof(float));
    attended_.reserve(rows * hidden * operand_bytes());
    up_.reserve(rows * model_.config.intermediate * operand_bytes());
    if (model_.config.norms_first()) gated_.reserve(rows * model_.config.intermediate * operand_bytes());
    space_.reserve(attention_space(tokens, model_.config.head_size()) * sizeof(float));
}

void Pass::embed(std::size_t row, std::size_t token, std::size_t position) {
    const std::size_t hidden = model_.config.hidden;
    const EmbeddingWeights& embeddings = model_.embeddings;
    float* to = all_.floats.as<float>() + row * hidden;
    const float* word = embeddings.words.data() + static_cast<std::size_t>(batch_->ids[token]) * hidden;
    std::copy_n(word, hidden, to);
    if (!embeddings.types.empty()) {
        const std::size_t type = batch_->types.empty() ? 0 : static_cast<std::size_t>(batch_->types[token]);
        for (std::size_t i = 0; i < hidden; ++i) to[i] += embeddings.types[type * hidden + i];
    }
    if (embeddings.positions.empty()) return;
    for (std::size_t i = 0; i < hidden; ++i) to[i] += embeddings.positions[position * hidden + i];
}

void Pass::embed_all() {
    for (std::size_t s = piece_->first_sentence; s < piece_->end_sentence; ++s) {
        const std::size_t begin = first_token_of(s);
        for (std::size_t token = begin; token < batch_->ends[s]; ++token)
            embed(token - piece_->first_token, token, token - begin);
    }
    normalize(model_.embeddings.norm, all_, piece_->tokens(), true);
}

void Pass::embed_kept() {
    std::size_t sentence = piece_->first_sentence;
    for (std::size_t k = 0; k < piece_->kept(); ++k) {
        const std::size_t token = batch_->kept[piece_->first_kept + k];
        while (batch_->ends[sentence] <= token) ++sentence;
        embed(k, token, token - first_token_of(sentence));
    }
    normalize(model_.embeddings.norm, all_, piece_->kept(), true);
    collect(all_.floats.as<float>(), true, true);
}

// To `operands`, and with `keep` in place as well.
void Pass::normalize(const Norm& norm, Rows& rows, std::size_t count, bool keep) {
    float* floats = rows.floats.as<float>();
    kernels_.normalize({.rows = count,
                        .width = model_.config.hidden,
                        .from = floats,
                        .weight = norm.weight.data(),
                        .bias = norm.bias.empty() ? nullptr : norm.bias.data(),
                        .epsilon = static_cast<float>(model_.config.norm_epsilon),
                        .to = keep       ? floats
                              : rounds() ? nullptr
                                         : rows.operands.as<float>(),
                        .rounded = rounds() ? rows.operands.as<std::uint16_t>() : nullptr});
}

const void* Pass::operands(const Rows& rows) const {
    const bool rows_themselves = !rounds() && !model_.config.norms_first();
    return rows_themselves ? rows.floats.as<void>() : rows.operands.as<void>();
}

// Where norms come last, the layer below has left the operands.
void Pass::prepare(const Layer& layer) {
    if (!model_.config.norms_first()) return;
    if (layer.attention_norm) return normalize(*layer.attention_norm, all_, piece_->tokens(), false);
    const std::size_t count = piece_->tokens() * model_.config.hidden;
    const float* floats = all_.floats.as<float>();
    if (rounds()) {
        kernels_.round(floats, count, all_.operands.as<std::uint16_t>());
    } else {
        std::copy_n(floats, count, all_.operands.as<float>());
    }
}

void Pass::run_layer(const Layer& layer) {
    prepare(layer);
    layer.qkv.run(piece_->tokens(), operands(all_), projected_.as<void>());
    attend(layer);
    finish_layer(layer, all_, piece_->tokens());
}

// Keys and values of all tokens, everything else of the kept ones only.
void Pass::run_last_layer(const Layer& layer) {
    prepare(layer);
    layer.qkv.run(piece_->tokens(), operands(all_), projected_.as<void>());
    take_kept_rows();
    layer.queries->run(piece_->kept(), operands(kept_), queries_.as<void>());
    attend_kept(layer);
    finish_layer(layer, kept_, piece_->kept());
    if (model_.final_norm) normalize(*model_.final_norm, kept_, piece_->kept(), true);
}

void Pass::take_kept_rows() {
    const std::size_t hidden = model_.config.hidden;
    const std::size_t bytes = hidden * operand_bytes();
    for (std::size_t k = 0; k < piece_->kept(); ++k) {
        const std::size_t row = batch_->kept[piece_->first_kept + k] - piece_->first_token;
        std::copy_n(all_.floats.as<float>() + row * hidden, hidden, kept_.floats.as<float>() + k * hidden);
        std::memcpy(kept_.operands.as<char>() + k * bytes, all_.operands.as<char>() + row * bytes, bytes);
    }
}

void Pass::finish_layer(const Layer& layer, Rows& rows, std::size_t count) {
    const bool norms_first = model_.config.norms_first();
    layer.out.run(count, attended_.as<void>(), rows.floats.as<void>());
    normalize(norms_first ? layer.mlp_norm : *layer.attention_norm, rows, count, !norms_first);
    layer.up.run(count, operands(rows), up_.as<void>());
    if (layer.gate) layer.gate->run(count, operands(rows), gated_.as<void>(), up_.as<void>());
    layer.down.run(count, (layer.gate ? gated_ : up_).as<void>(), rows.floats.as<void>());
    if (!norms_first) normalize(layer.mlp_norm, rows, count, true);
}

std::size_t Pass::first_token_of(std::size_t sentence) const {
    return sentence == 0 ? 0 : batch_->ends[sentence - 1];
}

AttentionTask Pass::attention_task(const Layer& layer, std::size_t first_row, std::size_t keys) const {
    const ModelConfig& config = model_.config;
    const std::size_t parts = layer.queries ? 2 : 3;
    const float* row = projected_.as<float>() + first_row * parts * config.hidden;
    AttentionTask task{};
    task.keys = keys;
    task.heads = config.heads;
    task.head_size = config.head_size();
    task.reach = layer.reach;
    task.key = row + (parts - 2) * config.hidden;
    task.value = row + (parts - 1) * config.hidden;
    task.key_stride = parts * config.hidden;
    task.cosines = layer.rotations != nullptr ? layer.rotations->cosines() : nullptr;
    task.sines = layer.rotations != nullptr ? layer.rotations->sines() : nullptr;
    task.space = space_.as<float>();
    return task;
}

void Pass::attend(const Layer& layer) {
    const std::size_t hidden = model_.config.hidden;
    for (std::size_t s = piece_->first_sentence; s < piece_->end_sentence; ++s) {
        const std::size_t begin = first_token_of(s);
        const std::size_t row = begin - piece_->first_token;
        AttentionTask task = attention_task(layer, row, batch_->ends[s] - begin);
        task.queries = task.keys;
        task.query = projected_.as<float>() + row * 3 * hidden;
        task.query_stride = 3 * hidden;
        task.to = rounds() ? nullptr : attended_.as<float>() + row * hidden;
        task.rounded = rounds() ? attended_.as<std::uint16_t>() + row * hidden : nullptr;
        kernels_.attend(task);
    }
}

void Pass::attend_kept(const Layer& layer) {
    const std::size_t hidden = model_.config.hidden;
    std::size_t kept = piece_->first_kept;
    for (std::size_t s = piece_->first_sentence; s < piece_->end_sentence; ++s) {
        const std::size_t begin = first_token_of(s);
        AttentionTask task = attention_task(layer, begin - piece_->first_token, batch_->ends[s] - begin);
        const std::size_t row = kept - piece_->first_kept;
        task.positions = batch_->kept.data() + kept;
        task.position_offset = begin;
        while (kept < piece_->end_kept && batch_->kept[kept] < batch_->ends[s]) ++kept, ++task.queries;
        task.query = queries_.as<float>() + row * hidden;
        task.query_stride = hidden;
        task.to = rounds() ? nullptr : attended_.as<float>() + row * hidden;
        task.rounded = rounds() ? attended_.as<std::uint16_t>() + row * hidden : nullptr;
        kernels_.attend(task);
    }
}

// Adds a layer's rows to the piece's vectors, or puts them there.
void Pass::collect(const float* rows, bool are_kept, bool is_first) {
    const std::size_t hidden = model_.config.hidden;
    for (std::size_t k = 0; k < piece_->kept(); ++k) {
        const std::size_t row = are_kept ? k : batch_->kept[piece_->first_kept + k] - piece_->first_token;
        const float* from = rows + row * hidden;
        float* to = vectors_.data() + k * hidden;
        for (std::size_t i = 0; i < hidden; ++i) to[i] = is_first ? from[i] : to[i] + from[i];
    }
}

void Pass::divide(std::size_t layers) {
    if (layers == 1) return;
    for (float& value : vectors_) value /= static_cast<float>(layers);
}

}  // namespace wordbreadth::encoder::cpu
