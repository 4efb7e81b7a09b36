// The vectors of a plan. While one batch of sentences is with the encoder, the next is read from the plan, and the rows
// of the one before it are hashed and written, both to their shards and to their places in the clouds: the encoder
// waits for neither, and little is left to do after it. Where there are several GPUs, each has an encoder and takes
// the next batch when it is done with one; rows are written in the order of the plan all the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

#include "encoder/batching/row_batch.h"
#include "encoder/encoder.h"
#include "extraction/encoders.h"
#include "extraction/model.h"
#include "store/plan.h"
#include "store/shards.h"
#include "wordbreadth/extract.h"
#include "wordbreadth/parts.h"
#include "wordbreadth/timing.h"

namespace wordbreadth::extraction {

// Sentences that are encoded together, in the order of the plan.
struct ShardBatch {
    // What is in it of a shard.
    struct Part {
        std::size_t shard = 0;
        std::size_t rows = 0;
    };
    // Where a row belongs.
    struct Place {
        std::uint64_t word = 0;
        std::uint64_t row = 0;  // of the word's cloud
    };
    encoder::batching::RowBatch sentences;
    std::vector<Part> parts;    // whose rows follow one another; a batch may end within a shard
    std::vector<Place> places;  // of all rows
};

// Reads some shards of a plan, batch by batch.
class BatchReader {
  public:
    // All must outlive it. No row depends on how sentences are cut into batches.
    BatchReader(store::Plan& plan, std::span<const std::size_t> shards, const encoder::Encoder& encoder);

    // Replaces what is in the batch; false, and an empty batch, at the end. `encoders` is how many take batches now.
    // Throws InputError when the plan does not agree with itself.
    [[nodiscard]] bool read(ShardBatch& batch, std::size_t encoders = 1);

  private:
    [[nodiscard]] bool has_sentence();
    [[nodiscard]] bool has_room(const ShardBatch& batch) const;
    void add_sentence(ShardBatch& batch);

    store::Plan& plan_;
    std::span<const std::size_t> shards_;
    std::size_t width_;  // of a row, all layers
    bool across_shards_;
    std::size_t full_tokens_;     // the most of a batch
    std::size_t most_tokens_;     // of the next one
    std::uint64_t tokens_ = 0;    // that were not read yet
    std::size_t next_shard_ = 0;  // of shards_; the one before it is being read
    store::ShardWork work_;
    std::size_t next_sentence_ = 0;  // of work_
    std::vector<encoder::batching::RowBatch::Row> rows_of_sentence_;
};

struct EmbedControl {
    std::function<void(std::size_t tokens)> tokens_done;  // called after each batch, by the calling thread
    std::stop_token stop;
    bool alone = false;  // the calling thread does all the work
    Timing* timing = nullptr;
    std::span<const OpenEncoder> others = {};  // on further GPUs
    double seconds_to_open = 0;                // that the encoder took; the others will take as long
};

// Writes these shards of the plan, and their rows to `clouds`, unless that is null. Throws Cancelled on request, when
// what was encoded until then is written; InputError when the plan does not agree with itself or the sentences do not
// fit the model, or when its numbers do not fit the precision: a store has one precision, so the message says to start
// anew; and Resumable when the disk refuses.
void embed(store::Plan& plan, std::span<const std::size_t> shards, encoder::Encoder& encoder,
           store::CloudsWriter* clouds, const EmbedControl& control);

// Embeds what is not there yet, and makes the clouds. Fills what the summary says of shards and tokens.
// Throws as embed() does, and Resumable when the clouds cannot be written; Cancelled names the store.
void embed_and_join(store::Plan& plan, Model& model, const ExtractOptions& options, ExtractSummary& summary);

// Of the part's shards, those that are not there yet or damaged; the others are counted.
[[nodiscard]] std::vector<std::size_t> shards_to_embed(const store::Plan& plan, const ExtractOptions& options,
                                                       PartSummary& summary);

// Embeds these shards of the part, and says in a file how far it is. Throws as embed() does; Cancelled names the store.
void embed_shards(store::Plan& plan, std::span<const std::size_t> shards, Model& model, const ExtractOptions& options,
                  PartSummary& summary);

}  // namespace wordbreadth::extraction
