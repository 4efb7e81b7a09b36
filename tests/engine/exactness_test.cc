// Counts equal those of a plain float64 program, for every shape, kind of data, statistic, alternative, alignment,
// instruction set, thread count and block size.
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <set>
#include <span>

#include "engine/cpu/onednn.h"
#include "permutation/splits.h"
#include "support/gpu.h"
#include "support/naive.h"
#include "wordbreadth/wordbreadth.h"

namespace wordbreadth::engine {
namespace {

enum class Kind { gaussian, tight, loose, anisotropic, duplicates, lattice, same, nearly_aligned, opposite };

const char* name_of(Kind kind) {
    constexpr const char* names[] = {"gaussian", "tight", "loose",          "anisotropic", "duplicates",
                                     "lattice",  "same",  "nearly_aligned", "opposite"};
    return names[static_cast<std::size_t>(kind)];
}

struct Case {
    std::size_t n, m, d;
    Kind kind;
    std::uint64_t permutations;
};

void PrintTo(const Case& c, std::ostream* out) {
    *out << c.n << "+" << c.m << " x " << c.d << " " << name_of(c.kind) << " B=" << c.permutations;
}

class Maker {
  public:
    explicit Maker(const Case& c) : case_(c), random_(static_cast<unsigned>(c.n * 7919 + c.m * 104729 + c.d)) {}

    naive::Rows cloud(bool second) {
        const std::vector<double> mean = mean_of(second);
        const std::size_t size = second ? case_.m : case_.n;
        naive::Rows rows;
        for (std::size_t i = 0; i < size; ++i) rows.push_back(row(mean, rows));
        return rows;
    }

  private:
    double normal() { return normal_(random_); }

    std::vector<double> mean_of(bool second) {
        if (first_mean_.empty())
            for (std::size_t k = 0; k < case_.d; ++k) first_mean_.push_back(normal());
        std::vector<double> mean = first_mean_;
        if (!second) return mean;
        for (double& value : mean) {
            if (case_.kind == Kind::nearly_aligned)
                value *= 1 + 1e-9 * normal();
            else if (case_.kind == Kind::opposite)
                value = -value + 0.01 * normal();
            else if (case_.kind != Kind::same)
                value = normal();
        }
        return mean;
    }

    std::vector<double> row(const std::vector<double>& mean, const naive::Rows& before) {
        std::vector<double> row = mean;
        if (case_.kind == Kind::duplicates && before.size() >= 3) return before[random_() % 3];
        for (std::size_t k = 0; k < row.size(); ++k) {
            switch (case_.kind) {
                case Kind::tight:
                    row[k] += 0.02 * normal();
                    break;
                case Kind::loose:
                    row[k] = 0.15 * row[k] + normal();
                    break;
                case Kind::anisotropic:
                    row[k] += normal() * 3 / (1 + static_cast<double>(k));
                    break;
                case Kind::lattice:
                    row[k] = static_cast<double>(random_() % 3) + (k == 0 ? 1 : 0);
                    break;
                default:
                    row[k] += normal();
                    break;
            }
        }
        return row;
    }

    Case case_;
    std::mt19937 random_;
    std::normal_distribution<double> normal_;
    std::vector<double> first_mean_;
};

Cloud cloud_of(const std::string& name, const naive::Rows& rows) {
    std::vector<double> values;
    for (const auto& row : rows) values.insert(values.end(), row.begin(), row.end());
    return {name, std::move(values), rows[0].size()};
}

class Exactness : public testing::TestWithParam<Case> {};

constexpr std::uint64_t seed = (std::uint64_t{1} << 33) + 17;

struct Null {
    double observed;
    std::vector<double> values;
    std::vector<double> further = {};  // of splits that follow
};

// The statistic of the observed split, of all drawn ones and of `further` ones, of n and m rows or blocks.
template <class Statistic>
Null null_of(std::size_t n, std::size_t m, std::uint64_t permutations, const Statistic& statistic,
             std::uint64_t further = 0) {
    std::vector<std::uint8_t> mask(n + m, 0);
    std::fill_n(mask.begin(), n, 1);
    Null null{statistic(mask), {}};
    for (std::uint64_t b = 1; b <= permutations + further; ++b)
        (b <= permutations ? null.values : null.further).push_back(statistic(naive::split(seed, b, n + m, n)));
    return null;
}

// Every instruction set, several thread counts and awkward block sizes.
std::vector<Execution> executions() {
    std::vector<Execution> list(1);
    list[0].device = "cpu";
    std::size_t block = 1;
    for (const Device& device : devices()) {
        if (device.name != "cpu") continue;
        for (const std::string& set : device.instruction_sets) {
            Execution execution;
            execution.device = "cpu";
            execution.instruction_set = set;
            execution.threads = static_cast<unsigned>(list.size());
            execution.block = block;
            block = block * 7 + 10;
            list.push_back(execution);
        }
    }
    return list;
}

// The GPU as it comes, and with chunks of splits as short as they can be.
std::vector<Execution> cuda_executions() {
    std::vector<Execution> list(2);
    for (Execution& execution : list) execution.device = "cuda";
    list[1].block = 1;
    return list;
}

void expect_counts(const Null& null, const std::vector<Cloud>& clouds, TestOptions options,
                   const std::vector<Execution>& executions, std::size_t copies) {
    for (const Alternative alternative : {Alternative::greater, Alternative::less, Alternative::two_sided}) {
        if (alternative == Alternative::two_sided) cpu::write_code();  // from here on oneDNN multiplies
        const auto expected =
            static_cast<std::uint64_t>(std::count_if(null.values.begin(), null.values.end(), [&](double value) {
                return naive::exceeds(value, null.observed, alternative);
            }));
        for (const Execution& execution : executions) {
            options.alternative = alternative;
            options.execution = execution;
            const std::vector<TestResult> results = test_pairs(clouds, std::vector<Pair>(copies, Pair{0, 1}), options);
            const TestResult& result = results.back();
            ASSERT_FALSE(result.exact);
            EXPECT_NEAR(result.t.value_or(result.T), null.observed, 1e-9 * (1 + std::abs(null.observed)));
            EXPECT_EQ(result.exceedances, expected)
                << result.device << ", block " << execution.block << ", threads " << execution.threads << ", align "
                << static_cast<int>(options.align) << ", statistic " << static_cast<int>(options.statistic)
                << ", alternative " << static_cast<int>(alternative) << ", T " << null.observed;
        }
    }
}

TestOptions options_of(const Case& c, Alignment align, Statistic statistic) {
    TestOptions options;
    options.align = align;
    options.statistic = statistic;
    options.permutations = c.permutations;
    options.seed = seed;
    return options;
}

// With several copies of the pair, all are tested in one call.
void expect_exact_counts(const Case& c, const std::vector<Execution>& executions, std::size_t copies = 1) {
    Maker maker(c);
    const naive::Rows x = maker.cloud(false);
    const naive::Rows y = maker.cloud(true);
    const std::vector<Cloud> clouds{cloud_of("x", x), cloud_of("y", y)};
    for (const Alignment align : {Alignment::householder, Alignment::none}) {
        const naive::Rows z = naive::pooled(x, y, align);
        for (const Statistic statistic : {Statistic::plain, Statistic::robust}) {
            if (statistic == Statistic::robust && c.n == 2 && c.m == 2) continue;
            const Null null = null_of(c.n, c.m, c.permutations,
                                      [&](const auto& mask) { return naive::statistic(statistic, z, mask); });
            if (std::isnan(null.observed)) continue;  // no test: see the tests of bad input
            expect_counts(null, clouds, options_of(c, align, statistic), executions, copies);
        }
    }
}

// How rows fall into blocks.
enum class Structure { single, twos, two_blocks, one_large, unlike };

std::vector<std::uint64_t> labels_of(Structure structure, std::size_t n) {
    std::vector<std::uint64_t> labels;
    for (std::size_t i = 0; i < n; ++i) {
        switch (structure) {
            case Structure::single:
                labels.push_back(i);
                break;
            case Structure::twos:
                labels.push_back(i / 2);
                break;
            case Structure::two_blocks:
                labels.push_back(i * 3 < n ? 0 : 1);
                break;
            case Structure::one_large:
                labels.push_back(i % 2 == 0 ? 0 : i);
                break;
            case Structure::unlike:  // of 1, 2, 3 ... rows, their rows apart
                labels.push_back(i % (1 + i % 7));
                break;
        }
    }
    return labels;
}

std::vector<std::size_t> appended(std::span<const std::uint32_t> x, std::span<const std::uint32_t> y) {
    std::vector<std::size_t> blocks(x.begin(), x.end());
    const std::size_t first = *std::ranges::max_element(x) + std::size_t{1};
    for (const std::uint32_t block : y) blocks.push_back(first + block);
    return blocks;
}

void expect_exact_block_counts(Case c, const std::vector<Execution>& executions, std::size_t copies = 1) {
    // Five structures, and the reference besides: fewer splits where each takes long.
    const std::size_t N = c.n + c.m;
    c.permutations = std::clamp<std::uint64_t>(20'000'000 / (N * std::max(c.d, N / 8)), 9, c.permutations);
    Maker maker(c);
    const naive::Rows x = maker.cloud(false);
    const naive::Rows y = maker.cloud(true);
    std::vector<Cloud> clouds{cloud_of("x", x), cloud_of("y", y)};
    for (const auto& [of_x, of_y] :
         std::vector<std::pair<Structure, Structure>>{{Structure::single, Structure::single},
                                                      {Structure::twos, Structure::unlike},
                                                      {Structure::two_blocks, Structure::twos},
                                                      {Structure::one_large, Structure::single},
                                                      {Structure::unlike, Structure::one_large}}) {
        clouds[0].set_blocks(labels_of(of_x, c.n));
        clouds[1].set_blocks(labels_of(of_y, c.m));
        const std::size_t K = *std::ranges::max_element(clouds[0].blocks()) + std::size_t{1};
        const std::size_t M = *std::ranges::max_element(clouds[1].blocks()) + std::size_t{1};
        if (permutation::number_of_splits(K + M, K) <= c.permutations || K < 2 || M < 2) continue;
        for (const Alignment align : {Alignment::householder, Alignment::none}) {
            const naive::Blocks blocks =
                naive::blocks_of(naive::pooled(x, y, align), appended(clouds[0].blocks(), clouds[1].blocks()));
            const Null null =
                null_of(K, M, c.permutations, [&](const auto& mask) { return naive::statistic(blocks, mask); });
            if (std::isnan(null.observed)) continue;
            expect_counts(null, clouds, options_of(c, align, Statistic::blocks), executions, copies);
        }
    }
}

// Four clouds and pairs of them, of up to six shapes.
constexpr std::array<Pair, 6> family_pairs{{{0, 1}, {2, 3}, {0, 3}, {2, 1}, {1, 0}, {3, 2}}};

// The draws of the pairs of a family: split b of a shape is that of draw b - 1 + the number of its shape, shapes being
// counted in the order of their sizes.
std::vector<naive::Member> members_of(const std::vector<Null>& nulls,
                                      const std::vector<std::pair<std::size_t, std::size_t>>& sizes) {
    const std::set<std::pair<std::size_t, std::size_t>> shapes(sizes.begin(), sizes.end());
    std::vector<naive::Member> family;
    for (std::size_t i = 0; i < nulls.size(); ++i) {
        const std::vector<double>& values = nulls[i].values;
        const auto shift = static_cast<std::size_t>(std::distance(shapes.begin(), shapes.find(sizes[i])));
        naive::Member& member = family.emplace_back(naive::Member{nulls[i].observed, values});
        for (std::size_t b = 0; b < values.size(); ++b) member.draws[(b + shift) % values.size()] = values[b];
        double squares = 0, count = 0;
        for (const double value : nulls[i].further) {
            if (!std::isfinite(value)) continue;
            squares += value * value;
            ++count;
        }
        const double scale = std::sqrt(squares / count);
        if (scale > 0) member.scale = scale;
    }
    return family;
}

void expect_max_t(const std::vector<Null>& nulls, const std::vector<std::pair<std::size_t, std::size_t>>& sizes,
                  const std::vector<Cloud>& clouds, TestOptions options, const std::vector<Execution>& executions) {
    options.max_t = true;
    const std::vector<naive::Member> family = members_of(nulls, sizes);
    for (const Alternative alternative : {Alternative::greater, Alternative::less, Alternative::two_sided}) {
        const std::vector<double> expected = naive::max_t(family, alternative);
        options.alternative = alternative;
        // One of them shows that the side is right; how splits are decided does not depend on it.
        const bool all = alternative == Alternative::two_sided;
        for (const Execution& execution : std::span(executions).first(all ? executions.size() : 1)) {
            options.execution = execution;
            const std::vector<TestResult> results = test_pairs(clouds, family_pairs, options);
            for (std::size_t i = 0; i < results.size(); ++i)
                EXPECT_EQ(results[i].p_max_t, std::max(expected[i], results[i].p))
                    << results[i].device << ", block " << execution.block << ", threads " << execution.threads
                    << ", pair " << i << ", statistic " << static_cast<int>(options.statistic) << ", alternative "
                    << static_cast<int>(alternative);
        }
    }
}

// Six pairs instead of one: fewer splits.
Case with_fewer_splits(Case c) {
    const std::size_t N = c.n + c.m;
    c.permutations = std::clamp<std::uint64_t>(600'000 / (N * std::max(c.d, N / 8)), 9, c.permutations);
    return c;
}

bool are_all_defined(const std::vector<Null>& nulls) {
    return std::ranges::none_of(nulls, [](const Null& null) { return std::isnan(null.observed); });
}

void expect_exact_max_t(const Case& whole, const std::vector<Execution>& executions) {
    const Case c = with_fewer_splits(whole);
    Maker maker(c);
    std::vector<naive::Rows> rows;
    std::vector<Cloud> clouds;
    for (std::size_t i = 0; i < 4; ++i) {
        rows.push_back(maker.cloud(i % 2 == 1));
        clouds.push_back(cloud_of("cloud " + std::to_string(i), rows.back()));
    }
    for (const Statistic statistic : {Statistic::plain, Statistic::robust}) {
        std::vector<Null> nulls;
        std::vector<std::pair<std::size_t, std::size_t>> sizes;
        for (const Pair& pair : family_pairs) {
            sizes.emplace_back(rows[pair.x].size(), rows[pair.y].size());
            const naive::Rows z = naive::pooled(rows[pair.x], rows[pair.y], Alignment::householder);
            nulls.push_back(null_of(
                sizes.back().first, sizes.back().second, c.permutations,
                [&](const auto& mask) { return naive::statistic(statistic, z, mask); },
                std::min<std::uint64_t>(c.permutations, 100)));
        }
        if (!are_all_defined(nulls)) continue;
        expect_max_t(nulls, sizes, clouds, options_of(c, Alignment::householder, statistic), executions);
    }
}

void expect_exact_block_max_t(const Case& whole, const std::vector<Execution>& executions) {
    const Case c = with_fewer_splits(whole);
    constexpr std::array structures{Structure::twos, Structure::unlike, Structure::one_large, Structure::single};
    Maker maker(c);
    std::vector<naive::Rows> rows;
    std::vector<Cloud> clouds;
    std::vector<std::size_t> blocks;
    for (std::size_t i = 0; i < 4; ++i) {
        rows.push_back(maker.cloud(i % 2 == 1));
        clouds.push_back(cloud_of("cloud " + std::to_string(i), rows.back()));
        clouds.back().set_blocks(labels_of(structures[i], rows.back().size()));
        blocks.push_back(*std::ranges::max_element(clouds.back().blocks()) + std::size_t{1});
    }
    if (*std::ranges::min_element(blocks) < 3) return;
    std::vector<Null> nulls;
    std::vector<std::pair<std::size_t, std::size_t>> sizes;
    for (const Pair& pair : family_pairs) {
        sizes.emplace_back(blocks[pair.x], blocks[pair.y]);
        const naive::Blocks of_pair =
            naive::blocks_of(naive::pooled(rows[pair.x], rows[pair.y], Alignment::householder),
                             appended(clouds[pair.x].blocks(), clouds[pair.y].blocks()));
        nulls.push_back(null_of(
            sizes.back().first, sizes.back().second, c.permutations,
            [&](const auto& mask) { return naive::statistic(of_pair, mask); },
            std::min<std::uint64_t>(c.permutations, 400)));
    }
    if (!are_all_defined(nulls)) return;
    expect_max_t(nulls, sizes, clouds, options_of(c, Alignment::householder, Statistic::blocks), executions);
}

TEST_P(Exactness, MaximaEqualThoseOfAPlainFloat64Program) {
    std::vector<Execution> all = executions();
    all.emplace_back().device = "reference";
    expect_exact_max_t(GetParam(), all);
    expect_exact_block_max_t(GetParam(), all);
}

TEST_P(Exactness, CudaMaximaEqualThoseOfAPlainFloat64Program) {
    WORDBREADTH_NEEDS_GPU();
    expect_exact_max_t(GetParam(), cuda_executions());
    expect_exact_block_max_t(GetParam(), cuda_executions());
}

TEST_P(Exactness, BlockCountsEqualThoseOfAPlainFloat64Program) {
    std::vector<Execution> all = executions();
    all.emplace_back().device = "reference";
    expect_exact_block_counts(GetParam(), all);
}

TEST_P(Exactness, CudaBlockCountsEqualThoseOfAPlainFloat64Program) {
    WORDBREADTH_NEEDS_GPU();
    expect_exact_block_counts(GetParam(), cuda_executions());
    expect_exact_block_counts(GetParam(), cuda_executions(), 40);
}

TEST_P(Exactness, CountsEqualThoseOfAPlainFloat64Program) {
    expect_exact_counts(GetParam(), executions());
}

TEST_P(Exactness, CudaCountsEqualThoseOfAPlainFloat64Program) {
    WORDBREADTH_NEEDS_GPU();
    expect_exact_counts(GetParam(), cuda_executions());
    // A few pairs and many take different ways.
    expect_exact_counts(GetParam(), cuda_executions(), 40);
}

// Sizes about the blocks of the code (16 splits, 64 rows of a panel, 13 directions), N below and above d, N above
// the largest Gram matrix; splits enough for the dense screens.
INSTANTIATE_TEST_SUITE_P(
    Shapes, Exactness,
    testing::Values(Case{2, 3, 2, Kind::gaussian, 9}, Case{2, 40, 7, Kind::gaussian, 300},
                    Case{3, 60, 2, Kind::gaussian, 500}, Case{9, 9, 3, Kind::gaussian, 500},
                    Case{13, 14, 13, Kind::gaussian, 500}, Case{17, 31, 64, Kind::gaussian, 1000},
                    Case{31, 33, 64, Kind::gaussian, 1000}, Case{32, 32, 65, Kind::gaussian, 1000},
                    Case{50, 70, 64, Kind::gaussian, 3000}, Case{20, 60, 96, Kind::gaussian, 3000},
                    Case{40, 160, 384, Kind::gaussian, 600}, Case{100, 100, 384, Kind::gaussian, 1000},
                    Case{128, 128, 1024, Kind::gaussian, 300}, Case{33, 95, 4096, Kind::gaussian, 200},
                    Case{250, 250, 20, Kind::gaussian, 400}, Case{500, 300, 64, Kind::gaussian, 200},
                    Case{1000, 1000, 8, Kind::gaussian, 120}, Case{2000, 2, 16, Kind::gaussian, 100},
                    Case{2000, 2000, 2, Kind::gaussian, 60}, Case{2500, 1900, 5, Kind::gaussian, 40}));

INSTANTIATE_TEST_SUITE_P(
    Kinds, Exactness,
    testing::Values(Case{60, 60, 200, Kind::tight, 800}, Case{45, 75, 200, Kind::tight, 800},
                    Case{60, 60, 200, Kind::loose, 800}, Case{90, 30, 20, Kind::loose, 800},
                    Case{60, 60, 200, Kind::anisotropic, 800}, Case{30, 90, 40, Kind::anisotropic, 800},
                    Case{60, 60, 100, Kind::duplicates, 800}, Case{10, 12, 5, Kind::duplicates, 800},
                    Case{40, 80, 30, Kind::duplicates, 800}, Case{40, 40, 4, Kind::lattice, 800},
                    Case{12, 30, 3, Kind::lattice, 800}, Case{60, 60, 200, Kind::same, 800},
                    Case{60, 50, 200, Kind::nearly_aligned, 800}, Case{60, 60, 30, Kind::opposite, 800}));

}  // namespace
}  // namespace wordbreadth::engine
