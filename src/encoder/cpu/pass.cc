#include "encoder/cpu/pass.h"

#include <algorithm>

namespace wordbreadth::encoder::cpu {

void Pass::run(const Batch& batch, const Piece& piece, LayerRange layers, std::span<float> vectors) {
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
    moments_.reserve(rows * 2 * sizeof(float));
    projected_.reserve(rows * 3 * hidden * sizeof(float));
    queries_.reserve(kept_rows * hidden * sizeof(float));
    attended_.reserve(rows * hidden * operand_bytes());
    up_.reserve(Product::rows_together * model_.config.intermediate * operand_bytes());
    gated_.reserve(Product::rows_together * model_.config.intermediate * operand_bytes());
    space_.reserve(attention_space(tokens, model_.config.head_size()) * sizeof(float));
}

// To `operands`, and with `keep` in place as well.
void Pass::normalize(const snapshot::Norm& norm, Rows& rows, std::size_t first, std::size_t count, bool keep) {
    const std::size_t hidden = model_.config.hidden;
    float* floats = rows.floats.as<float>() + first * hidden;
    kernels_.normalize({.rows = count,
                        .width = hidden,
                        .from = floats,
                        .weight = norm.weight.data(),
                        .bias = norm.bias.empty() ? nullptr : norm.bias.data(),
                        .epsilon = static_cast<float>(model_.config.norm_epsilon),
                        .to = keep       ? floats
                              : rounds() ? nullptr
                                         : rows.operands.as<float>() + first * hidden,
                        .rounded = rounds() ? rows.operands.as<std::uint16_t>() + first * hidden : nullptr,
                        .moments = moments_.as<float>() + 2 * first});
}

const char* Pass::operands(const Rows& rows) const {
    const bool rows_themselves = !rounds() && !model_.config.norms_first();
    return rows_themselves ? rows.floats.as<char>() : rows.operands.as<char>();
}

// From value `at` of `to` on, rounded where the products are.
void Pass::store_operands(const float* from, std::size_t count, const Buffer& to, std::size_t at) const {
    if (rounds()) {
        kernels_.round(from, count, to.as<std::uint16_t>() + at);
    } else {
        std::copy_n(from, count, to.as<float>() + at);
    }
}

// Where norms come last, the layer below has left the operands.
void Pass::prepare(const Layer& layer) {
    if (!model_.config.norms_first()) return;
    if (layer.attention_norm) return normalize(*layer.attention_norm, all_, 0, piece_->tokens(), false);
    const std::size_t count = piece_->tokens() * model_.config.hidden;
    store_operands(all_.floats.as<float>(), count, all_.operands, 0);
}

void Pass::run_layer(const Layer& layer) {
    prepare(layer);
    if (&layer == model_.layers.data() && model_.first_projection) {
        project_first();
    } else {
        layer.qkv.run(piece_->tokens(), operands(all_), projected_.as<void>());
    }
    attend(layer);
    finish_layer(layer, all_, piece_->tokens());
}

// Block after block, so that what lies between the products stays in the cache.
void Pass::finish_layer(const Layer& layer, Rows& rows, std::size_t count) {
    for (std::size_t first = 0; first < count; first += Product::rows_together)
        finish_block(layer, rows, first, std::min(Product::rows_together, count - first));
}

void Pass::finish_block(const Layer& layer, Rows& rows, std::size_t first, std::size_t count) {
    const bool norms_first = model_.config.norms_first();
    const std::size_t hidden = model_.config.hidden;
    float* floats = rows.floats.as<float>() + first * hidden;
    const void* in = operands(rows) + first * hidden * operand_bytes();
    layer.out.run(count, attended_.as<char>() + first * hidden * operand_bytes(), floats);
    normalize(norms_first ? layer.mlp_norm : *layer.attention_norm, rows, first, count, !norms_first);
    layer.up.run(count, in, up_.as<void>());
    if (layer.gate) layer.gate->run(count, in, gated_.as<void>(), up_.as<void>());
    layer.down.run(count, (layer.gate ? gated_ : up_).as<void>(), floats);
    if (!norms_first) normalize(layer.mlp_norm, rows, first, count, true);
}

std::size_t Pass::first_token_of(std::size_t sentence) const {
    return sentence == 0 ? 0 : batch_->ends[sentence - 1];
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

// Answers are stored as operands, from this row of `attended_` on.
void Pass::attend(AttentionTask task, std::size_t row) const {
    const std::size_t at = row * model_.config.hidden;
    task.to = rounds() ? nullptr : attended_.as<float>() + at;
    task.rounded = rounds() ? attended_.as<std::uint16_t>() + at : nullptr;
    kernels_.attend(task);
}

AttentionTask Pass::attention_task(const Layer& layer, std::size_t first_row, std::size_t keys) const {
    const snapshot::ModelConfig& config = model_.config;
    const std::size_t parts = layer.queries ? 2 : 3;
    const float* row = projected_.as<float>() + first_row * parts * config.hidden;
    AttentionTask task{};
    task.keys = keys;
    task.heads = config.heads;
    task.head_size = config.head_size();
    task.scale = score_scale(config.head_size());
    task.reach = layer.reach;
    task.key = row + (parts - 2) * config.hidden;
    task.value = row + (parts - 1) * config.hidden;
    task.key_stride = parts * config.hidden;
    task.to_stride = config.hidden;
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
        attend(task, row);
    }
}

void Pass::embed(std::size_t row, std::size_t token, std::size_t position) {
    const std::size_t hidden = model_.config.hidden;
    const snapshot::EmbeddingWeights& embeddings = model_.embeddings;
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
    normalize(model_.embeddings.norm, all_, 0, piece_->tokens(), true);
}

void Pass::embed_kept() {
    std::size_t sentence = piece_->first_sentence;
    for (std::size_t k = 0; k < piece_->kept(); ++k) {
        const std::size_t token = batch_->kept[piece_->first_kept + k];
        while (batch_->ends[sentence] <= token) ++sentence;
        embed(k, token, token - first_token_of(sentence));
    }
    normalize(model_.embeddings.norm, all_, 0, piece_->kept(), true);
    collect(all_.floats.as<float>(), true, true);
}

void Pass::find_words() {
    const auto begin = batch_->ids.begin() + static_cast<std::ptrdiff_t>(piece_->first_token);
    words_.assign(begin, begin + static_cast<std::ptrdiff_t>(piece_->tokens()));
    std::ranges::sort(words_);
    words_.erase(std::unique(words_.begin(), words_.end()), words_.end());
}

void Pass::project_words() {
    const std::size_t hidden = model_.config.hidden;
    const std::size_t rows = Product::padded_rows(words_.size());
    word_operands_.reserve(rows * hidden * operand_bytes());
    projected_words_.reserve(rows * 3 * hidden * sizeof(float));
    for (std::size_t i = 0; i < words_.size(); ++i) {
        const float* word = model_.embeddings.words.data() + static_cast<std::size_t>(words_[i]) * hidden;
        store_operands(word, hidden, word_operands_, i * hidden);
    }
    model_.first_projection->words.run(words_.size(), word_operands_.as<void>(), projected_words_.as<void>());
}

void Pass::project_first() {
    find_words();
    project_words();
    const FirstProjection& first = *model_.first_projection;
    const std::size_t width = 3 * model_.config.hidden;
    for (std::size_t s = piece_->first_sentence; s < piece_->end_sentence; ++s) {
        const std::size_t begin = first_token_of(s);
        for (std::size_t token = begin; token < batch_->ends[s]; ++token) {
            const std::size_t row = token - piece_->first_token;
            const auto word = std::ranges::lower_bound(words_, batch_->ids[token]) - words_.begin();
            const std::size_t type = batch_->types.empty() ? 0 : static_cast<std::size_t>(batch_->types[token]);
            kernels_.sum({.width = width,
                          .word = projected_words_.as<float>() + static_cast<std::size_t>(word) * width,
                          .position = first.positions.data() + (token - begin) * width,
                          .type = first.types.data() + type * width,
                          .ones = first.ones.data(),
                          .rest = first.rest.data(),
                          .moments = moments_.as<float>() + 2 * row,
                          .to = projected_.as<float>() + row * width});
        }
    }
}

}  // namespace wordbreadth::encoder::cpu
