// The last layer: all that the kept tokens need, and nothing else.
#include <algorithm>
#include <cstring>

#include "encoder/cpu/pass.h"

namespace wordbreadth::encoder::cpu {

void Pass::run_last_layer(const Layer& layer) {
    prepare(layer);
    take_kept_rows();
    find_asking(layer);
    layer.queries->run(piece_->kept(), operands(kept_), queries_.as<void>());
    project_keys_and_values(layer);
    attend_kept(layer);
    attend_folded(layer);
    finish_layer(layer, kept_, piece_->kept());
    if (model_.final_norm) normalize(*model_.final_norm, kept_, 0, piece_->kept(), true);
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

// Which sentences hold kept tokens, and which way is faster for each.
void Pass::find_asking(const Layer& layer) {
    asking_.clear();
    folded_.clear();
    std::size_t kept = piece_->first_kept;
    for (std::size_t s = piece_->first_sentence; s < piece_->end_sentence; ++s) {
        const std::size_t first_row = first_token_of(s) - piece_->first_token;
        const std::size_t tokens = batch_->ends[s] - first_token_of(s);
        const std::size_t first_kept = kept - piece_->first_kept;
        while (kept < piece_->end_kept && batch_->kept[kept] < batch_->ends[s]) ++kept;
        const std::size_t end_kept = kept - piece_->first_kept;
        if (first_kept == end_kept) continue;
        if (!layer.folded || !folding_pays(tokens, end_kept - first_kept, model_.config, model_.precision)) {
            asking_.push_back({first_row, tokens, first_kept, end_kept});
        } else {
            for (std::size_t k = first_kept; k < end_kept; ++k) folded_.push_back({first_row, tokens, k});
        }
    }
}

// Of the blocks of rows that some kept token attends to.
void Pass::project_keys_and_values(const Layer& layer) {
    const std::size_t hidden = model_.config.hidden;
    std::size_t done = 0;
    for (const Asking& asking : asking_) {
        const std::size_t first = std::max(done, asking.first_row / Product::rows_together * Product::rows_together);
        done = std::max(done, Product::padded_rows(asking.first_row + asking.tokens));
        if (first < done) {
            layer.qkv.run(done - first, operands(all_) + first * hidden * operand_bytes(),
                          projected_.as<float>() + first * 2 * hidden);
        }
    }
}

void Pass::attend_kept(const Layer& layer) {
    const std::size_t hidden = model_.config.hidden;
    for (const Asking& asking : asking_) {
        AttentionTask task = attention_task(layer, asking.first_row, asking.tokens);
        task.queries = asking.end_kept - asking.first_kept;
        task.positions = batch_->kept.data() + piece_->first_kept + asking.first_kept;
        task.position_offset = piece_->first_token + asking.first_row;
        task.query = queries_.as<float>() + asking.first_kept * hidden;
        task.query_stride = hidden;
        attend(task, asking.first_kept);
    }
}

void Pass::attend_folded(const Layer& layer) {
    const std::span<const Folded> all = folded_;
    for (std::size_t first = 0; first < all.size(); first += Product::rows_together)
        attend_folded(layer, all.subspan(first, std::min(Product::rows_together, all.size() - first)));
}

// At most Product::rows_together of them. What heads ask becomes what they see, and their queries become their answers,
// in place.
void Pass::attend_folded(const Layer& layer, std::span<const Folded> rows) {
    const std::size_t hidden = model_.config.hidden;
    const auto query = [&](std::size_t head) {
        return heads_.as<float>() + head * Product::rows_together * model_.config.head_size();
    };
    const auto asked = [&](std::size_t head) { return asked_.as<float>() + head * Product::rows_together * hidden; };
    heads_.reserve(Product::rows_together * hidden * sizeof(float));
    asked_.reserve(Product::rows_together * model_.config.heads * hidden * sizeof(float));
    take_heads(rows);
    for (std::size_t head = 0; head < model_.config.heads; ++head)
        layer.folded->ask[head].run(rows.size(), query(head), asked(head));
    for (std::size_t r = 0; r < rows.size(); ++r) see(rows[r], asked_.as<float>() + r * hidden);
    for (std::size_t head = 0; head < model_.config.heads; ++head)
        layer.folded->answer[head].run(rows.size(), asked(head), query(head));
    put_heads(rows);
}

void Pass::take_heads(std::span<const Folded> rows) {
    const std::size_t size = model_.config.head_size();
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const float* from = queries_.as<float>() + rows[r].kept * model_.config.hidden;
        for (std::size_t head = 0; head < model_.config.heads; ++head)
            std::copy_n(from + head * size, size, heads_.as<float>() + (head * Product::rows_together + r) * size);
    }
}

void Pass::put_heads(std::span<const Folded> rows) {
    const std::size_t size = model_.config.head_size();
    for (std::size_t r = 0; r < rows.size(); ++r) {
        for (std::size_t head = 0; head < model_.config.heads; ++head) {
            const float* from = heads_.as<float>() + (head * Product::rows_together + r) * size;
            store_operands(from, size, attended_, rows[r].kept * model_.config.hidden + head * size);
        }
    }
}

// Attention with one head as wide as the rows: those are its keys and its values, and every head's question is a query.
void Pass::see(const Folded& row, float* asked) {
    const snapshot::ModelConfig& config = model_.config;
    space_.reserve(attention_space(row.tokens, config.hidden) * sizeof(float));
    AttentionTask task{};
    task.queries = config.heads;
    task.keys = row.tokens;
    task.heads = 1;
    task.head_size = config.hidden;
    task.scale = score_scale(config.head_size());
    task.reach = snapshot::LayerAttention::everywhere;
    task.query = asked;
    task.key = task.value = all_.floats.as<float>() + row.first_row * config.hidden;
    task.query_stride = task.to_stride = Product::rows_together * config.hidden;
    task.key_stride = config.hidden;
    task.space = space_.as<float>();
    task.to = asked;
    kernels_.attend(task);
}

}  // namespace wordbreadth::encoder::cpu
