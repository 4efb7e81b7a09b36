// Every instruction set against the plainest code that does the same.
#include "engine/cpu/kernels.h"

#include <gtest/gtest.h>

#include <random>

#include "engine/cpu/onednn.h"
#include "permutation/splits.h"

namespace wordbreadth::engine::cpu {
namespace {

class EveryInstructionSet : public testing::TestWithParam<std::string> {
  protected:
    const Kernels& kernels_ = kernels(GetParam());
};

TEST_P(EveryInstructionSet, IsTheOneThatWasAskedFor) {
    EXPECT_EQ(kernels_.name, GetParam());
}

TEST_P(EveryInstructionSet, DrawsTheSplitsOfTheMethod) {
    for (const std::size_t N : {2, 3, 15, 16, 17, 63, 64, 65, 200, 1001}) {
        for (const std::uint64_t first : {std::uint64_t{1}, (std::uint64_t{1} << 32) - 5}) {
            const std::size_t stride = (N + 63) / 64 * 64;
            const permutation::Splits splits{N, (N + 1) / 3 + 1, std::uint64_t{1} << 40, 0xFEDCBA9876543210U, false};
            std::vector<std::uint8_t> masks(48 * stride, 0);
            kernels_.draw(splits.seed, first, 37, N, splits.n, masks.data(), stride);
            std::vector<std::uint8_t> expected(N);
            for (std::size_t b = 0; b < 37; ++b) {
                splits.write(first + b, expected);
                const std::uint8_t* drawn = &masks[b * stride];
                ASSERT_TRUE(std::equal(expected.begin(), expected.end(), drawn))
                    << "N " << N << ", split " << first + b;
                for (std::size_t i = N; i < stride; ++i) ASSERT_EQ(drawn[i], 0) << "behind the last row";
            }
        }
    }
}

TEST_P(EveryInstructionSet, RoundsRowsToTheNearestUnitWithinInt8) {
    const std::vector<float> row{0.0F, 0.49F, 0.51F, -0.51F, 127.0F, 500.0F, -500.0F, 3.2F, -3.2F};
    std::vector<std::int8_t> units(row.size());
    std::vector<float> rest(row.size());
    const double sum = kernels_.round_row(row.data(), 1.0F, row.size(), units.data(), rest.data());
    EXPECT_EQ(units, (std::vector<std::int8_t>{0, 0, 1, -1, 127, 127, -127, 3, -3}));
    EXPECT_EQ(sum, 127);
    EXPECT_FLOAT_EQ(rest[5], 373.0F);
}

TEST_P(EveryInstructionSet, FactorisesOnlyPositiveDefiniteMatrices) {
    std::vector<float> definite{2, 1, 1, 2};
    EXPECT_TRUE(kernels_.factor_panel(definite.data(), 2, 2, 2));
    EXPECT_NEAR(definite[0], std::sqrt(2.0), 1e-6);
    EXPECT_NEAR(definite[3], std::sqrt(1.5), 1e-6);
    std::vector<float> indefinite{1, 2, 2, 1};
    EXPECT_FALSE(kernels_.factor_panel(indefinite.data(), 2, 2, 2));
}

TEST_P(EveryInstructionSet, MultipliesMatricesOfEveryShape) {
    std::mt19937 random(7);
    std::uniform_int_distribution<int> digit(-9, 9);  // whole numbers: every sum is exact
    for (const std::size_t rows : {1, 5, 12, 25})
        for (const std::size_t columns : {1, 15, 32, 67})
            for (const std::size_t inner : {1, 64, 300})
                for (const int kind : {0, 1, 2, 3}) {
                    const FloatProduct shape{.rows = rows,
                                             .columns = columns,
                                             .inner = inner,
                                             .transpose_a = (kind & 1) != 0,
                                             .transpose_b = (kind & 2) != 0,
                                             .alpha = -2,
                                             .beta = kind == 0 ? 0.0F : 3.0F};
                    const std::size_t stride_a = (shape.transpose_a ? rows : inner) + 1;
                    const std::size_t stride_b = (shape.transpose_b ? inner : columns) + 2;
                    std::vector<float> a((shape.transpose_a ? inner : rows) * stride_a);
                    std::vector<float> b((shape.transpose_b ? columns : inner) * stride_b);
                    std::vector<float> c(rows * (columns + 3));
                    for (auto* values : {&a, &b, &c})
                        for (float& value : *values) value = static_cast<float>(digit(random));
                    std::vector<float> expected = c;
                    for (std::size_t i = 0; i < rows; ++i)
                        for (std::size_t j = 0; j < columns; ++j) {
                            float sum = 0;
                            for (std::size_t k = 0; k < inner; ++k)
                                sum += a[shape.transpose_a ? k * stride_a + i : i * stride_a + k] *
                                       b[shape.transpose_b ? j * stride_b + k : k * stride_b + j];
                            float& value = expected[i * (columns + 3) + j];
                            value = shape.alpha * sum + shape.beta * value;
                        }
                    kernels_.multiply(shape, a.data(), stride_a, b.data(), stride_b, c.data(), columns + 3);
                    ASSERT_EQ(c, expected) << rows << " x " << columns << " x " << inner << ", " << kind;
                }
}

// The verdict must be "undecided" whenever the error allows both answers, and right otherwise.
TEST_P(EveryInstructionSet, DecidesOnlyWhatTheErrorsAllow) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> uniform;
    const double n = 30, m = 50, d = 100, alpha = n / (n + m), tt = 2000;
    const auto T = [&](double A, double Q) {
        const double s1 = alpha * alpha * tt + 2 * alpha * A + Q;
        const double s2 = (1 - alpha) * (1 - alpha) * tt - 2 * (1 - alpha) * A + Q;
        const auto log_v = [&](double s, double size) {
            const double r2 = s / (size * size);
            return std::log((1 - r2) / (std::sqrt(r2) * (d - r2)));
        };
        return log_v(s1, n) - log_v(s2, m);
    };
    int decided = 0;
    for (int trial = 0; trial < 5000; ++trial) {
        const double A = 60 * (uniform(random) - 0.5);
        const double Q = 10 + 20 * uniform(random);
        const double threshold = T(A, Q) + 0.2 * (uniform(random) - 0.5);
        const Shape shape{n, m, d, alpha, tt, false, -std::numeric_limits<double>::infinity(), threshold};
        const Estimates estimates{&A, &Q, 0.1, 2 * uniform(random), nullptr, nullptr, nullptr, nullptr, 0, nullptr};
        std::uint8_t verdict = 9;
        kernels_.decide(shape, estimates, 1, &verdict);
        ASSERT_LE(verdict, undecided);
        if (verdict == undecided) continue;
        ++decided;
        for (const double a : {-0.1, 0.1})
            for (const double q : {-1.0, -0.3, 0.0, 0.5, 1.0})
                ASSERT_EQ(T(A + a, Q + q * estimates.Q_error) >= threshold, verdict == yes);
    }
    EXPECT_GT(decided, 2500);
}

INSTANTIATE_TEST_SUITE_P(All, EveryInstructionSet, testing::ValuesIn(instruction_sets()));

TEST(MaskProduct, IsExactForEveryShape) {
    std::mt19937 random(1);
    for (const std::size_t inner : {1, 2, 63, 64, 65, 200})
        for (const std::size_t columns : {1, 16, 17, 64}) {
            const std::size_t rows = 19;
            const std::size_t stride = (inner + 63) / 64 * 64;
            std::vector<std::uint8_t> masks(rows * stride, 1);
            std::vector<std::int8_t> matrix(inner * columns);
            for (auto& value : masks) value = random() & 1;
            for (auto& value : matrix) value = static_cast<std::int8_t>(static_cast<int>(random() % 255) - 127);
            const MaskProduct product(rows, inner, columns, stride);
            std::vector<std::int32_t> products(rows * columns, -1);
            product.run(masks.data(), *product.pack(matrix.data()), products.data());
            for (std::size_t r = 0; r < rows; ++r)
                for (std::size_t c = 0; c < columns; ++c) {
                    std::int32_t expected = 0;
                    for (std::size_t k = 0; k < inner; ++k) expected += masks[r * stride + k] * matrix[k * columns + c];
                    ASSERT_EQ(products[r * columns + c], expected) << inner << " x " << columns;
                }
        }
}

}  // namespace
}  // namespace wordbreadth::engine::cpu
