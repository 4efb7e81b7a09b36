#include "calibration/nulls.h"

#include <gtest/gtest.h>

#include "wordbreadth/breadth.h"
#include "wordbreadth/cloud.h"

namespace wordbreadth::calibration {
namespace {

const std::vector<Shape> shapes{{{{63, 1.0}}, 0}, {{{63, 1.0}}, 0.6}, {{{4, 0.9}, {59, 0.1}}, 0}};

// One axis: E[1 / sqrt(1 + g^2)] = exp(1/4) K0(1/4) / sqrt(2 pi), K0 the modified Bessel function.
TEST(Nulls, ExpectedCosineAgreesWithTheClosedFormOfOneAxis) {
    EXPECT_NEAR(expected_cosine(std::vector<Band>{{1, 1.0}}, 1),
                std::exp(0.25) * std::cyl_bessel_k(0, 0.25) / std::sqrt(2 * std::numbers::pi), 1e-12);
}

TEST(Nulls, NoiseLengthGivesTheBreadthAskedFor) {
    for (const Shape& shape : shapes) EXPECT_NEAR(expected_cosine(shape, noise_length(shape, 0.6)), 0.6, 1e-10);
}

// r^2 is estimated without bias by the mean pairwise cosine. Its standard error is under 0.004 for each shape.
TEST(Nulls, CloudsOfEveryShapeAreEquallyBroad) {
    for (const Shape& shape : shapes) {
        std::mt19937_64 generator(1);
        const Null null(shape, 0.6);
        const Cloud cloud("null", null.draw(20000, 1.0, generator), null.dimension());
        const auto n = static_cast<double>(cloud.size());
        const double r = breadth(cloud).r;
        EXPECT_NEAR((n * r * r - 1) / (n - 1), 0.36, 0.012) << "tail " << shape.tail;
    }
}

TEST(Nulls, TheMeanPointsWhereItIsTold) {
    for (const Shape& shape : shapes) {
        std::mt19937_64 generator(2);
        const Null null(shape, 0.6);
        const Cloud cloud("null", null.draw(20000, std::numbers::pi / 3, generator), null.dimension());
        const double length = breadth(cloud).r * static_cast<double>(cloud.size());
        EXPECT_NEAR(cloud.sum().front() / length, 0.5, 0.02);
        EXPECT_NEAR(cloud.sum().back() / length, std::sqrt(0.75), 0.02);
    }
}

}  // namespace
}  // namespace wordbreadth::calibration
