// The CPU engine.
#include <algorithm>

#include "cpu/onednn.h"
#include "engine/cpu/cascade.h"
#include "engine/cpu/kernels.h"
#include "engine/cpu/onednn.h"
#include "engine/sweep.h"

namespace wordbreadth::engine::cpu {
namespace {

// Of a block of splits: of a smaller one too few are left to fill a product.
constexpr std::size_t masks_bytes = std::size_t{1} << 20;
// Of the pairs prepared at a time: enough to share their splits, little enough to use the same memory again. All 300
// pairs of the benchmark at once spent a tenth of the time in page faults.
constexpr std::size_t batch_bytes = std::size_t{32} << 20;
constexpr std::size_t clouds_bytes = std::size_t{512} << 20;  // of the clouds kept between batches and jobs

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

    void forget(const geometry::UnitRows& cloud) override { clouds_.forget(cloud); }

  private:
    std::vector<permutation::Tally> count_all(const Job& job, base::Monitor& monitor) {
        const std::size_t block = block_for(job, block_);
        clouds_.expect(job);
        JobContext context(kernels_, job, clouds_, block);
        const std::size_t batch =
            std::max<std::size_t>(1, batch_bytes / Cascade::bytes(job.splits.N, job.pairs[0].x->dimension()));
        std::vector<permutation::Tally> tallies;
        for (std::size_t first = 0; first < job.pairs.size(); first += batch) {
            const auto pairs = job.pairs.subspan(first, std::min(batch, job.pairs.size() - first));
            std::ranges::copy(count_batch(context, pairs, block, monitor), std::back_inserter(tallies));
            clouds_.trim(clouds_bytes);
        }
        return tallies;
    }

    std::vector<permutation::Tally> count_batch(JobContext& context, std::span<const PairTask> pairs, std::size_t block,
                                                base::Monitor& monitor) {
        std::vector<std::unique_ptr<Cascade>> cascades(pairs.size());
        workers().run(pairs.size(), [&](std::size_t pair, std::size_t) {
            monitor.check();
            cascades[pair] = std::make_unique<Cascade>(context, pairs[pair]);
        });
        std::vector<Workspace> spaces(workers().size(), Workspace(context, block));
        Job batch = context.job;
        batch.pairs = pairs;
        const auto decide = [&](const Block& splits, std::span<const std::size_t> active, std::size_t worker,
                                const Report& report) {
            Workspace& space = spaces[worker];
            write_masks(context, splits, space.masks);
            // Threads start at different pairs, so that they do not all wait for the same screen to be prepared.
            const std::size_t start = worker * active.size() / workers().size();
            for (std::size_t k = 0; k < active.size(); ++k) {
                const std::size_t pair = active[(start + k) % active.size()];
                monitor.check();
                cascades[pair]->decide(splits.size, space);
                report(pair, std::span(space.flags).first(splits.size));
            }
        };
        return sweep(batch, block, workers(), monitor, decide);
    }

    void write_masks(const JobContext& context, const Block& splits, std::vector<std::uint8_t>& masks) const {
        const permutation::Splits& plan = context.job.splits;
        if (!plan.enumerated) {
            kernels_.draw(plan.seed, splits.first, splits.size, plan.N, plan.n, masks.data(), context.stride);
            return;
        }
        // The combination after one is the permutation before it: a taken row comes first.
        plan.write(splits.first, {masks.data(), plan.N});
        for (std::size_t i = 1; i < splits.size; ++i) {
            const auto mask = std::span(masks).subspan(i * context.stride, plan.N);
            std::ranges::copy(std::span(masks).subspan((i - 1) * context.stride, plan.N), mask.begin());
            std::ranges::prev_permutation(mask);
        }
    }

    const Kernels& kernels_;
    PreparedClouds clouds_;
    std::size_t block_;
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
