// Stores: reading, describing, exporting and writing them.
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

#include "bindings/bindings.h"
#include "bindings/studies.h"
#include "wordbreadth/write.h"

namespace nb = nanobind;

namespace wordbreadth::python {
namespace {

using report::Cells;
using report::Value;

std::vector<std::string> names_of_words(const StoreHandle& handle) {
    const nb::gil_scoped_release released;  // of many words, they are read for a second
    std::vector<std::string> names;
    for (const StoredWord& word : handle.open->store.words()) names.push_back(word.word);
    return names;
}

// -1 where the store has no such word.
std::ptrdiff_t place_of(const StoreHandle& handle, const std::string& word) {
    const nb::gil_scoped_release released;  // another thread may be reading from the store
    const auto found = handle.open->store.index_of(word);
    return found ? static_cast<std::ptrdiff_t>(*found) : -1;
}

// In the mapped file. `self`, which the array keeps, keeps the store.
nb::object rows_of(const nb::object& self, std::size_t index) {
    const SharedStore open = nb::cast<const StoreHandle&>(self).open;
    std::span<const float> rows;
    {
        const nb::gil_scoped_release released;
        rows = open->store.rows(index);
    }
    const std::size_t dimension = open->store.dimension();
    return nb::ndarray<nb::numpy, const float, nb::ndim<2>>(rows.data(), {rows.size() / dimension, dimension}, self)
        .cast();
}

// An array of its own.
nb::object array_of(std::vector<std::uint64_t> values) {
    auto* const kept = new std::vector<std::uint64_t>(std::move(values));
    const nb::capsule owner(kept, [](void* all) noexcept { delete static_cast<std::vector<std::uint64_t>*>(all); });
    return nb::ndarray<nb::numpy, std::uint64_t, nb::ndim<1>>(kept->data(), {kept->size()}, owner).cast();
}

nb::object documents_of(const StoreHandle& handle, std::size_t index) {
    std::vector<std::uint64_t> documents;
    {
        const nb::gil_scoped_release released;
        documents = handle.open->store.documents(index);
    }
    return documents.empty() ? nb::none() : array_of(std::move(documents));
}

// A table of a list that it keeps.
template <class Row>
KeptTable kept_table(std::string name, std::string caption, std::vector<Row> rows, report::Columns<Row> columns) {
    return {report::table_of<Row>(std::move(name), std::move(caption), std::move(rows), std::move(columns)), nullptr};
}

KeptTable words_table(const StoreHandle& handle) {
    namespace look = report::look;
    const std::vector<StoredWord>& words = handle.open->store.words();
    report::Columns<const StoredWord*> columns = {
        {"word", "word", look::subject, report::path(&StoredWord::word)},
        {"frequency", "frequency", look::count, report::path(&StoredWord::frequency), "occurrences in the corpus"},
        {"usable", "usable", look::count, report::path(&StoredWord::usable), "those that could have become rows"},
        {"rows", "rows", look::count, report::path(&StoredWord::rows), "of the cloud: a sample of the usable ones"},
        {"exact_copies", "in copies", look::count, report::path(&StoredWord::exact_copies),
         "occurrences in sentences that copy an earlier one"},
        {"near_copies", "in near copies", look::count, report::path(&StoredWord::near_copies),
         "occurrences in sentences that nearly copy an earlier one"}};
    std::vector<const StoredWord*> rows;
    for (const StoredWord& word : words) rows.push_back(&word);
    return {
        report::table_of<const StoredWord*>("words", "The words of the store.", std::move(rows), std::move(columns)),
        handle.open};
}

KeptTable occurrences_table(const StoreHandle& handle, std::size_t index) {
    namespace look = report::look;
    return kept_table<Occurrence>("occurrences", "Where the rows come from.",
                                  with_store(handle.open, [&](const Store& s) { return s.occurrences(index); }),
                                  {{"row", "row", look::count, &Occurrence::row},
                                   {"document", "document", look::name, &Occurrence::document},
                                   {"sentence", "sentence", look::count, &Occurrence::sentence, "its number"},
                                   {"text", "text", look::note, &Occurrence::text},
                                   {"start", "start", look::count, &Occurrence::start, "in characters of the text"},
                                   {"end", "end", look::count, &Occurrence::end, "in characters of the text"}});
}

KeptTable sources_table(const StoreHandle& handle) {
    namespace look = report::look;
    return kept_table<SourceFile>("sources", "The files of the corpus.",
                                  with_store(handle.open, [](const Store& s) { return s.sources(); }),
                                  {{"path", "path", look::name, &SourceFile::path},
                                   {"format", "format", look::name, &SourceFile::format},
                                   {"bytes", "bytes", look::count, &SourceFile::bytes}});
}

KeptTable skipped_table(const StoreHandle& handle) {
    namespace look = report::look;
    return kept_table<SkippedOccurrences>("skipped", "Occurrences that have no row.",
                                          with_store(handle.open, [](const Store& s) { return s.skipped(); }),
                                          {{"reason", "reason", look::note, &SkippedOccurrences::reason},
                                           {"count", "count", look::count, &SkippedOccurrences::count}});
}

KeptTable missing_table(const StoreHandle& handle) {
    namespace look = report::look;
    return kept_table<MissingWord>("missing", "Words that were asked for and have no cloud.",
                                   with_store(handle.open, [](const Store& s) { return s.missing(); }),
                                   {{"word", "word", look::subject, &MissingWord::word},
                                    {"frequency", "frequency", look::count, &MissingWord::frequency},
                                    {"usable", "usable", look::count, &MissingWord::usable},
                                    {"reason", "reason", look::note, &MissingWord::reason}});
}

nb::dict settings_of(const StoreHandle& handle) {
    nb::dict settings;
    for (const auto& [name, value] : with_store(handle.open, [](const Store& s) { return s.settings(); }))
        settings[python_text(name)] = python_text(value);
    return settings;
}

// Of a store that need not be finished.
StudyResult description_of(const std::string& folder) {
    std::shared_ptr<const StoreDescription> found;
    {
        const nb::gil_scoped_release released;
        found = std::make_shared<const StoreDescription>(describe_store(folder));
    }
    StudyResult result;
    result.tables = {{"most_frequent",
                      kept_table<StoredWord>("most_frequent", "The most frequent words.", found->most_frequent,
                                             {{"word", "word", report::look::subject, &StoredWord::word},
                                              {"frequency", "frequency", report::look::count, &StoredWord::frequency},
                                              {"rows", "rows", report::look::count, &StoredWord::rows}})}};
    result.facts = [found] {
        nb::dict facts;
        facts["finished"] = found->finished;
        facts["words"] = found->words;
        facts["rows"] = found->rows;
        facts["dimension"] = found->dimension;
        facts["bytes"] = found->bytes;
        facts["shards"] = found->shards;
        facts["finished_shards"] = found->finished_shards;
        facts["unusable_shards"] = found->unusable_shards;
        return facts;
    };
    result.text = [found](const report::Style& style, std::size_t) { return report::text_of(*found, style); };
    result.json = [found] { return report::json_of(*found); };
    return result;
}

void export_clouds(const StoreHandle& handle, std::vector<std::size_t> words, const std::string& path,
                   const nb::object& progress) {
    std::ranges::sort(words);
    words.erase(std::unique(words.begin(), words.end()), words.end());
    const SharedStore open = handle.open;
    (void)with_stores({open}, progress, [&](const Watch& watch) {
        write_clouds(open->store, words, path, watched_by({}, watch));
        return true;
    });
}

// ---- Writing a store

using FloatRows = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Place = std::tuple<std::string, std::string, std::uint64_t, std::uint64_t>;  // document, text, start, end
using NamedRows = std::tuple<std::string, std::uint64_t, FloatRows, std::vector<Place>>;

WordRows rows_of_word(NamedRows& given) {
    auto& [word, frequency, array, places] = given;
    WordRows rows{std::move(word), frequency, {array.data(), array.data() + array.size()}, {}};
    for (auto& [document, text, start, end] : places)
        rows.occurrences.push_back({0, std::move(document), 0, std::move(text), start, end});
    return rows;
}

void create_store(const std::string& folder, std::size_t dimension, std::vector<NamedRows> words,
                  const Settings& settings) {
    std::vector<WordRows> all;
    for (NamedRows& word : words) all.push_back(rows_of_word(word));
    run_watched(nb::none(), [&](const Watch& watch) {
        write_store(folder, dimension, std::move(all), settings, watched_by({}, watch));
    });
}

}  // namespace

void add_stores(nb::module_& module) {
    nb::class_<StoreHandle>(module, "Store")
        .def("__init__",
             [](StoreHandle* handle, const std::string& folder, const std::string& layer) {
                 SharedStore open;
                 {
                     const nb::gil_scoped_release released;
                     open = std::make_shared<OpenStore>(folder, layer);
                 }
                 new (handle) StoreHandle{std::move(open)};
             })
        .def_prop_ro("folder", [](const StoreHandle& handle) { return python_text(handle.open->store.folder()); })
        .def_prop_ro("dimension", [](const StoreHandle& handle) { return handle.open->store.dimension(); })
        .def_prop_ro("layer", [](const StoreHandle& handle) { return python_text(handle.open->store.layer()); })
        .def_prop_ro("layers", [](const StoreHandle& handle) { return handle.open->store.layers(); })
        .def("__len__", [](const StoreHandle& handle) { return handle.open->store.size(); })
        .def("names", names_of_words)
        .def("find", place_of)
        .def("why_missing",
             [](const StoreHandle& handle, const std::string& word) {
                 return python_text(with_store(handle.open, [&](const Store& s) { return s.why_missing(word); }));
             })
        .def("rows", rows_of)
        .def("documents", documents_of)
        .def("words", words_table)
        .def("occurrences", occurrences_table)
        .def("settings", settings_of)
        .def("sources", sources_table)
        .def("skipped", skipped_table)
        .def("missing", missing_table)
        .def("export", export_clouds, nb::arg(), nb::arg(), nb::arg().none());
    module.def("describe_store", description_of);
    module.def("is_store", is_store);
    module.def("create_store", create_store);
}

}  // namespace wordbreadth::python
