// The encoder on the CPU: oneDNN for the products, our own loops for the rest.
#include <algorithm>
#include <cstring>

#include "base/workers.h"
#include "cpu/onednn.h"
#include "encoder/cpu/kernels.h"
#include "encoder/cpu/model.h"
#include "encoder/encoder.h"

namespace wordbreadth::encoder {

namespace cpu {

namespace {

using batching::Piece;
using Sentence = Piece::Sentence;

// Runs pieces through the layers, one at a time, on one thread; owns the workspace for that.
class Pass {
  public:
    // Both must outlive the pass.
    Pass(const Model& model, const Kernels& kernels) : model_(model), kernels_(kernels) {}

    // Fills the rows of `vectors` (batch.kept.size(), layers, hidden) that belong to the piece.
    void run(const Batch& batch, const Piece& piece, std::span<const LayerRange> layers, std::span<float> vectors) {
        batch_ = &batch;
        piece_ = &piece;
        layers_ = layers;
        const std::size_t width = layers.size() * model_.config.hidden;
        vectors_ = vectors.subspan(piece.first_kept * width, piece.kept() * width);
        reserve(piece.tokens(), piece.kept());
        if (model_.layers.empty()) return embed_kept();
        embed_all();
        collect_all(0);
        for (std::size_t layer = 1; layer <= model_.layers.size(); ++layer) {
            const Layer& weights = model_.layers[layer - 1];
            if (weights.kept) {
                run_kept(weights, layer == model_.config.layers);
                collect_kept(layer);
            }
            if (!weights.qkv) break;
            run_layer(weights);
            collect_all(layer);
        }
        divide();
    }

  private:
    // The current rows, and the same as operands of products: rounded, or normalised first, or the rows themselves.
    struct Rows {
        Buffer floats;
        Buffer operands;
    };

    // A kept token whose sentence's keys and values are not made: see FoldedAttention.
    struct Folded {
        std::size_t first_row, tokens, kept;
    };

    // Products work on a few rows more than there are; what those hold is never looked at.
    void reserve(std::size_t tokens, std::size_t kept) {
        const snapshot::ModelConfig& config = model_.config;
        const std::size_t hidden = config.hidden;
        const std::size_t rows = Product::padded_rows(tokens);
        const std::size_t kept_rows = Product::padded_rows(kept);
        if (model_.embedding_projection) {
            embedded_.floats.reserve(rows * config.embedding * sizeof(float));
            embedded_.operands.reserve(rows * config.embedding * operand_bytes());
        }
        all_.floats.reserve(rows * hidden * sizeof(float));
        all_.operands.reserve(rows * hidden * operand_bytes());
        kept_.floats.reserve(kept_rows * hidden * sizeof(float));
        kept_.operands.reserve(kept_rows * hidden * operand_bytes());
        moments_.reserve(rows * 2 * sizeof(float));
        projected_.reserve(rows * projected_width() * sizeof(float));
        queries_.reserve(kept_rows * config.attended() * sizeof(float));
        attended_.reserve(rows * config.attended() * operand_bytes());
        up_.reserve(Product::rows_together * config.intermediate * operand_bytes());
        gated_.reserve(Product::rows_together * config.intermediate * operand_bytes());
        space_.reserve(attention_space(tokens, config.head_size, config.relative.has_value()) * sizeof(float));
    }

    // Where embeddings are added up.
    Rows& embedded() { return model_.embedding_projection ? embedded_ : all_; }

    // The embedding of a token of the piece, to row `row`.
    void embed(std::size_t row, std::size_t token) {
        const std::size_t width = model_.config.embedding;
        const snapshot::EmbeddingWeights& embeddings = model_.embeddings;
        float* to = embedded().floats.as<float>() + row * width;
        const std::size_t in_batch = piece_->first_token + token;
        std::copy_n(embeddings.words.data() + static_cast<std::size_t>(batch_->ids[in_batch]) * width, width, to);
        const auto add = [&](const std::vector<float>& table, std::size_t index) {
            if (table.empty()) return;
            for (std::size_t i = 0; i < width; ++i) to[i] += table[index * width + i];
        };
        add(embeddings.types, type_of(in_batch));
        add(embeddings.positions, static_cast<std::size_t>(position_rows_[token]));
    }

    // What follows the sum.
    void finish_embeddings(std::size_t count) {
        const auto store = [&](const Rows& rows, std::size_t width) {
            if (rounds()) store_operands(rows.floats.as<float>(), count * width, rows.operands, 0);
        };
        if (model_.embeddings.norm) {
            normalize(*model_.embeddings.norm, embedded(), 0, count, true);
        } else {
            store(embedded(), model_.config.embedding);
        }
        if (!model_.embedding_projection) return;
        model_.embedding_projection->run(count, operands(embedded_), all_.floats.as<void>());
        store(all_, model_.config.hidden);
    }

    void find_position_rows() {
        position_rows_.clear();
        batching::append_position_rows(*batch_, *piece_, model_.config, position_rows_);
    }

    void embed_all() {
        find_position_rows();
        for (std::size_t token = 0; token < piece_->tokens(); ++token) embed(token, token);
        finish_embeddings(piece_->tokens());
    }

    void embed_kept() {
        find_position_rows();
        for (std::size_t k = 0; k < piece_->kept(); ++k) embed(k, row_of(k));
        finish_embeddings(piece_->kept());
        collect(all_.floats.as<float>(), true, 0, true);
    }

    void run_layer(const Layer& layer) {
        prepare(layer);
        if (&layer == model_.layers.data() && model_.first_projection) {
            project_first();
        } else {
            layer.qkv->run(piece_->tokens(), operands(all_), projected_.as<void>());
        }
        normalize_heads(layer, false);
        attend(layer);
        finish_layer(layer, all_, piece_->tokens());
    }

    void project_words() {
        const auto ids = batch_->ids.subspan(piece_->first_token, piece_->tokens());
        words_.assign(ids.begin(), ids.end());
        std::ranges::sort(words_);
        words_.erase(std::unique(words_.begin(), words_.end()), words_.end());
        const std::size_t hidden = model_.config.hidden;
        const std::size_t rows = Product::padded_rows(words_.size());
        word_operands_.reserve(rows * hidden * operand_bytes());
        projected_words_.reserve(rows * projected_width() * sizeof(float));
        for (std::size_t i = 0; i < words_.size(); ++i) {
            const float* word = model_.embeddings.words.data() + static_cast<std::size_t>(words_[i]) * hidden;
            store_operands(word, hidden, word_operands_, i * hidden);
        }
        model_.first_projection->words.run(words_.size(), word_operands_.as<void>(), projected_words_.as<void>());
    }

    void project_first() {
        project_words();
        const FirstProjection& first = *model_.first_projection;
        const std::size_t width = projected_width();
        for (std::size_t row = 0; row < piece_->tokens(); ++row) {
            const std::size_t token = piece_->first_token + row;
            const auto word = std::ranges::lower_bound(words_, batch_->ids[token]) - words_.begin();
            kernels_.sum({.width = width,
                          .word = projected_words_.as<float>() + static_cast<std::size_t>(word) * width,
                          .position = first.positions.data() + static_cast<std::size_t>(position_rows_[row]) * width,
                          .type = first.types.data() + type_of(token) * width,
                          .ones = first.ones.data(),
                          .rest = first.rest.data(),
                          .moments = moments_.as<float>() + 2 * row,
                          .to = projected_.as<float>() + row * width});
        }
    }

    // Queries and keys, in place, where the model does so.
    void normalize_heads(const Layer& layer, bool kept_only) {
        if (layer.query_norm.empty()) return;
        const snapshot::ModelConfig& config = model_.config;
        const std::size_t width = kept_only ? 2 * config.keys() : projected_width();
        float* row = projected_.as<float>();
        for (std::size_t token = 0; token < piece_->tokens(); ++token, row += width) {
            if (!kept_only) normalize_heads(layer.query_norm, config.heads, row);
            normalize_heads(layer.key_norm, config.key_heads, kept_only ? row : row + config.attended());
        }
        if (!kept_only) return;
        for (std::size_t k = 0; k < piece_->kept(); ++k)
            normalize_heads(layer.query_norm, config.heads, queries_.as<float>() + k * config.attended());
    }

    void normalize_heads(const std::vector<float>& weight, std::size_t heads, float* values) const {
        kernels_.normalize({.rows = heads,
                            .width = weight.size(),
                            .from = values,
                            .weight = weight.data(),
                            .bias = nullptr,
                            .epsilon = static_cast<float>(model_.config.norm_epsilon),
                            .centres = false,
                            .to = values,
                            .rounded = nullptr,
                            .moments = nullptr});
    }

    void attend(const Layer& layer) {
        const std::size_t width = projected_width();
        for (const Sentence& sentence : piece_->sentences) {
            AttentionTask task = attention_task(layer, sentence, false);
            task.queries = task.keys;
            task.query = projected_.as<float>() + sentence.first_token * width;
            task.query_stride = width;
            attend(layer, task, sentence.first_token);
        }
    }

    // Of the kept tokens alone; the rows of all stay as they are, for the layer to be run with them.
    void run_kept(const Layer& layer, bool is_top) {
        prepare(layer);
        take_kept_rows();
        choose_ways(layer);
        layer.kept->queries.run(piece_->kept(), operands(kept_), queries_.as<void>());
        project_keys_and_values(layer);
        normalize_heads(layer, true);
        attend_kept(layer);
        attend_folded(layer);
        finish_layer(layer, kept_, piece_->kept());
        if (is_top && model_.final_norm) normalize(*model_.final_norm, kept_, 0, piece_->kept(), true);
    }

    void take_kept_rows() {
        const std::size_t hidden = model_.config.hidden;
        const std::size_t bytes = hidden * operand_bytes();
        for (std::size_t k = 0; k < piece_->kept(); ++k) {
            const std::size_t row = row_of(k);
            std::copy_n(all_.floats.as<float>() + row * hidden, hidden, kept_.floats.as<float>() + k * hidden);
            std::memcpy(kept_.operands.as<char>() + k * bytes, all_.operands.as<char>() + row * bytes, bytes);
        }
    }

    // Which way is faster for each sentence.
    void choose_ways(const Layer& layer) {
        plain_.clear();
        folded_.clear();
        for (const Sentence& sentence : piece_->sentences) {
            const std::size_t kept = sentence.end_kept - sentence.first_kept;
            if (!layer.kept->folded || !folding_pays(sentence.tokens, kept, model_.config, model_.precision)) {
                plain_.push_back(sentence);
                continue;
            }
            for (std::size_t k = sentence.first_kept; k < sentence.end_kept; ++k)
                folded_.push_back({sentence.first_token, sentence.tokens, k});
        }
    }

    // Of the blocks of rows that some kept token attends to.
    void project_keys_and_values(const Layer& layer) {
        const std::size_t hidden = model_.config.hidden;
        const std::size_t width = 2 * model_.config.keys();
        std::size_t done = 0;
        for (const Sentence& sentence : plain_) {
            const std::size_t first =
                std::max(done, sentence.first_token / Product::rows_together * Product::rows_together);
            done = std::max(done, Product::padded_rows(sentence.first_token + sentence.tokens));
            if (first < done) {
                layer.kept->keys_and_values.run(done - first, operands(all_) + first * hidden * operand_bytes(),
                                                projected_.as<float>() + first * width);
            }
        }
    }

    void attend_kept(const Layer& layer) {
        const std::size_t width = model_.config.attended();
        for (const Sentence& sentence : plain_) {
            AttentionTask task = attention_task(layer, sentence, true);
            task.queries = sentence.end_kept - sentence.first_kept;
            task.positions = batch_->kept.data() + piece_->first_kept + sentence.first_kept;
            task.position_offset = piece_->first_token + sentence.first_token;
            task.query = queries_.as<float>() + sentence.first_kept * width;
            task.query_stride = width;
            attend(layer, task, sentence.first_kept);
        }
    }

    void attend_folded(const Layer& layer) {
        const std::span<const Folded> all = folded_;
        for (std::size_t first = 0; first < all.size(); first += Product::rows_together)
            attend_folded(layer, all.subspan(first, std::min(Product::rows_together, all.size() - first)));
    }

    // At most Product::rows_together of them. What heads ask becomes what they see, and their queries become their
    // answers, in place.
    void attend_folded(const Layer& layer, std::span<const Folded> rows) {
        const std::size_t hidden = model_.config.hidden;
        const std::size_t size = model_.config.head_size;
        const std::size_t attended = model_.config.attended();
        heads_.reserve(Product::rows_together * attended * sizeof(float));
        asked_.reserve(Product::rows_together * model_.config.heads * hidden * sizeof(float));
        const auto query = [&](std::size_t head) { return heads_.as<float>() + head * Product::rows_together * size; };
        const auto asked = [&](std::size_t head) {
            return asked_.as<float>() + head * Product::rows_together * hidden;
        };
        const auto for_each_head = [&](const auto& work) {  // of each row: where it stands among the kept, and here
            for (std::size_t r = 0; r < rows.size(); ++r)
                for (std::size_t head = 0; head < model_.config.heads; ++head)
                    work(rows[r].kept * attended + head * size, query(head) + r * size);
        };
        for_each_head([&](std::size_t at, float* here) { std::copy_n(queries_.as<float>() + at, size, here); });
        for (std::size_t head = 0; head < model_.config.heads; ++head)
            layer.kept->folded->ask[head].run(rows.size(), query(head), asked(head));
        const auto scale = static_cast<float>(layer.attention->scale);
        for (std::size_t r = 0; r < rows.size(); ++r) see(rows[r], asked_.as<float>() + r * hidden, scale);
        for (std::size_t head = 0; head < model_.config.heads; ++head)
            layer.kept->folded->answer[head].run(rows.size(), asked(head), query(head));
        for_each_head([&](std::size_t at, const float* here) { store_operands(here, size, attended_, at); });
    }

    // Attention with one head as wide as the rows: those are its keys and its values, and every head's question is a
    // query.
    void see(const Folded& row, float* asked, float scale) {
        const snapshot::ModelConfig& config = model_.config;
        space_.reserve(attention_space(row.tokens, config.hidden) * sizeof(float));
        AttentionTask task{};
        task.queries = config.heads;
        task.keys = row.tokens;
        task.heads = task.key_heads = 1;
        task.head_size = config.hidden;
        task.scale = scale;
        task.before = task.after = snapshot::LayerAttention::everywhere;
        task.query = asked;
        task.key = task.value = all_.floats.as<float>() + row.first_row * config.hidden;
        task.query_stride = task.to_stride = Product::rows_together * config.hidden;
        task.key_stride = config.hidden;
        task.space = space_.as<float>();
        task.to = asked;
        kernels_.attend(task);
    }

    // Block after block, so that what lies between the products stays in the cache.
    void finish_layer(const Layer& layer, Rows& rows, std::size_t count) {
        for (std::size_t first = 0; first < count; first += Product::rows_together)
            finish_block(layer, rows, first, std::min(Product::rows_together, count - first));
    }

    void finish_block(const Layer& layer, Rows& rows, std::size_t first, std::size_t count) {
        const bool norms_first = model_.config.norms_first;
        const std::size_t hidden = model_.config.hidden;
        float* floats = rows.floats.as<float>() + first * hidden;
        const void* in = operands(rows) + first * hidden * operand_bytes();
        layer.out.run(count, attended_.as<char>() + first * model_.config.attended() * operand_bytes(), floats);
        normalize(norms_first ? layer.mlp_norm : *layer.attention_norm, rows, first, count, !norms_first);
        layer.up.run(count, in, up_.as<void>());
        if (layer.gate) layer.gate->run(count, in, gated_.as<void>(), up_.as<void>());
        layer.down.run(count, (layer.gate ? gated_ : up_).as<void>(), floats);
        if (!norms_first) normalize(layer.mlp_norm, rows, first, count, true);
    }

    // The rows of all tokens after a layer, to the means of ranges that it is in and that go on above it; of the
    // embeddings, to whatever begins with them.
    void collect_all(std::size_t layer) {
        for (std::size_t i = 0; i < layers_.size(); ++i)
            if (layers_[i].first <= layer && layer < std::max<std::size_t>(layers_[i].last, 1))
                collect(all_.floats.as<float>(), false, i, layer == layers_[i].first);
    }

    // The kept rows, to what ends with the layer.
    void collect_kept(std::size_t layer) {
        for (std::size_t i = 0; i < layers_.size(); ++i)
            if (layers_[i].last == layer) collect(kept_.floats.as<float>(), true, i, layer == layers_[i].first);
    }

    // Adds rows to the vectors of layers_[asked], or puts them there.
    void collect(const float* rows, bool are_kept, std::size_t asked, bool is_first) {
        const std::size_t hidden = model_.config.hidden;
        for (std::size_t k = 0; k < piece_->kept(); ++k) {
            const float* from = rows + (are_kept ? k : row_of(k)) * hidden;
            float* to = vectors_.data() + (k * layers_.size() + asked) * hidden;
            for (std::size_t i = 0; i < hidden; ++i) to[i] = is_first ? from[i] : to[i] + from[i];
        }
    }

    // The sums of ranges.
    void divide() {
        const std::size_t hidden = model_.config.hidden;
        for (std::size_t i = 0; i < layers_.size(); ++i) {
            const auto [first, last] = layers_[i];
            if (first == last) continue;
            for (std::size_t k = 0; k < piece_->kept(); ++k)
                for (float& value : vectors_.subspan((k * layers_.size() + i) * hidden, hidden))
                    value /= static_cast<float>(last - first + 1);
        }
    }

    // To `operands`, and with `keep` in place as well.
    void normalize(const snapshot::Norm& norm, Rows& rows, std::size_t first, std::size_t count, bool keep) {
        const std::size_t width = norm.weight.size();
        float* floats = rows.floats.as<float>() + first * width;
        kernels_.normalize({.rows = count,
                            .width = width,
                            .from = floats,
                            .weight = norm.weight.data(),
                            .bias = norm.bias.empty() ? nullptr : norm.bias.data(),
                            .epsilon = static_cast<float>(model_.config.norm_epsilon),
                            .centres = model_.config.norm_centres,
                            .to = keep       ? floats
                                  : rounds() ? nullptr
                                             : rows.operands.as<float>() + first * width,
                            .rounded = rounds() ? rows.operands.as<std::uint16_t>() + first * width : nullptr,
                            .moments = &rows == &kept_ ? nullptr : moments_.as<float>() + 2 * first});
    }

    // Where norms come last, the layer below has left the operands.
    void prepare(const Layer& layer) {
        if (!model_.config.norms_first) return;
        if (layer.attention_norm) return normalize(*layer.attention_norm, all_, 0, piece_->tokens(), false);
        const std::size_t count = piece_->tokens() * model_.config.hidden;
        store_operands(all_.floats.as<float>(), count, all_.operands, 0);
    }

    // From value `at` of `to` on, rounded where the products are.
    void store_operands(const float* from, std::size_t count, const Buffer& to, std::size_t at) const {
        if (rounds()) {
            kernels_.round(from, count, to.as<std::uint16_t>() + at);
        } else {
            std::copy_n(from, count, to.as<float>() + at);
        }
    }

    // Answers are stored as operands, from this row of `attended_` on.
    void attend(const Layer& layer, AttentionTask task, std::size_t row) const {
        const RelativeTerms relative = layer.relative ? layer.relative->view(model_.config) : RelativeTerms{};
        if (layer.relative) task.relative = &relative;
        const std::size_t at = row * model_.config.attended();
        task.to = rounds() ? nullptr : attended_.as<float>() + at;
        task.rounded = rounds() ? attended_.as<std::uint16_t>() + at : nullptr;
        kernels_.attend(task);
    }

    [[nodiscard]] AttentionTask attention_task(const Layer& layer, const Sentence& sentence, bool kept_only) const {
        const snapshot::ModelConfig& config = model_.config;
        const std::size_t before_keys = kept_only ? 0 : config.attended();
        AttentionTask task{};
        task.keys = sentence.tokens;
        task.heads = config.heads;
        task.key_heads = config.key_heads;
        task.head_size = config.head_size;
        task.scale = static_cast<float>(layer.attention->scale);
        task.before = layer.attention->before;
        task.after = layer.attention->after;
        task.key_stride = before_keys + 2 * config.keys();
        task.key = projected_.as<float>() + sentence.first_token * task.key_stride + before_keys;
        task.value = task.key + config.keys();
        task.to_stride = config.attended();
        task.cosines = layer.rotations != nullptr ? layer.rotations->cosines() : nullptr;
        task.sines = layer.rotations != nullptr ? layer.rotations->sines() : nullptr;
        task.space = space_.as<float>();
        return task;
    }

    [[nodiscard]] const char* operands(const Rows& rows) const {
        const bool rows_themselves = !rounds() && !model_.config.norms_first;
        return rows_themselves ? rows.floats.as<char>() : rows.operands.as<char>();
    }

    // Of queries, keys and values together.
    [[nodiscard]] std::size_t projected_width() const { return model_.config.attended() + 2 * model_.config.keys(); }
    [[nodiscard]] bool rounds() const { return model_.precision == Precision::bf16; }
    [[nodiscard]] std::size_t operand_bytes() const { return rounds() ? 2 : 4; }

    // Where kept token `k` of the piece is among its rows.
    [[nodiscard]] std::size_t row_of(std::size_t k) const {
        return batch_->kept[piece_->first_kept + k] - piece_->first_token;
    }
    [[nodiscard]] std::size_t type_of(std::size_t token) const {
        return batch_->types.empty() ? 0 : static_cast<std::size_t>(batch_->types[token]);
    }

    const Model& model_;
    const Kernels& kernels_;
    const Batch* batch_ = nullptr;
    const Piece* piece_ = nullptr;
    std::span<const LayerRange> layers_;
    std::span<float> vectors_;  // (kept, layers, hidden), of the piece
    Rows all_, kept_;
    Rows embedded_;                            // (tokens, embedding), where embeddings are projected
    std::vector<std::int32_t> position_rows_;  // (tokens), of the table of positions
    std::vector<std::int32_t> words_;          // of the piece, each once, ascending
    Buffer word_operands_, projected_words_;   // (words, hidden), operands; (words, projected_width())
    Buffer moments_;    // (tokens, 2), of the norm of all rows that came last: the first layer wants the embeddings'
    Buffer projected_;  // (tokens, projected_width()): queries, keys, values; or keys and values alone
    Buffer queries_;    // (kept, attended), where only the kept tokens ask
    std::vector<Sentence> plain_;  // whose keys and values are then made
    std::vector<Folded> folded_;
    Buffer heads_;       // (heads, Product::rows_together, head_size): queries, answers
    Buffer asked_;       // (heads, Product::rows_together, hidden)
    Buffer attended_;    // (tokens, attended), operands
    Buffer up_, gated_;  // (Product::rows_together, intermediate), operands
    Buffer space_;
};

// Large pieces use the weights of a layer often once they are fetched, and repeat more words; but every thread should
// get its share, and not all at once. Measured at 512 to 4096 tokens: 12% between them. Where the cuts are changes no
// result.
std::size_t tokens_together(std::size_t tokens, unsigned threads) {
    constexpr std::size_t least = 4 * Product::rows_together;
    constexpr std::size_t most = 64 * Product::rows_together;
    return std::clamp(Product::padded_rows(tokens / threads / 2), least, most);
}

class CpuEncoder : public Encoder {
  public:
    CpuEncoder(const snapshot::ModelWeights& weights, const RunOptions& options)
        : options_(options),
          model_(weights, options.layers, precision_on_cpu(options.precision)),
          kernels_(kernels_for(options.instruction_set)),
          workers_(options.threads) {
        for (std::size_t i = 0; i < workers_.size(); ++i) passes_.push_back(std::make_unique<Pass>(model_, kernels_));
    }

    [[nodiscard]] const snapshot::ModelConfig& config() const override { return model_.config; }
    [[nodiscard]] Precision precision() const override { return model_.precision; }
    [[nodiscard]] std::string device() const override { return "cpu"; }
    [[nodiscard]] std::string instruction_set() const override { return kernels_.name; }
    [[nodiscard]] const std::vector<LayerRange>& layers() const override { return options_.layers; }

    void encode(const Batch& batch, std::span<float> vectors) override {
        batching::require_fits(batch, model_.config, width(), vectors);
        const std::vector<Piece> pieces = batching::cut(batch, tokens_together(batch.ids.size(), options_.threads));
        for (const Piece& piece : pieces) model_.reserve_positions(piece.tokens());  // at least its longest sentence
        ::wordbreadth::cpu::within_memory([&] {
            workers_.run(pieces.size(), [&](std::size_t piece, std::size_t thread) {
                check();
                passes_[thread]->run(batch, pieces[piece], options_.layers, vectors);
            });
        });
    }

  private:
    RunOptions options_;
    Model model_;
    const Kernels& kernels_;
    std::vector<std::unique_ptr<Pass>> passes_;  // one per thread
    base::Workers workers_;
};

}  // namespace

}  // namespace cpu

Precision precision_on_cpu(Precision asked) {
    return asked == Precision::bf16 && cpu::has_bf16() ? Precision::bf16 : Precision::f32;
}

Device describe_cpu() {
    Device device;
    device.name = "cpu";
    device.description = "this machine's processor: oneDNN for the matrix products, our own loops for the rest";
    device.available = true;
    for (const cpu::Kernels* kernels : cpu::usable_kernels()) device.instruction_sets.emplace_back(kernels->name);
    device.instruction_set = device.instruction_sets.back();
    return device;
}

std::unique_ptr<Encoder> open_cpu_encoder(const std::string& folder, const RunOptions& options) {
    const snapshot::ModelWeights weights(folder);
    require_good_options(folder, weights.config(), options);
    return ::wordbreadth::cpu::within_memory([&] { return std::make_unique<cpu::CpuEncoder>(weights, options); });
}

}  // namespace wordbreadth::encoder
