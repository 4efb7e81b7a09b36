// How many modes a cloud has: as many as it takes until one more explains no more than it would in a cloud without it.
//
// Rows are moved to the tangent space at the mean direction and reduced to their leading principal directions. There,
// mixtures of k and k + 1 modes of one common shape (stretched as it may be) are fitted, and the gain in likelihood is
// compared with the gains in random clouds that have k modes: the same means, and in each mode the same residual
// lengths (so that tails stay as heavy as they are) and the same stretch, but residual directions drawn at random. A
// mode also has to be one: the density has to fall between any two to half of the lower peak, so that a skewed cloud is
// one mode, and its rows have to be nearer to each other than to those of another mode, so that a heavy tail is none.
//
// Tried and dropped; modes found in simulated clouds of 384 dimensions, 20 to 40 clouds each, level 0.025 to 0.05:
// - Gain in likelihood of von Mises-Fisher modes (one concentration) in place of stretched ones. It measures the spread
//   that modes take away, of which halving a stretched cloud takes 64% and separating modes of 20/80 hardly more:
//   2 modes 60 degrees apart (r 0.6) found in 0% at n = 40, 54% at n = 100; with 10/90 never. Stretched: 96% and 100%.
// - Random clouds made from the leading directions alone, Gaussian or with the rows' whitened lengths: heavy-tailed
//   clouds have two modes in 3 to 97% of cases, since their leading directions are those of their longest rows. Random
//   clouds have to go through the same reduction.
// - The covariance of the residuals as it is: where n < d it is far more stretched than the truth, and isotropic
//   heavy-tailed clouds had two modes in 10 to 35%. It is shrunk towards the sphere (Ledoit and Wolf 2004), and made
//   from residuals scaled to unit length.
// - One stretch for all modes: two words of one mode each, put together half and half (25 pairs of words of the demo's
//   store of scripture, layer 4), had two modes in 40%, and up to 6; with a stretch for each mode, two in 92%.
// - Signs of principal scores flipped at random: two equal modes stay two equal modes.
// - t / cos(angle) (gnomonic) in place of the angle in the tangent space: modes far from the mean blow up; 2 modes of
//   20/80 became 3 in 80%. Cosines alone: a cloud stretched along one direction came out as two modes in 29%.
// - 6 directions in place of 4: less power at n = 40, and two modes in half of the clouds with 4 long axes and heavy
//   tails, which had one each time with 4 directions.
//
// Occurrences in one document resemble each other, which a random cloud has to repeat: the rows that a mode has from a
// document keep their inner products and are turned together, means and stretch give every document the same weight,
// and cohesion goes by pairs from different documents. A mode needs rows enough without those of its largest document
// (Support).
//
// How often it is right now: tests/calibration/mode_counts.cc prints it. Modes are added one at a time, so that a mode
// which only shows beside another one may be missed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "study/mixture.h"
#include "study/sampling.h"
#include "wordbreadth/cloud.h"
#include "wordbreadth/modes.h"

namespace wordbreadth::study {

struct ModeCount {
    std::size_t k = 1;
    double p = 1;                   // of one mode against two
    std::size_t random_clouds = 0;  // behind p
    Labels labels;                  // (rows): the mode of each
    // For k > 1: the rows on the sphere that the mean and the leading directions span, after a linear map that leaves
    // volumes as they are and makes the modes round.
    Points rounded;
};

// Rows that a mode has at least, of n; see Support for those of one document.
[[nodiscard]] std::size_t fewest_rows_of_a_mode(std::size_t n);

// The document of each row, as the cloud's blocks say; empty where they say nothing, being none or a single one.
[[nodiscard]] std::span<const std::uint32_t> documents_of(const Cloud& cloud);

// `check` is called now and then, and may throw.
[[nodiscard]] ModeCount count_modes(const Cloud& cloud, const ModesOptions& options,
                                    const std::function<void()>& check);

// The modes of clouds that are cut to a size of their own, or why there are none.
[[nodiscard]] std::vector<WordModes> modes_of(std::span<const WantedCloud> wanted, const ModesOptions& options);

}  // namespace wordbreadth::study
