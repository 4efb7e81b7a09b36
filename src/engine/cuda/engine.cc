// The engine `cuda`: batches of pairs, chunks of splits, and what the device leaves to the host.
#include <algorithm>
#include <array>
#include <chrono>
#include <future>
#include <memory>
#include <numeric>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "base/strings.h"
#include "cuda/gpu_names.h"
#include "engine/cuda/cuda.h"
#include "engine/cuda/prepared.h"
#include "engine/cuda/remote.h"
#include "permutation/pooled.h"

namespace wordbreadth::engine::cuda {
namespace {

constexpr std::size_t first_chunk = 4096;  // of a job that may stop early; the next are twice as long

// Where the splits of a job stand.
struct Progress {
    std::vector<permutation::Tally> tallies;
    std::vector<int> active;            // pairs that go on, by place in the batch
    std::vector<std::uint64_t> wanted;  // what each of them lacks to its last exceedance, where it may stop early
    std::uint64_t drawn = 0;            // splits that were given to the device
    std::uint64_t done = 0;             // splits looked at
};

// A chunk, and when the device is done with it.
struct Section {
    Chunk chunk{};
    Counted* counted = nullptr;
    Event done;
};

// Tells kernels that nobody wants their results, past whatever is in their stream.
class StopFlag {
  public:
    explicit StopFlag(const Stream& stream) { write(0, stream); }

    [[nodiscard]] const int* data() const { return flag_.data(); }

    void set() {
        is_set_ = true;
        write(1, own_);
    }
    // Once all that was to end has ended.
    void reset(const Stream& stream) {
        if (!std::exchange(is_set_, false)) return;
        write(0, stream);
    }

  private:
    void write(int value, const Stream& stream) {
        flag_.upload({&value, 1}, stream);
        stream.wait();  // for what the kernels are doing, too, where it is their stream
    }

    Buffer<int> flag_{1};
    bool is_set_ = false;
    Stream own_;
};

// Waits for all that is in the stream, or throws Cancelled. Work of a few milliseconds is looked at without a pause,
// as the runtime does it.
void wait_for(const Stream& stream, const base::Monitor& monitor) {
    const auto start = std::chrono::steady_clock::now();
    while (!stream.is_done()) {
        monitor.check();
        if (std::chrono::steady_clock::now() - start > std::chrono::milliseconds(20))
            std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    monitor.check();
}

bool may_stop_early(const Job& job) {
    return job.adaptive != 0 && !job.splits.enumerated;
}

// One GPU and what is kept there, while it is the calling thread's.
class Gpu {
  public:
    Gpu(std::size_t block, base::Workers& workers) : workers_(workers), block_(block), residents_(workers) {
        const cudaDeviceProp& device = properties();
        memory_ = device.totalGlobalMem;
        shared_bytes_ = device.sharedMemPerBlockOptin;
    }

    [[nodiscard]] std::vector<permutation::Tally> count(const Job& job, base::Monitor& monitor) {
        const Timing::Stage stage(monitor.timing(), "feeding the GPU");  // and, within it, waiting
        stop_.reset(stream_);
        try {
            return count_batches(job, monitor);
        } catch (const Cancelled&) {
            stop_.set();
            throw;
        }
    }

    void forget(const geometry::UnitRows& cloud) { residents_.forget(cloud); }

    [[nodiscard]] std::vector<std::optional<geometry::RemoteRows>> measure(std::span<const Rows> clouds) {
        return measuring_.measure(clouds, stream_);
    }

  private:
    std::vector<permutation::Tally> count_batches(const Job& job, base::Monitor& monitor) {
        const bool gram = has_gram(job, shared_bytes_);
        Portion portion(job, gram, memory_, block_);
        std::vector<permutation::Tally> tallies;
        tallies.reserve(job.pairs.size());
        while (tallies.size() < job.pairs.size()) {
            const std::span<const PairTask> pairs = portion.batch(tallies.size());
            try {
                std::ranges::copy(count_batch(job, pairs, portion, gram, monitor), std::back_inserter(tallies));
                alone_ = false;
            } catch (const OutOfMemory& error) {
                make_room();
                if (!std::exchange(alone_, true)) continue;  // what earlier batches left may have been in the way
                if (portion.shrink(pairs)) continue;
                throw does_not_fit(job, portion.bytes_of_pairs(job.pairs.first(1)) + portion.bytes_of_chunks(1), error);
            }
        }
        return tallies;
    }

    void make_room() {
        stream_.wait();  // for kernels that still use it
        side_.wait();
        residents_.clear();
        pair_memory_.release();
        chunk_memory_.release();
    }

    // Where no pair stops early, the device has the next chunk already while the host looks at what came of one.
    std::vector<permutation::Tally> count_batch(const Job& job, std::span<const PairTask> pairs, const Portion& portion,
                                                bool gram, base::Monitor& monitor) {
        monitor.check();
        const Shape shape = shape_of(job);
        const std::size_t size = portion.splits(pairs.size());
        const std::size_t sections = portion.chunks_at_once(pairs.size());
        Progress progress;
        progress.tallies.resize(pairs.size());
        progress.active.resize(pairs.size());
        std::iota(progress.active.begin(), progress.active.end(), 0);
        lay_out_chunks(shape, pairs.size(), size, sections, job);
        std::size_t now = may_stop_early(job) ? std::min(size, first_chunk) : size;
        // The first splits are drawn while the pairs are prepared; but not while a call that was stopped is still
        // there.
        stopped_.record(stream_);
        stopped_.hold(side_);
        draw_chunk(job, shape, now, progress, sections_[0], side_);
        side_done_.record(side_);
        send_active(job, progress);  // before the kernels: for a long list the driver would wait for them
        timed(monitor.timing(), "preparing pairs", [&] { prepared_.prepare(job, pairs, gram, monitor); });
        side_done_.hold(stream_);
        decide_chunk(progress, gram, sections_[0]);
        for (std::size_t k = 0;;) {
            monitor.check();
            const std::size_t next = (k + 1) % sections;
            if (next != k) decide_next(job, shape, now, progress, gram, sections_[next]);
            finish_chunk(job, pairs, sections_[k], progress, monitor);
            if (progress.done == job.splits.count || progress.active.empty()) break;
            if (next == k) {
                now = std::min(size, 2 * now);
                send_active(job, progress);
                decide_next(job, shape, now, progress, gram, sections_[k]);
            }
            k = next;
        }
        return std::move(progress.tallies);
    }

    void lay_out_chunks(const Shape& shape, std::size_t pairs, std::size_t size, std::size_t sections, const Job& job) {
        const std::size_t smaller = std::min(shape.n, shape.m);
        const std::size_t combinations = job.splits.enumerated ? (job.splits.N + 1) * (smaller + 1) : 0;
        chunk_memory_.fill([&](Arena& arena) {
            for (std::size_t k = 0; k < sections; ++k) lay_out(arena, shape, pairs, size, sections_[k]);
            active_ = arena.take<int>(pairs);
            wanted_ = arena.take<std::uint64_t>(pairs);
            combinations_ = arena.take<std::uint64_t>(combinations);
            rows_scratch_ = arena.take<double>(rows_scratch(shape));
        });
        if (!job.splits.enumerated) return;
        std::vector<std::uint64_t> table(combinations, 0);
        for (std::size_t rows = 0; rows <= job.splits.N; ++rows)
            for (std::size_t taken = 0; taken <= std::min(smaller, rows); ++taken)
                table[rows * (smaller + 1) + taken] = permutation::number_of_splits(rows, taken);
        wordbreadth::cuda::upload(table, combinations_, stream_);
        stream_.wait();
    }

    static void lay_out(Arena& arena, const Shape& shape, std::size_t pairs, std::size_t size, Section& section) {
        Chunk& chunk = section.chunk;
        chunk.capacity = static_cast<int>(size);
        chunk.bits = arena.take<std::uint32_t>(static_cast<std::size_t>(shape.words) * size);
        chunk.flags = arena.take<std::uint32_t>(pairs * size / 32);
        chunk.open = arena.take<std::uint32_t>(pairs * size / 32);
        int* counts = arena.take<int>(list_count * pairs);
        for (std::size_t list = 0; list < list_count; ++list) {
            chunk.left_count[list] = counts + list * pairs;
            chunk.left[list] = arena.take<int>(pairs * size);
        }
        section.counted = arena.take<Counted>(pairs);
    }

    // Draws the next splits, at most `size` of them.
    void draw_chunk(const Job& job, const Shape& shape, std::size_t size, Progress& progress, Section& section,
                    const Stream& stream) {
        section.chunk.first = progress.drawn + 1;
        section.chunk.count = static_cast<int>(std::min<std::uint64_t>(size, job.splits.count - progress.drawn));
        progress.drawn += static_cast<std::uint64_t>(section.chunk.count);
        const Drawing drawing{job.splits.seed, job.splits.enumerated ? combinations_ : nullptr,
                              std::min(shape.n, shape.m)};
        draw_splits(shape, drawing, section.chunk, stream.get());
    }

    // Which pairs go on, and how many exceedances they lack where they may stop.
    void send_active(const Job& job, Progress& progress) {
        progress.wanted = wanted_of(job, progress);
        wordbreadth::cuda::upload(progress.active, active_, stream_);
        if (!progress.wanted.empty()) wordbreadth::cuda::upload(progress.wanted, wanted_, stream_);
        stop_at_ = progress.wanted.empty() ? nullptr : wanted_;
    }

    [[nodiscard]] Active active_of(const Progress& progress) const {
        return {active_, static_cast<int>(progress.active.size())};
    }

    void decide_chunk(const Progress& progress, bool gram, Section& section) {
        const Active active = active_of(progress);
        screen(prepared_.batch(), active, section.chunk, gram);
        count_flags(active, section.chunk, stop_at_, section.counted, stream_.get());
        section.done.record(stream_);
    }

    // Draws and decides what is left, if anything is.
    void decide_next(const Job& job, const Shape& shape, std::size_t size, Progress& progress, bool gram,
                     Section& section) {
        if (progress.drawn == job.splits.count) return;
        draw_chunk(job, shape, size, progress, section, stream_);
        decide_chunk(progress, gram, section);
    }

    // Waits for a chunk and adds it to the tallies.
    void finish_chunk(const Job& job, std::span<const PairTask> pairs, const Section& section, Progress& progress,
                      base::Monitor& monitor) {
        const Active active = active_of(progress);
        section.done.hold(side_);
        std::vector<int> left(pairs.size());
        std::vector<Counted> counted =
            timed(monitor.timing(), "waiting for the GPU", [&] { return fetch(section, active, left, monitor); });
        if (settle_on_host(job, pairs, section.chunk, progress, left, monitor)) {
            count_flags(active, section.chunk, stop_at_, section.counted, side_.get());
            counted = fetch(section, active, left, monitor);
        }
        add_up(job, counted, section.chunk, progress, monitor);
    }

    // What each active pair lacks to its last exceedance; empty for a job that does not stop early.
    static std::vector<std::uint64_t> wanted_of(const Job& job, const Progress& progress) {
        std::vector<std::uint64_t> wanted;
        if (!may_stop_early(job)) return wanted;
        for (const int pair : progress.active)
            wanted.push_back(job.adaptive - progress.tallies[static_cast<std::size_t>(pair)].exceedances);
        return wanted;
    }

    void clear(void* from, std::size_t bytes) { WORDBREADTH_CUDA(cudaMemsetAsync(from, 0, bytes, stream_.get())); }

    // The cascade of screens; what it leaves is in the last list.
    void screen(const Batch& batch, const Active& active, const Chunk& chunk, bool gram) {
        const auto pairs = static_cast<std::size_t>(batch.pairs);
        clear(chunk.left_count[0], list_count * pairs * sizeof(int));
        if (!gram) {
            leave_all(active, chunk, 1, stream_.get());
        } else if (batch.shape.robust && batch.leading) {
            screen_robust(batch, active, chunk, stream_.get());
            list_open(active, chunk, 0, stream_.get());
            screen_gram(batch, active, chunk, 0, 1, false, stream_.get());
        } else if (batch.shape.robust) {
            clear(chunk.flags, pairs * static_cast<std::size_t>(chunk.capacity) / 8);
            screen_gram(batch, active, chunk, -1, 1, false, stream_.get());
        } else {
            screen_linear(batch, active, chunk, stream_.get());
            if (batch.leading)
                screen_leading(batch, active, chunk, 0, stream_.get());
            else
                list_open(active, chunk, 0, stream_.get());
            screen_gram(batch, active, chunk, 0, 1, false, stream_.get());
        }
        int last = 1;
        if (gram && batch.shape.precise) {
            clear(chunk.left_count[0], pairs * sizeof(int));  // those that it had are in the next list, or decided
            screen_gram(batch, active, chunk, 1, 0, true, stream_.get());
            last = 0;
        }
        decide_by_rows(batch, active, chunk, last, 2, rows_scratch_, stream_.get());
    }

    std::vector<Counted> fetch(const Section& section, const Active& active, std::vector<int>& left,
                               const base::Monitor& monitor) {
        wait_for(side_, monitor);
        std::vector<Counted> counted(static_cast<std::size_t>(active.count));
        wordbreadth::cuda::download(section.counted, counted, side_);
        wordbreadth::cuda::download(section.chunk.left_count[2], left, side_);
        side_.wait();
        return counted;
    }

    // Near ties and degenerate splits, by the definition. True when there were any that exceed: those take the places
    // of the others in the list.
    bool settle_on_host(const Job& job, std::span<const PairTask> pairs, const Chunk& chunk, const Progress& progress,
                        const std::vector<int>& left, const base::Monitor& monitor) {
        bool any = false;
        for (const int pair : progress.active) {
            const auto index = static_cast<std::size_t>(pair);
            if (left[index] == 0) continue;
            int* const list = chunk.left[2] + index * static_cast<std::size_t>(chunk.capacity);
            std::vector<int> places(static_cast<std::size_t>(left[index]));
            wordbreadth::cuda::download(list, places, side_);
            side_.wait();
            const std::vector<int> exceeding = exceeding_of(job, pairs[index], chunk, places, monitor);
            if (exceeding.empty()) continue;
            wordbreadth::cuda::upload(exceeding, list, side_);
            set_flags(chunk, 2, pair, static_cast<int>(exceeding.size()), side_.get());
            any = true;
        }
        return any;
    }

    std::vector<int> exceeding_of(const Job& job, const PairTask& task, const Chunk& chunk,
                                  const std::vector<int>& places, const base::Monitor& monitor) {
        const permutation::Pooled pooled(*task.x, *task.y, job.align);
        std::vector<std::uint8_t> exceeds(places.size());
        workers_.run(places.size(), [&](std::size_t i, std::size_t) {
            monitor.check();
            std::vector<std::uint8_t> mask(job.splits.N);
            std::vector<double> scratch;
            job.splits.write(chunk.first + static_cast<std::uint64_t>(places[i]), mask);
            exceeds[i] = task.exceeds(pooled.statistic(job.statistic, mask, scratch));
        });
        std::vector<int> list;
        for (std::size_t i = 0; i < places.size(); ++i)
            if (exceeds[i] != 0) list.push_back(places[i]);
        return list;
    }

    static void add_up(const Job& job, const std::vector<Counted>& counted, const Chunk& chunk, Progress& progress,
                       base::Monitor& monitor) {
        std::vector<int> still_active;
        const auto size = static_cast<std::uint64_t>(chunk.count);
        progress.done += size;
        double units = 0;
        for (std::size_t i = 0; i < counted.size(); ++i) {
            const int pair = progress.active[i];
            permutation::Tally& tally = progress.tallies[static_cast<std::size_t>(pair)];
            if (counted[i].place >= 0) {
                tally.exceedances = job.adaptive;
                tally.looked_at += static_cast<std::uint64_t>(counted[i].place) + 1;
                tally.stopped_early = true;
                units += static_cast<double>(job.splits.count - progress.done + size);
                continue;
            }
            tally.exceedances += static_cast<std::uint64_t>(counted[i].exceedances);
            tally.looked_at += size;
            units += static_cast<double>(size);
            still_active.push_back(pair);
        }
        progress.active = std::move(still_active);
        monitor.advance(units);
    }

    base::Workers& workers_;
    std::size_t block_;
    std::size_t memory_ = 0;
    std::size_t shared_bytes_ = 0;
    bool alone_ = true;  // whether nothing of ours is on the device except the current batch
    Stream stream_;
    Stream side_;  // for what need not wait
    Event side_done_;
    Event stopped_;
    Residents residents_;
    Arena pair_memory_;
    StopFlag stop_{stream_};
    Prepared prepared_{residents_, pair_memory_, stream_, stop_.data()};
    Arena chunk_memory_;
    Measuring measuring_;
    std::array<Section, 2> sections_;
    int* active_ = nullptr;
    std::uint64_t* wanted_ = nullptr;
    const std::uint64_t* stop_at_ = nullptr;  // `wanted_`, where pairs may stop
    std::uint64_t* combinations_ = nullptr;
    double* rows_scratch_ = nullptr;
};

std::string name_of(int ordinal) {
    return std::string(wordbreadth::cuda::properties(ordinal).name) + ", " +
           wordbreadth::cuda::instruction_set(ordinal);
}

class Cuda : public Backend {
  public:
    // `others` are the GPUs of its companions.
    Cuda(int ordinal, std::span<const int> others, const Execution& execution)
        : Backend(execution),
          gpu_(ordinal, [&] { return std::make_unique<Gpu>(execution.block, workers()); }),
          names_{name_of(ordinal)},
          companions_(others.size()) {
        for (const int other : others)
            if (std::ranges::count(names_, name_of(other)) == 0) names_.push_back(name_of(other));
        of_companion_.block = execution.block;
        // The threads are shared. This backend keeps all of its own, for when it is alone.
        of_companion_.threads = static_cast<unsigned>(std::max<std::size_t>(workers().size() / (others.size() + 1), 1));
        for (std::size_t k = 0; k < others.size(); ++k) companions_[k].ordinal = others[k];
    }

    // The kinds of GPU: like that of threads, their number is not part of it.
    [[nodiscard]] std::string label() const override { return "cuda (" + base::joined(names_, "; ") + ")"; }

    [[nodiscard]] std::vector<permutation::Tally> count(const Job& job, base::Monitor& monitor) override {
        return gpu_.use([&](Gpu& gpu) { return gpu.count(job, monitor); });
    }

    void forget(const geometry::UnitRows& cloud) override {
        gpu_.use([&](Gpu& gpu) { gpu.forget(cloud); });
        for (const Companion& companion : companions_)
            if (companion.backend) companion.backend->forget(cloud);
    }

    [[nodiscard]] std::vector<std::optional<geometry::RemoteRows>> measure(std::span<const Rows> clouds) override {
        return gpu_.use([&](Gpu& gpu) { return gpu.measure(clouds); });
    }

    [[nodiscard]] std::shared_ptr<const void> download(const std::string& label, const void* from,
                                                       std::size_t bytes) override {
        return gpu_.use([&](Gpu&) { return copy_to_host(label, from, bytes); });
    }

    [[nodiscard]] std::size_t companions() const override { return companions_.size(); }

    [[nodiscard]] Backend* companion(std::size_t k) override {
        Companion& one = companions_[k];
        if (!one.is_asked_for) start(one);
        if (one.starting.valid() && one.starting.wait_for(std::chrono::seconds(0)) == std::future_status::ready)
            one.backend = one.starting.get();
        return one.backend.get();
    }

    [[nodiscard]] bool has_company() const override {
        return std::ranges::any_of(companions_, &Companion::is_asked_for);
    }

  private:
    struct Companion {
        int ordinal = 0;
        bool is_asked_for = false;
        std::future<std::unique_ptr<Cuda>> starting;
        std::unique_ptr<Cuda> backend;
    };

    // One that cannot be started, since others have filled its memory, say, is done without.
    void start(Companion& companion) {
        companion.is_asked_for = true;
        const auto make = [ordinal = companion.ordinal, execution = of_companion_]() -> std::unique_ptr<Cuda> {
            try {
                return std::make_unique<Cuda>(ordinal, std::span<const int>(), execution);
            } catch (const std::exception&) {
                return nullptr;
            }
        };
        try {
            companion.starting = std::async(std::launch::async, make);
        } catch (const std::system_error&) {  // no thread can be started
        }
    }

    wordbreadth::cuda::OnGpu<Gpu> gpu_;
    std::vector<std::string> names_;  // of the kinds of GPU
    Execution of_companion_;
    std::vector<Companion> companions_;
};

}  // namespace

std::unique_ptr<Backend> make_on(std::span<const int> ordinals, const Execution& execution) try {
    return std::make_unique<Cuda>(ordinals.front(), ordinals.subspan(1), execution);
} catch (const OutOfMemory& error) {
    throw cannot_start(error);
}

std::unique_ptr<Backend> make(const Execution& execution) {
    if (const std::optional<int> one = wordbreadth::cuda::gpu_named(execution.device))
        return make_on({&*one, 1}, execution);
    std::vector<int> all = wordbreadth::cuda::usable_gpus();
    const std::string& forced = execution.instruction_set;
    std::erase_if(all, [&](int gpu) { return !forced.empty() && wordbreadth::cuda::instruction_set(gpu) != forced; });
    if (all.empty()) all.push_back(0);  // in a process that was forked nothing is found: what fails next says so
    return make_on(all, execution);
}

}  // namespace wordbreadth::engine::cuda
