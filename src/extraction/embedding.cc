#include "extraction/embedding.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <exception>
#include <future>
#include <mutex>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "base/workers.h"
#include "extraction/part_run.h"
#include "store/layout.h"
#include "wordbreadth/error.h"
#include "wordbreadth/names.h"

namespace wordbreadth::extraction {

namespace {

using encoder::batching::tokens_per_batch;
using Stage = ExtractProgress::Stage;

constexpr const char* resumable = "; the extraction can be resumed";

// Runs what writes to the disk: when it fails, on a full disk say, no finished work is lost.
template <class Writing>
void save(const store::Plan& plan, Writing&& writing) try {
    writing();
} catch (const InputError& error) {
    throw Resumable(error.what() + std::string(resumable), plan.folder());
}

[[noreturn]] void fail_not_finite(Precision precision) {
    const bool widest = precision == Precision::f32 || precision == Precision::automatic;
    if (widest)
        throw InputError("the model's numbers are too large even for f32: its weights are damaged; fetch it again");
    throw InputError("the model's numbers are too large for " + std::string(name_of(precision)) +
                     ": a store has one precision, so extract again into another folder with " +
                     (precision == Precision::f16 ? "bf16 or f32" : "f32"));
}

// Writes batches, in their order: as shards, from which a run is resumed, and at the same time to their clouds.
class BatchWriter {
  public:
    // Plan and clouds, where there are any, must outlive it.
    BatchWriter(const store::Plan& plan, std::size_t width, store::CloudsWriter* clouds, std::launch policy)
        : plan_(plan), width_(width), clouds_(clouds), policy_(policy) {}

    // Throws InputError when the disk refuses.
    void write(ShardBatch& batch) {
        std::span<const float> rows = batch.sentences.rows();
        std::future<void> placed = std::async(policy_, [this, rows, &batch] { place(batch.places, rows); });
        for (const auto& [shard, count] : batch.parts) {
            write(shard, rows.first(count * width_));
            rows = rows.subspan(count * width_);
        }
        placed.get();
    }

  private:
    // A large batch has several rows of a word, which follow one another in its cloud: they are written at once.
    void place(std::span<const ShardBatch::Place> places, std::span<const float> rows) {
        if (clouds_ == nullptr) return;
        order_.resize(places.size());
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        std::ranges::sort(order_, {}, [&](std::size_t i) { return std::pair(places[i].word, places[i].row); });
        for (std::size_t i = 0; i < order_.size();) {
            const auto [word, first] = places[order_[i]];
            run_.clear();
            for (std::uint64_t row = first; i < order_.size(); ++i, ++row) {
                const ShardBatch::Place& next = places[order_[i]];
                if (next.word != word || next.row != row) break;
                const auto values = rows.subspan(order_[i] * width_, width_);
                run_.insert(run_.end(), values.begin(), values.end());
            }
            clouds_->place(word, first, run_);
        }
        clouds_->begin_sync();
    }

    void write(std::size_t shard, std::span<const float> rows) {
        if (!file_) file_.emplace(plan_, shard, plan_.shards()[shard].rows, width_, policy_);
        file_->write(rows);
        if (!file_->is_whole()) return;
        file_->keep();
        file_.reset();
    }

    const store::Plan& plan_;
    std::size_t width_;  // of a row, all layers
    store::CloudsWriter* clouds_;
    std::launch policy_;
    std::vector<std::size_t> order_;          // of the rows of a batch, by word
    std::vector<float> run_;                  // some of them
    std::optional<store::ShardWriter> file_;  // the shard that is not whole yet
};

// Waits, in no stage: the other thread is in one.
template <class Value>
Value result_of(std::future<Value>& work, Timing* timing) {
    const Timing::Stage waiting(timing, "");
    return work.get();
}

}  // namespace

// On a GPU a shard is a fraction of a second's work, and batches run across shards to be large; but the first ones are
// small, since it waits for them, and so are the last, since nothing is left to do while they are written. On a CPU a
// batch ends with its shard, which is then written.
BatchReader::BatchReader(store::Plan& plan, std::span<const std::size_t> shards, const encoder::Encoder& encoder)
    : plan_(plan),
      shards_(shards),
      width_(encoder.width()),
      across_shards_(encoder.device() == "cuda"),
      full_tokens_(tokens_per_batch(encoder) / (across_shards_ ? 2 : 1)),
      most_tokens_(across_shards_ ? full_tokens_ / 4 : full_tokens_) {
    for (const std::size_t shard : shards) tokens_ += plan.shards()[shard].tokens;
}

bool BatchReader::read(ShardBatch& batch, std::size_t encoders) {
    batch.sentences.clear();
    batch.parts.clear();
    batch.places.clear();
    while (has_sentence() && has_room(batch)) add_sentence(batch);
    batch.sentences.prepare(width_);
    tokens_ -= std::min<std::uint64_t>(tokens_, batch.sentences.tokens());
    if (across_shards_) {
        const auto half_of_the_rest = static_cast<std::size_t>(tokens_ / (2 * encoders));
        most_tokens_ = std::clamp(half_of_the_rest, full_tokens_ / 4, std::min(2 * most_tokens_, full_tokens_));
    }
    return batch.sentences.tokens() > 0;
}

bool BatchReader::has_sentence() {
    while (next_sentence_ == work_.sentences.size()) {
        if (next_shard_ == shards_.size()) return false;
        work_ = plan_.work_of(shards_[next_shard_++]);
        next_sentence_ = 0;
    }
    return true;
}

bool BatchReader::has_room(const ShardBatch& batch) const {
    constexpr std::size_t most_values = std::size_t{1} << 26;  // of vectors: 256 MiB
    const encoder::batching::RowBatch& sentences = batch.sentences;
    if (sentences.tokens() == 0) return true;
    if (!across_shards_ && batch.parts.back().shard != shards_[next_shard_ - 1]) return false;
    return sentences.tokens() + work_.sentences[next_sentence_].tokens.size() <= most_tokens_ &&
           sentences.kept() * width_ < most_values;
}

void BatchReader::add_sentence(ShardBatch& batch) {
    const store::ShardWork::Sentence& sentence = work_.sentences[next_sentence_++];
    rows_of_sentence_.clear();
    for (const store::PlannedOccurrence& row : sentence.rows) {
        rows_of_sentence_.push_back({row.token, row.tokens});
        batch.places.push_back({row.word, row.row});
    }
    batch.sentences.add(sentence.tokens, rows_of_sentence_);
    const std::size_t shard = shards_[next_shard_ - 1];
    if (batch.parts.empty() || batch.parts.back().shard != shard) batch.parts.push_back({shard, 0});
    batch.parts.back().rows += sentence.rows.size();
}

namespace {

class Embedding {
  public:
    Embedding(store::Plan& plan, std::span<const std::size_t> shards, encoder::Encoder& encoder,
              store::CloudsWriter* clouds, const EmbedControl& control)
        : plan_(plan),
          control_(control),
          // Where the system refuses to start a thread, the work is done when it is asked for.
          policy_(control.alone ? std::launch::deferred : std::launch::async | std::launch::deferred),
          reader_(plan, shards, encoder),
          writer_(plan, encoder.width(), clouds, policy_),
          forward_(control.stop, Ending{ending_}),
          encoders_(encoder, control.alone ? std::span<const OpenEncoder>() : control.others, control.seconds_to_open,
                    ending_.get_token()) {
        for (const std::size_t shard : shards) tokens_left_ += static_cast<double>(plan.shards()[shard].tokens);
    }
    Embedding(const Embedding&) = delete;
    Embedding& operator=(const Embedding&) = delete;
    ~Embedding() { ending_.request_stop(); }  // of encoders that are still at work where another has failed

    void run() {
        ShardBatch* batch = spare_batch();
        std::future<bool> read = reading(*batch);
        while (result_of(read, control_.timing)) {
            if (control_.stop.stop_requested()) break;
            ShardBatch* const next = spare_batch();
            read = reading(*next);
            encode(*std::exchange(batch, next));
            if (!encoders_.has_free()) write_oldest();
            encoders_.welcome();
        }
        while (!encoding_.empty() && !control_.stop.stop_requested()) write_oldest();
        finish_writing();
        if (control_.stop.stop_requested()) throw Cancelled();
    }

  private:
    struct Ending {
        std::stop_source source;
        void operator()() { source.request_stop(); }
    };
    struct Encoding {
        ShardBatch* batch;
        encoder::Encoder* encoder;
        std::future<void> done;
    };

    [[nodiscard]] std::future<bool> reading(ShardBatch& batch) {
        return std::async(policy_, [this, &batch, encoders = encoders_.size()] {
            return timed(control_.timing, "reading the plan", [&] { return reader_.read(batch, encoders); });
        });
    }

    // One encoder alone works on the calling thread, when its batch is asked for.
    void encode(ShardBatch& batch) {
        encoder::Encoder& encoder = encoders_.take();
        const std::launch policy = encoders_.size() == 1 ? std::launch::deferred : policy_;
        encoding_.push_back(
            {&batch, &encoder, std::async(policy, [this, &batch, &encoder] { encode(batch, encoder); })});
    }

    // When one fails, the others stop: what comes of that is not what is reported.
    void encode(ShardBatch& batch, encoder::Encoder& encoder) try {
        timed(control_.timing, "embedding", [&] { batch.sentences.encode(encoder); });
    } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
        ending_.request_stop();
        std::rethrow_exception(failure_);
    }

    void write_oldest() {
        Encoding oldest = std::move(encoding_.front());
        encoding_.pop_front();
        result_of(oldest.done, control_.timing);
        encoders_.give_back(*oldest.encoder);
        finish_writing();
        in_writing_ = oldest.batch;
        written_ = std::async(policy_, [this, &batch = *in_writing_] {
            timed(control_.timing, "writing vectors", [&] { save(plan_, [&] { writer_.write(batch); }); });
        });
        const std::size_t tokens = in_writing_->sentences.tokens();
        control_.tokens_done(tokens);
        expect_rest_after(static_cast<double>(tokens));
    }

    void finish_writing() {
        if (!written_.valid()) return;
        result_of(written_, control_.timing);
        spare_.push_back(in_writing_);
    }

    void expect_rest_after(double tokens) {
        tokens_done_ += tokens;
        tokens_left_ -= tokens;
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
        encoders_.open_others_for(elapsed.count() * tokens_left_ / tokens_done_);
    }

    [[nodiscard]] ShardBatch* spare_batch() {
        if (spare_.empty()) spare_.push_back(&batches_.emplace_back());
        ShardBatch* const batch = spare_.back();
        spare_.pop_back();
        return batch;
    }

    store::Plan& plan_;
    const EmbedControl& control_;
    const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    double tokens_left_ = 0, tokens_done_ = 0;
    const std::launch policy_;
    BatchReader reader_;
    BatchWriter writer_;
    std::mutex mutex_;
    std::exception_ptr failure_;  // the first
    std::stop_source ending_;     // of all encoders
    std::stop_callback<Ending> forward_;
    Encoders encoders_;
    // One is read, one is with each encoder, and one is written; those that are none of it are spare.
    std::deque<ShardBatch> batches_;
    std::vector<ShardBatch*> spare_;
    // Each ends before what it uses.
    std::deque<Encoding> encoding_;  // in the order of the plan
    ShardBatch* in_writing_ = nullptr;
    std::future<void> written_;
};

}  // namespace

void embed(store::Plan& plan, std::span<const std::size_t> shards, encoder::Encoder& encoder,
           store::CloudsWriter* clouds, const EmbedControl& control) try {
    Embedding(plan, shards, encoder, clouds, control).run();
} catch (const encoder::NotFinite&) {
    fail_not_finite(encoder.precision());
}

void embed_and_join(store::Plan& plan, Model& model, const ExtractOptions& options, ExtractSummary& summary) try {
    const unsigned threads = base::thread_count(options.threads);
    std::vector<std::size_t> found, missing;
    const std::vector<store::ShardState> states =
        timed(options.timing, "checking shards", [&] { return store::states_of(plan, threads); });
    for (std::size_t shard = 0; shard < states.size(); ++shard) {
        (states[shard] == store::ShardState::finished ? found : missing).push_back(shard);
        if (states[shard] == store::ShardState::unusable) ++summary.shards_damaged;
    }
    summary.shards_found = found.size();
    std::uint64_t done = 0;
    for (const std::size_t shard : found) done += plan.shards()[shard].tokens;
    const auto report = [&](std::size_t tokens) {
        done += tokens;
        summary.tokens_now += tokens;
        const double share = static_cast<double>(done) / static_cast<double>(summary.embedded_tokens);
        if (options.progress) options.progress({Stage::embedding, share, summary.tokens_now});
    };
    std::optional<store::CloudsWriter> clouds;
    save(plan, [&] { clouds.emplace(plan, summary.dimension); });
    embed(plan, missing, *model.encoder, &*clouds,
          {report, options.stop, threads == 1, options.timing, model.others, model.seconds_to_open});
    if (options.progress) options.progress({Stage::joining, 0, 0});
    save(plan, [&] {
        base::Workers workers(threads);
        const auto place = [&] { clouds->place_shards(plan, found, workers); };
        if (!found.empty()) timed(options.timing, "joining shards", place);
        clouds->keep(workers, options.timing);
    });
} catch (const Cancelled& stop) {
    throw Cancelled(stop.what() + std::string(resumable), plan.folder());
}

std::vector<std::size_t> shards_to_embed(const store::Plan& plan, const ExtractOptions& options, PartSummary& summary) {
    const Timing::Stage stage(options.timing, "checking shards");
    const auto [begin, end] = range_of(summary.part, plan.shards().size());
    std::vector<std::size_t> missing;
    for (std::size_t shard = begin; shard < end; ++shard) {
        const store::ShardState state = store::state_of(plan, shard);
        if (state != store::ShardState::finished) missing.push_back(shard);
        if (state == store::ShardState::unusable) ++summary.shards_damaged;
    }
    summary.shards = end - begin;
    summary.shards_found = summary.shards - missing.size();
    return missing;
}

void embed_shards(store::Plan& plan, std::span<const std::size_t> shards, Model& model, const ExtractOptions& options,
                  PartSummary& summary) try {
    const auto [begin, end] = range_of(summary.part, plan.shards().size());
    std::uint64_t all = 0, done = 0;
    for (std::size_t shard = begin; shard < end; ++shard) all += plan.shards()[shard].tokens;
    for (const std::size_t shard : shards) done += plan.shards()[shard].tokens;
    done = all - done;
    const base::MadeFolder folder(store::shards_folder(plan.folder()));
    run_part(store::shards_folder(plan.folder()), summary.part, "embedding", [&](PartProgress& progress) {
        const auto report = [&](std::size_t tokens) {
            done += tokens;
            summary.tokens_now += tokens;
            const double share = static_cast<double>(done) / static_cast<double>(all);
            if (options.progress) options.progress({Stage::embedding, share, summary.tokens_now});
            progress.report(share, summary.tokens_now);
        };
        const bool alone = base::thread_count(options.threads) == 1;
        embed(plan, shards, *model.encoder, nullptr,
              {report, options.stop, alone, options.timing, model.others, model.seconds_to_open});
    });
} catch (const Cancelled& stop) {
    throw Cancelled(stop.what() + std::string(resumable), plan.folder());
}

}  // namespace wordbreadth::extraction
