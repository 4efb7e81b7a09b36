#include "bindings/calibration_steps.h"

#include <type_traits>

namespace nb = nanobind;

namespace wordbreadth::python {
namespace {

// Every member, listed once, for both directions.
template <class Visit, class Rates>
void visit(const Visit& each, Rates& rates) {
    using Value = std::remove_const_t<Rates>;
    const auto all = [&](auto&... member) { (each(member), ...); };
    if constexpr (std::is_same_v<Value, Method>)
        all(rates.align, rates.statistic);
    else if constexpr (std::is_same_v<Value, Rate>)
        all(rates.hits, rates.trials, rates.value, rates.low, rates.high);
    else if constexpr (std::is_same_v<Value, Uniformity>)
        all(rates.n, rates.distance, rates.p);
    else if constexpr (std::is_same_v<Value, MethodRates>)
        all(rates.method, rates.rates, rates.uniformity, rates.undefined);
    else if constexpr (std::is_same_v<Value, NullRates>)
        all(rates.kind, rates.n, rates.m, rates.documents_n, rates.documents_m, rates.tests, rates.methods);
    else if constexpr (std::is_same_v<Value, MethodPower>)
        all(rates.method, rates.detected, rates.wrong);
    else if constexpr (std::is_same_v<Value, MixtureRates>)
        all(rates.share, rates.n, rates.m, rates.documents_n, rates.documents_m, rates.tests, rates.ratio,
            rates.methods);
    else
        all(rates.null, rates.mixture);
}

struct Put {
    nb::list& to;

    template <class Value>
    void operator()(const Value& value) const {
        if constexpr (std::is_enum_v<Value>)
            to.append(static_cast<int>(value));
        else if constexpr (std::is_arithmetic_v<Value>)
            to.append(value);
        else
            visit(*this, value);
    }
    template <class Value>
    void operator()(const std::vector<Value>& values) const {
        to.append(values.size());
        for (const Value& value : values) (*this)(value);
    }
    template <class Value>
    void operator()(const std::optional<Value>& value) const {
        to.append(value.has_value());
        if (value) (*this)(*value);
    }
};

struct Take {
    const nb::list& from;
    std::size_t& next;

    template <class Value>
    void operator()(Value& value) const {
        if constexpr (std::is_enum_v<Value>)
            value = static_cast<Value>(nb::cast<int>(from[next++]));
        else if constexpr (std::is_arithmetic_v<Value>)
            value = nb::cast<Value>(from[next++]);
        else
            visit(*this, value);
    }
    template <class Value>
    void operator()(std::vector<Value>& values) const {
        values.resize(nb::cast<std::size_t>(from[next++]));
        for (Value& value : values) (*this)(value);
    }
    template <class Value>
    void operator()(std::optional<Value>& value) const {
        if (nb::cast<bool>(from[next++])) (*this)(value.emplace());
    }
};

}  // namespace

nb::list state_of(const std::vector<CalibrationStep>& steps) {
    nb::list state;
    Put{state}(steps);
    return state;
}

std::vector<CalibrationStep> steps_of(const nb::list& state) {
    std::vector<CalibrationStep> steps;
    std::size_t next = 0;
    Take{state, next}(steps);
    return steps;
}

}  // namespace wordbreadth::python
