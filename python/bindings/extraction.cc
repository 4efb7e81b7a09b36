// extract: a store from a corpus and a model.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <mutex>
#include <nlohmann/json.hpp>

#include "bindings/arguments.h"
#include "bindings/bindings.h"
#include "bindings/calls.h"
#include "bindings/tables.h"
#include "report/parts_of_job.h"
#include "report/results.h"
#include "wordbreadth/error.h"
#include "wordbreadth/extract.h"
#include "wordbreadth/parts.h"

namespace nb = nanobind;

namespace wordbreadth::python {
namespace {

// layers=4 or layers=(2, 4).
void read_layers(const Arguments& arguments, std::optional<LayerRange>& layers) {
    std::vector<std::size_t> given;
    arguments.read("layers", given);
    if (given.empty()) return;
    if (given.size() > 2 || given.front() > given.back())
        throw nb::value_error(
            "layers: expected a layer, such as 4, or the first and the last of a range, such as (2, 4)");
    layers = {given.front(), given.back()};
}

ExtractOptions extract_options(const Arguments& arguments) {
    ExtractOptions options;
    arguments.read("model", options.model);
    arguments.read("corpus", options.corpus);
    arguments.read("out", options.out);
    arguments.read("corpus_format", options.corpus_format);
    arguments.read("encoding", options.encoding);
    arguments.read("invalid", options.invalid);
    arguments.read("lemma", options.by_lemma);
    arguments.read("pos", options.parts_of_speech);
    arguments.read("mecab_dictionary", options.mecab_dictionary);
    arguments.read("words", options.words);
    arguments.read("min_count", options.min_count);
    arguments.read("per_word", options.per_word);
    arguments.read("per_document", options.per_document);
    arguments.read("sample", options.sample);
    arguments.read("deduplicate", options.deduplicate);
    read_layers(arguments, options.layers);
    arguments.read("subwords", options.subwords);
    arguments.read("unit", options.unit);
    arguments.read("case", options.letter_case);
    arguments.read("max_tokens", options.max_tokens);
    arguments.read("precision", options.precision);
    arguments.read("seed", options.seed);
    arguments.read("shard_tokens", options.shard_tokens);
    arguments.read("device", options.device);
    arguments.read("threads", options.threads);
    arguments.read("resume", options.resume);
    arguments.read("stated", options.stated);
    arguments.read("plan_only", options.plan_only);
    return options;
}

const char* name_of_stage(ExtractProgress::Stage stage) {
    using enum ExtractProgress::Stage;
    return stage == reading      ? "reading"
           : stage == collecting ? "collecting"
           : stage == embedding  ? "embedding"
                                 : "joining";
}

// The last report, which the thread that extracts writes and the one that waits reads.
class Latest {
  public:
    void set(const ExtractProgress& now) {
        const std::lock_guard lock(mutex_);
        now_ = now;
    }
    [[nodiscard]] ExtractProgress get() const {
        const std::lock_guard lock(mutex_);
        return now_;
    }

  private:
    mutable std::mutex mutex_;
    ExtractProgress now_;
};

// Runs `work` with options that are watched. `progress`: takes the stage, the share of it that is done, and how many
// words, rows or tokens that is.
template <class Work>
auto watched_extraction(const ExtractOptions& options, const nb::object& progress, const Work& work) {
    Latest latest;
    nb::object forward = nb::none();
    if (!progress.is_none())
        forward = nb::cpp_function([&latest, progress](double) {
            const ExtractProgress now = latest.get();
            progress(name_of_stage(now.stage), now.done, now.units);
        });
    return watched(forward, [&](const Watch& watch) {
        ExtractOptions completed = options;
        completed.stop = watch.stop;
        if (watch.progress)
            completed.progress = [&](const ExtractProgress& now) {
                latest.set(now);
                watch.progress(static_cast<double>(now.stage) + now.done);
            };
        return work(completed);
    });
}

nb::tuple python_extract(const nb::dict& given, const nb::object& progress) {
    const ExtractOptions options = extract_options(Arguments(given));
    const ExtractSummary summary =
        watched_extraction(options, progress, [](const ExtractOptions& completed) { return extract(completed); });
    return nb::make_tuple(python_of(report::Json::parse(report::extraction_json(summary, options.out))),
                          python_text(report::extraction_text(summary, options.out, {})), summary.finished);
}

nb::tuple python_extract_part(const nb::dict& given, const nb::object& progress, std::uint64_t number,
                              std::uint64_t of) {
    const ExtractOptions options = extract_options(Arguments(given));
    const PartSummary summary = watched_extraction(options, progress, [&](const ExtractOptions& completed) {
        return extract_part(completed, {number, of});
    });
    return nb::make_tuple(python_of(report::Json::parse(report::part_json(summary, options.out))),
                          python_text(report::part_text(summary, options.out, {})));
}

nb::tuple python_merge(const std::string& folder, unsigned threads) {
    if (!can_merge_store(folder))
        throw InputError(folder + ": holds nothing to merge; expected a store, or a folder with parts of a plan");
    const MergeSummary summary = watched(nb::none(), [&](const Watch& watch) {
        Execution execution;
        execution.threads = threads;
        execution.stop = watch.stop;
        return merge_store(folder, execution);
    });
    return nb::make_tuple(python_of(report::Json::parse(report::merge_json(summary, folder))),
                          python_text(report::merge_text(summary, folder, {})),
                          summary.made == MergeSummary::Made::clouds);
}

// wordbreadth.ResumableError, which has the folder of the store.
void translate_resumable() {
    nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
        try {
            std::rethrow_exception(thrown);
        } catch (const Resumable& error) {
            const nb::object type = nb::module_::import_("wordbreadth._errors").attr("ResumableError");
            PyErr_SetObject(type.ptr(), type(python_text(error.what()), python_text(error.folder())).ptr());
        }
    });
}

}  // namespace

void add_extraction(nb::module_& module) {
    translate_resumable();
    module.def("extract", python_extract, nb::arg(), nb::arg().none());
    module.def("extract_part", python_extract_part, nb::arg(), nb::arg().none(), nb::arg(), nb::arg());
    module.def("merge", python_merge);
}

}  // namespace wordbreadth::python
