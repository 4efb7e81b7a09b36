#include "engine/null.h"

#include <algorithm>
#include <cmath>

#include "base/workers.h"
#include "engine/pair_tests.h"
#include "permutation/pooled.h"
#include "permutation/tail.h"

namespace wordbreadth::engine {
namespace {

constexpr std::uint64_t piece_size = 256;  // splits a thread takes at a time

// The statistic, turned so that larger is more extreme.
double towards(Alternative alternative, double statistic) {
    switch (alternative) {
        case Alternative::greater:
            return statistic;
        case Alternative::less:
            return -statistic;
        case Alternative::two_sided:
            return std::abs(statistic);
    }
    return statistic;
}

bool tail_is_wanted(const TestResult& result, const TestOptions& options) {
    return options.tail_estimate && !result.exact && !result.stopped_early &&
           result.exceedances < permutation::enough_exceedances;
}

}  // namespace

bool wants_null(const TestOptions& options) {
    return options.null_distribution || options.tail_estimate;
}

void add_null(TestResult& result, const PairTask& pair, const Job& job, const TestOptions& options,
              base::Workers& workers, base::Monitor& monitor) {
    const bool tail = tail_is_wanted(result, options);
    if (!tail && !options.null_distribution) return;
    const permutation::Pooled pooled(*pair.x, *pair.y, job.align);
    std::vector<permutation::TopValues> tops(workers.size(), permutation::TopValues(permutation::tail_values_needed));
    if (options.null_distribution) result.null_distribution.resize(result.permutations);
    const std::uint64_t pieces = (result.permutations + piece_size - 1) / piece_size;
    workers.run(pieces, [&](std::size_t piece, std::size_t worker) {
        monitor.check();
        std::vector<std::uint8_t> mask(job.splits.N);
        std::vector<double> scratch;
        const std::uint64_t end = std::min((piece + 1) * piece_size, result.permutations);
        for (std::uint64_t b = piece * piece_size; b < end; ++b) {
            job.splits.write(b + 1, mask);
            const double value = pooled.statistic(job.statistic, mask, scratch);
            if (options.null_distribution) result.null_distribution[b] = value;
            tops[worker].add(towards(options.alternative, value));
        }
        monitor.advance(static_cast<double>(end - piece * piece_size));
    });
    for (std::size_t worker = 1; worker < tops.size(); ++worker) tops[0].merge(tops[worker]);
    if (tail)
        result.tail = permutation::estimate_tail(
            tops[0].descending(), towards(options.alternative, observed_value(result)), result.permutations);
}

}  // namespace wordbreadth::engine
