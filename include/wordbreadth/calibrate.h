// How far tests on a store can be trusted: how often they find a difference where there is none, how often one that is
// there, and how many occurrences it takes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wordbreadth/rates.h"
#include "wordbreadth/store.h"

namespace wordbreadth {

struct CalibrateOptions {
    std::size_t count = 1000;  // tests of each kind
    std::vector<double> alphas{0.01, 0.05, 0.10};
    std::uint64_t permutations = 20000;
    bool adaptive = true;         // stop tests whose verdict is clear at every alpha; changes no rate
    std::size_t common_size = 0;  // rows taken of each word; 0: as many as the smallest cloud has
    std::uint64_t seed = 0;
    Execution execution = {};
    // Also halves of whole documents, and the test that permutes documents. Nothing: where the store knows documents.
    std::optional<bool> documents = {};
    bool power = false;  // also Calibration::mixtures, and clouds of different shapes
};

// Pairs whose two clouds are equally broad.
enum class NullKind {
    split_halves,       // of one word: no method may fail here
    turned_halves,      // of one word, one of them reflected to where another word points: only the direction differs
    unequal_halves,     // turned, one of them with a fifth of the rows
    neighbours,         // words next to each other in a ranking made on other rows: nearly equal
    document_halves,    // turned, each of whole documents
    unequal_documents,  // the same, one of them with a fifth of the rows
    round_stretched,    // simulated, as broad as the store's words in the middle: a round cloud and one along few axes
    stretched_round,
    one_two_modes,  // simulated likewise: a cloud of one mode and one of two
    two_one_modes,
};

struct MethodRates {
    Method method;
    std::vector<Rate> rates;  // one an alpha
    Uniformity uniformity;    // of all p-values
    std::size_t undefined = 0;
};

struct NullRates {
    NullKind kind = NullKind::split_halves;
    std::size_t n = 0, m = 0;                      // rows; of halves of whole documents, the median
    std::size_t documents_n = 0, documents_m = 0;  // the median; 0 where rows were divided without regard to them
    std::size_t tests = 0;
    std::vector<MethodRates> methods;
};

struct MethodPower {
    Method method;
    std::vector<Rate> detected;  // share of tests that reject, one an alpha
    std::vector<Rate> wrong;     // that reject and call the broader cloud the narrower one
};

// Pairs of which the broader one is known: two parts of a word as in document_halves (of rows, where no documents are
// known), the first with a share of its rows replaced by rows of another word that is no narrower. The mean cosine of
// such a mixture is below that of the word itself.
struct MixtureRates {
    double share = 0;
    std::size_t n = 0, m = 0;                      // the median
    std::size_t documents_n = 0, documents_m = 0;  // likewise
    std::size_t tests = 0;
    double ratio = 0;  // of the breadths in truth, the median
    std::vector<MethodPower> methods;
};

// Occurrences of each of two words, as many of both, at which a test at the level sees the ratio of their breadths with
// the power. From the jackknife standard errors of the store's words, with all their rows and with a quarter of them
// (of their documents), carried on to other sizes: further rows are taken to be like those that are there, and spread
// over further documents as these are.
struct NeededRows {
    double ratio = 0;
    double rows = 0, documents = 0;            // for the word in the middle; documents 0 where none are known
    double most_rows = 0, most_documents = 0;  // at which nine of ten words have enough
};

struct NeededSizes {
    double alpha = 0.05, power = 0.8;
    std::size_t words = 0;     // that have a standard error
    double design_effect = 1;  // the median
    std::vector<NeededRows> ratios;
};

// A rate on simulated shapes.
struct ShapeRate {
    NullKind kind = NullKind::round_stretched;
    std::size_t n = 0, m = 0;
    Rate rate;
};

// What was found about a method.
struct JudgedMethod {
    Method method;
    bool keeps_its_level = false;  // at no alpha and on no kind of halves, of the store's own rows, is it surely above
    Rate power;                    // at the alpha nearest to 0.05, over all mixtures; no trials where there are none
    // The largest rate at that alpha on simulated shapes; nothing where the method was not tried on them.
    std::optional<ShapeRate> worst_shape = {};
    bool keeps_its_level_on_shapes = true;  // at no alpha and on no simulated shape is it surely above
};

struct Calibration {
    std::string store;
    CalibrateOptions options;  // as they were used: common size and documents are known
    std::size_t words = 0;     // that have enough rows
    std::vector<NullRates> nulls;
    std::vector<MixtureRates> mixtures;  // on request
    NeededSizes needed;
    std::vector<JudgedMethod> judged;
    // Of those that keep their level, in the order of `preference`, the first; one after it only where its worst rate
    // on simulated shapes is surely smaller (95% intervals apart), or is not surely larger and its power is.
    std::optional<Method> recommended;

    // The alpha nearest to 0.05, by its place.
    [[nodiscard]] std::size_t main_alpha() const;
};

// The test that permutes documents. It is added to `methods` where documents are known.
inline constexpr Method block_method = {Alignment::householder, Statistic::blocks};

// Parts of whole documents, and mixtures, are tested with at most so many permutations each.
inline constexpr std::uint64_t permutations_of_parts = 1999;

// The order in which methods are recommended.
inline constexpr std::array<Method, 5> preference = {block_method, methods[1], methods[3], methods[2], methods[0]};

// Whether the rate is above alpha beyond chance: its 99.9% interval, since many rates are looked at.
[[nodiscard]] bool is_surely_above(const Rate& rate, double alpha);

// Two-sided tests throughout. Throws InputError when the store has too few words or rows, or documents are asked for
// that it does not have, Cancelled when stopped.
[[nodiscard]] Calibration calibrate(const Store& store, const CalibrateOptions& options);

// What one step of a calibration found: rates of one kind of pairs, or nothing where no word can be divided so. Steps
// depend on the store, the options and their number alone, so that several processes may share them.
struct CalibrationStep {
    std::optional<NullRates> null;
    std::optional<MixtureRates> mixture;
};

// How many there are. Throws as calibrate().
[[nodiscard]] std::size_t calibration_steps(const Store& store, const CalibrateOptions& options);

// The steps of these numbers, from 0. Throws as calibrate(), and std::out_of_range.
[[nodiscard]] std::vector<CalibrationStep> calibrate_steps(const Store& store, const CalibrateOptions& options,
                                                           std::span<const std::size_t> numbers);

// What calibrate() finds, from all steps in their order.
[[nodiscard]] Calibration calibration_of(const Store& store, const CalibrateOptions& options,
                                         std::vector<CalibrationStep> steps);

}  // namespace wordbreadth
