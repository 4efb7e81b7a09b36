#include "encoder/cuda/pass.h"

namespace wordbreadth::encoder::cuda {

void Pass::run(const Task& task, LayerRange layers) {
    task_ = task;
    embed();
    if (layers.first == 0) collect(vectors_of(0, layers));
    for (std::size_t layer = 1; layer < layers.last; ++layer) {
        run_layer(layer - 1);
        if (layer >= layers.first) collect(vectors_of(layer, layers));
    }
    if (layers.last > 0) run_last_layer(layers.last - 1, vectors_of(layers.last, layers));
}

void Pass::reserve(std::size_t tokens, std::size_t kept) {
    const Sizes& sizes = model_.sizes;
    const std::size_t bytes = bytes_of(model_.precision);
    reserve(all_, tokens);
    reserve(kept_, kept);
    projected_.reserve(tokens * 3 * sizes.attended * bytes);
    queries_.reserve(kept * sizes.attended * bytes);
    attended_.reserve(tokens * sizes.attended * bytes);
    const bool gated = model_.config.norms_first();
    up_.reserve(tokens * sizes.intermediate * (gated ? 2 : 1) * bytes);
    if (gated) gated_.reserve(tokens * sizes.intermediate * bytes);
    delta_.reserve(tokens * sizes.row * bytes);
}

void Pass::reserve(Rows& rows, std::size_t count) const {
    rows.operands.reserve(count * model_.sizes.row * bytes_of(model_.precision));
    if (model_.config.norms_first()) rows.residual.reserve(count * model_.sizes.row);
}

void Pass::release() {
    all_ = {};
    kept_ = {};
    for (Buffer<std::byte>* buffer : {&projected_, &queries_, &attended_, &up_, &gated_, &delta_})
        *buffer = Buffer<std::byte>();
}

// The sum of the layers asked for grows where it is handed out, and is divided with the last.
VectorsView Pass::vectors_of(std::size_t layer, LayerRange layers) const {
    const auto count = static_cast<float>(layers.last - layers.first + 1);
    return {task_.vectors, layer > layers.first, layer == layers.last ? 1 / count : 1, task_.not_finite};
}

void Pass::embed() {
    const PackedPiece& piece = *task_.piece;
    const DeviceEmbeddings& tables = model_.embeddings;
    cuda::embed(model_.precision,
                {.sizes = rows_of(piece.tokens),
                 .ids = list(0),
                 .types = piece.has_types ? list(piece.types_at) : nullptr,
                 .positions = list(piece.positions_at),
                 .word_rows = tables.words.data(),
                 .type_rows = tables.types.data(),
                 .position_rows = tables.positions.data(),
                 .norm = model_.view(tables.norm),
                 .operands = all_.operands.data(),
                 .residual = all_.residual.data()},
                stream_.get());
}

void Pass::run_layer(std::size_t index) {
    const DeviceLayer& layer = model_.layers[index];
    const std::size_t tokens = task_.piece->tokens;
    products_.run(layer.qkv, Epilogue::store, tokens, all_.operands.data(), projected_.data());
    attend(layer, false);
    finish_layer(index, all_, tokens, {});
}

// Keys and values of all tokens, everything else of the kept ones only.
void Pass::run_last_layer(std::size_t index, const VectorsView& vectors) {
    const DeviceLayer& layer = model_.layers[index];
    const PackedPiece& piece = *task_.piece;
    const std::size_t part = model_.sizes.attended;
    products_.run({&layer.qkv, part, 2 * part}, Epilogue::store, piece.tokens, all_.operands.data(), projected_.data());
    take_kept_rows();
    products_.run({&layer.qkv, 0, part}, Epilogue::store, piece.kept, kept_.operands.data(), queries_.data());
    attend(layer, true);
    finish_layer(index, kept_, piece.kept, vectors);
}

void Pass::attend(const DeviceLayer& layer, bool kept_only) {
    const PackedPiece& piece = *task_.piece;
    const Sizes& sizes = model_.sizes;
    const std::size_t parts = kept_only ? 2 : 3;
    const std::size_t part_bytes = sizes.attended * bytes_of(model_.precision);
    const std::byte* projected = projected_.data();
    const std::int32_t* tiles = list(kept_only ? piece.kept_tiles_at : piece.tiles_at);
    cuda::attend(model_.precision,
                 {.heads = sizes.heads,
                  .head = sizes.head,
                  .head_row = sizes.head_row,
                  .reach = layer.reach,
                  .tiles = kept_only ? piece.kept_tiles : piece.tiles,
                  .tile = reinterpret_cast<const Tile*>(tiles),
                  .positions = list(kept_only ? piece.kept_positions_at : piece.positions_at),
                  .query = kept_only ? queries_.data() : projected,
                  .key = projected + (parts - 2) * part_bytes,
                  .value = projected + (parts - 1) * part_bytes,
                  .query_stride = (kept_only ? 1 : parts) * sizes.attended,
                  .key_stride = parts * sizes.attended,
                  .rotations = layer.rotations != nullptr ? layer.rotations->data() : nullptr,
                  .to = attended_.data()},
                 stream_.get());
}

// What the rows go through after layer `index`: its own norm, or where norms come first that of what comes next.
NormView Pass::norm_after(std::size_t index) const {
    const DeviceLayer& layer = model_.layers[index];
    if (!model_.config.norms_first()) return model_.view(layer.mlp_norm);
    if (index + 1 < model_.layers.size()) return model_.view(*model_.layers[index + 1].attention_norm);
    return model_.final_norm ? model_.view(*model_.final_norm) : NormView{};
}

void Pass::finish_layer(std::size_t index, Rows& rows, std::size_t count, const VectorsView& vectors) {
    const DeviceLayer& layer = model_.layers[index];
    AddTask task{.sizes = rows_of(count),
                 .delta = delta_.data(),
                 .operands = rows.operands.data(),
                 .residual = rows.residual.data(),
                 .norm = model_.view(model_.config.norms_first() ? layer.mlp_norm : *layer.attention_norm),
                 .vectors = {}};
    products_.run(layer.out, Epilogue::store, count, attended_.data(), delta_.data());
    add_and_normalize(model_.precision, task, stream_.get());
    run_mlp(layer, rows, count);
    task.norm = norm_after(index);
    task.vectors = vectors;
    add_and_normalize(model_.precision, task, stream_.get());
}

void Pass::run_mlp(const DeviceLayer& layer, const Rows& rows, std::size_t count) {
    const Activation activation = model_.config.activation;
    const std::size_t width = model_.sizes.intermediate;
    const bool gated = layer.up.outputs != width;
    const Epilogue epilogue = gated ? Epilogue::store : fused(activation, model_.precision);
    products_.run(layer.up, epilogue, count, rows.operands.data(), up_.data());
    if (gated) {
        activate_and_multiply(model_.precision, activation, count, width, up_.data(), gated_.data(), stream_.get());
    } else if (epilogue == Epilogue::store) {
        activate(model_.precision, activation, count * width, up_.data(), stream_.get());
    }
    products_.run(layer.down, Epilogue::store, count, (gated ? gated_ : up_).data(), delta_.data());
}

void Pass::collect(const VectorsView& vectors) {
    cuda::collect(model_.precision,
                  {.sizes = rows_of(task_.piece->kept),
                   .kept = list(task_.piece->kept_at),
                   .operands = all_.operands.data(),
                   .residual = all_.residual.data(),
                   .vectors = vectors},
                  stream_.get());
}

void Pass::take_kept_rows() {
    take_rows(model_.precision,
              {.sizes = rows_of(task_.piece->kept),
               .kept = list(task_.piece->kept_at),
               .from_operands = all_.operands.data(),
               .to_operands = kept_.operands.data(),
               .from_residual = all_.residual.data(),
               .to_residual = kept_.residual.data()},
              stream_.get());
}

}  // namespace wordbreadth::encoder::cuda
