// Clouds of rows that stay on a device: the host fetches them once, when it first needs them.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "geometry/concentration.h"
#include "geometry/unit_rows.h"
#include "geometry/vector_math.h"

namespace wordbreadth::geometry {
namespace {

constexpr std::size_t n = 13, d = 11;

std::vector<double> values() {
    std::mt19937 random(1);
    std::normal_distribution<double> noise(0, 0.3);
    std::vector<double> all(n * d);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = noise(random) + (i % d == 0 ? 3 : 0);
    return all;
}

// What a device would have found.
RemoteRows measured(const std::vector<double>& all, const Cloud& like) {
    RemoteRows rows;
    rows.rows = {all.data(), Element::f64, n, d, true, {}};  // an address that the host must not read
    for (std::size_t i = 0; i < n; ++i) {
        std::vector<double> row(all.begin() + i * d, all.begin() + (i + 1) * d);
        double largest = 0;
        for (const double value : row) largest = std::max(largest, std::abs(value));
        const int exponent = std::ilogb(largest);
        for (double& value : row) value = std::ldexp(value, -exponent);
        rows.scales.push_back({exponent, norm(row)});
    }
    rows.sum.assign(like.sum().begin(), like.sum().end());
    const auto products = UnitRows(like).products();
    rows.products.assign(products.begin(), products.end());
    return rows;
}

TEST(RemoteRows, AreFetchedOnceAndOnlyWhenTheHostNeedsThem) {
    const std::vector<double> all = values();
    const Cloud here("bank", all, d);
    int downloads = 0;
    RemoteRows rows = measured(all, here);
    rows.download = [&] {
        ++downloads;
        return std::shared_ptr<const void>(all.data(), [](const void*) {});
    };
    const std::optional<Cloud> there = UnitRows::remote("bank", std::move(rows), "");
    ASSERT_TRUE(there);
    EXPECT_NE(UnitRows(*there).on_device(), nullptr);
    EXPECT_EQ(UnitRows(here).on_device(), nullptr);
    EXPECT_EQ(breadth(*there).breadth, breadth(here).breadth);
    EXPECT_EQ(downloads, 0);
    const TestResult expected = test(here, here), found = test(*there, here);
    EXPECT_EQ(found.exceedances, expected.exceedances);
    EXPECT_EQ(std::vector(there->unit_rows().begin(), there->unit_rows().end()),
              std::vector(here.unit_rows().begin(), here.unit_rows().end()));
    EXPECT_EQ(downloads, 1);
}

TEST(RemoteRows, ThatCancelOutAreLeftToTheHost) {
    const std::vector<double> all = values();
    RemoteRows rows = measured(all, Cloud("bank", all, d));
    rows.sum.assign(d, 0.0);
    EXPECT_FALSE(UnitRows::remote("bank", std::move(rows), ""));
}

}  // namespace
}  // namespace wordbreadth::geometry
