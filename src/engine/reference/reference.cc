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
        std::vector<permutation::Tally> tallies;
        for (const PairTask& pair : job.pairs) tallies.push_back(count_pair(job, pair, monitor));
        return tallies;
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

    std::size_t block_;
};

}  // namespace

std::unique_ptr<Backend> make(const Execution& execution) {
    return std::make_unique<Reference>(execution);
}

}  // namespace wordbreadth::engine::reference
