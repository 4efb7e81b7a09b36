// The way into the layers: embeddings, and what the first layer asks and offers.
#include <algorithm>

#include "encoder/cpu/pass.h"

namespace wordbreadth::encoder::cpu {

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
        if (rounds()) {
            kernels_.round(word, hidden, word_operands_.as<std::uint16_t>() + i * hidden);
        } else {
            std::copy_n(word, hidden, word_operands_.as<float>() + i * hidden);
        }
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
