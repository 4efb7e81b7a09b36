// Stores, and what studies find in them, as Python sees them.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "bindings/arguments.h"
#include "bindings/calls.h"
#include "bindings/tables.h"
#include "report/layer_study.h"
#include "report/results.h"
#include "wordbreadth/store.h"
#include "wordbreadth/word_study.h"

namespace wordbreadth::python {

// A store that several threads of Python may use: what reads its database takes the mutex, without the GIL.
struct OpenStore {
    OpenStore(const std::string& folder, const std::string& layer) : store(folder, layer) {}

    const Store store;
    std::mutex mutex;
};
using SharedStore = std::shared_ptr<OpenStore>;

// What Python holds; views of its rows keep that.
struct StoreHandle {
    SharedStore open;
};

// Runs `work`, watched, while no other call uses these stores, which may be the same one.
template <class Work>
[[nodiscard]] auto with_stores(const std::vector<SharedStore>& stores, const nanobind::object& progress,
                               const Work& work) {
    std::vector<OpenStore*> places;
    for (const SharedStore& store : stores) places.push_back(store.get());
    std::ranges::sort(places);  // every call in the same order: none waits for another in a circle
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return watched(progress, [&](const Watch& watch) {
        std::vector<std::unique_lock<std::mutex>> locks;
        for (OpenStore* const store : places) locks.emplace_back(store->mutex);
        return work(watch);
    });
}

// The same for what takes no time: without progress, on the thread that calls.
template <class Work>
[[nodiscard]] auto with_store(const SharedStore& store, const Work& work) {
    const nanobind::gil_scoped_release released;
    const std::lock_guard lock(store->mutex);
    return work(store->store);
}

[[nodiscard]] inline Execution watched_by(Execution execution, const Watch& watch) {
    execution.progress = watch.progress;
    execution.stop = watch.stop;
    return execution;
}

[[nodiscard]] inline Execution& execution_of(WordStudyOptions& options) {
    return options.test.execution;
}
template <class Options>
[[nodiscard]] Execution& execution_of(Options& options) {
    return options.execution;
}

// What `study` finds with these options, watched. The result keeps the options as they were: what watched is gone.
template <class Options, class Study>
[[nodiscard]] auto watched_study(const std::vector<SharedStore>& stores, const nanobind::object& progress,
                                 const Options& options, const Study& study) {
    return with_stores(stores, progress, [&](const Watch& watch) {
        Options completed = options;
        const Execution before = execution_of(completed);
        execution_of(completed) = watched_by(before, watch);
        auto found = study(std::as_const(completed));
        execution_of(found.options) = before;
        return std::make_shared<const decltype(found)>(std::move(found));
    });
}

// A result, whatever study it is of. The functions keep what they refer to.
struct StudyResult {
    std::vector<std::pair<std::string, KeptTable>> tables;  // by name; the first is the result's own
    std::function<nanobind::dict()> facts;                  // its plain values
    std::function<std::string(const report::Style& style, std::size_t ends)> text;
    std::function<report::Json()> json;
    std::function<report::Page(const Watch& watch)> page;  // empty: it has none
    std::vector<SharedStore> stores;                       // that the page reads
    std::function<std::string()> svg;                      // its figure; empty: it has none
    // Writes all of it to a folder, with the lines of Python that do so; empty: it does not go there.
    std::function<void(const std::string& path, const std::string& again)> folder;
};

// How a result of one store is shown: as text, JSON and a page that says where the store is from.
template <class Found>
void show(StudyResult& result, const SharedStore& open, const std::shared_ptr<const Found>& found) {
    result.text = [found](const report::Style& style, std::size_t) { return report::text_of(*found, style); };
    result.json = [found] { return report::json_of(*found); };
    result.page = [found, open](const Watch&) {
        report::Page page = report::page_of(*found);
        report::add_origin(page, open->store);
        return page;
    };
    result.stores = {open};
}

// Words and why they are not in a result: anything with a word and a reason.
template <class Words>
[[nodiscard]] KeptTable reasons_table(std::string name, const Words& words) {
    std::vector<report::Cells> rows;
    for (const auto& each : words) rows.push_back({report::Value(each.word), report::text_or_missing(each.reason)});
    return {report::table_of(std::move(name), "",
                             {{"word", "word", report::look::subject}, {"reason", "reason", report::look::note}},
                             std::move(rows)),
            nullptr};
}

}  // namespace wordbreadth::python
