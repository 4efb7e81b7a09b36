// Sentence by sentence: the tasks of the attention kernel.
#include "encoder/cpu/pass.h"

namespace wordbreadth::encoder::cpu {

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
        task.to = rounds() ? nullptr : attended_.as<float>() + row * hidden;
        task.rounded = rounds() ? attended_.as<std::uint16_t>() + row * hidden : nullptr;
        kernels_.attend(task);
    }
}

}  // namespace wordbreadth::encoder::cpu
