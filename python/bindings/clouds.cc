// test, breadth, pairs, adjust, devices.
#include "bindings/clouds.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <tuple>
#include <utility>

#include "bindings/bindings.h"
#include "bindings/idle_sessions.h"
#include "wordbreadth/adjust.h"
#include "wordbreadth/breadth.h"
#include "wordbreadth/cloud_source.h"
#include "wordbreadth/device.h"
#include "wordbreadth/error.h"
#include "wordbreadth/names.h"
#include "wordbreadth/pair_parts.h"

namespace wordbreadth::python {

namespace nb = nanobind;

namespace {

template <class Choice>
Choice chosen(const std::string& option, const std::string& name) {
    if (const auto found = choice_named<Choice>(name)) return *found;
    std::vector<std::string> known;
    std::string list;
    for (const auto& entry : names_of(Choice{})) {
        known.emplace_back(entry.name);
        list += (list.empty() ? "" : ", ") + known.back();
    }
    throw InputError(option + " = '" + name + "'; expected one of " + list + report::suggestion(name, known));
}

Options options_of(const std::string& alternative, std::uint64_t permutations, const std::string& align,
                   const std::string& statistic, std::uint64_t seed, std::uint64_t adaptive, double confidence,
                   bool null_distribution, bool tail_estimate, std::optional<double> ratio, const std::string& device,
                   unsigned threads, const std::string& instruction_set, nb::object progress) {
    Options options;
    TestOptions& test = options.test;
    test.alternative = chosen<Alternative>("alternative", alternative);
    test.permutations = permutations;
    test.align = chosen<Alignment>("align", align);
    test.statistic = chosen<Statistic>("statistic", statistic);
    test.seed = seed;
    test.adaptive = adaptive;
    test.confidence = confidence;
    test.null_distribution = null_distribution;
    test.tail_estimate = tail_estimate;
    test.execution.device = device;
    test.execution.threads = threads;
    test.execution.instruction_set = instruction_set;
    options.equivalence = ratio;
    if (ratio && !(confidence > 0.5))
        throw InputError("equivalence needs a confidence above 0.5, not " + report::shortest(confidence));
    if (ratio) (void)equivalence(TestResult{}, *ratio);  // found out before the work
    options.progress = std::move(progress);
    return options;
}

Tested test_arrays(const Array& x, const Array& y, const Options& options) {
    return options.tested(watched(options.progress, [&](const Watch& watch) {
        const TestOptions completed = options.watched_by(watch);
        if (!x.rows.on_device && !y.rows.on_device) return wordbreadth::test(cloud_of(x), cloud_of(y), completed);
        std::optional<TestResult> found;
        with_session(beside(std::array{&x, &y}, completed.execution), [&](Session& session) {
            const AddedClouds added(session, std::array{&x, &y});
            found = session.test(added.handle(0), added.handle(1), completed);
        });
        return std::move(*found);
    }));
}

Breadth breadth_of_array(const Array& x) {
    return watched(nb::none(), [&](const Watch&) {
        if (!x.rows.on_device) return wordbreadth::breadth(cloud_of(x));
        Breadth found;
        with_session(beside(std::array{&x}, {}), [&](Session& session) {
            found = session.breadth(AddedClouds(session, std::array{&x}).handle(0));
        });
        return found;
    });
}

// A cloud that has no breadth does not stop the pairs without it.
NamedCloud named_cloud_of(const Array& array) {
    NamedCloud named{array.name, array.origin, array.rows.n, array.rows.dimension, {}, {}};
    try {
        named.cloud = cloud_of(array);
    } catch (const InputError& error) {
        named.reason = error.what();
    }
    return named;
}

// (pairs, 2): indices into the clouds.
using Indices = nb::ndarray<const std::uint64_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;

std::vector<Pair> pairs_of(const Indices& indices) {
    std::vector<Pair> pairs(indices.shape(0));
    for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = {indices.data()[2 * i], indices.data()[2 * i + 1]};
    return pairs;
}

TestedMany pairs_of_arrays(const std::vector<const Array*>& arrays, const Indices& indices,
                           const std::string& adjustment, const Options& options, bool in_session) {
    const std::vector<Pair> pairs = pairs_of(indices);
    const bool on_gpu = std::ranges::any_of(arrays, [](const Array* array) { return array->rows.on_device; });
    return test_many(options, adjustment, [&](const TestOptions& completed) {
        if (in_session || on_gpu) return test_pairs_in_session(arrays, pairs, completed);
        std::vector<NamedCloud> named;
        for (const Array* array : arrays) named.push_back(named_cloud_of(*array));
        return test_many_named_pairs(std::move(named), pairs, completed);
    });
}

// The clouds of a store or a file.
TestedMany pairs_of_source(const CloudSource& source, const std::vector<std::string>& names, const Indices& indices,
                           std::size_t common_size, const std::string& adjustment, const Options& options) {
    const std::vector<Pair> pairs = pairs_of(indices);
    return test_many(options, adjustment, [&](const TestOptions& completed) {
        const Cut cut{common_size, options.test.seed, takes_blocks(options.test.statistic), nullptr};
        return test_many_named_pairs(source.read(names, cut, completed.execution), pairs, completed);
    });
}

// A part of all pairs of a store or a file, as (pairs, tiles, found).
std::tuple<std::uint64_t, std::uint64_t, std::uint64_t> pairs_in_part(const std::string& clouds,
                                                                      const std::string& layer, std::size_t common_size,
                                                                      const std::string& adjustment,
                                                                      const Options& options, const Part& part,
                                                                      const std::string& folder) {
    PairJob job;
    job.clouds = clouds;
    job.layer = layer;
    job.common_size = common_size;
    job.adjustment = chosen<Adjustment>("adjust", adjustment);
    job.equivalence = options.equivalence;
    PairPartSummary summary;
    run_watched(options.progress, [&](const Watch& watch) {
        job.test = options.watched_by(watch);
        summary = test_pairs_in_part(job, part, folder);
    });
    return {summary.pairs, summary.tiles, summary.found};
}

TestedMany merged_pairs(const std::string& folder, unsigned threads) {
    report::TestedPairs found;
    run_watched(nb::none(), [&](const Watch& watch) {
        Execution execution;
        execution.threads = threads;
        execution.stop = watch.stop;
        const MergedPairs merged(folder, execution);
        found.results = merged.results();
        found.options = merged.job().test;
        found.adjustment = merged.job().adjustment;
        found.adjusted = adjusted_p(found.results, found.adjustment);
        found.seconds = std::numeric_limits<double>::quiet_NaN();
        found.common_size = merged.job().common_size;
        found.equivalence = merged.job().equivalence;
    });
    return {std::make_shared<const report::TestedPairs>(std::move(found))};
}

}  // namespace

TestOptions Options::watched_by(const Watch& watch) const {
    TestOptions completed = test;
    completed.execution.progress = watch.progress;
    completed.execution.stop = watch.stop;
    return completed;
}

Tested Options::tested(TestResult result) const {
    Tested found{std::move(result), test.confidence, {}};
    if (equivalence) found.equivalence = wordbreadth::equivalence(found.result, *equivalence, 1 - test.confidence);
    return found;
}

TestedMany test_many(const Options& options, const std::string& adjustment,
                     const std::function<TestResults(const TestOptions&)>& test) {
    report::TestedPairs found;
    found.options = options.test;
    found.adjustment = chosen<Adjustment>("adjust", adjustment);
    found.options.max_t = found.adjustment == Adjustment::max_t;
    found.equivalence = options.equivalence;
    run_watched(options.progress, [&](const Watch& watch) {
        const auto start = std::chrono::steady_clock::now();
        TestOptions completed = options.watched_by(watch);
        completed.max_t = found.options.max_t;
        found.results = test(completed);
        found.adjusted = adjusted_p(found.results, found.adjustment);
        found.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    });
    return {std::make_shared<const report::TestedPairs>(std::move(found))};
}

Cloud cloud_of(const Array& array) {
    return {array.name, array.rows, array.owner, array.origin};
}

void add_clouds(nb::module_& module) {
    nb::class_<Array>(module, "Array").def_ro("name", &Array::name).def_prop_ro("on_gpu", [](const Array& array) {
        return array.rows.on_device;
    });
    module.def("array", array_of, nb::arg("array"), nb::arg("name"), nb::arg("origin"), nb::arg("bf16"),
               nb::arg("labels").none());
    nb::class_<Options>(module, "Options");
    module.def("options", options_of, nb::arg("alternative"), nb::arg("permutations"), nb::arg("align"),
               nb::arg("statistic"), nb::arg("seed"), nb::arg("adaptive"), nb::arg("confidence"),
               nb::arg("null_distribution"), nb::arg("tail_estimate"), nb::arg("equivalence").none(), nb::arg("device"),
               nb::arg("threads"), nb::arg("instruction_set"), nb::arg("progress").none());
    module.def("test", test_arrays, nb::arg("x"), nb::arg("y"), nb::arg("options"));
    module.def("breadth", breadth_of_array);
    nb::class_<CloudSource>(module, "CloudSource")
        .def(nb::init<const std::string&, const std::string&>(), nb::arg(), nb::arg() = "")
        .def_prop_ro("names", &CloudSource::names);
    module.def("pairs", pairs_of_arrays, nb::arg("arrays"), nb::arg("pairs"), nb::arg("adjust"), nb::arg("options"),
               nb::arg("in_session") = false);
    module.def("pairs_of_source", pairs_of_source);
    module.def("sampled_rows", [](const std::string& name, const std::string& origin, std::size_t rows,
                                  std::size_t size, std::uint64_t seed) {
        return rows_of_cut(name, origin, rows, {size, seed});
    });
    module.def("pairs_in_part", [](const std::string& clouds, const std::string& layer, std::size_t common_size,
                                   const std::string& adjustment, const Options& options, std::uint64_t number,
                                   std::uint64_t of, const std::string& folder) {
        return pairs_in_part(clouds, layer, common_size, adjustment, options, {number, of}, folder);
    });
    module.def("has_pair_parts", has_pair_parts);
    module.def("merged_pairs", merged_pairs);
    module.def("suggestion", report::suggestion);
    module.def("devices", [] { return watched(nb::none(), [](const Watch&) { return devices(); }); });
    module.def("adjust", [](nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu> p,
                            const std::string& method) {
        auto adjusted =
            std::make_unique<std::vector<double>>(adjust({p.data(), p.shape(0)}, chosen<Adjustment>("method", method)));
        std::vector<double>* const values = adjusted.get();
        const nb::capsule owner(adjusted.release(), [](void* kept) noexcept {
            delete static_cast<std::vector<double>*>(kept);  // NOLINT(cppcoreguidelines-owning-memory)
        });
        return nb::ndarray<nb::numpy, double, nb::ndim<1>>(values->data(), {values->size()}, owner);
    });
}

}  // namespace wordbreadth::python
