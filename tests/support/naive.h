// The test as a plain float64 program, straight from the method's text, sharing nothing with the library: what the
// engines' counts are held to.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "wordbreadth/test.h"

namespace naive {

using Row = std::span<const double>;
using Rows = std::vector<std::vector<double>>;
using Group = std::vector<Row>;  // some of the rows

// Plain pointers, which cost little where nothing is inlined: sanitizers run this too.
inline double product(Row a, Row b) {
    const double *x = a.data(), *y = b.data();
    double sum = 0;
    for (std::size_t k = 0, size = a.size(); k < size; ++k) sum += x[k] * y[k];
    return sum;
}

inline std::vector<double> sum_of(const Group& rows) {
    std::vector<double> sum(rows[0].size(), 0.0);
    double* s = sum.data();
    for (const Row row : rows) {
        const double* x = row.data();
        for (std::size_t k = 0, size = row.size(); k < size; ++k) s[k] += x[k];
    }
    return sum;
}

inline std::vector<double> sum_of(const Rows& rows) {
    return sum_of(Group(rows.begin(), rows.end()));
}

inline std::vector<double> unit(std::vector<double> a) {
    const double length = std::sqrt(product(a, a));
    for (double& value : a) value /= length;
    return a;
}

// X' and Y, one after the other.
inline Rows pooled(Rows x, Rows y, wordbreadth::Alignment align) {
    for (auto& row : x) row = unit(row);
    for (auto& row : y) row = unit(row);
    if (align == wordbreadth::Alignment::householder) {
        std::vector<double> u = unit(sum_of(x));
        const std::vector<double> my = unit(sum_of(y));
        for (std::size_t k = 0; k < u.size(); ++k) u[k] -= my[k];
        if (std::sqrt(product(u, u)) > 1e-12) {
            u = unit(u);
            for (auto& row : x) {
                const double along = product(row, u);
                for (std::size_t k = 0; k < u.size(); ++k) row[k] -= 2 * along * u[k];
            }
        }
    }
    x.insert(x.end(), y.begin(), y.end());
    return x;
}

inline double log_v(double r, double d) {
    return std::log((1 - r * r) / (r * (d - r * r)));
}

inline double plain(const Group& first, const Group& second) {
    const auto d = static_cast<double>(first[0].size());
    const auto r = [](const Group& rows) {
        const std::vector<double> s = sum_of(rows);
        return std::min(std::sqrt(product(s, s)) / static_cast<double>(rows.size()), 1.0);
    };
    return log_v(r(first), d) - log_v(r(second), d);
}

inline double robust(const Group& first, const Group& second) {
    const auto d = static_cast<double>(first[0].size());
    double difference = 0;
    double variance = 0;
    for (const int group : {0, 1}) {
        const Group& rows = group == 0 ? first : second;
        const auto n = static_cast<double>(rows.size());
        const std::vector<double> s = sum_of(rows);
        const double R = (product(s, s) - n) / (n * (n - 1));
        if (R <= 0) return std::nan("");
        const double r = std::sqrt(R);
        std::vector<double> h;
        for (const Row row : rows) h.push_back((product(row, s) - 1) / (n - 1));
        double mean = 0;
        for (const double value : h) mean += value / n;
        double squares = 0;
        for (const double value : h) squares += (value - mean) * (value - mean);
        const double slope = (1 / r - 2 * r / (d - r * r) + 2 * r / (1 - r * r)) / (2 * r);
        variance += slope * slope * 4 * squares / (n - 1) / n;
        difference += (group == 0 ? 1 : -1) * log_v(r, d);
    }
    return difference / std::sqrt(variance);
}

// Rows added up by block: D and c of the method's section 9. Blocks count from 0.
struct Blocks {
    Rows sums;
    std::vector<double> counts;
};

inline Blocks blocks_of(const Rows& rows, const std::vector<std::size_t>& block_of) {
    Blocks blocks;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (block_of[i] >= blocks.sums.size()) {
            blocks.sums.resize(block_of[i] + 1, std::vector<double>(rows[0].size(), 0.0));
            blocks.counts.resize(block_of[i] + 1, 0.0);
        }
        for (std::size_t k = 0; k < rows[i].size(); ++k) blocks.sums[block_of[i]][k] += rows[i][k];
        blocks.counts[block_of[i]] += 1;
    }
    return blocks;
}

inline double statistic(const Blocks& blocks, const std::vector<std::uint8_t>& mask) {
    const auto d = static_cast<double>(blocks.sums[0].size());
    double difference = 0;
    double variance = 0;
    for (const int group : {0, 1}) {
        Rows D;
        std::vector<double> c;
        for (std::size_t k = 0; k < mask.size(); ++k) {
            if ((mask[k] != 0) != (group == 0)) continue;
            D.push_back(blocks.sums[k]);
            c.push_back(blocks.counts[k]);
        }
        const auto K = static_cast<double>(D.size());
        const std::vector<double> S = sum_of(D);
        double n = 0, squares = 0, own = 0;
        for (std::size_t k = 0; k < D.size(); ++k) {
            n += c[k];
            squares += c[k] * c[k];
            own += product(D[k], D[k]);
        }
        const double C = n * n - squares;
        const double R = (product(S, S) - own) / C;
        if (R <= 0) return std::nan("");
        double influences = 0;
        for (std::size_t k = 0; k < D.size(); ++k) {
            const double e = product(D[k], S) - product(D[k], D[k]) - R * c[k] * (n - c[k]);
            influences += e * e;
        }
        const double r = std::sqrt(R);
        const double slope = (1 / r - 2 * r / (d - r * r) + 2 * r / (1 - r * r)) / (2 * r);
        variance += slope * slope * 4 * K / (K - 1) * influences / (C * C);
        difference += (group == 0 ? 1 : -1) * log_v(r, d);
    }
    return difference / std::sqrt(variance);
}

inline double statistic(wordbreadth::Statistic which, const Rows& z, const std::vector<std::uint8_t>& mask) {
    std::array<Group, 2> groups;
    for (std::size_t i = 0; i < z.size(); ++i) groups[mask[i] ? 0 : 1].emplace_back(z[i]);
    return which == wordbreadth::Statistic::plain ? plain(groups[0], groups[1]) : robust(groups[0], groups[1]);
}

inline std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> x, std::uint64_t key) {
    auto k0 = static_cast<std::uint32_t>(key);
    auto k1 = static_cast<std::uint32_t>(key >> 32);
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t p0 = 0xD2511F53ULL * x[0];
        const std::uint64_t p1 = 0xCD9E8D57ULL * x[2];
        x = {static_cast<std::uint32_t>(p1 >> 32) ^ x[1] ^ k0, static_cast<std::uint32_t>(p1),
             static_cast<std::uint32_t>(p0 >> 32) ^ x[3] ^ k1, static_cast<std::uint32_t>(p0)};
        k0 += 0x9E3779B9U;
        k1 += 0xBB67AE85U;
    }
    return x;
}

// Split b by the method's rule.
inline std::vector<std::uint8_t> split(std::uint64_t seed, std::uint64_t b, std::size_t N, std::size_t n) {
    std::vector<std::uint8_t> mask(N);
    std::size_t taken = 0;
    for (std::size_t i = 0; i < N; ++i) {
        const auto x = philox(
            {static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(b >> 32), static_cast<std::uint32_t>(i / 4), 0},
            seed);
        mask[i] = ((static_cast<std::uint64_t>(x[i % 4]) * (N - i)) >> 32) < n - taken;
        taken += mask[i];
    }
    return mask;
}

// A statistic that is undefined counts.
inline bool exceeds(double value, double observed, wordbreadth::Alternative alternative) {
    if (std::isnan(value)) return true;
    switch (alternative) {
        case wordbreadth::Alternative::greater:
            return value >= observed - 1e-10;
        case wordbreadth::Alternative::less:
            return value <= observed + 1e-10;
        case wordbreadth::Alternative::two_sided:
            return std::abs(value) >= std::abs(observed) - 1e-10;
    }
    return true;
}

// A test of a family: the observed statistic, and that of every draw.
struct Member {
    double observed;
    std::vector<double> draws;
    double scale = 1;
};

// Westfall and Young's step-down maxima: one p a member.
inline std::vector<double> max_t(const std::vector<Member>& family, wordbreadth::Alternative alternative) {
    std::vector<std::size_t> order(family.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto extreme = [&](std::size_t i) {
        const double value = family[i].observed / family[i].scale;
        if (alternative == wordbreadth::Alternative::two_sided) return std::abs(value);
        return alternative == wordbreadth::Alternative::greater ? value : -value;
    };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return extreme(a) > extreme(b); });
    std::vector<double> p(family.size());
    double floor = 0;
    for (std::size_t j = 0; j < order.size(); ++j) {
        const std::size_t draws = family[order[j]].draws.size();
        std::size_t count = 0;
        for (std::size_t s = 0; s < draws; ++s)
            count += std::any_of(order.begin() + static_cast<std::ptrdiff_t>(j), order.end(), [&](std::size_t k) {
                const double score = family[order[j]].observed / family[order[j]].scale;
                return exceeds(family[k].draws[s], score * family[k].scale, alternative);
            });
        floor = std::max(floor, (1 + static_cast<double>(count)) / (1 + static_cast<double>(draws)));
        p[order[j]] = floor;
    }
    return p;
}

}  // namespace naive
