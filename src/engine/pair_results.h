// The results of tests from what is known of their clouds and what was counted: neither rows nor a device are needed.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "geometry/concentration.h"
#include "permutation/splits.h"
#include "wordbreadth/test.h"

namespace wordbreadth::engine {

// What results need of a cloud. All of it is borrowed.
struct CloudFigures {
    const std::string& name;
    const std::string& origin;
    std::size_t rows;
    std::size_t dimension;
    bool has_blocks;
    const geometry::Summary* summary;  // null where it is not known yet: enough for check_pair()

    [[nodiscard]] std::string label() const { return geometry::label_of(name, origin); }
};

struct FiguresOfPair {
    CloudFigures x, y;
};

// Throws InputError, naming the clouds, when they have different dimensions or too many rows together, or lack the
// blocks that the statistic needs.
void check_pair(const FiguresOfPair& pair, Statistic statistic);

// What the pair is tested by.
[[nodiscard]] Statistic statistic_of(const FiguresOfPair& pair, const TestOptions& options);

// Empty, or why the pair has no test by that statistic.
[[nodiscard]] std::string why_undefined(const FiguresOfPair& pair, Statistic statistic);

// As sizes_of() and observed_value() of its result.
[[nodiscard]] std::pair<std::size_t, std::size_t> permuted_of(const FiguresOfPair& pair, Statistic statistic);
[[nodiscard]] double observed_of(const FiguresOfPair& pair, Statistic statistic);

// What a result says before anything is observed: names, sources and sizes.
[[nodiscard]] TestResult named_result(const FiguresOfPair& pair);

// Everything of a result but the count and p. `undefined` says when the pair has no test: a robust statistic that does
// not exist.
[[nodiscard]] TestResult observe(const FiguresOfPair& pair, const TestOptions& options);

// Adds the count, and the p that it gives.
void add_count(TestResult& result, const permutation::Tally& tally, const permutation::Splits& splits);

// The value that splits are compared with: T, or t when the statistic is robust.
[[nodiscard]] double observed_value(const TestResult& result);

// What is permuted: rows or blocks of each cloud.
[[nodiscard]] std::pair<std::size_t, std::size_t> sizes_of(const TestResult& result);

}  // namespace wordbreadth::engine
