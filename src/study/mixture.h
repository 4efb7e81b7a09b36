// Mixtures of k modes of one shape, fitted by expectation and maximisation from several starts; all in log space.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "study/random_stream.h"

namespace wordbreadth::study {

struct Points {
    std::size_t dimension = 0;
    std::vector<double> values;  // (size, dimension)

    [[nodiscard]] std::size_t size() const { return values.size() / dimension; }
    [[nodiscard]] std::span<const double> row(std::size_t i) const {
        return std::span(values).subspan(i * dimension, dimension);
    }
};

using Labels = std::vector<std::size_t>;  // (points): the mode of each

struct Mixture {
    std::size_t k = 0;
    std::vector<double> shares;            // (k)
    std::vector<double> means;             // (k, dimension)
    std::vector<double> responsibilities;  // (points, k)
    std::vector<double> shape;  // of stretched modes: Cholesky's L of their covariance, (dimension, dimension)
    double kappa = 0;           // of von Mises-Fisher modes
    double log_likelihood = 0;

    [[nodiscard]] std::span<const double> mean(std::size_t j) const;
    [[nodiscard]] Labels labels() const;  // the mode of largest responsibility
};

// What a mode needs: this many points, with those of its largest document counted as one, and a third of them from
// others, so that no document makes a mode by repeating itself, with a few strays.
struct Support {
    std::size_t least = 1;
    std::span<const std::uint32_t> documents = {};  // (points), numbers; empty: every point has one of its own

    [[nodiscard]] bool holds(const Labels& labels, std::size_t k) const;  // for each of k modes
};

// One family of modes: from the responsibilities to the parameters, and from these to the likelihood and new
// responsibilities. False where the parameters are degenerate: then the mixture is not to be used.
using Step = bool (*)(const Points& points, Mixture& mixture);

// Gaussian modes with one covariance, whatever its shape: what von Mises-Fisher modes become in the tangent space
// after a linear map. The points have to have mean 0 and covariance I. The likelihood is without the constant
// -n q log(2 pi) / 2.
bool step_stretched(const Points& points, Mixture& mixture);

// Von Mises-Fisher modes with one concentration, kappa = r (d - r^2) / (1 - r^2) as in Banerjee et al. (2005), r the
// mean resultant length within modes. A concentration for each mode would tell rows apart by their distance from the
// mean alone: a heavy-tailed cloud would be two modes with one direction. The points are unit vectors.
bool step_von_mises_fisher(const Points& points, Mixture& mixture);

// Labels of the nearest of k rows, chosen as in k-means++ (Arthur and Vassilvitskii 2007) with the squared differences
// along each axis weighted.
[[nodiscard]] Labels random_start(const Points& points, std::span<const double> weights, std::size_t k,
                                  RandomStream& random);

// The most likely of the mixtures that `starts` lead to in which every mode has its support; nothing where there is
// none. A few steps from each start, and all from the best.
[[nodiscard]] std::optional<Mixture> fit(const Points& points, std::size_t k, Step step, std::span<const Labels> starts,
                                         const Support& support);

// log I_order(x), order >= 0, x > 0: the expansion that is uniform in the order (Abramowitz and Stegun 9.7.7) at orders
// above 24, recurrence down from there. To 8 decimals.
[[nodiscard]] double log_bessel_i(double order, double x);

// The log of the density's factor C_d(kappa) on the unit sphere in d dimensions.
[[nodiscard]] double log_von_mises_fisher_factor(double d, double kappa);

}  // namespace wordbreadth::study
