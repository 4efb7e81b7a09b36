#include "study/mode_count.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "geometry/symmetric.h"
#include "geometry/vector_math.h"
#include "study/sampling.h"

namespace wordbreadth::study {
namespace {

constexpr std::size_t most_rows = 400;      // that the number of modes is chosen on
constexpr std::size_t most_directions = 4;  // that modes are looked for in
constexpr std::size_t rows_of_a_direction = 8;
constexpr std::size_t kept_directions = 24;  // that random clouds are stretched along
constexpr std::size_t spare_directions = 6;  // of the subspace iteration, which make it converge
constexpr std::size_t starts = 6;
constexpr double longest =
    1.5;  // of the median angle to the mean: farther rows are pulled in, but keep their direction
constexpr double deepest_pass = 0.5;              // density between two modes, of the lower peak
constexpr std::uint64_t enough_exceedances = 10;  // then p is known to a third of itself, and is large
// In fewer, residual lengths tell modes: two tight ones are all rows at one distance on either side of the mean. Then
// random lengths are those of a Gaussian cloud.
constexpr double fewest_effective_dimensions = 4;
constexpr std::size_t fewest_rows_of_a_stretch = 20;  // a smaller mode is stretched as all are together
constexpr double tiny = 1e-12;

struct Matrix {
    std::size_t columns = 0;
    std::vector<double> values;

    [[nodiscard]] std::size_t rows() const { return values.size() / columns; }
    [[nodiscard]] std::span<double> row(std::size_t i) { return std::span(values).subspan(i * columns, columns); }
    [[nodiscard]] std::span<const double> row(std::size_t i) const {
        return std::span(values).subspan(i * columns, columns);
    }
};

// The rows in the tangent space at the mean direction: as long as their angle to it.
Matrix tangent_rows(const Cloud& cloud) {
    Matrix tangent{cloud.dimension(), {cloud.unit_rows().begin(), cloud.unit_rows().end()}};
    std::vector<double> angles, lengths;
    const double length_of_sum = geometry::norm(cloud.sum());
    for (std::size_t i = 0; i < cloud.size(); ++i) {
        const auto row = tangent.row(i);
        const double along = geometry::dot(row, cloud.sum()) / length_of_sum;
        geometry::add_scaled(row, -along / length_of_sum, cloud.sum());
        lengths.push_back(geometry::norm(row));
        angles.push_back(std::atan2(lengths.back(), along));
    }
    std::vector<double> sorted = angles;
    std::ranges::nth_element(sorted, sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2));
    const double most = longest * sorted[sorted.size() / 2];
    for (std::size_t i = 0; i < cloud.size(); ++i)
        for (double& value : tangent.row(i)) value *= lengths[i] > 0 ? std::min(angles[i], most) / lengths[i] : 0;
    return tangent;
}

std::vector<double> mean_of(const Matrix& matrix, std::span<const std::size_t> rows) {
    std::vector<double> mean(matrix.columns, 0.0);
    for (const std::size_t i : rows) geometry::add(mean, matrix.row(i));
    for (double& value : mean) value /= static_cast<double>(rows.size());
    return mean;
}

void subtract(Matrix& matrix, const std::vector<double>& mean) {
    for (std::size_t i = 0; i < matrix.rows(); ++i) geometry::add_scaled(matrix.row(i), -1, mean);
}

Matrix gram_of(const Matrix& matrix, std::span<const std::size_t> rows) {
    const std::size_t n = rows.size();
    Matrix gram{n, std::vector<double>(n * n)};
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j)
            gram.row(i)[j] = gram.row(j)[i] = geometry::dot(matrix.row(rows[i]), matrix.row(rows[j]));
    return gram;
}

geometry::Eigenpairs leading(const Matrix& gram, std::size_t count, std::size_t steps, RandomStream& random) {
    const std::size_t n = gram.rows();
    std::vector<double> start(std::min(n, count + spare_directions) * n);
    for (double& value : start) value = random.normal();
    geometry::Eigenpairs found = geometry::leading_eigenpairs(gram.values, n, std::move(start), steps);
    found.values.resize(std::min(count, found.values.size()));
    return found;
}

// The first `count` principal scores with variance 1 each, and the variances that they had.
struct Scores {
    Points points;
    std::vector<double> variances;
};

Scores scores_of(const geometry::Eigenpairs& pairs, std::size_t n, std::size_t count) {
    Scores scores{{count, std::vector<double>(n * count)}, {}};
    const double scale = std::sqrt(static_cast<double>(n));
    for (std::size_t a = 0; a < count; ++a) {
        scores.variances.push_back(std::max(pairs.values[a], 0.0) / static_cast<double>(n));
        for (std::size_t i = 0; i < n; ++i) scores.points.values[i * count + a] = scale * pairs.vectors[a * n + i];
    }
    return scores;
}

// The rows that the number of modes is chosen on.
struct Sample {
    std::vector<std::size_t> rows;
    std::vector<std::uint32_t> documents;  // of these; empty where they are not known

    [[nodiscard]] std::size_t size() const { return rows.size(); }
    [[nodiscard]] Support support() const { return {fewest_rows_of_a_mode(rows.size()), documents}; }
    [[nodiscard]] bool one_document(std::size_t i, std::size_t j) const {
        return documents.empty() ? i == j : documents[i] == documents[j];
    }
};

Sample sample_of(const Cloud& cloud, std::uint64_t seed) {
    Sample sample{sample_rows(cloud.name(), cloud.size(), most_rows, seed), {}};
    if (const auto documents = documents_of(cloud); !documents.empty())
        for (const std::size_t row : sample.rows) sample.documents.push_back(documents[row]);
    return sample;
}

// Half of the starts look at distances as they are, half at those in units of each direction's spread.
std::optional<Mixture> fit_modes(const Scores& scores, std::size_t k, std::vector<Labels> from, const Support& support,
                                 RandomStream& random) {
    const std::size_t n = scores.points.size();
    if (k == 1) return fit(scores.points, 1, step_stretched, std::vector<Labels>(1, Labels(n, 0)), {});
    const std::vector<double> even(scores.variances.size(), 1.0);
    const std::size_t all = from.empty() ? starts : 2;
    for (std::size_t start = 0; start < all; ++start)
        from.push_back(random_start(scores.points, start % 2 == 0 ? scores.variances : even, k, random));
    return fit(scores.points, k, step_stretched, from, support);
}

// The rows of one document in a mode, and L with L L^T the inner products of their residuals: what a random cloud keeps
// of them. A single row has none; it takes the length of any residual.
struct Group {
    std::vector<std::size_t> rows;
    std::vector<double> factor;  // (rows, rows)
};

// rows(i) = sum of L_ia rows(a), for the rows of each group.
void mix_rows(Matrix& matrix, std::span<const Group> groups) {
    for (const auto& [rows, factor] : groups) {
        if (factor.empty()) continue;
        const std::size_t c = rows.size();
        for (std::size_t i = c; i-- > 0;) {  // from the last on: a row takes only those before it
            for (double& value : matrix.row(rows[i])) value *= factor[i * c + i];
            for (std::size_t a = 0; a < i; ++a)
                geometry::add_scaled(matrix.row(rows[i]), factor[i * c + a], matrix.row(rows[a]));
        }
    }
}

// The same for the columns.
void mix_columns(Matrix& matrix, std::span<const Group> groups) {
    for (const auto& [rows, factor] : groups) {
        if (factor.empty()) continue;
        const std::size_t c = rows.size();
        for (std::size_t r = 0; r < matrix.rows(); ++r) {
            const auto row = matrix.row(r);
            for (std::size_t i = c; i-- > 0;) {
                double sum = 0;
                for (std::size_t a = 0; a <= i; ++a) sum += factor[i * c + a] * row[rows[a]];
                row[rows[i]] = sum;
            }
        }
    }
}

// What a row has outside of the kept directions.
struct Rest {
    double length = 0;
    double dimensions = 1;  // in which it points at random
};

// Inner products of what rows have outside of the kept directions, which are normal, about: the rest is not drawn in
// its many dimensions.
Matrix rest_gram(const std::vector<Rest>& rest, RandomStream& random) {
    const std::size_t n = rest.size();
    std::vector<double> scaled(n);
    for (std::size_t i = 0; i < n; ++i) scaled[i] = rest[i].length / std::sqrt(std::sqrt(rest[i].dimensions));
    Matrix gram{n, std::vector<double>(n * n)};
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < i; ++j) gram.row(i)[j] = gram.row(j)[i] = scaled[i] * scaled[j] * random.normal();
        gram.row(i)[i] = rest[i].length * rest[i].length;
    }
    return gram;
}

void centre(Matrix& gram) {
    const std::size_t n = gram.rows();
    std::vector<double> means(n, 0.0);
    for (std::size_t i = 0; i < n; ++i) geometry::add_scaled(means, 1 / static_cast<double>(n), gram.row(i));
    const double mean = std::accumulate(means.begin(), means.end(), 0.0) / static_cast<double>(n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) gram.row(i)[j] += mean - means[i] - means[j];
}

// How residual directions of a mode are spread: along axes, and evenly in the rest of the space.
struct Stretch {
    std::vector<double> axes;        // (kept, kept)
    std::vector<double> deviations;  // along these
    double rest = 1;                 // variance in all other directions together
    double rest_dimensions = 1;      // which are as many as give the rows the cosines that they have
    bool keeps_lengths = true;       // of the residuals; else they are Gaussian
    double mean_squared_length = 0;
};

// A cloud of k modes without further structure, from which random ones are drawn.
class NullCloud {
  public:
    // `gram` of the tangent rows, (n, n); `kept` their scores on the leading directions, (n, kept).
    NullCloud(const Matrix& gram, const Matrix& kept, const Sample& sample, Labels labels, std::size_t k, double d)
        : sample_(sample), labels_(std::move(labels)), members_(k), groups_(k) {
        for (std::size_t i = 0; i < labels_.size(); ++i) members_[labels_[i]].push_back(i);
        for (std::size_t j = 0; j < k; ++j) group(j);
        means_ = means_of(kept);
        const Matrix residuals = residual_gram(gram);
        for (std::size_t i = 0; i < labels_.size(); ++i)
            squared_lengths_.push_back(std::max(residuals.row(i)[i], tiny));
        for (auto& groups : groups_)
            for (Group& each : groups) keep_products(each, residuals);
        std::vector<std::size_t> all(labels_.size());
        std::iota(all.begin(), all.end(), std::size_t{0});
        const Stretch common = stretch_of(residuals, kept, all, d);
        for (const auto& rows : members_)
            stretches_.push_back(rows.size() < fewest_rows_of_a_stretch ? common
                                                                        : stretch_of(residuals, kept, rows, d));
    }

    [[nodiscard]] const Sample& sample() const { return sample_; }
    [[nodiscard]] const Labels& labels() const { return labels_; }

    // The Gram matrix of a random cloud's rows, with their mean at 0.
    [[nodiscard]] Matrix draw(RandomStream& random) const {
        const std::size_t n = labels_.size(), kept = means_.columns;
        Matrix rows{kept, std::vector<double>(n * kept, 0.0)};  // residuals along the kept directions
        std::vector<Rest> rest(n);
        std::vector<double> along(kept);
        for (std::size_t i = 0; i < n; ++i) {
            const Stretch& stretch = stretches_[labels_[i]];
            double squares = stretch.rest;
            for (std::size_t a = 0; a < kept; ++a) {
                along[a] = stretch.deviations[a] * random.normal();
                squares += along[a] * along[a];
            }
            const double length = length_of(i, std::max(squares, tiny), random);
            rest[i] = {length * std::sqrt(stretch.rest), stretch.rest_dimensions};
            for (std::size_t a = 0; a < kept; ++a)
                geometry::add_scaled(rows.row(i), length * along[a], std::span(stretch.axes).subspan(a * kept, kept));
        }
        Matrix gram = rest_gram(rest, random);
        for (const auto& groups : groups_) {
            mix_rows(rows, groups);
            mix_rows(gram, groups);
            mix_columns(gram, groups);
        }
        for (std::size_t i = 0; i < n; ++i) geometry::add(rows.row(i), means_.row(labels_[i]));
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j <= i; ++j)
                gram.row(i)[j] = gram.row(j)[i] += geometry::dot(rows.row(i), rows.row(j));
        centre(gram);
        return gram;
    }

  private:
    // The mode's rows by document, and their weights: those of a document have that of one row together.
    void group(std::size_t mode) {
        std::vector<Group>& groups = groups_[mode];
        for (const std::size_t i : members_[mode]) {
            const auto same = [&](const Group& each) { return sample_.one_document(each.rows.front(), i); };
            const auto found = sample_.documents.empty() ? groups.end() : std::ranges::find_if(groups, same);
            if (found == groups.end())
                groups.push_back({{i}, {}});
            else
                found->rows.push_back(i);
        }
        weights_.resize(labels_.size());
        group_size_.resize(labels_.size());
        for (const Group& each : groups)
            for (const std::size_t i : each.rows) {
                group_size_[i] = each.rows.size();
                weights_[i] = 1 / static_cast<double>(each.rows.size());
            }
    }

    // The mean of each mode over its documents.
    [[nodiscard]] Matrix means_of(const Matrix& matrix) const {
        Matrix means{matrix.columns, std::vector<double>(members_.size() * matrix.columns, 0.0)};
        for (std::size_t i = 0; i < labels_.size(); ++i)
            geometry::add_scaled(means.row(labels_[i]), weights_[i] / static_cast<double>(groups_[labels_[i]].size()),
                                 matrix.row(i));
        return means;
    }

    // Of the rows less the means of their modes.
    [[nodiscard]] Matrix residual_gram(const Matrix& gram) const {
        const std::size_t n = labels_.size(), k = members_.size();
        const Matrix of_rows = means_of(gram);  // (k, n): inner products of means with rows
        Matrix to_mean{k, std::vector<double>(n * k)};
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < k; ++j) to_mean.row(i)[j] = of_rows.row(j)[i];
        const Matrix of_means = means_of(to_mean);
        Matrix residuals = gram;
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j)
                residuals.row(i)[j] +=
                    of_means.row(labels_[i])[labels_[j]] - to_mean.row(i)[labels_[j]] - to_mean.row(j)[labels_[i]];
        return residuals;
    }

    static void keep_products(Group& group, const Matrix& residuals) {
        constexpr double ridge = 1e-6;  // copies of a sentence have one vector
        const std::size_t c = group.rows.size();
        if (c == 1) return;
        for (std::size_t i = 0; i < c; ++i)
            for (std::size_t j = 0; j < c; ++j)
                group.factor.push_back(residuals.row(group.rows[i])[group.rows[j]] * (i == j ? 1 + ridge : 1) +
                                       (i == j ? tiny : 0));
        if (geometry::to_cholesky(group.factor, c)) return;
        group.factor.assign(c * c, 0.0);  // their lengths, at least
        for (std::size_t i = 0; i < c; ++i)
            group.factor[i * c + i] = std::sqrt(std::max(residuals.row(group.rows[i])[group.rows[i]], tiny));
    }

    // Of row i's residual, which has this squared length before; 1 where a group's factor brings the lengths.
    [[nodiscard]] double length_of(std::size_t i, double squares, RandomStream& random) const {
        const Stretch& stretch = stretches_[labels_[i]];
        if (group_size_[i] > 1) return stretch.keeps_lengths ? 1 / std::sqrt(squares) : 1;
        const auto& groups = groups_[labels_[i]];
        const std::vector<std::size_t>& rows = groups[random.below(groups.size())].rows;
        const double squared_length = squared_lengths_[rows.size() == 1 ? rows[0] : rows[random.below(rows.size())]];
        return std::sqrt(stretch.keeps_lengths ? squared_length / squares : stretch.mean_squared_length);
    }

    // The squared cosine of the residuals of two rows, weighted.
    struct SquaredCosines {
        double within = 0;   // the sum over pairs of one document, a row and itself among them, of all pairs' weight
        double between = 0;  // the mean over pairs of different documents
    };

    [[nodiscard]] SquaredCosines squared_cosines(const Matrix& residuals, std::span<const std::size_t> rows,
                                                 double weight) const {
        SquaredCosines found;
        double pairs = 0;
        for (const std::size_t i : rows)
            for (const std::size_t j : rows) {
                const double product = residuals.row(i)[j], both = weights_[i] * weights_[j];
                const double squared = product * product / (squared_lengths_[i] * squared_lengths_[j]);
                const bool within = sample_.one_document(i, j) && labels_[i] == labels_[j];
                (within ? found.within : found.between) += both * squared;
                if (!within) pairs += both;
            }
        found.within /= weight * weight;
        found.between /= std::max(pairs, tiny);
        return found;
    }

    // Of residuals scaled to unit length, (kept, kept).
    [[nodiscard]] std::vector<double> covariance_of(const Matrix& kept, std::span<const std::size_t> rows,
                                                    double weight) const {
        const std::size_t m = kept.columns;
        std::vector<double> covariance(m * m, 0.0), residual(m);
        for (const std::size_t i : rows) {
            for (std::size_t a = 0; a < m; ++a) residual[a] = kept.row(i)[a] - means_.row(labels_[i])[a];
            for (std::size_t a = 0; a < m; ++a)
                geometry::add_scaled(std::span(covariance).subspan(a * m, m),
                                     residual[a] * weights_[i] / (weight * squared_lengths_[i]), residual);
        }
        return covariance;
    }

    // The covariance of residual directions, shrunk towards the sphere.
    [[nodiscard]] Stretch stretch_of(const Matrix& residuals, const Matrix& kept, std::span<const std::size_t> rows,
                                     double d) const {
        double weight = 0;
        for (const std::size_t i : rows) weight += weights_[i];
        Stretch stretch;
        geometry::Eigenpairs pairs = geometry::eigenpairs(covariance_of(kept, rows, weight), kept.columns);
        stretch.axes = std::move(pairs.vectors);
        const auto [within, between] = squared_cosines(residuals, rows, weight);
        // Sums of squared eigenvalues. `within` is 1 / n for n independent rows, and more where documents repeat.
        const double round = 1 / (d - 1), squares = between + within;
        const double shrink = std::clamp((1 - between) * within / std::max(squares - round, tiny), 0.0, 1.0);
        double leading_squares = 0, own_squares = 0;
        for (const double value : pairs.values) {
            const double positive = std::max(value, 0.0), shrunk = (1 - shrink) * positive;
            leading_squares += positive * positive;
            own_squares += shrunk * shrunk;
            stretch.rest -= shrunk;
            stretch.deviations.push_back(std::sqrt(shrunk));
        }
        stretch.rest = std::max(stretch.rest, 0.0);
        const double rest_squares =
            (1 - shrink) * (1 - shrink) * std::max(squares - leading_squares, 0.0) + shrink * shrink * round;
        stretch.rest_dimensions =
            std::clamp(stretch.rest * stretch.rest / std::max(rest_squares, tiny), 1.0, std::max(d - 1, 1.0));
        stretch.keeps_lengths = 1 / std::max(own_squares + rest_squares, tiny) >= fewest_effective_dimensions;
        for (const std::size_t i : rows) stretch.mean_squared_length += weights_[i] * squared_lengths_[i] / weight;
        return stretch;
    }

    const Sample& sample_;
    Labels labels_;
    std::vector<std::vector<std::size_t>> members_;  // rows of each mode
    std::vector<std::vector<Group>> groups_;         // the same by document
    std::vector<double> weights_;                    // of the rows, (n): 1 for every document of a mode
    std::vector<std::size_t> group_size_;            // of each row, (n)
    Matrix means_;                                   // (modes, kept)
    std::vector<double> squared_lengths_;            // of the residuals, (n)
    std::vector<Stretch> stretches_;                 // (modes)
};

// The lowest density on the way between two modes, of the lower peak; the highest of all pairs.
double shallowest_valley(const Mixture& mixture) {
    const std::size_t k = mixture.k, q = mixture.means.size() / k;
    Matrix centres{q, std::vector<double>(k * q)};
    for (std::size_t j = 0; j < k; ++j) geometry::solve_lower(mixture.shape, mixture.mean(j), centres.row(j));
    const auto density = [&](std::size_t from, std::size_t to, double at) {
        double sum = 0;
        for (std::size_t j = 0; j < k; ++j) {
            double squares = 0;
            for (std::size_t c = 0; c < q; ++c) {
                const double place = centres.row(from)[c] + at * (centres.row(to)[c] - centres.row(from)[c]);
                squares += (place - centres.row(j)[c]) * (place - centres.row(j)[c]);
            }
            sum += mixture.shares[j] * std::exp(-squares / 2);
        }
        return sum;
    };
    double shallowest = 0;
    for (std::size_t from = 0; from < k; ++from)
        for (std::size_t to = 0; to < from; ++to) {
            constexpr int steps = 32;
            double peak = 0, depth = 1;  // depth: of the lowest point with higher ones on both sides
            std::vector<double> densities;
            for (int step = 0; step <= steps; ++step) densities.push_back(density(from, to, step / double{steps}));
            for (std::size_t s = 0; s < densities.size(); ++s) {
                peak = std::max(peak, densities[s]);
                const double other =
                    *std::max_element(densities.begin() + static_cast<std::ptrdiff_t>(s), densities.end());
                depth = std::min(depth, densities[s] / std::max(std::min(peak, other), 1e-300));
            }
            shallowest = std::max(shallowest, depth);
        }
    return shallowest;
}

// Whether the rows of each mode are nearer to each other than to those of any other mode, by the mean cosines of pairs
// from different documents. Far rows of a heavy-tailed cloud that lie on one side are not: without this, 23% of clouds
// with 30% of their variance along one axis and heavy tails had such a mode, of 4 to 8%.
bool are_cohesive(const Cloud& cloud, const Sample& sample, const Labels& labels, std::size_t k) {
    std::vector<double> cosines(k * k, 0.0), pairs(k * k, 0.0);
    for (std::size_t i = 0; i < sample.size(); ++i)
        for (std::size_t j = 0; j < sample.size(); ++j) {
            if (sample.one_document(i, j)) continue;
            const std::size_t cell = labels[i] * k + labels[j];
            cosines[cell] += geometry::dot(cloud.row(sample.rows[i]), cloud.row(sample.rows[j]));
            ++pairs[cell];
        }
    const auto mean = [&](std::size_t j, std::size_t l) { return cosines[j * k + l] / pairs[j * k + l]; };
    for (std::size_t j = 0; j < k; ++j)
        for (std::size_t l = 0; l < k; ++l)
            if (l != j && pairs[j * k + l] > 0 && !(mean(j, j) > mean(j, l))) return false;
    return true;
}

struct PValue {
    double p = 1;
    std::size_t random_clouds = 0;
};

// A stream for every purpose: number 0 of k fits k modes to the cloud, number b belongs to random cloud b.
std::uint64_t purpose(std::size_t k, std::size_t number) {
    return static_cast<std::uint64_t>(k) << 32 | number;
}

double gain_of(const NullCloud& null, std::size_t k, std::size_t directions, RandomStream random) {
    constexpr std::size_t steps = 10;
    const Matrix gram = null.draw(random);
    const Scores scores = scores_of(leading(gram, directions, steps, random), gram.rows(), directions);
    const auto with_k = fit_modes(scores, k, {null.labels()}, null.sample().support(), random);
    const auto with_more = fit_modes(scores, k + 1, {}, null.sample().support(), random);
    if (!with_more) return -INFINITY;
    return with_k ? with_more->log_likelihood - with_k->log_likelihood : INFINITY;
}

PValue p_of_gain(double gain, const NullCloud& null, std::size_t k, std::size_t directions, std::uint64_t seed,
                 const ModesOptions& options, const std::function<void()>& check) {
    std::uint64_t exceedances = 0;
    for (std::size_t b = 1; b <= options.random_clouds; ++b) {
        check();
        if (gain_of(null, k, directions, {seed, purpose(k, b)}) >= gain) ++exceedances;
        if (exceedances == enough_exceedances) return {static_cast<double>(exceedances) / static_cast<double>(b), b};
    }
    return {static_cast<double>(exceedances + 1) / static_cast<double>(options.random_clouds + 1),
            options.random_clouds};
}

// The modes of the rows that the number is chosen on.
struct Choice {
    PValue p;
    Mixture mixture;
};

Choice choose(const Cloud& cloud, const Sample& sample, const Matrix& gram, const geometry::Eigenpairs& pairs,
              const Scores& scores, std::uint64_t seed, const ModesOptions& options,
              const std::function<void()>& check) {
    const std::size_t n = sample.size(), q = scores.points.dimension;
    Matrix kept{pairs.values.size(), std::vector<double>(n * pairs.values.size())};
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t a = 0; a < kept.columns; ++a)
            kept.row(i)[a] = std::sqrt(std::max(pairs.values[a], 0.0)) * pairs.vectors[a * n + i];
    RandomStream unused(seed, 0);
    Choice choice{{}, *fit_modes(scores, 1, {}, {}, unused)};
    for (std::size_t k = 1; k < options.most; ++k) {
        RandomStream random(seed, purpose(k, 0));
        auto more = fit_modes(scores, k + 1, {}, sample.support(), random);
        if (!more) return choice;
        const NullCloud null(gram, kept, sample, choice.mixture.labels(), k, static_cast<double>(cloud.dimension()));
        const double gain = more->log_likelihood - choice.mixture.log_likelihood;
        const PValue p = p_of_gain(gain, null, k, q, seed, options, check);
        if (k == 1) choice.p = p;
        if (p.p > options.alpha || shallowest_valley(*more) > deepest_pass ||
            !are_cohesive(cloud, sample, more->labels(), k + 1))
            return choice;
        choice.mixture = std::move(*more);
    }
    return choice;
}

// Row i's scores on the directions that the eigenvectors of the sample's Gram matrix stand for, with variance 1 over
// it.
Points scores_of_all(const Matrix& tangent, std::span<const std::size_t> sample, const geometry::Eigenpairs& pairs,
                     std::size_t count) {
    const std::size_t m = sample.size();
    Points scores{count, std::vector<double>(tangent.rows() * count)};
    for (std::size_t a = 0; a < count; ++a) {
        std::vector<double> direction(tangent.columns, 0.0);
        for (std::size_t i = 0; i < m; ++i)
            geometry::add_scaled(direction, pairs.vectors[a * m + i], tangent.row(sample[i]));
        const double scale = std::sqrt(static_cast<double>(m)) / pairs.values[a];
        for (std::size_t i = 0; i < tangent.rows(); ++i)
            scores.values[i * count + a] = scale * geometry::dot(tangent.row(i), direction);
    }
    return scores;
}

// On the sphere, with round modes, and the mode whose mean is nearest.
void round_modes(ModeCount& count, const Points& scores, std::span<const double> variances, const Mixture& mixture) {
    const std::size_t q = scores.dimension;
    double log_volume = 0;
    for (std::size_t a = 0; a < q; ++a) log_volume += std::log(mixture.shape[a * q + a]) + std::log(variances[a]) / 2;
    const double scale = std::exp(log_volume / static_cast<double>(q));
    Matrix centres{q, std::vector<double>(mixture.k * q)};
    for (std::size_t j = 0; j < mixture.k; ++j) geometry::solve_lower(mixture.shape, mixture.mean(j), centres.row(j));
    count.rounded = {q + 1, {}};
    std::vector<double> row(q);
    for (std::size_t i = 0; i < scores.size(); ++i) {
        geometry::solve_lower(mixture.shape, scores.row(i), row);
        const auto distance = [&](std::size_t j) {
            std::vector<double> off(row);
            geometry::add_scaled(off, -1, centres.row(j));
            return geometry::dot(off, off);
        };
        std::size_t nearest = 0;
        for (std::size_t j = 1; j < mixture.k; ++j)
            if (distance(j) < distance(nearest)) nearest = j;
        count.labels.push_back(nearest);
        const double length = std::sqrt(1 + scale * scale * geometry::dot(row, row));
        count.rounded.values.push_back(1 / length);
        for (const double value : row) count.rounded.values.push_back(scale * value / length);
    }
}

}  // namespace

std::size_t fewest_rows_of_a_mode(std::size_t n) {
    return std::max<std::size_t>(4, n / 25);
}

std::span<const std::uint32_t> documents_of(const Cloud& cloud) {
    const auto blocks = cloud.blocks();
    return blocks.empty() || *std::ranges::max_element(blocks) == 0 ? std::span<const std::uint32_t>() : blocks;
}

ModeCount count_modes(const Cloud& cloud, const ModesOptions& options, const std::function<void()>& check) {
    constexpr std::size_t steps = 30;
    const std::uint64_t seed = row_priority(cloud.name(), 0, options.seed);
    const Sample sample = sample_of(cloud, options.seed);
    Matrix tangent = tangent_rows(cloud);
    subtract(tangent, mean_of(tangent, sample.rows));
    const Matrix gram = gram_of(tangent, sample.rows);
    const std::size_t n = sample.size();
    RandomStream random(seed, 0);
    geometry::Eigenpairs pairs =
        leading(gram, std::min({kept_directions, n - 2, cloud.dimension() - 1}), steps, random);
    while (pairs.values.size() > 1 && pairs.values.back() < 1e-9 * pairs.values.front()) pairs.values.pop_back();
    const std::size_t q = std::min({most_directions, n / rows_of_a_direction, pairs.values.size()});
    const Scores scores = scores_of(pairs, n, q);
    const Choice choice = choose(cloud, sample, gram, pairs, scores, seed, options, check);
    ModeCount count{choice.mixture.k, choice.p.p, choice.p.random_clouds, {}, {}};
    if (count.k > 1)
        round_modes(count, scores_of_all(tangent, sample.rows, pairs, q), scores.variances, choice.mixture);
    else
        count.labels.assign(cloud.size(), 0);
    return count;
}

}  // namespace wordbreadth::study
