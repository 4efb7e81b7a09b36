// Batches that are read ahead of the encoder, and written behind it.
#include "extraction/embedding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

#include "store/layout.h"
#include "store/shards.h"
#include "support/array_testing.h"
#include "support/errors.h"
#include "support/small_store.h"

namespace wordbreadth::extraction {
namespace {

// Its vectors say which token they are of; it notes what it was given.
class Fake : public encoder::Encoder {
  public:
    explicit Fake(std::string device, std::size_t hidden = 4) : device_(std::move(device)) { config_.hidden = hidden; }
    [[nodiscard]] const encoder::snapshot::ModelConfig& config() const override { return config_; }
    [[nodiscard]] Precision precision() const override { return Precision::f32; }
    [[nodiscard]] std::string device() const override { return device_; }
    [[nodiscard]] std::string instruction_set() const override { return "generic"; }
    [[nodiscard]] const std::vector<LayerRange>& layers() const override { return layers_; }
    void encode(const encoder::Batch& batch, std::span<float> vectors) override {
        tokens.push_back(batch.ids.size());
        for (std::size_t k = 0; k < batch.kept.size(); ++k)
            for (std::size_t i = 0; i < config_.hidden; ++i)
                vectors[k * config_.hidden + i] =
                    static_cast<float>(batch.ids[batch.kept[k]]) + 1000.0F * static_cast<float>(i);
    }

    std::vector<std::size_t> tokens;  // of each call

  private:
    std::string device_;
    encoder::snapshot::ModelConfig config_;
    std::vector<LayerRange> layers_ = {{0, 0}};
};

// A plan of one word, whose sentence s has 8 tokens, ids 8 s to 8 s + 7. Its rows are token 2, and the mean of tokens 4
// and 5 where s is odd.
void write_plan(const std::string& folder, std::size_t shards, std::size_t sentences_of_a_shard) {
    store::PlanWriter plan(folder);
    plan.add_document(0, "document");
    std::uint64_t row = 0;
    for (std::uint64_t shard = 0; shard < shards; ++shard) {
        const std::uint64_t first = shard * sentences_of_a_shard;
        const std::uint64_t rows_before = row;
        for (std::uint64_t s = first; s < first + sentences_of_a_shard; ++s) {
            std::vector<std::int32_t> tokens(8);
            for (std::size_t i = 0; i < tokens.size(); ++i) tokens[i] = static_cast<std::int32_t>(8 * s + i);
            plan.add_sentence({s, 0, "bank bank", tokens});
            plan.add_occurrence({0, row++, s, 0, 4, 2, 1});
            if (s % 2 == 1) plan.add_occurrence({0, row++, s, 5, 9, 4, 2});
        }
        plan.add_shard({first, first + sentences_of_a_shard - 1, 8 * sentences_of_a_shard, row - rows_before});
    }
    plan.add_word({"bank", row, row, row});
    plan.keep();
}

std::vector<float> expected_rows(std::size_t shard, std::size_t sentences_of_a_shard, std::size_t hidden) {
    std::vector<float> rows;
    for (std::size_t s = shard * sentences_of_a_shard; s < (shard + 1) * sentences_of_a_shard; ++s) {
        for (std::size_t i = 0; i < hidden; ++i)
            rows.push_back(static_cast<float>(8 * s + 2) + 1000.0F * static_cast<float>(i));
        if (s % 2 == 0) continue;
        for (std::size_t i = 0; i < hidden; ++i)
            rows.push_back(static_cast<float>(8 * s) + 4.5F + 1000.0F * static_cast<float>(i));
    }
    return rows;
}

std::vector<std::size_t> all_shards(const store::Plan& plan) {
    std::vector<std::size_t> shards(plan.shards().size());
    for (std::size_t i = 0; i < shards.size(); ++i) shards[i] = i;
    return shards;
}

// Clouds that are not kept.
void embed_into(store::Plan& plan, const std::vector<std::size_t>& shards, encoder::Encoder& encoder,
                const EmbedControl& control) {
    store::CloudsWriter clouds(plan, encoder.config().hidden);
    embed(plan, shards, encoder, &clouds, control);
}

std::size_t finished(const store::Plan& plan) {
    const auto states = store::states_of(plan, 2);
    return static_cast<std::size_t>(std::ranges::count(states, store::ShardState::finished));
}

struct Case {
    const char* device;
    bool alone;
};

class Embed : public testing::TestWithParam<Case> {
  protected:
    static constexpr std::size_t shards = 5, sentences = 3000;  // 24,000 tokens a shard: more than a CPU's batch

    [[nodiscard]] EmbedControl control() {
        return {[this](std::size_t tokens) { tokens_ += tokens; }, stop_.get_token(), GetParam().alone, nullptr};
    }

    const TemporaryFolder folder_;
    std::stop_source stop_;
    std::size_t tokens_ = 0;
};

TEST_P(Embed, WritesEveryRowOfEveryShardInOrder) {
    write_plan(folder_.path(), shards, sentences);
    store::Plan plan(folder_.path());
    Fake encoder(GetParam().device);
    embed_into(plan, all_shards(plan), encoder, control());
    EXPECT_EQ(tokens_, shards * sentences * 8);
    for (std::size_t shard = 0; shard < shards; ++shard) {
        const store::ShardFile file(plan, shard);
        EXPECT_TRUE(std::ranges::equal(file.rows(), expected_rows(shard, sentences, 4))) << shard;
    }
}

// Those of other shards are taken from where they lie.
TEST_P(Embed, MakesTheCloudsThatTheShardsAreJoinedTo) {
    const TemporaryFolder other;
    for (const std::string& path : {folder_.path(), other.path()}) write_plan(path, shards, sentences);
    store::Plan joined(other.path());
    Fake encoder(GetParam().device);
    embed_into(joined, all_shards(joined), encoder, control());
    store::join_shards(joined, 2);

    store::Plan plan(folder_.path());
    const std::vector<std::size_t> before = {1, 4}, now = {0, 2, 3};
    embed_into(plan, before, encoder, control());
    store::CloudsWriter clouds(plan, 4);
    embed(plan, now, encoder, &clouds, control());
    base::Workers workers(2);
    clouds.place_shards(plan, before, workers);
    clouds.keep(workers, nullptr);
    EXPECT_EQ(content_of(store::clouds_path(folder_.path())), content_of(store::clouds_path(other.path())));
}

TEST_P(Embed, LeavesShardsAloneThatItWasNotGiven) {
    write_plan(folder_.path(), shards, sentences);
    store::Plan plan(folder_.path());
    Fake encoder(GetParam().device);
    const std::vector<std::size_t> some = {1, 3, 4};
    embed_into(plan, some, encoder, control());
    EXPECT_EQ(store::state_of(plan, 0), store::ShardState::missing);
    EXPECT_EQ(store::state_of(plan, 2), store::ShardState::missing);
    for (const std::size_t shard : some)
        EXPECT_TRUE(std::ranges::equal(store::ShardFile(plan, shard).rows(), expected_rows(shard, sentences, 4)));
    embed_into(plan, {}, encoder, control());
    EXPECT_EQ(tokens_, some.size() * sentences * 8);
}

// What was encoded when it was stopped is written; what comes back from a stop is not lost.
TEST_P(Embed, StopsWithinABatchAndGoesOnToTheSameShards) {
    write_plan(folder_.path(), shards, sentences);
    store::Plan plan(folder_.path());
    Fake encoder(GetParam().device);
    EmbedControl stopping = control();
    std::size_t calls = 0;
    stopping.tokens_done = [&](std::size_t) {
        if (++calls == 2) stop_.request_stop();
    };
    EXPECT_THROW(embed_into(plan, all_shards(plan), encoder, stopping), Cancelled);
    EXPECT_EQ(encoder.tokens.size(), 2U);
    const std::size_t tokens = encoder.tokens[0] + encoder.tokens[1];
    EXPECT_EQ(finished(plan), tokens / (8 * sentences));
    std::vector<std::size_t> missing;
    for (std::size_t shard = finished(plan); shard < shards; ++shard) missing.push_back(shard);
    stop_ = {};
    embed_into(plan, missing, encoder, control());
    for (std::size_t shard = 0; shard < shards; ++shard)
        EXPECT_TRUE(std::ranges::equal(store::ShardFile(plan, shard).rows(), expected_rows(shard, sentences, 4)));
    for (const auto& entry : std::filesystem::directory_iterator(store::shards_folder(folder_.path())))
        EXPECT_EQ(entry.path().string().find(".part-"), std::string::npos);
}

TEST_P(Embed, PassesOnWhatTheDiskSaysAsResumable) {
    write_plan(folder_.path(), shards, sentences);
    store::Plan plan(folder_.path());
    Fake encoder(GetParam().device);
    write_file(store::shards_folder(folder_.path()), "a file");
    try {
        embed_into(plan, all_shards(plan), encoder, control());
        FAIL() << "no error";
    } catch (const Resumable& error) {
        EXPECT_TRUE(contains(error.what(), "shards: cannot be made a folder")) << error.what();
        EXPECT_TRUE(std::string(error.what()).ends_with("; the extraction can be resumed"));
    }
    EXPECT_LE(encoder.tokens.size(), 2U);  // it is noticed with the next batch
    std::filesystem::remove(store::shards_folder(folder_.path()));
    embed_into(plan, all_shards(plan), encoder, control());
    EXPECT_EQ(finished(plan), shards);
}

TEST_P(Embed, PassesOnWhatIsWrongWithThePlanOfALaterShard) {
    write_plan(folder_.path(), shards, sentences);
    {
        store::Database database(store::plan_path(folder_.path()), store::Database::Mode::create);
        database.execute("UPDATE shard SET rows = rows + 1 WHERE id = 3");
    }
    store::Plan plan(folder_.path());
    Fake encoder(GetParam().device);
    const std::string error = error_of([&] { embed_into(plan, all_shards(plan), encoder, control()); });
    EXPECT_TRUE(contains(error, "shard.rows of shard 3 is 4501, but its sentences have 4500")) << error;
}

TEST_P(Embed, EndsWithWhatItsCallbackThrows) {
    write_plan(folder_.path(), shards, sentences);
    store::Plan plan(folder_.path());
    Fake encoder(GetParam().device);
    EmbedControl throwing = control();
    struct Enough {};
    throwing.tokens_done = [](std::size_t) { throw Enough(); };
    EXPECT_THROW(embed_into(plan, all_shards(plan), encoder, throwing), Enough);
    EXPECT_EQ(encoder.tokens.size(), 1U);
}

std::string name_of_case(const testing::TestParamInfo<Case>& info) {
    return info.param.device + std::string(info.param.alone ? "Alone" : "WithThreads");
}

INSTANTIATE_TEST_SUITE_P(Devices, Embed,
                         testing::Values(Case{"cpu", false}, Case{"cpu", true}, Case{"cuda", false},
                                         Case{"cuda", true}),
                         name_of_case);

// While a batch is with the encoder, the next is read and the one before it is written: each waits here for the others.
TEST(Embedding, ReadsAheadAndWritesBehind) {
    const TemporaryFolder folder;
    write_plan(folder.path(), 4, 2000);
    store::Plan plan(folder.path());
    class Waiting : public Fake {
      public:
        explicit Waiting(const store::Plan& plan) : Fake("cpu"), plan_(plan) {}
        void encode(const encoder::Batch& batch, std::span<float> vectors) override {
            Fake::encode(batch, vectors);
            const std::size_t before = tokens.size() - 1;
            const auto late = std::chrono::steady_clock::now() + std::chrono::seconds(20);
            while (before > 0 && store::state_of(plan_, before - 1) != store::ShardState::finished &&
                   std::chrono::steady_clock::now() < late)
                std::this_thread::yield();
            EXPECT_TRUE(before == 0 || store::state_of(plan_, before - 1) == store::ShardState::finished);
        }

      private:
        const store::Plan& plan_;
    } encoder(plan);
    embed_into(plan, all_shards(plan), encoder, {[](std::size_t) {}, {}, false, nullptr});
    EXPECT_EQ(encoder.tokens, std::vector<std::size_t>(4, 16000));  // on a CPU a batch ends with its shard
}

// Encoders of further GPUs, which note what they were given.
class Several {
  public:
    explicit Several(std::size_t others) {
        for (std::size_t k = 0; k < others; ++k)
            open_.emplace_back([this](const std::stop_token&) {
                auto opened = std::make_unique<Slow>(*this);
                const std::lock_guard lock(mutex_);
                ++opened_;
                return opened;
            });
    }

    // Slow enough for the others to be at work meanwhile.
    class Slow : public Fake {
      public:
        explicit Slow(Several& all) : Fake("cuda"), all_(all) {}
        void encode(const encoder::Batch& batch, std::span<float> vectors) override {
            Fake::encode(batch, vectors);
            all_.note(*this, batch.ids.size());
            std::this_thread::sleep_for(std::chrono::milliseconds(3));
            check();
        }

      private:
        Several& all_;
    };

    [[nodiscard]] EmbedControl control(const std::stop_token& stop = {}) const {
        return {[](std::size_t) {}, stop, false, nullptr, open_, 0};
    }
    [[nodiscard]] std::size_t at_work() {
        const std::lock_guard lock(mutex_);
        return tokens_.size();
    }
    [[nodiscard]] bool are_open() {
        const std::lock_guard lock(mutex_);
        return opened_ == open_.size();
    }

  private:
    void note(const Fake& one, std::size_t tokens) {
        const std::lock_guard lock(mutex_);
        tokens_[&one] += tokens;
    }

    std::mutex mutex_;
    std::size_t opened_ = 0;
    std::vector<OpenEncoder> open_;
    std::map<const Fake*, std::size_t> tokens_;
};

// Until they are open, the first goes on alone: the callback waits for them.
EmbedControl after_opening(Several& several, EmbedControl control) {
    control.tokens_done = [&several, calls = 0](std::size_t) mutable {
        const auto late = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        if (++calls < 2) return;
        while (!several.are_open() && std::chrono::steady_clock::now() < late) std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::milliseconds(5));  // what is open has to be returned, too
    };
    return control;
}

TEST(Embedding, OnSeveralGpusWritesTheSameRowsInTheSameOrder) {
    const TemporaryFolder folder;
    write_plan(folder.path(), 60, 3000);
    store::Plan plan(folder.path());
    Several several(2);
    Several::Slow first(several);
    embed_into(plan, all_shards(plan), first, after_opening(several, several.control()));
    for (std::size_t shard = 0; shard < 60; ++shard)
        EXPECT_TRUE(std::ranges::equal(store::ShardFile(plan, shard).rows(), expected_rows(shard, 3000, 4))) << shard;
    EXPECT_EQ(several.at_work(), 3U);
}

TEST(Embedding, StopsOnSeveralGpusAndIsResumedOnOne) {
    const TemporaryFolder folder;
    write_plan(folder.path(), 60, 3000);
    store::Plan plan(folder.path());
    Several several(2);
    Several::Slow first(several);
    std::stop_source stop;
    EmbedControl stopping = after_opening(several, several.control(stop.get_token()));
    stopping.tokens_done = [&, before = stopping.tokens_done](std::size_t tokens) {
        before(tokens);
        if (several.at_work() == 3) stop.request_stop();
    };
    EXPECT_THROW(embed_into(plan, all_shards(plan), first, stopping), Cancelled);
    const std::size_t whole = finished(plan);
    EXPECT_GT(whole, 0U);
    EXPECT_LT(whole, 60U);
    std::vector<std::size_t> missing;
    for (std::size_t shard = whole; shard < 60; ++shard) missing.push_back(shard);
    Fake alone("cuda");
    embed_into(plan, missing, alone, {[](std::size_t) {}, {}, false, nullptr});
    for (std::size_t shard = 0; shard < 60; ++shard)
        EXPECT_TRUE(std::ranges::equal(store::ShardFile(plan, shard).rows(), expected_rows(shard, 3000, 4))) << shard;
}

// It is reported although an earlier batch is still with another, which would take long.
TEST(Embedding, AnErrorOfOneOfSeveralGpusStopsTheOthers) {
    const TemporaryFolder folder;
    write_plan(folder.path(), 60, 3000);
    store::Plan plan(folder.path());
    std::atomic<bool> other_is_at_work = false;
    const auto wait = [](const auto& ready) {
        const auto late = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (!ready() && std::chrono::steady_clock::now() < late)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
    };
    class Long : public Fake {
      public:
        explicit Long(std::atomic<bool>& is_at_work) : Fake("cuda"), is_at_work_(is_at_work) {}
        void encode(const encoder::Batch&, std::span<float>) override {
            is_at_work_ = true;
            for (int i = 0; i < 20'000; ++i, std::this_thread::sleep_for(std::chrono::milliseconds(1))) check();
        }

      private:
        std::atomic<bool>& is_at_work_;
    };
    class Failing : public Fake {
      public:
        explicit Failing(std::function<void()> wait) : Fake("cuda"), wait_(std::move(wait)) {}
        void encode(const encoder::Batch& batch, std::span<float> vectors) override {
            Fake::encode(batch, vectors);
            if (std::this_thread::get_id() == alone_) return;  // the other has none yet
            wait_();
            throw InputError("the sentence does not fit");
        }

      private:
        std::function<void()> wait_;
        std::thread::id alone_ = std::this_thread::get_id();
    } first([&] { wait([&] { return other_is_at_work.load(); }); });
    std::atomic<bool> is_open = false;
    const std::vector<OpenEncoder> others(1, [&](const std::stop_token&) {
        is_open = true;
        return std::make_unique<Long>(other_is_at_work);
    });
    const auto after_opening = [&, calls = 0](std::size_t) mutable {
        if (++calls > 1) wait([&] { return is_open.load(); });
    };
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(error_of([&] {
                  embed_into(plan, all_shards(plan), first, {after_opening, {}, false, nullptr, others, 0});
              }),
              "the sentence does not fit");
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(15));
}

TEST(Embedding, AGpuThatCannotBeOpenedIsDoneWithout) {
    const TemporaryFolder folder;
    write_plan(folder.path(), 20, 3000);
    store::Plan plan(folder.path());
    const std::vector<OpenEncoder> others(
        1, [](const std::stop_token&) -> std::unique_ptr<encoder::Encoder> { throw InputError("its memory is full"); });
    Fake encoder("cuda");
    embed_into(plan, all_shards(plan), encoder, {[](std::size_t) {}, {}, false, nullptr, others, 0});
    EXPECT_EQ(finished(plan), 20U);
}

// Opening takes longer than all of the work here.
TEST(Embedding, FurtherGpusAreNotOpenedForALittleWork) {
    const TemporaryFolder folder;
    write_plan(folder.path(), 20, 1000);
    store::Plan plan(folder.path());
    const std::vector<OpenEncoder> others(1, [](const std::stop_token&) -> std::unique_ptr<encoder::Encoder> {
        ADD_FAILURE() << "opened";
        return nullptr;
    });
    Fake encoder("cuda");
    embed_into(plan, all_shards(plan), encoder, {[](std::size_t) {}, {}, false, nullptr, others, 100});
    EXPECT_EQ(finished(plan), 20U);
}

// The device waits for the first, and nothing is left to do while the last is written.
TEST(Embedding, BatchesForAGpuRunAcrossShardsAndAreSmallAtBothEnds) {
    const TemporaryFolder folder;
    write_plan(folder.path(), 40, 1000);
    store::Plan plan(folder.path());
    const Fake encoder("cuda");
    const std::vector<std::size_t> shards = all_shards(plan);
    BatchReader reader(plan, shards, encoder);
    ShardBatch batch;
    std::vector<std::size_t> tokens;
    std::map<std::size_t, std::size_t> rows;
    while (reader.read(batch)) {
        tokens.push_back(batch.sentences.tokens());
        for (const auto& [shard, count] : batch.parts) rows[shard] += count;
    }
    EXPECT_EQ(tokens, (std::vector<std::size_t>{32768, 65536, 110848, 55424, 32768, 22656}));
    EXPECT_EQ(rows.size(), 40U);
    for (const auto& [shard, count] : rows) EXPECT_EQ(count, 1500U) << shard;
    EXPECT_FALSE(reader.read(batch));
    EXPECT_TRUE(batch.parts.empty());
}

// Vectors of every token of a wide model: a batch ends before they take much memory.
TEST(Embedding, BatchesAreSmallWhereManyVectorsAreKept) {
    const TemporaryFolder folder;
    write_plan(folder.path(), 1, 4000);
    store::Plan plan(folder.path());
    const Fake encoder("cuda", std::size_t{1} << 15);
    const std::vector<std::size_t> shards = {0};
    BatchReader reader(plan, shards, encoder);
    ShardBatch batch;
    std::size_t rows = 0;
    while (reader.read(batch)) {
        EXPECT_LE(batch.sentences.kept(), 2048U + 3);
        rows += batch.parts.front().rows;
    }
    EXPECT_EQ(rows, 6000U);
}

// A model whose numbers are too large for it.
class Overflowing : public encoder::Encoder {
  public:
    explicit Overflowing(Precision precision) : precision_(precision) { config_.hidden = 4; }
    [[nodiscard]] const encoder::snapshot::ModelConfig& config() const override { return config_; }
    [[nodiscard]] Precision precision() const override { return precision_; }
    [[nodiscard]] std::string device() const override { return "cpu"; }
    [[nodiscard]] std::string instruction_set() const override { return "generic"; }
    [[nodiscard]] const std::vector<LayerRange>& layers() const override { return layers_; }
    void encode(const encoder::Batch&, std::span<float>) override { throw encoder::NotFinite(); }

  private:
    encoder::snapshot::ModelConfig config_;
    std::vector<LayerRange> layers_ = {{0, 0}};
    Precision precision_;
};

std::string error_in(Precision precision) {
    const TemporaryFolder folder;
    store::write_small_plan(folder.path());
    store::Plan plan(folder.path());
    Overflowing encoder(precision);
    return error_of([&] { embed_into(plan, all_shards(plan), encoder, {[](std::size_t) {}, {}, false, nullptr}); });
}

// The rows of one store are of one precision: there is nothing to resume.
TEST(Embedding, SaysToStartAnewWhenThePrecisionDoesNotHoldTheNumbers) {
    EXPECT_EQ(
        error_in(Precision::f16),
        "the model's numbers are too large for f16: a store has one precision, so extract again into another folder "
        "with bf16 or f32");
    EXPECT_TRUE(error_in(Precision::bf16).ends_with("another folder with f32"));
    EXPECT_TRUE(error_in(Precision::f32).ends_with("fetch it again"));
}

}  // namespace
}  // namespace wordbreadth::extraction
