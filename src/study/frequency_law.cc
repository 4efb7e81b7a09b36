#include "study/experiment_parts.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace wordbreadth::study {
namespace {

double mean(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double log_frequency(const RankedWord& word) {
    return std::log(static_cast<double>(std::max<std::uint64_t>(word.frequency, 1)));
}

struct Logarithms {
    std::vector<double> frequency, v;
};

Logarithms logarithms(std::span<const RankedWord> words) {
    Logarithms logs;
    for (const RankedWord& word : words) {
        logs.frequency.push_back(log_frequency(word));
        logs.v.push_back(std::log(word.breadth.v));
    }
    return logs;
}

FrequencyBin bin_of(std::span<const RankedWord> words) {
    const Logarithms logs = logarithms(words);
    return {words.size(), mean(logs.frequency), mean(logs.v), words.front().word};
}

}  // namespace

LawFit fit_line(std::span<const double> x, std::span<const double> y) {
    LawFit fit{x.size(), NAN, NAN, NAN, NAN};
    if (x.size() < 2) return fit;
    const double mean_x = mean(x), mean_y = mean(y);
    double xx = 0, xy = 0, yy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
        yy += (y[i] - mean_y) * (y[i] - mean_y);
    }
    if (xx == 0) return fit;
    fit.slope = xy / xx;
    fit.intercept = mean_y - fit.slope * mean_x;
    if (x.size() < least_points_of_a_fit) return fit;
    fit.r_squared = yy > 0 ? xy * xy / (xx * yy) : NAN;
    const double residual = std::max(0.0, yy - fit.slope * xy);
    fit.slope_standard_error = std::sqrt(residual / static_cast<double>(x.size() - 2) / xx);
    return fit;
}

FrequencyLaw frequency_law(std::vector<RankedWord> words, std::size_t bin_size) {
    std::ranges::stable_sort(words, std::greater<>{}, &RankedWord::frequency);
    FrequencyLaw law{bin_size, {}, {}, {}};
    const std::span<const RankedWord> all(words);
    for (std::size_t begin = 0; begin < words.size();) {
        const std::size_t left = words.size() - begin;
        const std::size_t size = left < bin_size + bin_size / 2 ? left : bin_size;
        law.bins.push_back(bin_of(all.subspan(begin, size)));
        begin += size;
    }
    std::vector<double> x, y;
    for (const FrequencyBin& bin : law.bins) {
        x.push_back(bin.log_frequency);
        y.push_back(bin.log_v);
    }
    law.of_bins = fit_line(x, y);
    const Logarithms logs = logarithms(words);
    law.of_words = fit_line(logs.frequency, logs.v);
    return law;
}

}  // namespace wordbreadth::study
