// Clouds whose rows are on the device.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <span>

#include "cuda/runtime.h"
#include "engine/cuda_testing.h"
#include "support/errors.h"
#include "support/gpu.h"
#include "wordbreadth/session.h"

namespace wordbreadth {
namespace {

Execution on(const std::string& device) {
    Execution execution;
    execution.device = device;
    return execution;
}

// Elements of a type, of which only the bytes matter here: those of f16 and bf16 are any finite ones.
struct Elements {
    Element element;
    std::vector<std::byte> bytes;
};

Elements elements_of(Element element, const Cloud& cloud) {
    const std::span<const double> values = cloud.unit_rows();
    const auto as_bytes = [](const auto& list) {
        const auto bytes = std::as_bytes(std::span(list));
        return std::vector<std::byte>(bytes.begin(), bytes.end());
    };
    if (element == Element::f64) return {element, as_bytes(values)};
    const std::vector<float> single(values.begin(), values.end());
    if (element == Element::f32) return {element, as_bytes(single)};
    std::vector<std::uint16_t> half;
    for (const float value : single)
        half.push_back(static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16));
    if (element == Element::f16)
        for (std::uint16_t& value : half) value &= 0xbfff;  // neither infinite nor NaN
    return {element, as_bytes(half)};
}

// On the device for as long as it lives.
struct Uploaded {
    explicit Uploaded(const Elements& elements) : there(elements.bytes.size()), element(elements.element) {
        const cuda::Stream stream;
        there.upload(elements.bytes, stream);
        stream.wait();
    }
    [[nodiscard]] Rows rows(std::size_t n, std::size_t d) const { return {there.data(), element, n, d, true, {}}; }

    cuda::Buffer<std::byte> there;
    Element element;
};

// NaN is the same as NaN: small clouds have no standard error.
void expect_same(double a, double b) {
    EXPECT_TRUE(a == b || (std::isnan(a) && std::isnan(b))) << a << " and " << b;
}

void expect_same(const TestResult& a, const TestResult& b) {
    EXPECT_EQ(a.T, b.T);
    EXPECT_EQ(a.t, b.t);
    EXPECT_EQ(a.r_x, b.r_x);
    EXPECT_EQ(a.v_y, b.v_y);
    EXPECT_EQ(a.effect, b.effect);
    expect_same(a.standard_error, b.standard_error);
    expect_same(a.degrees_of_freedom, b.degrees_of_freedom);
    EXPECT_EQ(a.exceedances, b.exceedances);
    EXPECT_EQ(a.null_distribution, b.null_distribution);
}

TEST(CudaSession, ReadsRowsOnTheDeviceAsTheHostWould) {
    WORDBREADTH_NEEDS_GPU();
    for (const auto& [n, d] : {std::pair<std::size_t, std::size_t>{2, 2}, {40, 24}, {17, 19}, {101, 385}, {130, 1024}})
        for (const Element element : {Element::f32, Element::f64, Element::f16, Element::bf16}) {
            const std::vector<Cloud> clouds = random_clouds(2, n, d);
            Session session(on("cuda"));
            const Elements x = elements_of(element, clouds[0]), y = elements_of(element, clouds[1]);
            const Uploaded x_there(x), y_there(y);
            const CloudHandle there[] = {session.add("x", x_there.rows(n, d)), session.add("y", y_there.rows(n, d))};
            const CloudHandle here[] = {session.add("x", Rows{x.bytes.data(), element, n, d, false, {}}),
                                        session.add("y", Rows{y.bytes.data(), element, n, d, false, {}})};
            EXPECT_EQ(session.breadth(there[0]).breadth, session.breadth(here[0]).breadth);
            for (const Statistic statistic : {Statistic::plain, Statistic::robust}) {
                if (statistic == Statistic::robust && n < 4) continue;
                SCOPED_TRACE(std::to_string(n) + " x " + std::to_string(d) + ", element " +
                             std::to_string(static_cast<int>(element)));
                TestOptions options;
                options.permutations = 3000;
                options.statistic = statistic;
                expect_same(session.test(there[0], there[1], options), session.test(here[0], here[1], options));
                expect_same(session.test(here[0], there[1], options), session.test(here[0], here[1], options));
                options.null_distribution = true;
                expect_same(session.test(there[0], there[1], options), session.test(here[0], here[1], options));
            }
        }
}

TEST(CudaSession, AddsManyCloudsOnTheDeviceAsTheHostWould) {
    WORDBREADTH_NEEDS_GPU();
    constexpr std::size_t d = 33;
    Session session(on("cuda"));
    std::vector<Elements> elements;
    std::vector<Uploaded> there;
    std::vector<NamedRows> rows;
    std::vector<CloudHandle> here;
    for (const std::size_t n : {5, 40, 7, 300}) {
        elements.push_back(elements_of(Element::f32, random_clouds(1, n, d)[0]));
        there.emplace_back(elements.back());
        rows.push_back({std::to_string(n), there.back().rows(n, d)});
        here.push_back(
            session.add(rows.back().name, Rows{elements.back().bytes.data(), Element::f32, n, d, false, {}}));
    }
    const std::vector<float> host(4 * d, 1.0F);
    rows.insert(rows.begin() + 2, NamedRows{"elsewhere", {host.data(), Element::f32, 4, d, true, {}}});
    const std::vector<AddedCloud> added = session.add(rows);
    ASSERT_EQ(added.size(), 5U);
    EXPECT_FALSE(added[2].handle);
    EXPECT_NE(added[2].reason.find("elsewhere: its rows are not in the memory of the GPU"), std::string::npos);
    const CloudHandle x = *added[0].handle, y = *added[1].handle, z = *added[4].handle;
    expect_same(session.test(x, y), session.test(here[0], here[1]));
    expect_same(session.test(y, z), session.test(here[1], here[3]));
}

TEST(CudaSession, TakesBlocksOfRowsOnTheDevice) {
    WORDBREADTH_NEEDS_GPU();
    const std::vector<Cloud> clouds = random_clouds(2, 60, 48);
    std::vector<std::uint64_t> labels;
    for (std::uint64_t i = 0; i < 60; ++i) labels.push_back(i / 4);
    Session session(on("cuda"));
    std::vector<CloudHandle> there, here;
    std::vector<Uploaded> kept;
    std::vector<Elements> elements;
    for (const Cloud& cloud : clouds) elements.push_back(elements_of(Element::f32, cloud));
    for (const Elements& each : elements) kept.emplace_back(each);
    for (std::size_t i = 0; i < 2; ++i) {
        Rows rows = kept[i].rows(60, 48);
        rows.blocks = labels;
        there.push_back(session.add("x", rows));
        here.push_back(session.add("x", Rows{elements[i].bytes.data(), Element::f32, 60, 48, false, labels}));
    }
    const TestResult found = session.test(there[0], there[1]);
    EXPECT_EQ(found.statistic, Statistic::blocks);
    expect_same(found, session.test(here[0], here[1]));
}

TEST(CudaSession, SaysOfRowsOnTheDeviceWhatTheHostWould) {
    WORDBREADTH_NEEDS_GPU();
    std::vector<std::vector<float>> bad(5, std::vector<float>(10 * 8, 1.0F));  // all alike, and four more:
    for (std::size_t k = 1; k < bad.size(); ++k)
        for (std::size_t i = 0; i < 80; ++i) bad[k][i] = static_cast<float>((i * 37 + k) % 11) - 4.5F;
    std::fill_n(bad[1].begin() + 24, 8, 0.0F);
    bad[2][33] = NAN;
    bad[3][79] = INFINITY;
    for (std::size_t i = 0; i < 40; ++i) bad[4][i + 40] = -bad[4][i];
    Session session(on("cuda"));
    for (const std::vector<float>& values : bad) {
        const auto bytes = std::as_bytes(std::span(values));
        const Uploaded there({Element::f32, {bytes.begin(), bytes.end()}});
        const Rows here{values.data(), Element::f32, 10, 8, false, {}};
        EXPECT_EQ(error_of([&] { (void)session.add("bank", there.rows(10, 8)); }),
                  error_of([&] { (void)session.add("bank", here); }));
    }
}

TEST(CudaSession, RefusesRowsThatAreNotOnTheDevice) {
    WORDBREADTH_NEEDS_GPU();
    const std::vector<float> host(80, 1.0F);
    Session session(on("cuda"));
    EXPECT_EQ(error_of([&] {
                  (void)session.add("bank", Rows{host.data(), Element::f32, 10, 8, true});
              }),
              "bank: its rows are not in the memory of the GPU");
}

TEST(CudaSession, KeepsItsCloudsThroughManyCallsAndRemovals) {
    WORDBREADTH_NEEDS_GPU();
    const std::vector<Cloud> clouds = random_clouds(20, 100, 300);
    Session session(on("cuda"));
    std::vector<CloudHandle> handles;
    for (const Cloud& cloud : clouds) handles.push_back(session.add(Cloud(cloud)));
    TestOptions options;
    options.permutations = 2000;
    TestOptions by_cpu = options;
    by_cpu.execution = on("cpu");
    for (std::size_t k = 0; k + 1 < clouds.size(); ++k) {
        const TestResult expected = test(clouds[k], clouds[k + 1], by_cpu);
        EXPECT_EQ(session.test(handles[k], handles[k + 1], options).exceedances, expected.exceedances);
        session.remove(handles[k]);
    }
    EXPECT_EQ(session.size(), 1U);
}

}  // namespace
}  // namespace wordbreadth
