// StudyResult: tables, plain values, text, JSON and the page of any result.
#include "bindings/studies.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <nlohmann/json.hpp>

#include "bindings/bindings.h"
#include "wordbreadth/version.h"

namespace nb = nanobind;

namespace wordbreadth::python {
namespace {

nb::list table_names(const StudyResult& result) {
    nb::list names;
    for (const auto& [name, table] : result.tables) names.append(python_text(name));
    return names;
}

KeptTable table_named(const StudyResult& result, const std::string& name) {
    for (const auto& [known, table] : result.tables)
        if (known == name) return table;
    throw nb::key_error(name.c_str());
}

nb::str text_of(const StudyResult& result, std::size_t width, std::size_t ends) {
    std::string text;
    {
        const nb::gil_scoped_release released;
        text = result.text({false, width}, ends);
    }
    return python_text(text);
}

report::Json json_of(const StudyResult& result) {
    const nb::gil_scoped_release released;
    return result.json();
}

// `again`: the lines of Python that make the page. A page of the program has a record for `wordbreadth verify` instead,
// which runs command lines; this one names the hashes of what was read.
nb::str page_of(const StudyResult& result, const std::string& again, const nb::object& progress) {
    const std::string html = with_stores(result.stores, progress, [&](const Watch& watch) {
        report::Page page = result.page(watch);
        for (const SharedStore& store : result.stores) {
            const std::string& folder = store->store.folder();
            page.settings.push_back({"sha256 of " + folder, identify_input(folder, watch.stop).sha256});
        }
        page.settings.push_back({"wordbreadth", std::string(version()) + ", from Python"});
        page.settings.push_back(
            {"to verify", "run the lines below, and compare the hashes: this page has no record of a command line"});
        page.command = again;
        return report::html_of(page);
    });
    return python_text(html);
}

}  // namespace

void add_studies(nb::module_& module) {
    nb::class_<StudyResult>(module, "StudyResult")
        .def("tables", table_names)
        .def("table", table_named)
        .def("facts", [](const StudyResult& result) { return result.facts(); })
        .def("text", text_of)
        .def("json", [](const StudyResult& result) { return python_of(json_of(result)); })
        .def("json_text", [](const StudyResult& result) { return python_text(report::text_of(json_of(result))); })
        .def_prop_ro("has_page", [](const StudyResult& result) { return static_cast<bool>(result.page); })
        .def_prop_ro(
            "svg",
            [](const StudyResult& result) { return result.svg ? nb::object(python_text(result.svg())) : nb::none(); })
        .def("write_folder",
             [](const StudyResult& result, const std::string& path, const std::string& again) {
                 (void)with_stores(result.stores, nb::none(), [&](const Watch&) {
                     result.folder(path, again);
                     return true;
                 });
             })
        .def("page", page_of, nb::arg(), nb::arg().none());
}

}  // namespace wordbreadth::python
