// TestResult, PairResults, Breadth and Device.
#include "bindings/results.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "bindings/bindings.h"
#include "bindings/tables.h"
#include "report/figures/figures.h"
#include "report/page/html.h"
#include "wordbreadth/breadth.h"
#include "wordbreadth/device.h"
#include "wordbreadth/names.h"

namespace wordbreadth::python {

namespace nb = nanobind;

namespace {

using Reals = nb::ndarray<nb::numpy, const double, nb::ndim<1>>;

// A view of values that `owner` keeps.
Reals view_of(const std::vector<double>& values, nb::handle owner) {
    return {values.data(), {values.size()}, owner};
}

template <class Choice>
std::string spelled(Choice choice) {
    return std::string(name_of(choice));
}

// ---- pickling: every member, listed once

template <class Result, class Visit>
void visit_members(Result& r, const Visit& visit) {
    const auto all = [&](auto&... member) { (visit(member), ...); };
    all(r.x, r.y, r.x_source, r.y_source, r.n, r.m, r.d, r.r_x, r.r_y, r.v_x, r.v_y, r.blocks_x, r.blocks_y, r.T, r.t,
        r.statistic, r.effect, r.ratio, r.standard_error, r.ci_low, r.ci_high, r.degrees_of_freedom, r.p, r.smallest_p,
        r.exceedances, r.permutations, r.exact, r.stopped_early, r.alternative, r.align, r.seed, r.device, r.seconds,
        r.undefined, r.null_distribution, r.p_max_t);
}

struct ToPython {
    nb::list& to;
    template <class Value>
    void operator()(const Value& value) const {
        if constexpr (std::is_enum_v<Value>)
            to.append(static_cast<int>(value));
        else
            to.append(value);
    }
};

struct FromPython {
    const nb::list& from;
    std::size_t& next;
    template <class Value>
    void operator()(Value& value) const {
        const nb::handle item = from[next++];
        if constexpr (std::is_enum_v<Value>)
            value = static_cast<Value>(nb::cast<int>(item));
        else
            value = nb::cast<Value>(item);
    }
};

nb::list state_of(const Tested& tested) {
    nb::list state;
    const ToPython put{state};
    visit_members(tested.result, put);
    put(tested.confidence);
    const auto& tail = tested.result.tail;
    put(tail.has_value());
    if (tail) put(tail->p), put(tail->shape), put(tail->scale), put(tail->exceedances), put(tail->goodness_of_fit);
    const auto& answer = tested.equivalence;
    put(answer.has_value());
    if (answer) put(answer->ratio), put(answer->p), put(answer->low), put(answer->high), put(answer->answer);
    return state;
}

Tested tested_of(const nb::list& state) {
    Tested tested;
    std::size_t next = 0;
    const FromPython take{state, next};
    visit_members(tested.result, take);
    take(tested.confidence);
    bool has = false;
    if (take(has); has) {
        TailEstimate& tail = tested.result.tail.emplace();
        take(tail.p), take(tail.shape), take(tail.scale), take(tail.exceedances), take(tail.goodness_of_fit);
    }
    if (take(has); has) {
        Equivalence& answer = tested.equivalence.emplace();
        take(answer.ratio), take(answer.p), take(answer.low), take(answer.high), take(answer.answer);
    }
    return tested;
}

// ---- what people read

std::string text_of(const Tested& tested) {
    const TestResult& result = tested.result;
    if (!result.undefined.empty()) return "no p-value: " + result.undefined;
    std::string text = report::verdict(result, tested.confidence, {}, tested.equivalence);
    while (text.ends_with('\n')) text.pop_back();
    return text;
}

// Drawn where it was kept. It could be made again from the seed, but then a result would have to keep its clouds, which
// may be large, and may have changed since.
std::string null_figure(const TestResult& result) {
    const std::string statistic = result.t ? "t" : "T";
    const double observed = result.t.value_or(result.T);
    report::Histogram histogram;
    histogram.heading = {"Null distribution of " + statistic,
                         "The statistic of " + report::count(result.permutations) + " permutations; observed: " +
                             report::significant(observed, 3) + ". " + report::p_sentence(result)};
    histogram.x = {.label = statistic};
    histogram.y_label = "permutations";
    histogram.bars = report::bars_of(result.null_distribution);
    histogram.marks = {{observed, "observed " + report::significant(observed, 3)}};
    if (result.alternative != Alternative::less)
        histogram.extreme_above = result.alternative == Alternative::two_sided ? std::abs(observed) : observed;
    if (result.alternative != Alternative::greater)
        histogram.extreme_below = result.alternative == Alternative::two_sided ? -std::abs(observed) : observed;
    return report::svg_of(histogram).file();
}

// For a notebook: the verdict, its first line in bold, and the null distribution.
std::string html_of(const Tested& tested) {
    const std::string text = text_of(tested);
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string rest = report::escaped(std::string_view(text).substr(std::min(end + 1, text.size())));
    for (std::size_t at = 0; (at = rest.find('\n', at)) != std::string::npos; at += 4) rest.replace(at, 1, "<br>");
    const std::string figure = tested.result.null_distribution.empty() ? "" : null_figure(tested.result);
    return "<div style=\"max-width:720px;line-height:1.5\"><strong>" + report::escaped(text.substr(0, end)) +
           "</strong><br>" + rest + figure + "</div>";
}

template <auto Member>
auto of_result() {
    return [](const Tested& tested) { return tested.result.*Member; };
}

template <auto Member>
auto choice_of_result() {
    return [](const Tested& tested) { return spelled(tested.result.*Member); };
}

void add_test_result(nb::module_& module) {
    using R = TestResult;
    nb::class_<TailEstimate>(module, "TailEstimate", "p from a generalised Pareto fit to the tail: an estimate")
        .def_ro("p", &TailEstimate::p)
        .def_ro("shape", &TailEstimate::shape)
        .def_ro("scale", &TailEstimate::scale)
        .def_ro("exceedances", &TailEstimate::exceedances)
        .def_ro("goodness_of_fit", &TailEstimate::goodness_of_fit);
    nb::class_<Equivalence>(module, "Equivalence", "Whether two clouds are equally broad within a ratio")
        .def_ro("ratio", &Equivalence::ratio)
        .def_ro("p", &Equivalence::p)
        .def_ro("low", &Equivalence::low)
        .def_ro("high", &Equivalence::high)
        .def_prop_ro("answer", [](const Equivalence& answer) { return spelled(answer.answer); });
    nb::class_<Tested>(module, "TestResult", "What a test found. `print` it for a few lines of verdict.")
        .def_prop_ro(
            "statistic", [](const Tested& tested) { return tested.result.t.value_or(tested.result.T); },
            "the statistic that was permuted: T, or t where `statistic_name` is robust or blocks")
        .def_prop_ro("pvalue", of_result<&R::p>(), "NaN where `undefined` says why")
        .def_prop_ro("statistic_name", choice_of_result<&R::statistic>(), "plain, robust or blocks")
        .def_prop_ro("x", of_result<&R::x>(), "the name of X")
        .def_prop_ro("y", of_result<&R::y>(), "the name of Y")
        .def_prop_ro("x_source", of_result<&R::x_source>())
        .def_prop_ro("y_source", of_result<&R::y_source>())
        .def_prop_ro("n", of_result<&R::n>(), "rows of X")
        .def_prop_ro("m", of_result<&R::m>(), "rows of Y")
        .def_prop_ro("d", of_result<&R::d>(), "dimension")
        .def_prop_ro("r_x", of_result<&R::r_x>(), "mean resultant length of X")
        .def_prop_ro("r_y", of_result<&R::r_y>())
        .def_prop_ro("v_x", of_result<&R::v_x>(), "the paper's breadth of X, 1 / kappa")
        .def_prop_ro("v_y", of_result<&R::v_y>())
        .def_prop_ro("blocks_x", of_result<&R::blocks_x>(), "blocks that were permuted; 0 where rows were")
        .def_prop_ro("blocks_y", of_result<&R::blocks_y>())
        .def_prop_ro("T", of_result<&R::T>(), "log(v_x / v_y), the paper's statistic; above 0 when X is broader")
        .def_prop_ro("t", of_result<&R::t>(), "debiased and studentised; None for the plain statistic")
        .def_prop_ro("effect", of_result<&R::effect>(), "log(v_x / v_y) without the bias of small clouds")
        .def_prop_ro("ratio", of_result<&R::ratio>(), "exp(effect)")
        .def_prop_ro("standard_error", of_result<&R::standard_error>(), "of the effect")
        .def_prop_ro("degrees_of_freedom", of_result<&R::degrees_of_freedom>())
        .def_prop_ro("ci_low", of_result<&R::ci_low>())
        .def_prop_ro("ci_high", of_result<&R::ci_high>())
        .def_prop_ro("smallest_p", of_result<&R::smallest_p>(), "that the number of splits allows")
        .def_prop_ro("exceedances", of_result<&R::exceedances>())
        .def_prop_ro("permutations", of_result<&R::permutations>(), "splits looked at")
        .def_prop_ro("exact", of_result<&R::exact>(), "every split was enumerated")
        .def_prop_ro("stopped_early", of_result<&R::stopped_early>())
        .def_prop_ro("alternative", choice_of_result<&R::alternative>())
        .def_prop_ro("align", choice_of_result<&R::align>())
        .def_prop_ro("seed", of_result<&R::seed>())
        .def_prop_ro("device", of_result<&R::device>())
        .def_prop_ro("seconds", of_result<&R::seconds>())
        .def_prop_ro("undefined", of_result<&R::undefined>(), "empty, or why there is no p-value")
        .def_prop_ro("tail", of_result<&R::tail>())
        .def_prop_ro("p_max_t", of_result<&R::p_max_t>(), "p adjusted over all pairs, by maxT; None unless asked for")
        .def_ro("confidence", &Tested::confidence)
        .def_ro("equivalence", &Tested::equivalence)
        .def_prop_ro(
            "null_distribution",
            [](nb::handle_t<Tested> self) -> std::optional<Reals> {
                const auto& values = nb::cast<const Tested&>(self).result.null_distribution;
                if (values.empty()) return std::nullopt;
                return view_of(values, self);
            },
            "the statistic of every split, (permutations,); None unless it was asked for")
        .def(
            "confidence_interval",
            [](const Tested& tested, double confidence) {
                const Interval found = confidence_interval(tested.result, confidence);
                return nb::module_::import_("wordbreadth._results").attr("ConfidenceInterval")(found.low, found.high);
            },
            nb::arg("confidence_level") = 0.95,
            nb::sig("def confidence_interval(self, confidence_level: float = 0.95) -> "
                    "wordbreadth._results.ConfidenceInterval"),
            "of the effect, log(v_x / v_y); NaN where there is no standard error")
        .def(
            "to_dict",
            [](const Tested& tested) { return python_of(report::json_of(tested.result, "", tested.equivalence)); },
            nb::sig("def to_dict(self) -> dict[str, typing.Any]"), "as the program's JSON has it; None for NaN")
        .def("__repr__", text_of)
        .def("_repr_html_", html_of)
        .def("__getstate__", state_of)
        .def("__setstate__", [](Tested& self, const nb::list& state) { new (&self) Tested(tested_of(state)); });
}

void add_breadth(nb::module_& module) {
    nb::class_<Breadth>(module, "Breadth", "How widely a cloud spreads")
        .def_ro("n", &Breadth::n)
        .def_ro("d", &Breadth::d)
        .def_ro("r", &Breadth::r, "mean resultant length, 0 (spread evenly) to 1 (all alike)")
        .def_ro("kappa", &Breadth::kappa, "von Mises-Fisher concentration")
        .def_ro("v", &Breadth::v, "1 / kappa, the paper's breadth; biased in small clouds")
        .def_ro("breadth", &Breadth::breadth, "v without that bias; NaN where the cloud looks uniform")
        .def_ro("standard_error", &Breadth::v_standard_error, "of `breadth`")
        .def_ro("log_v_standard_error", &Breadth::log_v_standard_error)
        .def_ro("blocks", &Breadth::blocks)
        .def_ro("design_effect", &Breadth::design_effect)
        .def("__repr__", [](const Breadth& found) {
            return "breadth " + report::significant(found.breadth, 4) + " (standard error " +
                   report::significant(found.v_standard_error, 2) + "), v = " + report::significant(found.v, 4) +
                   ", r = " + report::fixed(found.r, 4) + "; n = " + report::count(found.n) +
                   ", d = " + report::count(found.d) +
                   (found.blocks > 0 ? ", " + report::counted(found.blocks, "block") : "");
        });
}

void add_device(nb::module_& module) {
    nb::class_<Device>(module, "Device", "What can run the test here, or why it cannot")
        .def_ro("name", &Device::name, "what `device` takes")
        .def_ro("description", &Device::description)
        .def_ro("available", &Device::available)
        .def_ro("unavailable_because", &Device::unavailable_because)
        .def_ro("instruction_sets", &Device::instruction_sets)
        .def_ro("instruction_set", &Device::instruction_set)
        .def_ro("exact", &Device::exact, "its counts are those of a plain float64 program")
        .def("__repr__", [](const Device& device) {
            return device.name + ": " + device.description +
                   (device.available ? "" : " (not available: " + device.unavailable_because + ")");
        });
}

void add_pair_results(nb::module_& module) {
    nb::class_<TestedMany>(module, "PairTests")
        .def("__len__", [](const TestedMany& many) { return many.pairs->results.size(); })
        .def("at", &TestedMany::at)
        .def_prop_ro("p",
                     [](nb::handle_t<TestedMany> self) {
                         return view_of(nb::cast<const TestedMany&>(self).pairs->results.p, self);
                     })
        .def_prop_ro("p_adjusted",
                     [](nb::handle_t<TestedMany> self) {
                         return view_of(nb::cast<const TestedMany&>(self).pairs->adjusted, self);
                     })
        .def_prop_ro("table",
                     [](const TestedMany& many) { return KeptTable(report::table_of(*many.pairs), many.pairs); })
        .def("text", [](const TestedMany& many, std::size_t shown) { return report::text_of(*many.pairs, shown, {}); })
        .def("to_dict", [](const TestedMany& many) { return python_of(report::json_of(*many.pairs)); });
}

}  // namespace

Tested TestedMany::at(std::size_t index) const {
    Tested tested{pairs->results.result(index), pairs->options.confidence, {}};
    if (pairs->equivalence) tested.equivalence = equivalence(tested.result, *pairs->equivalence, 1 - tested.confidence);
    return tested;
}

void add_results(nb::module_& module) {
    add_test_result(module);
    add_pair_results(module);
    add_breadth(module);
    add_device(module);
}

}  // namespace wordbreadth::python
