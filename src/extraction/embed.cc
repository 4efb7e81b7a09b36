#include "extraction/embed.h"

#include <string>

#include "encoder/batching/row_batch.h"
#include "wordbreadth/error.h"

namespace wordbreadth::extraction {

namespace {

using encoder::batching::RowBatch;
using Sentence = store::ShardWork::Sentence;

void add_to(RowBatch& batch, const Sentence& sentence) {
    std::vector<RowBatch::Row> rows;
    for (const store::PlannedOccurrence& row : sentence.rows) rows.push_back({row.token, row.tokens});
    batch.add(sentence.tokens, rows);
}

[[noreturn]] void fail_not_finite(Precision precision) {
    const std::string anew = ": a store has one precision, so extract anew into another folder with ";
    switch (precision) {
        case Precision::f16:
            throw InputError("the model's numbers are too large for f16" + anew + "bf16 or f32");
        case Precision::bf16:
            throw InputError("the model's numbers are too large for bf16" + anew + "f32");
        case Precision::automatic:
        case Precision::f32:
            break;
    }
    throw InputError("the model's numbers are too large even for f32: its weights are damaged; fetch it again");
}

}  // namespace

std::vector<float> embed(const store::ShardWork& work, encoder::Encoder& encoder,
                         const std::function<void(std::size_t)>& tokens_done, const std::stop_token& stop) try {
    std::vector<float> rows;
    RowBatch batch;
    const std::size_t most = encoder::batching::tokens_per_batch(encoder);
    const auto encode = [&] {
        if (stop.stop_requested()) throw Cancelled();
        const std::size_t tokens = batch.tokens();
        batch.encode(encoder, rows);
        tokens_done(tokens);
    };
    for (const Sentence& sentence : work.sentences) {
        if (batch.tokens() > 0 && batch.tokens() + sentence.tokens.size() > most) encode();
        add_to(batch, sentence);
    }
    if (batch.tokens() > 0) encode();
    return rows;
} catch (const encoder::NotFinite&) {
    fail_not_finite(encoder.precision());
}

}  // namespace wordbreadth::extraction
