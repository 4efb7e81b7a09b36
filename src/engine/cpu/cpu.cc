// The CPU engine.
#include <algorithm>
#include <future>

#include "cpu/kernel_tables.h"
#include "cpu/onednn.h"
#include "engine/cpu/cascade.h"
#include "engine/cpu/kernels.h"
#include "engine/cpu/onednn.h"
#include "engine/sweep.h"

namespace wordbreadth::engine::cpu {

WORDBREADTH_KERNEL_TABLES(Kernels, usable_kernels);

std::vector<std::string> instruction_sets() {
    std::vector<std::string> names;
    for (const Kernels* table : usable_kernels()) names.emplace_back(table->name);
    return names;
}

const Kernels& kernels(const std::string& instruction_set) {
    const std::vector<const Kernels*> tables = usable_kernels();
    const auto found =
        std::ranges::find_if(tables, [&](const Kernels* table) { return instruction_set == table->name; });
    return found == tables.end() ? *tables.back() : **found;
}

namespace {

// Of a block of splits: of a smaller one too few are left to fill a product.
constexpr std::size_t masks_bytes = std::size_t{1} << 20;
// Of the pairs prepared at a time: enough to share their splits, little enough to use the same memory again. All 300
// pairs of the benchmark at once spent a tenth of the time in page faults.
constexpr std::size_t batch_bytes = std::size_t{32} << 20;

// Multiplications in float32 from which on oneDNN's products, up to twice as fast as the kernels', make up for the time
// in which it writes their code.
constexpr double worth_code = 4e9;

// About as many as a job has: those of K, of its spectrum, and of the splits that the int8 screens leave.
double float_work(const Job& job) {
    const auto N = static_cast<double>(job.splits.N);
    const auto d = static_cast<double>(job.pairs[0].x->dimension());
    const double of_pair = N * std::min(N, d) * (N + d + static_cast<double>(job.splits.count) / 100);
    return static_cast<double>(job.pairs.size()) * of_pair;
}

// Of the masks kept for later jobs. Drawing 20,000 splits of 256 rows, 5 MB, takes half the time of a single test.
constexpr std::size_t kept_masks_bytes = std::size_t{64} << 20;

std::size_t block_for(const Job& job, std::size_t wanted) {
    const std::size_t size = wanted != 0 ? wanted : std::clamp<std::size_t>(masks_bytes / job.splits.N, 16, 1024);
    const auto splits = static_cast<std::size_t>(std::min<std::uint64_t>(job.splits.count, size));
    return (splits + 15) / 16 * 16;  // splits are drawn by sixteen
}

class Cpu : public Backend {
  public:
    explicit Cpu(const Execution& execution)
        : Backend(execution),
          kernels_(kernels(execution.instruction_set)),
          clouds_(kernels_),
          block_(execution.block) {}

    [[nodiscard]] std::string label() const override { return std::string("cpu (") + kernels_.name + ")"; }

    [[nodiscard]] std::vector<permutation::Tally> count(const Job& job, base::Monitor& monitor) override {
        return wordbreadth::cpu::within_memory([&] { return count_all(job, monitor); });
    }

    void step_down(const Job& job, const FamilyPart& part, base::Monitor& monitor) override {
        wordbreadth::cpu::within_memory([&] { add_all(job, part, monitor); });
    }

    void forget(const geometry::UnitRows& cloud) override { clouds_.forget(cloud); }

  private:
    // Has code written, beside all else, once there is enough for it to do. Where that fails the kernels go on.
    [[nodiscard]] std::future<void> start_writing(const Job& job) {
        float_work_ += float_work(job);
        if (float_work_ < worth_code) return {};
        return std::async(std::launch::async | std::launch::deferred,  // where no thread can be started, never
                          [] { wordbreadth::cpu::within_memory(write_code); });
    }

    std::vector<permutation::Tally> count_all(const Job& job, base::Monitor& monitor) {
        const std::future<void> writing = start_writing(job);
        const std::size_t block = block_for(job, block_);
        std::vector<permutation::Tally> tallies;
        by_batches(job, block, monitor, [&](const Job& part, auto& screens, auto& spaces, std::size_t) {
            std::ranges::copy(count_batch(part, screens, block, spaces, monitor), std::back_inserter(tallies));
        });
        return tallies;
    }

    void add_all(const Job& job, const FamilyPart& part, base::Monitor& monitor) {
        const std::future<void> writing = start_writing(job);
        const std::size_t block = block_for(job, block_);
        by_batches(job, block, monitor, [&](const Job& some, auto& screens, auto& spaces, std::size_t first) {
            add_batch(some, {part.family, part.rank - static_cast<std::uint32_t>(first), part.shift}, screens, block,
                      spaces, monitor);
        });
    }

    // Calls run(part, screens, spaces, first) for batches of the job's pairs, with a screen per pair and a workspace
    // per thread.
    template <class Run>
    void by_batches(const Job& job, std::size_t block, base::Monitor& monitor, const Run& run) {
        choose_masks(job, block);
        if (job.statistic == Statistic::blocks) {
            const BlockScreen::Context context(kernels_, job, block);
            return prepare_batches<BlockScreen>(
                job, monitor, [&](const PairTask& task) { return std::make_unique<BlockScreen>(context, task); },
                BlockScreen::Workspace(context, block), run);
        }
        clouds_.expect(job);
        JobContext context(kernels_, job, clouds_, block);
        prepare_batches<Cascade>(
            job, monitor, [&](const PairTask& task) { return std::make_unique<Cascade>(context, task); },
            Workspace(context, block), run);
    }

    // `prepare` makes a pair's Screen; every thread has a copy of `space`.
    template <class Screen, class Prepare, class Space, class Run>
    void prepare_batches(const Job& job, base::Monitor& monitor, const Prepare& prepare, const Space& space,
                         const Run& run) {
        const std::size_t batch =
            std::max<std::size_t>(1, batch_bytes / Screen::bytes(job.splits.N, job.pairs[0].x->dimension()));
        std::vector<Space> spaces(workers().size(), space);
        for (std::size_t first = 0; first < job.pairs.size(); first += batch) {
            Job part = job;
            part.pairs = job.pairs.subspan(first, std::min(batch, job.pairs.size() - first));
            std::vector<std::unique_ptr<Screen>> screens(part.pairs.size());
            timed(monitor.timing(), "preparing pairs", [&] {
                workers().run(screens.size(), [&](std::size_t pair, std::size_t) {
                    monitor.check();
                    screens[pair] = prepare(part.pairs[pair]);
                });
            });
            timed(monitor.timing(), "permutations", [&] { run(part, screens, spaces, first); });
            clouds_.trim();
        }
    }

    template <class Screen, class Space>
    std::vector<permutation::Tally> count_batch(const Job& job, std::vector<std::unique_ptr<Screen>>& screens,
                                                std::size_t block, std::vector<Space>& spaces, base::Monitor& monitor) {
        const auto decide = [&](const Block& splits, std::span<const std::size_t> active, std::size_t worker,
                                const Report& report) {
            Space& space = spaces[worker];
            const std::uint8_t* masks = masks_of(job, splits, block, space.masks);
            // Threads start at different pairs, so that they do not all wait for the same screen to be prepared.
            const std::size_t start = worker * active.size() / workers().size();
            for (std::size_t k = 0; k < active.size(); ++k) {
                const std::size_t pair = active[(start + k) % active.size()];
                monitor.check();
                screens[pair]->decide(masks, splits.size, space);
                report(pair, std::span(space.flags).first(splits.size));
            }
        };
        return sweep(job, block, workers(), monitor, decide);
    }

    template <class Screen, class Space>
    void add_batch(const Job& job, const FamilyPart& part, std::vector<std::unique_ptr<Screen>>& screens,
                   std::size_t block, std::vector<Space>& spaces, base::Monitor& monitor) {
        const auto lower = [&](const Block& splits, std::span<std::uint32_t> attained, std::size_t worker,
                               const Added& added) {
            Space& space = spaces[worker];
            const std::uint8_t* masks = masks_of(job, splits, block, space.masks);
            for (std::size_t pair = 0; pair < screens.size(); ++pair) {
                monitor.check();
                screens[pair]->lower(masks, attained, part.family, part.rank - static_cast<std::uint32_t>(pair), space);
                added(pair);
            }
        };
        engine::step_down(job, part, block, workers(), monitor, lower);
    }

    // Jobs whose clouds are kept also keep their masks, for the next one with the same splits.
    void choose_masks(const Job& job, std::size_t block) {
        const permutation::Splits& splits = job.splits;
        const std::uint64_t blocks = (splits.count + block - 1) / block;
        keeps_masks_ = job.keep && blocks <= kept_masks_bytes / (block * mask_stride(splits.N));
        if (!keeps_masks_ || kept_splits_ == splits) return;
        kept_splits_ = splits;
        // The memory is used again: fresh pages would cost as much as the drawing.
        kept_masks_.resize(static_cast<std::size_t>(blocks));
        drawn_.assign(kept_masks_.size(), 0);
    }

    // The masks of a block of splits, (block, stride). Only one thread at a time has the same block.
    const std::uint8_t* masks_of(const Job& job, const Block& splits, std::size_t block,
                                 std::vector<std::uint8_t>& own) {
        const auto index = static_cast<std::size_t>((splits.first - 1) / block);
        std::vector<std::uint8_t>& masks = keeps_masks_ ? kept_masks_[index] : own;
        if (keeps_masks_ && drawn_[index] != 0) return masks.data();
        masks.resize(block * mask_stride(job.splits.N));
        write_masks(job.splits, splits, masks);
        if (keeps_masks_) drawn_[index] = 1;
        return masks.data();
    }

    void write_masks(const permutation::Splits& plan, const Block& splits, std::vector<std::uint8_t>& masks) const {
        const std::size_t stride = mask_stride(plan.N);
        if (plan.enumerated)
            plan.write_enumerated(splits.first, splits.size, stride, masks);
        else
            kernels_.draw(plan.seed, splits.first, splits.size, plan.N, plan.n, masks.data(), stride);
    }

    const Kernels& kernels_;
    PreparedClouds clouds_;
    std::size_t block_;
    double float_work_ = 0;  // of all jobs
    bool keeps_masks_ = false;
    permutation::Splits kept_splits_;
    std::vector<std::vector<std::uint8_t>> kept_masks_;  // by block of these splits
    std::vector<std::uint8_t> drawn_;                    // by block: 1 once the masks are there
};

}  // namespace

Device device() {
    Device device{"cpu", "certified int8 screens, float64 where they cannot decide", true, {}, instruction_sets(), {}};
    device.instruction_set = device.instruction_sets.back();
    return device;
}

std::unique_ptr<Backend> make(const Execution& execution) {
    // Forced, the instruction set holds for oneDNN too, if this is the first thing that the process asks of it.
    if (!execution.instruction_set.empty()) static_cast<void>(limit_instruction_set(execution.instruction_set));
    return std::make_unique<Cpu>(execution);
}

}  // namespace wordbreadth::engine::cpu
