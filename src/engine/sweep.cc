#include "engine/sweep.h"

#include <algorithm>
#include <numeric>

namespace wordbreadth::engine {
namespace {

// Blocks decided between two checks of which pairs may stop. More of them keep the threads busy, fewer waste less.
constexpr std::size_t largest_wave = 64;

class Sweep {
  public:
    Sweep(const Job& job, std::size_t block_size, base::Workers& workers, base::Monitor& monitor,
          const DecideBlock& decide)
        : job_(job),
          block_size_(block_size),
          workers_(workers),
          monitor_(monitor),
          decide_(decide),
          tallies_(job.pairs.size()),
          active_(job.pairs.size()) {
        std::iota(active_.begin(), active_.end(), std::size_t{0});
    }

    std::vector<permutation::Tally> run() {
        const std::uint64_t blocks = (job_.splits.count + block_size_ - 1) / block_size_;
        std::size_t wave = adaptive() ? workers_.size() : largest_wave * workers_.size();
        for (std::uint64_t block = 0; block < blocks && !active_.empty();) {
            wave = static_cast<std::size_t>(std::min<std::uint64_t>(wave, blocks - block));
            run_wave(block, wave);
            settle(block, wave);
            block += wave;
            if (adaptive()) wave = std::min(2 * wave, largest_wave * workers_.size());
        }
        return tallies_;
    }

  private:
    [[nodiscard]] bool adaptive() const { return job_.adaptive != 0 && !job_.splits.enumerated; }

    [[nodiscard]] Block block_at(std::uint64_t index) const {
        const std::uint64_t first = index * block_size_;
        return {first + 1, static_cast<std::size_t>(std::min<std::uint64_t>(block_size_, job_.splits.count - first))};
    }

    // For every active pair and block of the wave: the number of exceedances, and where they are if that may matter.
    void run_wave(std::uint64_t first_block, std::size_t wave) {
        counts_.assign(wave * job_.pairs.size(), 0);
        if (adaptive()) flags_.assign(wave * job_.pairs.size(), {});
        workers_.run(wave, [&](std::size_t index, std::size_t worker) {
            monitor_.check();
            const Block block = block_at(first_block + index);
            decide_(block, active_, worker, [&](std::size_t pair, std::span<const std::uint8_t> flags) {
                const std::size_t cell = index * job_.pairs.size() + pair;
                counts_[cell] = static_cast<std::size_t>(std::count_if(flags.begin(), flags.end(), std::identity{}));
                if (adaptive()) flags_[cell].assign(flags.begin(), flags.end());
                monitor_.advance(static_cast<double>(flags.size()));
            });
        });
    }

    // Adds the wave to the tallies in the order of the splits, and drops the pairs that have reached the limit.
    void settle(std::uint64_t first_block, std::size_t wave) {
        std::vector<std::size_t> still_active;
        for (const std::size_t pair : active_) {
            permutation::Tally& tally = tallies_[pair];
            for (std::size_t index = 0; index < wave && !tally.stopped_early; ++index)
                add_block(tally, block_at(first_block + index).size, index * job_.pairs.size() + pair);
            if (!tally.stopped_early)
                still_active.push_back(pair);
            else
                monitor_.advance(static_cast<double>(job_.splits.count - block_end(first_block + wave)));
        }
        active_ = std::move(still_active);
    }

    [[nodiscard]] std::uint64_t block_end(std::uint64_t blocks) const {
        return std::min(blocks * block_size_, job_.splits.count);
    }

    void add_block(permutation::Tally& tally, std::size_t size, std::size_t cell) const {
        if (!adaptive() || tally.exceedances + counts_[cell] < job_.adaptive) {
            tally.exceedances += counts_[cell];
            tally.looked_at += size;
            return;
        }
        for (const std::uint8_t flag : flags_[cell]) {
            ++tally.looked_at;
            tally.exceedances += flag != 0;
            if (tally.exceedances == job_.adaptive) break;
        }
        tally.stopped_early = true;
    }

    const Job& job_;
    std::size_t block_size_;
    base::Workers& workers_;
    base::Monitor& monitor_;
    const DecideBlock& decide_;
    std::vector<permutation::Tally> tallies_;
    std::vector<std::size_t> active_;
    std::vector<std::size_t> counts_;               // (wave, pairs)
    std::vector<std::vector<std::uint8_t>> flags_;  // (wave, pairs), adaptive only
};

}  // namespace

void step_down(const Job& job, const FamilyPart& part, std::size_t block_size, base::Workers& workers,
               base::Monitor& monitor, const LowerBlock& lower) {
    const std::uint64_t blocks = (job.splits.count + block_size - 1) / block_size;
    const std::span<std::uint32_t> all = part.family.attained();
    workers.run(static_cast<std::size_t>(blocks), [&](std::size_t index, std::size_t worker) {
        monitor.check();
        const std::uint64_t before = index * block_size;
        const Block block{before + 1,
                          static_cast<std::size_t>(std::min<std::uint64_t>(block_size, job.splits.count - before))};
        const auto draw_of = [&](std::size_t i) { return (before + i + part.shift) % all.size(); };
        std::vector<std::uint32_t> attained(block.size);
        for (std::size_t i = 0; i < block.size; ++i) attained[i] = all[draw_of(i)];
        lower(block, attained, worker, [&](std::size_t pair) {
            const std::uint32_t rank = part.rank - static_cast<std::uint32_t>(pair);
            part.family.count(rank, static_cast<std::uint64_t>(std::ranges::count_if(
                                        attained, [rank](std::uint32_t reached) { return reached <= rank; })));
            monitor.advance(static_cast<double>(block.size));
        });
        for (std::size_t i = 0; i < block.size; ++i) all[draw_of(i)] = attained[i];
    });
}

std::vector<permutation::Tally> sweep(const Job& job, std::size_t block_size, base::Workers& workers,
                                      base::Monitor& monitor, const DecideBlock& decide) {
    return Sweep(job, block_size, workers, monitor, decide).run();
}

}  // namespace wordbreadth::engine
