#include "engine/cpu/cpu.h"

#include <algorithm>

#include "cpu/onednn.h"
#include "engine/cpu/kernels.h"
#include "engine/cpu/ladder.h"
#include "engine/cpu/onednn.h"
#include "engine/sweep.h"

namespace wordbreadth::engine::cpu {
namespace {

// Of a block of splits: of a smaller one too few are left to fill a product.
constexpr std::size_t masks_bytes = std::size_t{1} << 20;
// Of the pairs prepared at a time: enough to share their splits, little enough to use the same memory again. All 300
// pairs of the benchmark at once spent a tenth of the time in page faults.
constexpr std::size_t batch_bytes = std::size_t{32} << 20;
constexpr std::size_t words_bytes = std::size_t{512} << 20;  // of the words kept between batches

std::size_t block_for(const Job& job, std::size_t wanted) {
    const std::size_t size = wanted != 0 ? wanted : std::clamp<std::size_t>(masks_bytes / job.splits.N, 16, 1024);
    const auto splits = static_cast<std::size_t>(std::min<std::uint64_t>(job.splits.count, size));
    return (splits + 15) / 16 * 16;  // splits are drawn by sixteen
}

// Where one thread works.
struct Desk {
    std::vector<std::uint8_t> masks;  // (block, stride)
    std::vector<std::uint8_t> flags;  // (block)
    Scratch scratch;

    Desk(const Workshop& shop, std::size_t block) : masks(block * shop.stride, 0), flags(block), scratch(shop, block) {}
};

class Cpu : public Backend {
  public:
    explicit Cpu(const Execution& execution)
        : kernels_(kernels(execution.instruction_set)), workers_(thread_count(execution)), block_(execution.block) {}

    [[nodiscard]] std::string label() const override { return std::string("cpu (") + kernels_.name + ")"; }

    [[nodiscard]] std::vector<permutation::Tally> count(const Job& job, base::Monitor& monitor) override {
        return wordbreadth::cpu::within_memory([&] { return count_all(job, monitor); });
    }

  private:
    std::vector<permutation::Tally> count_all(const Job& job, base::Monitor& monitor) {
        const std::size_t block = block_for(job, block_);
        Workshop shop(kernels_, job, block);
        const std::size_t batch =
            std::max<std::size_t>(1, batch_bytes / Ladder::bytes(job.splits.N, job.pairs[0].x->dimension()));
        std::vector<permutation::Tally> tallies;
        for (std::size_t first = 0; first < job.pairs.size(); first += batch) {
            const auto pairs = job.pairs.subspan(first, std::min(batch, job.pairs.size() - first));
            std::ranges::copy(count_batch(shop, pairs, block, monitor), std::back_inserter(tallies));
            shop.words.trim(words_bytes);
        }
        return tallies;
    }

    std::vector<permutation::Tally> count_batch(Workshop& shop, std::span<const PairTask> pairs, std::size_t block,
                                                base::Monitor& monitor) {
        std::vector<std::unique_ptr<Ladder>> ladders(pairs.size());
        workers_.run(pairs.size(), [&](std::size_t pair, std::size_t) {
            monitor.check();
            ladders[pair] = std::make_unique<Ladder>(shop, pairs[pair]);
        });
        std::vector<Desk> desks;
        for (std::size_t worker = 0; worker < workers_.size(); ++worker) desks.emplace_back(shop, block);
        Job batch = shop.job;
        batch.pairs = pairs;
        const auto decide = [&](const Block& splits, std::span<const std::size_t> active, std::size_t worker,
                                const Report& report) {
            Desk& desk = desks[worker];
            write_masks(shop, splits, desk.masks);
            // Threads start at different pairs, lest all wait for one to prepare the screen that they need next.
            const std::size_t start = worker * active.size() / workers_.size();
            for (std::size_t k = 0; k < active.size(); ++k) {
                const std::size_t pair = active[(start + k) % active.size()];
                monitor.check();
                ladders[pair]->decide(desk.masks, splits.size, desk.scratch, desk.flags);
                report(pair, std::span(desk.flags).first(splits.size));
            }
        };
        return sweep(batch, block, workers_, monitor, decide);
    }

    void write_masks(const Workshop& shop, const Block& splits, std::vector<std::uint8_t>& masks) const {
        const permutation::Splits& plan = shop.job.splits;
        if (!plan.enumerated) {
            kernels_.draw(plan.seed, splits.first, splits.size, plan.N, plan.n, masks.data(), shop.stride);
            return;
        }
        // The combination after one is the permutation before it: a taken row comes first.
        plan.write(splits.first, {masks.data(), plan.N});
        for (std::size_t i = 1; i < splits.size; ++i) {
            const auto mask = std::span(masks).subspan(i * shop.stride, plan.N);
            std::ranges::copy(std::span(masks).subspan((i - 1) * shop.stride, plan.N), mask.begin());
            std::ranges::prev_permutation(mask);
        }
    }

    const Kernels& kernels_;
    base::Workers workers_;
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
