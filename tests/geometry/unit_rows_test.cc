// Clouds of borrowed rows: the same bits as clouds of the same values in float64, and nothing is copied.
#include "geometry/unit_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <thread>

#include "geometry/vector_math.h"
#include "study/random_clouds.h"
#include "support/errors.h"
#include "wordbreadth/breadth.h"

namespace wordbreadth::geometry {
namespace {

bool same_bits(std::span<const double> a, std::span<const double> b) {
    return std::ranges::equal(
        a, b, [](double x, double y) { return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y); });
}

std::vector<double> all_rows(const UnitRows& rows) {
    std::vector<double> all(rows.size() * rows.dimension());
    rows.write(0, rows.size(), all.data());
    return all;
}

template <class Value>
void expect_the_cloud_of_doubles(const std::vector<Value>& values, Element element, std::size_t d,
                                 const std::vector<double>& doubles) {
    const Rows rows{values.data(), element, values.size() / d, d, false, {}};
    const Cloud expected("x", doubles, d), found("x", rows, nullptr);
    EXPECT_TRUE(UnitRows(found).kept().empty());
    EXPECT_TRUE(same_bits(all_rows(found), expected.unit_rows())) << d;
    EXPECT_TRUE(same_bits(found.sum(), expected.sum())) << d;
    EXPECT_TRUE(same_bits(UnitRows(found).products(), UnitRows(expected).products())) << d;
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_EQ(UnitRows(expected).products()[i], dot(expected.row(i), expected.sum()));
    EXPECT_TRUE(same_bits(found.unit_rows(), expected.unit_rows())) << d;
    std::vector<double> scratch;
    EXPECT_TRUE(same_bits(UnitRows(found).row(1, scratch), expected.row(1))) << d;
    const Breadth of_found = breadth(found), of_expected = breadth(expected);
    EXPECT_TRUE(same_bits({&of_found.breadth, 1}, {&of_expected.breadth, 1}));
    EXPECT_TRUE(same_bits({&of_found.log_v_standard_error, 1}, {&of_expected.log_v_standard_error, 1}));
}

TEST(BorrowedRows, HaveTheUnitRowsOfTheSameValuesInFloat64) {
    for (const std::size_t d : {2U, 3U, 7U, 8U, 9U, 17U, 384U}) {
        const std::vector<double> random = testing::random_values({5, d}, d);
        const std::vector<float> floats(random.begin(), random.end());
        expect_the_cloud_of_doubles(floats, Element::f32, d, {floats.begin(), floats.end()});
        expect_the_cloud_of_doubles(random, Element::f64, d, random);
        std::vector<std::uint16_t> upper;
        std::vector<double> of_upper;
        for (const float value : floats) {
            upper.push_back(static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16));
            of_upper.push_back(std::bit_cast<float>(std::uint32_t{upper.back()} << 16));
        }
        expect_the_cloud_of_doubles(upper, Element::bf16, d, of_upper);
    }
}

TEST(BorrowedRows, MayBeMoreThanAreKeptWhileTheCloudIsMade) {
    const std::size_t n = 80, d = 4096;
    const std::vector<double> random = testing::random_values({n, d}, 1);
    const std::vector<float> floats(random.begin(), random.end());
    expect_the_cloud_of_doubles(floats, Element::f32, d, {floats.begin(), floats.end()});
}

TEST(BorrowedRows, MayBeOfAnyMagnitude) {
    constexpr double tiny = std::numeric_limits<double>::denorm_min(), huge = std::numeric_limits<double>::max();
    const std::vector<double> values = {tiny,     0,    3 * tiny, huge, -huge, huge / 4, 1e-305, -0.0, 2e-306,
                                        0x1p1001, 1e10, -1e-5,    1,    2,     3,        1e-320, 1e3,  -5};
    expect_the_cloud_of_doubles(values, Element::f64, 3, values);
    const std::vector<float> floats = {1e-45F, 0, 3e-45F, 3e38F, -3e38F, 1e-3F, 1e-38F, -0.0F, 2e-39F};
    expect_the_cloud_of_doubles(floats, Element::f32, 3, {floats.begin(), floats.end()});
}

TEST(BorrowedRows, AreKeptByTheirOwnerForAsLongAsThereAreCopies) {
    auto values = std::make_shared<const std::vector<float>>(std::vector<float>{1, 2, 3, 4, 5, 7});
    const std::weak_ptr<const void> watched = values;
    auto first = std::make_unique<Cloud>("x", Rows{values->data(), Element::f32, 3, 2, false, {}}, values);
    values.reset();
    {
        const Cloud copy = *first;
        first.reset();
        EXPECT_FALSE(watched.expired());
        EXPECT_EQ(copy.row(2)[0], 5 / std::sqrt(74.0));
    }
    EXPECT_TRUE(watched.expired());
}

TEST(BorrowedRows, AreMadeFloat64ByOneOfTheThreadsThatAsk) {
    const std::vector<double> values = testing::random_values({50, 33}, 1);
    const Cloud expected("x", values, 33), cloud("x", {values.data(), Element::f64, 50, 33, false, {}}, nullptr);
    std::array<bool, 4> same{};
    {
        std::vector<std::jthread> threads;
        for (bool& each : same)
            threads.emplace_back([&] { each = same_bits(cloud.unit_rows(), expected.unit_rows()); });
    }
    EXPECT_TRUE(std::ranges::all_of(same, std::identity{}));
}

TEST(BorrowedRows, ThatCannotBeUsedSayWhy) {
    const std::vector<float> good = {1, 2, 3, 4};
    const auto error = [](const Rows& rows) { return error_of([&] { Cloud("bank", rows, nullptr, "here"); }); };
    EXPECT_NE(error({good.data(), static_cast<Element>(9), 2, 2}).find("bank (here): element type 9"),
              std::string::npos);
    const std::vector<std::uint64_t> labels = {1};
    EXPECT_NE(error({good.data(), Element::f32, 2, 2, false, labels}).find("1 block labels for 2 rows"),
              std::string::npos);
    for (const float bad : {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()}) {
        for (const std::size_t at : {0, 8, 9}) {  // among zeros too
            std::vector<float> values(20, 0.0F);
            values[0] = values[11] = 1;
            values[at] = bad;
            EXPECT_NE(error({values.data(), Element::f32, 2, 10}).find("row 0 holds " + std::to_string(bad)),
                      std::string::npos)
                << at;
        }
    }
}

TEST(Blocks, HaveTheSumsOfTheirRows) {
    const std::size_t n = 23, d = 11;
    const std::vector<double> values = testing::random_values({n, d}, 3);
    const std::vector<float> floats(values.begin(), values.end());
    std::vector<std::uint64_t> labels(n);
    for (std::size_t i = 0; i < n; ++i) labels[i] = 100 - i * i % 7;
    Cloud kept("kept", {floats.begin(), floats.end()}, d);
    kept.set_blocks(labels);
    const Cloud borrowed("borrowed", {floats.data(), Element::f32, n, d, false, labels}, nullptr);
    for (const Cloud* cloud : std::array<const Cloud*, 2>{&kept, &borrowed}) {
        const UnitRows rows(*cloud);
        const BlockSums sums = block_sums(rows);
        const std::size_t count = std::ranges::max(cloud->blocks()) + std::size_t{1};
        std::vector<double> expected(count * d, 0.0), counts(count, 0.0);
        for (std::size_t i = 0; i < n; ++i) {
            add(std::span(expected).subspan(cloud->blocks()[i] * d, d), kept.row(i));
            counts[cloud->blocks()[i]] += 1;
        }
        EXPECT_TRUE(same_bits(all_rows(UnitRows(rows, sums)), expected));
        EXPECT_EQ(sums.counts, counts);
        for (std::size_t k = 0; k < count; ++k) {
            const std::span<const double> sum = std::span(expected).subspan(k * d, d);
            EXPECT_EQ(sums.squares[k], dot(sum, sum));
            EXPECT_EQ(sums.products[k], dot(sum, kept.sum()));
        }
    }
}

}  // namespace
}  // namespace wordbreadth::geometry
