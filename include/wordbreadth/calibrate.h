// How far tests on a store can be trusted: how often they find a difference where there is none.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
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
};

// Pairs whose two clouds are equally broad.
enum class NullKind {
    split_halves,    // of one word: no method may fail here
    turned_halves,   // of one word, one of them reflected to where another word points: only the direction differs
    unequal_halves,  // turned, one of them with a fifth of the rows
    neighbours,      // words next to each other in a ranking made on other rows: nearly equal
};

struct MethodRates {
    std::vector<Rate> rates;  // one an alpha
    Uniformity uniformity;    // of all p-values
    std::size_t undefined = 0;
};

struct NullRates {
    NullKind kind = NullKind::split_halves;
    std::size_t n = 0, m = 0;
    std::size_t tests = 0;
    PerMethod<MethodRates> methods;
};

struct Calibration {
    std::string store;
    CalibrateOptions options;  // as they were used: the common size is known
    std::size_t words = 0;     // that have enough rows
    std::vector<NullRates> nulls;
    // The methods that pass: at no alpha and on no kind of halves is the rate surely above alpha.
    PerMethod<bool> trusted{};
    std::optional<Method> recommended;  // the first of `preference` that passes
};

// The order in which methods are recommended.
inline constexpr std::array<Method, 4> preference = {methods[1], methods[3], methods[2], methods[0]};

// Whether the rate is above alpha beyond chance: its 99.9% interval, since many rates are looked at.
[[nodiscard]] bool is_surely_above(const Rate& rate, double alpha);

// Two-sided tests throughout. Throws InputError when the store has too few words or rows, Cancelled when stopped.
[[nodiscard]] Calibration calibrate(const Store& store, CalibrateOptions options);

}  // namespace wordbreadth
