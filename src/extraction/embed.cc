#include "extraction/embed.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

#include "wordbreadth/error.h"

namespace wordbreadth::extraction {

namespace {

using Sentence = store::ShardWork::Sentence;

// Sentences that are encoded together, and the tokens whose vectors their rows need.
class PackedBatch {
  public:
    void add(const Sentence& sentence) {
        const std::size_t begin = ids_.size();
        ids_.insert(ids_.end(), sentence.tokens.begin(), sentence.tokens.end());
        ends_.push_back(ids_.size());
        for (const store::PlannedOccurrence& row : sentence.rows) {
            rows_.push_back({begin + row.token, row.tokens});
            for (std::size_t i = 0; i < row.tokens; ++i) kept_.push_back(begin + row.token + i);
        }
    }

    [[nodiscard]] std::size_t tokens() const { return ids_.size(); }

    // Appends the rows and becomes empty.
    void encode(encoder::Encoder& encoder, std::vector<float>& rows) {
        sort_kept();
        const std::size_t hidden = encoder.config().hidden;
        vectors_.resize(kept_.size() * hidden);
        encoder.encode({ids_, {}, ends_, kept_}, vectors_);
        for (const Row& row : rows_) append_mean(row, hidden, rows);
        ids_.clear();
        ends_.clear();
        rows_.clear();
        kept_.clear();
    }

  private:
    struct Row {
        std::size_t token = 0;
        std::size_t tokens = 0;
    };

    void sort_kept() {
        std::ranges::sort(kept_);
        kept_.erase(std::unique(kept_.begin(), kept_.end()), kept_.end());
    }

    void append_mean(const Row& row, std::size_t hidden, std::vector<float>& rows) {
        const auto first = static_cast<std::size_t>(std::ranges::lower_bound(kept_, row.token) - kept_.begin());
        const auto vector = [&](std::size_t i) { return std::span(vectors_).subspan((first + i) * hidden, hidden); };
        if (row.tokens == 1) {
            rows.insert(rows.end(), vector(0).begin(), vector(0).end());
            return;
        }
        sum_.assign(hidden, 0.0);
        for (std::size_t i = 0; i < row.tokens; ++i)
            for (std::size_t j = 0; j < hidden; ++j) sum_[j] += vector(i)[j];
        for (const double sum : sum_) rows.push_back(static_cast<float>(sum / static_cast<double>(row.tokens)));
    }

    std::vector<std::int32_t> ids_;
    std::vector<std::size_t> ends_;
    std::vector<std::size_t> kept_;
    std::vector<Row> rows_;
    std::vector<float> vectors_;
    std::vector<double> sum_;
};

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

std::vector<float> embed(const store::ShardWork& work, encoder::Encoder& encoder, std::size_t batch_tokens,
                         const std::function<void(std::size_t)>& tokens_done, const std::stop_token& stop) try {
    std::vector<float> rows;
    PackedBatch batch;
    const auto encode = [&] {
        if (stop.stop_requested()) throw Cancelled();
        const std::size_t tokens = batch.tokens();
        batch.encode(encoder, rows);
        tokens_done(tokens);
    };
    for (const Sentence& sentence : work.sentences) {
        if (batch.tokens() > 0 && batch.tokens() + sentence.tokens.size() > batch_tokens) encode();
        batch.add(sentence);
    }
    if (batch.tokens() > 0) encode();
    return rows;
} catch (const encoder::NotFinite&) {
    fail_not_finite(encoder.precision());
}

}  // namespace wordbreadth::extraction
