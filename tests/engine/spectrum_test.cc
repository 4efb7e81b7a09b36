// Bounds must hold, and be close enough to be of use.
#include "engine/cpu/screens.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace wordbreadth::engine::cpu {
namespace {

// A symmetric matrix with these eigenvalues: reflected about random directions.
std::vector<float> with_eigenvalues(const std::vector<double>& eigenvalues, unsigned seed) {
    const std::size_t size = eigenvalues.size();
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::vector<double> a(size * size, 0.0);
    for (std::size_t i = 0; i < size; ++i) a[i * size + i] = eigenvalues[i];
    for (int turn = 0; turn < 3; ++turn) {
        std::vector<double> u(size);
        double length = 0;
        for (double& value : u) length += std::pow(value = normal(random), 2);
        for (double& value : u) value /= std::sqrt(length);
        for (const bool columns : {false, true})
            for (std::size_t i = 0; i < size; ++i) {
                double along = 0;
                const auto at = [&](std::size_t k) -> double& { return columns ? a[k * size + i] : a[i * size + k]; };
                for (std::size_t k = 0; k < size; ++k) along += at(k) * u[k];
                for (std::size_t k = 0; k < size; ++k) at(k) -= 2 * along * u[k];
            }
    }
    return {a.begin(), a.end()};
}

std::vector<double> falling(std::size_t size, double first) {
    std::vector<double> eigenvalues;
    for (std::size_t k = 0; k < size; ++k) eigenvalues.push_back(first / static_cast<double>(k + 1));
    return eigenvalues;
}

TEST(EigenvalueRange, HoldsAllEigenvaluesAndIsClose) {
    const Kernels& k = kernels("");
    for (const std::size_t size : {1, 2, 5, 63, 64, 65, 130, 300}) {
        for (const double shift : {0.0, -3.0, 100.0}) {
            std::vector<double> eigenvalues = falling(size, 5);
            for (double& value : eigenvalues) value += shift;
            const Range range = eigenvalue_range(with_eigenvalues(eigenvalues, 1), size, k);
            EXPECT_GE(range.high, eigenvalues.front() - 1e-4) << size;
            EXPECT_LE(range.low, eigenvalues.back() + 1e-4) << size;
            const double slack = 0.5 + 0.01 * std::abs(shift);
            EXPECT_LE(range.high, eigenvalues.front() + slack) << size << " " << shift;
            EXPECT_GE(range.low, eigenvalues.back() - slack) << size << " " << shift;
        }
    }
}

TEST(EigenvalueRange, HoldsForAnEigenvectorThatTheIterationCannotSee) {
    // A large eigenvalue whose eigenvector has no part in common with the others: only the proof can find it.
    const std::size_t size = 80;
    std::vector<float> a(size * size, 0.0F);
    for (std::size_t i = 0; i < size; ++i) a[i * size + i] = 1;
    a[7 * size + 7] = 1.02F;
    const Range range = eigenvalue_range(a, size, kernels(""));
    EXPECT_GE(range.high, 1.02);
    EXPECT_LE(range.low, 1.0);
}

TEST(LeadingColumns, TakeOutTheLeadingPart) {
    const std::size_t size = 120;
    const std::size_t rank = 13;
    const std::vector<float> a = with_eigenvalues(falling(size, 50), 5);
    const std::vector<float> L = leading_columns(a, size, rank, kernels(""));
    std::vector<float> rest = a;
    for (std::size_t i = 0; i < size; ++i)
        for (std::size_t j = 0; j < size; ++j)
            for (std::size_t k = 0; k < rank; ++k) rest[i * size + j] -= L[i * rank + k] * L[j * rank + k];
    const Range range = eigenvalue_range(rest, size, kernels(""));
    EXPECT_LT(range.high, 2 * 50.0 / 14);  // the best possible is 50 / 14
    EXPECT_GT(range.low, -0.5);
}

TEST(LeadingColumns, OfAMatrixOfLowerRankLeaveNothing) {
    const std::size_t size = 40;
    std::vector<double> eigenvalues(size, 0.0);
    eigenvalues[0] = 3;
    eigenvalues[1] = 1;
    const std::vector<float> L = leading_columns(with_eigenvalues(eigenvalues, 9), size, 13, kernels(""));
    double squares = 0;
    for (const float value : L) {
        ASSERT_TRUE(std::isfinite(value));
        squares += static_cast<double>(value) * value;
    }
    EXPECT_NEAR(squares, 4, 1e-3);
}

TEST(LargestEigenvalueBeside, BoundsWhatTheBasisLeaves) {
    const std::size_t size = 100;
    const std::size_t rank = 13;
    std::vector<float> a = with_eigenvalues(falling(size, 20), 11);
    const std::vector<float> U = leading_basis(a, size, rank, kernels(""));
    const double largest = largest_eigenvalue_beside(a, size, U, rank, kernels(""));
    EXPECT_GE(largest, 20.0 / 14);
    EXPECT_LE(largest, 2 * 20.0 / 14);
    EXPECT_LT(skewness(U, size, rank, kernels("")), 1e-4);
}

TEST(TallGramBound, IsAboveTheNormAndAboveEveryQuadraticForm) {
    std::mt19937 random(4);
    std::normal_distribution<float> normal;
    const std::size_t columns = 16;
    std::vector<float> a(200 * columns);
    for (float& value : a) value = normal(random);
    const GramBound bound = tall_gram_bound(a, columns, kernels(""));
    for (int trial = 0; trial < 200; ++trial) {
        std::vector<double> y(columns);
        double squares = 0;
        double weighted = 0;
        for (std::size_t j = 0; j < columns; ++j) {
            y[j] = normal(random);
            squares += y[j] * y[j];
            weighted += bound.diagonal[j] * y[j] * y[j];
        }
        double form = 0;
        for (std::size_t i = 0; i < a.size(); i += columns) {
            double product = 0;
            for (std::size_t j = 0; j < columns; ++j) product += a[i + j] * y[j];
            form += product * product;
        }
        ASSERT_LE(form, weighted);
        ASSERT_LE(form, bound.norm * squares);
    }
}

}  // namespace
}  // namespace wordbreadth::engine::cpu
