// The reference engine.
#include "engine/sweep.h"
#include "permutation/pooled.h"

namespace wordbreadth::engine::reference {
namespace {

class Reference : public Backend {
  public:
    explicit Reference(const Execution& execution)
        : Backend(execution), block_(execution.block != 0 ? execution.block : 64) {}

    [[nodiscard]] std::string label() const override { return "reference (float64)"; }

    [[nodiscard]] std::vector<permutation::Tally> count(const Job& job, base::Monitor& monitor) override {
        const Timing::Stage stage(monitor.timing(), "permutations");
        std::vector<permutation::Tally> tallies;
        for (const PairTask& pair : job.pairs) tallies.push_back(count_pair(job, pair, monitor));
        return tallies;
    }

    void step_down(const Job& job, const FamilyPart& part, base::Monitor& monitor) override {
        const Timing::Stage stage(monitor.timing(), "permutations");
        for (std::size_t k = 0; k < job.pairs.size(); ++k) {
            Job alone = job;
            alone.pairs = job.pairs.subspan(k, 1);
            add_pair(alone, {part.family, part.rank - static_cast<std::uint32_t>(k), part.shift}, monitor);
        }
    }

    void forget(const geometry::UnitRows&) override {}

  private:
    permutation::Tally count_pair(const Job& job, const PairTask& pair, base::Monitor& monitor) {
        Job alone = job;
        alone.pairs = {&pair, 1};
        const permutation::Pooled pooled(*pair.x, *pair.y, job.align);
        const auto decide = [&](const Block& block, std::span<const std::size_t>, std::size_t, const Report& report) {
            std::vector<std::uint8_t> mask(job.splits.N);
            std::vector<std::uint8_t> flags(block.size);
            std::vector<double> scratch;
            for (std::size_t i = 0; i < block.size; ++i) {
                job.splits.write(block.first + i, mask);
                flags[i] = pair.exceeds(pooled.statistic(job.statistic, mask, scratch));
            }
            report(0, flags);
        };
        return sweep(alone, block_, workers(), monitor, decide).front();
    }

    void add_pair(const Job& job, const FamilyPart& part, base::Monitor& monitor) {
        const permutation::Pooled pooled(*job.pairs[0].x, *job.pairs[0].y, job.align);
        const auto lower = [&](const Block& block, std::span<std::uint32_t> attained, std::size_t, const Added& added) {
            std::vector<std::uint8_t> mask(job.splits.N);
            std::vector<double> scratch;
            for (std::size_t i = 0; i < block.size; ++i) {
                job.splits.write(block.first + i, mask);
                const double statistic = pooled.statistic(job.statistic, mask, scratch);
                attained[i] = part.family.lowered(attained[i], part.rank, job.pairs[0].scale, statistic);
            }
            added(0);
        };
        engine::step_down(job, part, block_, workers(), monitor, lower);
    }

    std::size_t block_;
};

}  // namespace

std::unique_ptr<Backend> make(const Execution& execution) {
    return std::make_unique<Reference>(execution);
}

}  // namespace wordbreadth::engine::reference
