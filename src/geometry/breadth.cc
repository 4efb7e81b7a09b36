#include "wordbreadth/breadth.h"

#include <cmath>
#include <vector>

#include "geometry/concentration.h"
#include "geometry/vector_math.h"

namespace wordbreadth::geometry {

namespace {

constexpr std::size_t fewest_of_an_interval = 4;  // blocks, or rows where there are none

// One of the blocks of a cloud.
struct Member {
    double product;  // D_k . S
    double count;    // c_k
    double squares;  // |D_k|^2
};

// Delete-one jackknife of log v.
double jackknife(const BlockMoments& moments, std::span<const Member> members, double d) {
    if (members.size() < fewest_of_an_interval) return std::nan("");
    const auto K = static_cast<double>(members.size());
    std::vector<double> values;
    double mean = 0;
    for (const Member& member : members) {
        values.push_back(debiased(moments.R_without(member.product, member.count, member.squares), 0, d).log_v);
        mean += values.back() / K;
    }
    double squares = 0;
    for (const double value : values) squares += (value - mean) * (value - mean);
    return std::sqrt((K - 1) / K * squares);
}

Pairwise pairwise(std::span<const Member> members, double squared_sum, double d) {
    if (members.size() < 2) return {members.size(), {}, std::nan("")};  // no pairs
    BlockMoments moments;
    for (const Member& member : members) moments.add(member.count, member.squares);
    moments.squared_sum = squared_sum;
    for (const Member& member : members) moments.add_influence(member.product, member.count, member.squares);
    return {members.size(), moments.debiased(d), moments.variance_of_R(), jackknife(moments, members, d)};
}

}  // namespace

Summary summarise(const UnitRows& rows, bool with_blocks) {
    const auto n = static_cast<double>(rows.size());
    const auto d = static_cast<double>(rows.dimension());
    const double squared_sum = dot(rows.sum(), rows.sum());
    const double r = std::sqrt(squared_sum) / n;
    std::vector<Member> members;
    for (const double product : rows.products()) members.push_back({product, 1, 1});
    Summary summary{r, log_v(r, d), pairwise(members, squared_sum, d), {}, {}};
    if (!with_blocks || rows.blocks().empty()) return summary;
    summary.sums = block_sums(rows);
    members.clear();
    for (std::size_t k = 0; k < summary.sums->size(); ++k)
        members.push_back({summary.sums->products[k], summary.sums->counts[k], summary.sums->squares[k]});
    summary.blocks = pairwise(members, squared_sum, d);
    return summary;
}

Breadth breadth_of(const UnitRows& rows, const Summary& summary) {
    const Pairwise& pairs = summary.blocks ? *summary.blocks : summary.rows;
    Breadth result;
    result.n = rows.size();
    result.d = rows.dimension();
    result.r = summary.r;
    result.v = std::exp(summary.log_v);
    result.kappa = 1 / result.v;
    result.breadth = std::exp(pairs.debiased.log_v);
    result.log_v_standard_error = pairs.standard_error;
    result.v_standard_error = result.breadth * result.log_v_standard_error;
    if (!summary.blocks) return result;
    result.blocks = pairs.blocks;
    result.design_effect = pairs.variance_of_R / summary.rows.variance_of_R;
    return result;
}

}  // namespace wordbreadth::geometry

namespace wordbreadth {

Breadth breadth(const Cloud& cloud) {
    return geometry::breadth_of(cloud, geometry::summarise(cloud, true));
}

}  // namespace wordbreadth
