// The encoder on a GPU: cuBLASLt for the products, our own kernels for the rest.
#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "base/failure.h"
#include "base/workers.h"
#include "cuda/gpu_names.h"
#include "encoder/cuda/model.h"
#include "encoder/encoder.h"
#include "wordbreadth/error.h"

namespace wordbreadth::encoder {

namespace cuda {

namespace {

using ::wordbreadth::cuda::Event;
using ::wordbreadth::cuda::OutOfMemory;
using ::wordbreadth::cuda::Pinned;

// Keeps a stream from getting ahead of the device by more than some hundredths of a second, so that little is under way
// when a stop is requested. Small models never come to that.
class Lead {
  public:
    // `check` throws when a stop was requested.
    Lead(Precision precision, std::function<void()> check)
        : most_(precision == Precision::f32 ? 2e12 : 2e13), check_(std::move(check)) {}

    // After work of so many operations was given to the stream.
    void add(double operations, const Stream& stream) {
        check_();
        since_ += operations;
        if (since_ < most_ / static_cast<double>(points_.size())) return;
        since_ = 0;
        points_[next_].record(stream);
        next_ = (next_ + 1) % points_.size();
        while (!points_[next_].is_done()) {  // the first of them
            check_();
            std::this_thread::sleep_for(std::chrono::microseconds(100));
        }
    }

  private:
    double most_;  // operations: on an H200 40 ms
    std::function<void()> check_;
    double since_ = 0;
    std::array<Event, 4> points_;
    std::size_t next_ = 0;
};

// Runs a piece through the layers, on the device.
class Pass {
  public:
    // All four must outlive the pass.
    Pass(const DeviceModel& model, Products& products, const Stream& stream, Lead& lead)
        : model_(model), stream_(stream), products_(products), lead_(lead) {}

    // For pieces of up to `tokens` tokens, of which up to `kept` are kept; not while one is running. Throws
    // OutOfMemory.
    void reserve(std::size_t tokens, std::size_t kept) {
        const Sizes& sizes = model_.sizes;
        const std::size_t bytes = bytes_of(model_.precision);
        reserve(all_, tokens);
        reserve(kept_, kept);
        if (model_.embeddings.projection) embedded_.reserve(tokens * sizes.embedding_row * bytes);
        projected_.reserve(tokens * sizes.projected() * bytes);
        queries_.reserve(kept * sizes.attended * bytes);
        attended_.reserve(tokens * sizes.attended * bytes);
        const bool gated = model_.config.gated;
        up_.reserve(tokens * sizes.intermediate * (gated ? 2 : 1) * bytes);
        if (gated) gated_.reserve(tokens * sizes.intermediate * bytes);
        delta_.reserve(tokens * sizes.row * bytes);
    }

    void release() {
        all_ = {};
        kept_ = {};
        for (Buffer<std::byte>* buffer : {&embedded_, &projected_, &queries_, &attended_, &up_, &gated_, &delta_})
            *buffer = Buffer<std::byte>();
    }

    // Where a piece is on the device, and where its vectors go.
    struct Task {
        const PackedPiece* piece;
        const std::int32_t* numbers;  // as in the packed piece
        float* vectors;               // (layers, kept, row)
        std::int32_t* not_finite;     // becomes 1 when a value of `vectors` is not; 0 before
    };

    // Returns when all is asked for; the stream says when it is done.
    void run(const Task& task, std::span<const LayerRange> layers) {
        task_ = task;
        layers_ = layers;
        embed();
        collect(0);
        for (std::size_t layer = 1; layer <= model_.layers.size(); ++layer) {
            for (std::size_t i = 0; i < layers.size(); ++i)
                if (layers[i].last == layer) run_kept(layer - 1, vectors_of(i, layer));
            if (layer == model_.layers.size()) break;
            run_layer(layer - 1);
            lead_.add(operations_of_layer(), stream_);
            collect(layer);
        }
    }

  private:
    // The current rows: as operands, and in float32 where norms come first.
    struct Rows {
        Buffer<std::byte> operands;
        Buffer<float> residual;
    };

    void reserve(Rows& rows, std::size_t count) const {
        rows.operands.reserve(count * model_.sizes.row * bytes_of(model_.precision));
        if (model_.config.norms_first) rows.residual.reserve(count * model_.sizes.row);
    }

    // The sum of a range grows where it is handed out, and is divided with the last of its layers.
    VectorsView vectors_of(std::size_t asked, std::size_t layer) const {
        const auto [first, last] = layers_[asked];
        const auto count = static_cast<float>(last - first + 1);
        float* values = task_.vectors + asked * task_.piece->kept * model_.sizes.row;
        return {values, layer > first, layer == last ? 1 / count : 1, task_.not_finite};
    }

    void embed() {
        const PackedPiece& piece = *task_.piece;
        const DeviceEmbeddings& tables = model_.embeddings;
        const Sizes& sizes = model_.sizes;
        const bool norms_next = model_.config.norms_first && !model_.layers.empty();
        cuda::embed(model_.precision,
                    {.sizes = {piece.tokens, sizes.embedding, sizes.embedding_row},
                     .ids = list(0),
                     .types = piece.has_types ? list(piece.types_at) : nullptr,
                     .positions = list(piece.position_rows_at),
                     .word_rows = tables.words.data(),
                     .type_rows = tables.types.data(),
                     .position_rows = tables.positions.data(),
                     .norm = model_.view(tables.norm),
                     .residual = all_.residual.data(),
                     .next = norms_next ? model_.view(model_.layers.front().attention_norm) : NormView{},
                     .operands = (tables.projection ? embedded_ : all_.operands).data()},
                    stream_.get());
        if (tables.projection)
            products_.run(*tables.projection, Epilogue::store, piece.tokens, embedded_.data(), all_.operands.data());
    }

    // Without attention itself, which is small beside them.
    [[nodiscard]] double operations_of_layer() const {
        const Sizes& sizes = model_.sizes;
        const std::size_t weights = sizes.row * (sizes.projected() + sizes.attended) +
                                    sizes.row * sizes.intermediate * (model_.config.gated ? 3 : 2);
        return 2 * static_cast<double>(task_.piece->tokens) * static_cast<double>(weights);
    }

    void run_layer(std::size_t index) {
        const DeviceLayer& layer = model_.layers[index];
        const std::size_t tokens = task_.piece->tokens;
        products_.run(layer.qkv, Epilogue::store, tokens, all_.operands.data(), projected_.data());
        normalize_heads(layer, false);
        attend(layer, false);
        finish_layer(index, all_, tokens, {});
    }

    // Keys and values of all tokens, everything else of the kept ones only; the rows of all stay as they are.
    void run_kept(std::size_t index, const VectorsView& vectors) {
        const DeviceLayer& layer = model_.layers[index];
        const PackedPiece& piece = *task_.piece;
        const Sizes& sizes = model_.sizes;
        products_.run({&layer.qkv, sizes.attended, 2 * sizes.keys}, Epilogue::store, piece.tokens, all_.operands.data(),
                      projected_.data());
        take_kept_rows();
        products_.run({&layer.qkv, 0, sizes.attended}, Epilogue::store, piece.kept, kept_.operands.data(),
                      queries_.data());
        normalize_heads(layer, true);
        attend(layer, true);
        finish_layer(index, kept_, piece.kept, vectors);
    }

    // Where queries and keys are: in one matrix, or in two where only the kept tokens ask.
    struct Projected {
        std::byte *query, *key, *value;
        std::size_t query_stride, key_stride;  // in values
    };
    Projected projected(bool kept_only) {
        const Sizes& sizes = model_.sizes;
        const std::size_t bytes = bytes_of(model_.precision);
        std::byte* key = projected_.data() + (kept_only ? 0 : sizes.attended * bytes);
        return {kept_only ? queries_.data() : projected_.data(), key, key + sizes.keys * bytes,
                kept_only ? sizes.attended : sizes.projected(), kept_only ? 2 * sizes.keys : sizes.projected()};
    }

    void normalize_heads(const DeviceLayer& layer, bool kept_only) {
        if (layer.query_norm.size() == 0) return;
        const Sizes& sizes = model_.sizes;
        const PackedPiece& piece = *task_.piece;
        const Projected at = projected(kept_only);
        const auto normalize = [&](std::size_t rows, std::size_t stride, std::size_t heads, const Buffer<float>& norm,
                                   std::byte* values) {
            cuda::normalize_heads(model_.precision,
                                  {rows, stride, heads, sizes.head, sizes.head_row, model_.head_view(norm), values},
                                  stream_.get());
        };
        normalize(kept_only ? piece.kept : piece.tokens, at.query_stride, sizes.heads, layer.query_norm, at.query);
        normalize(piece.tokens, at.key_stride, sizes.key_heads, layer.key_norm, at.key);
    }

    void attend(const DeviceLayer& layer, bool kept_only) {
        const PackedPiece& piece = *task_.piece;
        const Sizes& sizes = model_.sizes;
        const Projected at = projected(kept_only);
        const std::int32_t* tiles = list(kept_only ? piece.kept_tiles_at : piece.tiles_at);
        cuda::attend(model_.precision,
                     {.heads = sizes.heads,
                      .key_heads = sizes.key_heads,
                      .head_row = sizes.head_row,
                      .scale = static_cast<float>(layer.attention->scale),
                      .before = layer.attention->before,
                      .after = layer.attention->after,
                      .tiles = kept_only ? piece.kept_tiles : piece.tiles,
                      .tile = reinterpret_cast<const Tile*>(tiles),
                      .positions = list(kept_only ? piece.kept_positions_at : piece.positions_at),
                      .query = at.query,
                      .key = at.key,
                      .value = at.value,
                      .query_stride = at.query_stride,
                      .key_stride = at.key_stride,
                      .rotations = layer.rotations != nullptr ? layer.rotations->data() : nullptr,
                      .relative = model_.relative_view(layer),
                      .to = attended_.data()},
                     stream_.get());
    }

    // What the rows go through after layer `index`: its own norm, or where norms come first that of what comes next,
    // which rows that are handed out do not see unless it is the model's last.
    NormView norm_after(std::size_t index, bool handed_out) const {
        const DeviceLayer& layer = model_.layers[index];
        if (!model_.config.norms_first) return model_.view(layer.mlp_norm);
        if (index + 1 < model_.layers.size())
            return handed_out ? NormView{} : model_.view(model_.layers[index + 1].attention_norm);
        return model_.view(model_.final_norm);
    }

    void finish_layer(std::size_t index, Rows& rows, std::size_t count, const VectorsView& vectors) {
        const DeviceLayer& layer = model_.layers[index];
        CarryTask task{.sizes = rows_of(count),
                       .delta = delta_.data(),
                       .source = rows.operands.data(),
                       .residual = rows.residual.data(),
                       .norm = model_.view(model_.config.norms_first ? layer.mlp_norm : *layer.attention_norm),
                       .operands = rows.operands.data()};
        products_.run(layer.out, Epilogue::store, count, attended_.data(), delta_.data());
        carry(model_.precision, task, stream_.get());
        run_mlp(layer, rows, count);
        task.norm = norm_after(index, vectors.values != nullptr);
        task.vectors = vectors;
        carry(model_.precision, task, stream_.get());
    }

    void run_mlp(const DeviceLayer& layer, const Rows& rows, std::size_t count) {
        const Activation activation = model_.config.activation;
        const std::size_t width = model_.sizes.intermediate;
        const bool gated = model_.config.gated;
        const Epilogue epilogue = gated ? Epilogue::store : fused(activation, model_.precision);
        products_.run(layer.up, epilogue, count, rows.operands.data(), up_.data());
        if (gated) {
            activate_and_multiply(model_.precision, activation, count, width, up_.data(), gated_.data(), stream_.get());
        } else if (epilogue == Epilogue::store) {
            activate(model_.precision, activation, count * width, up_.data(), stream_.get());
        }
        products_.run(layer.down, Epilogue::store, count, (gated ? gated_ : up_).data(), delta_.data());
    }

    // The rows after a layer, to the means of ranges that it is in and that go on above it; of the embeddings, to
    // whatever begins with them.
    void collect(std::size_t layer) {
        for (std::size_t i = 0; i < layers_.size(); ++i)
            if (layers_[i].first <= layer && layer < std::max<std::size_t>(layers_[i].last, 1))
                collect(vectors_of(i, layer));
    }

    void collect(const VectorsView& vectors) {
        carry(model_.precision,
              {.sizes = rows_of(task_.piece->kept),
               .taken = list(task_.piece->kept_at),
               .source = all_.operands.data(),
               .residual = all_.residual.data(),
               .vectors = vectors},
              stream_.get());
    }

    void take_kept_rows() {
        const auto take = [&](Precision precision, const void* from, void* to) {
            carry(precision,
                  {.sizes = rows_of(task_.piece->kept),
                   .taken = list(task_.piece->kept_at),
                   .source = from,
                   .operands = to},
                  stream_.get());
        };
        take(model_.precision, all_.operands.data(), kept_.operands.data());
        if (model_.config.norms_first) take(Precision::f32, all_.residual.data(), kept_.residual.data());
    }

    [[nodiscard]] RowSizes rows_of(std::size_t count) const { return {count, model_.sizes.hidden, model_.sizes.row}; }
    [[nodiscard]] const std::int32_t* list(std::size_t at) const { return task_.numbers + at; }

    const DeviceModel& model_;
    const Stream& stream_;
    Products& products_;
    Lead& lead_;
    Task task_{};
    std::span<const LayerRange> layers_;
    Rows all_, kept_;
    Buffer<std::byte> embedded_;    // (tokens, embedding_row), where embeddings are projected
    Buffer<std::byte> projected_;   // (tokens, projected()): queries, keys, values; or keys and values alone
    Buffer<std::byte> queries_;     // (kept, attended), where only the kept tokens ask
    Buffer<std::byte> attended_;    // (tokens, attended)
    Buffer<std::byte> up_, gated_;  // (tokens, intermediate); where there is a gate, `up` is twice as wide
    Buffer<std::byte> delta_;       // (tokens, row): what half a layer made of its rows
};

// What is done in one of them is done in order.
struct Streams {
    Stream up, work, down;
};

// Room for one piece in a pipeline, where one piece is copied to the device, another goes through the layers, and the
// vectors of a third come back. Several slots take turns.
class Slot {
  public:
    // For pieces of up to `tokens` tokens, of which up to `kept` are kept. Not while a piece is running. Throws
    // OutOfMemory.
    void reserve(std::size_t tokens, std::size_t kept, std::size_t layers, const Sizes& sizes) {
        host_numbers_.reserve(batching::most_numbers(tokens, kept));
        host_vectors_.reserve(kept * layers * sizes.hidden);
        host_not_finite_.reserve(1);
        numbers_.reserve(batching::most_numbers(tokens, kept));
        vectors_.reserve(layers * kept * sizes.row);
        not_finite_.reserve(1);
    }

    void release() {
        host_numbers_.release();
        host_vectors_.release();
        numbers_ = Buffer<std::int32_t>();
        vectors_ = Buffer<float>();
    }

    // The batch is not needed any more once this returns.
    void start(const Batch& batch, const Piece& piece, Pass& pass, std::span<const LayerRange> layers,
               const DeviceModel& model, const Streams& streams) {
        batching::pack(batch, piece, model.config, packed_);
        first_kept_ = piece.first_kept;
        width_ = layers.size() * model.sizes.hidden;
        std::copy(packed_.numbers.begin(), packed_.numbers.end(), host_numbers_.data());
        numbers_.upload({host_numbers_.data(), packed_.numbers.size()}, streams.up);
        WORDBREADTH_CUDA(cudaMemsetAsync(not_finite_.data(), 0, sizeof(std::int32_t), streams.up.get()));
        sent_.record(streams.up);
        sent_.hold(streams.work);

        pass.run({&packed_, numbers_.data(), vectors_.data(), not_finite_.data()}, layers);
        worked_.record(streams.work);
        worked_.hold(streams.down);

        for (std::size_t layer = 0; layer < layers.size(); ++layer) fetch(layer, model.sizes, streams.down);
        not_finite_.download({host_not_finite_.data(), 1}, streams.down);
        fetched_.record(streams.down);
    }

    // Waits, and fills the piece's part of `vectors` (all that is kept of the batch, layers, hidden), on all threads of
    // `copiers`: one alone copies more slowly than the vectors come from the device. Throws NotFinite.
    void finish(std::span<float> vectors, base::Workers& copiers) {
        fetched_.wait();
        if (*host_not_finite_.data() != 0) throw NotFinite();
        constexpr std::size_t part = std::size_t{1} << 17;  // floats: half a megabyte
        const std::size_t size = packed_.kept * width_;
        const float* from = host_vectors_.data();
        float* to = vectors.data() + first_kept_ * width_;
        copiers.run((size + part - 1) / part, [&](std::size_t i, std::size_t) {
            std::copy_n(from + i * part, std::min(part, size - i * part), to + i * part);
        });
    }

  private:
    // The vectors of one layer, to their places among those of all.
    void fetch(std::size_t layer, const Sizes& sizes, const Stream& stream) {
        WORDBREADTH_CUDA(cudaMemcpy2DAsync(host_vectors_.data() + layer * sizes.hidden, width_ * sizeof(float),
                                           vectors_.data() + layer * packed_.kept * sizes.row,
                                           sizes.row * sizeof(float), sizes.hidden * sizeof(float), packed_.kept,
                                           cudaMemcpyDeviceToHost, stream.get()));
    }

    PackedPiece packed_;
    std::size_t first_kept_ = 0;
    std::size_t width_ = 0;  // layers * hidden
    Pinned<std::int32_t> host_numbers_;
    Pinned<float> host_vectors_;            // (kept, layers, hidden)
    Pinned<std::int32_t> host_not_finite_;  // (1)
    Buffer<std::int32_t> numbers_;
    Buffer<float> vectors_;            // (layers, kept, row)
    Buffer<std::int32_t> not_finite_;  // (1)
    Event sent_, worked_, fetched_;
};

// Enough to fill the device, and few enough that much of a piece is still in its cache when the next kernel wants it.
constexpr std::size_t most_tokens_together = 32'768;
constexpr std::size_t fewest_tokens_together = 256;
constexpr unsigned most_copiers = 8;  // more threads do not copy faster

std::size_t longest_sentence(const Batch& batch) {
    std::size_t longest = 0;
    std::size_t begin = 0;
    for (const std::size_t end : batch.ends) {
        longest = std::max(longest, end - begin);
        begin = end;
    }
    return longest;
}

// A model on a GPU, while that is the calling thread's.
class Runner {
  public:
    // `check` throws when a stop was requested.
    Runner(const snapshot::ModelWeights& weights, LayersAhead& layers_ahead, const RunOptions& options,
           std::function<void()> check)
        : options_(options),
          check_(std::move(check)),
          products_(options.precision, streams_.work),
          model_(weights, layers_ahead, deepest(options.layers), products_, streams_.work, options.stop),
          lead_(options.precision, check_),
          pass_(model_, products_, streams_.work, lead_),
          copiers_(std::min(options.threads, most_copiers)) {}

    [[nodiscard]] const DeviceModel& model() const { return model_; }
    [[nodiscard]] const std::vector<LayerRange>& layers() const { return options_.layers; }

    void encode(const Batch& batch, std::span<float> vectors) {
        const std::vector<Piece> pieces = cut_to_fit(batch);
        try {
            run(batch, pieces, vectors);
        } catch (...) {
            static_cast<void>(cudaDeviceSynchronize());  // the next call starts with empty streams
            throw;
        }
    }

  private:
    // The device always has two pieces queued while the vectors of a third are copied back.
    void run(const Batch& batch, const std::vector<Piece>& pieces, std::span<float> vectors) {
        const auto slot_of = [&](std::size_t piece) -> Slot& { return slots_[piece % slots_.size()]; };
        const std::size_t ahead = slots_.size() - 1;
        for (std::size_t i = 0; i < pieces.size() + ahead; ++i) {
            check_();
            if (i < pieces.size()) slot_of(i).start(batch, pieces[i], pass_, options_.layers, model_, streams_);
            if (i >= ahead) slot_of(i - ahead).finish(vectors, copiers_);
        }
    }

    // Pieces that the device's memory holds, and the memory for them.
    std::vector<Piece> cut_to_fit(const Batch& batch) {
        for (;; tokens_together_ /= 2) {
            std::vector<Piece> pieces = cut_evenly(batch);
            try {
                reserve(batch, pieces);
                return pieces;
            } catch (const OutOfMemory&) {
                release();
                if (tokens_together_ > fewest_tokens_together) continue;
                tokens_together_ = most_tokens_together;  // there may be more the next time
                throw InputError(
                    "the GPU's free memory does not hold the numbers of " + std::to_string(longest_sentence(batch)) +
                    " tokens, the longest sentence; stop what else uses it, truncate sentences, or use the "
                    "CPU");
            }
        }
    }

    // The last piece of a batch should not be a tiny one. Where memory is short, pieces are as small as they have to
    // be.
    [[nodiscard]] std::vector<Piece> cut_evenly(const Batch& batch) const {
        const std::size_t tokens = batch.ids.size();
        if (tokens_together_ < most_tokens_together || tokens <= most_tokens_together)
            return batching::cut(batch, tokens_together_);
        const std::size_t pieces = (tokens + most_tokens_together - 1) / most_tokens_together;
        return batching::cut(batch, (tokens + pieces - 1) / pieces + longest_sentence(batch));
    }

    // Room for a little more than these pieces: memory that grows with every batch would hold up the device each time.
    void reserve(const Batch& batch, const std::vector<Piece>& pieces) {
        std::size_t tokens = 0;
        std::size_t kept = 0;
        for (const Piece& piece : pieces) {
            tokens = std::max(tokens, piece.tokens());
            kept = std::max(kept, piece.kept());
        }
        if (pieces.empty()) return;
        tokens += tokens / 8;
        kept += kept / 4;
        model_.reserve_positions(longest_sentence(batch));
        pass_.reserve(tokens, kept);
        for (Slot& slot : slots_) slot.reserve(tokens, kept, options_.layers.size(), model_.sizes);
    }

    void release() {
        pass_.release();
        for (Slot& slot : slots_) slot.release();
    }

    RunOptions options_;
    std::function<void()> check_;
    Streams streams_;
    Products products_;
    DeviceModel model_;
    Lead lead_;
    Pass pass_;
    std::array<Slot, 3> slots_;
    base::Workers copiers_;
    std::size_t tokens_together_ = most_tokens_together;
};

class CudaEncoder : public Encoder {
  public:
    CudaEncoder(int gpu, const snapshot::ModelWeights& weights, LayersAhead& layers_ahead, const RunOptions& options)
        : runner_(gpu, [&] { return std::make_unique<Runner>(weights, layers_ahead, options, [this] { check(); }); }) {}

    [[nodiscard]] const snapshot::ModelConfig& config() const override { return (*runner_).model().config; }
    [[nodiscard]] Precision precision() const override { return (*runner_).model().precision; }
    [[nodiscard]] std::string device() const override { return "cuda"; }
    [[nodiscard]] std::string instruction_set() const override {
        return ::wordbreadth::cuda::instruction_set(runner_.ordinal());
    }
    [[nodiscard]] const std::vector<LayerRange>& layers() const override { return (*runner_).layers(); }

    void encode(const Batch& batch, std::span<float> vectors) override {
        batching::require_fits(batch, config(), width(), vectors);
        runner_.use([&](Runner& runner) { runner.encode(batch, vectors); });
    }

  private:
    ::wordbreadth::cuda::OnGpu<Runner> runner_;
};

int gpu_of(const std::string& device) {
    const std::optional<int> named = ::wordbreadth::cuda::gpu_named(device);
    const std::string because =
        named ? ::wordbreadth::cuda::why_unavailable(*named) : ::wordbreadth::cuda::why_unavailable();
    if (!because.empty()) throw InputError("device '" + device + "' cannot be used: " + because + "; use the CPU");
    return named ? *named : ::wordbreadth::cuda::usable_gpus().front();
}

// Vectors depend on the kind of GPU: on which algorithms cuBLASLt has for it, and on how many multiprocessors share
// the work.
bool are_alike(int one, int other) {
    const cudaDeviceProp &a = ::wordbreadth::cuda::properties(one), &b = ::wordbreadth::cuda::properties(other);
    return std::string(a.name) == b.name && a.major == b.major && a.minor == b.minor &&
           a.multiProcessorCount == b.multiProcessorCount;
}

}  // namespace

}  // namespace cuda

std::vector<std::string> gpus_alike() {
    const std::vector<int> usable = ::wordbreadth::cuda::usable_gpus();
    std::vector<std::string> alike;
    for (const int gpu : usable)
        if (cuda::are_alike(usable.front(), gpu)) alike.push_back(::wordbreadth::cuda::gpu_name(gpu));
    return alike;
}

Device describe_cuda() {
    Device device;
    device.name = "cuda";
    device.unavailable_because = ::wordbreadth::cuda::why_unavailable();
    device.available = device.unavailable_because.empty();
    device.description = "NVIDIA GPU";
    if (!device.available) return device;
    const int first = ::wordbreadth::cuda::usable_gpus().front();
    device.description = ::wordbreadth::cuda::properties(first).name;
    device.instruction_set = ::wordbreadth::cuda::instruction_set(first);
    device.instruction_sets = {device.instruction_set};
    return device;
}

std::unique_ptr<Encoder> open_cuda_encoder(const std::string& folder, const RunOptions& options) {
    const snapshot::ModelWeights weights(folder);
    require_good_options(folder, weights.config(), options);
    cuda::require_known_sizes(folder, weights.config());
    // They are read while the driver starts.
    cuda::LayersAhead layers_ahead(folder, weights.config(), deepest(options.layers), options.threads);
    const int gpu = cuda::gpu_of(options.device);
    const std::string set = ::wordbreadth::cuda::instruction_set(gpu);
    if (!options.instruction_set.empty() && options.instruction_set != set)
        throw InputError("instruction set '" + options.instruction_set + "' cannot be used by device " +
                         options.device + " here; expected " + set);
    try {
        return std::make_unique<cuda::CudaEncoder>(gpu, weights, layers_ahead, options);
    } catch (const ::wordbreadth::cuda::OutOfMemory&) {
        base::fail(folder, "the model does not fit into the GPU's free memory; stop what else uses it, or use the CPU");
    }
}

}  // namespace wordbreadth::encoder
