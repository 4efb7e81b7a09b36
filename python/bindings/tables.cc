#include "bindings/tables.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "bindings/bindings.h"
#include "report/page/page.h"

namespace nb = nanobind;

namespace wordbreadth::python {
namespace {

using report::Value;

nb::object number_or_none(double value) {
    return std::isfinite(value) ? nb::object(nb::float_(value)) : nb::none();
}

nb::object python_of(const Value& value) {
    switch (value.kind) {
        case Value::Kind::text:
            return python_text(value.text);
        case Value::Kind::count:
            return nb::int_(value.count);
        case Value::Kind::real:
            return number_or_none(value.real);
        case Value::Kind::truth:
            return nb::bool_(value.count != 0);
        case Value::Kind::rate:
            return number_or_none(value.rate.value);
        case Value::Kind::list: {
            nb::list texts;
            for (const std::string& text : value.list) texts.append(python_text(text));
            return texts;
        }
        default:
            return nb::none();
    }
}

// What people read about a column stands in the one of the same key that they see.
nb::list descriptions(const KeptTable& kept) {
    const report::Table& table = kept.table();
    nb::list described;
    for (const report::Column& column : table.columns) {
        if (!column.is_in(report::in::tsv)) continue;
        const auto about = [&](std::string report::Column::*member) {
            if (!(column.*member).empty()) return column.*member;
            for (const report::Column& other : table.columns)
                if (other.key == column.key && !(other.*member).empty()) return other.*member;
            return std::string();
        };
        const std::string heading = about(&report::Column::heading), help = about(&report::Column::help);
        const bool is_rate = column.look.kind == report::Look::Kind::rate;
        described.append(nb::make_tuple(column.key, heading, help));
        if (!is_rate) continue;
        described.append(nb::make_tuple(column.key + "_low", heading + ", from", "low end of its interval"));
        described.append(nb::make_tuple(column.key + "_high", heading + ", to", "high end of its interval"));
    }
    return described;
}

nb::dict row_of(const KeptTable& kept, std::size_t index) {
    const report::Table& table = kept.table();
    if (index >= table.size) throw nb::index_error("row out of range");
    const report::Cells cells = table.row(index);
    nb::dict row;
    for (std::size_t c = 0; c < cells.size(); ++c) {
        const report::Column& column = table.columns[c];
        if (!column.is_in(report::in::tsv)) continue;
        row[python_text(column.key)] = python_of(cells[c]);
        if (column.look.kind != report::Look::Kind::rate) continue;
        row[python_text(column.key + "_low")] = number_or_none(cells[c].rate.low);
        row[python_text(column.key + "_high")] = number_or_none(cells[c].rate.high);
    }
    return row;
}

// A view that keeps the columns; nobody may write into what others share.
template <class Element>
nb::object view(const void* data, std::size_t size, const SharedColumns& columns) {
    nb::capsule owner(new SharedColumns(columns),
                      [](void* kept) noexcept { delete static_cast<SharedColumns*>(kept); });
    return nb::ndarray<nb::numpy, const Element, nb::ndim<1>>(static_cast<const Element*>(data), {size}, owner).cast();
}

nb::list texts_of(const Column& column) {
    nb::list texts;
    for (std::size_t i = 0; i < column.size(); ++i)
        texts.append(column.is_present(i) ? nb::object(python_text(column.text(i))) : nb::none());
    return texts;
}

nb::list lists_of(const Column& column) {
    nb::list lists;
    for (std::size_t i = 0; i < column.size(); ++i) {
        nb::list texts;
        for (auto k = column.lists()[i]; k < column.lists()[i + 1]; ++k)
            texts.append(python_text(column.text(static_cast<std::size_t>(k))));
        lists.append(column.is_present(i) ? nb::object(texts) : nb::none());
    }
    return lists;
}

nb::list counts_of(const Column& column) {
    const bool truths = column.kind() == Column::Kind::truth;
    nb::list counts;
    for (std::size_t i = 0; i < column.size(); ++i) {
        if (!column.is_present(i))
            counts.append(nb::none());
        else
            counts.append(truths ? nb::object(nb::bool_(column.counts()[i] != 0)) : nb::int_(column.counts()[i]));
    }
    return counts;
}

const Column& named(const std::vector<Column>& columns, const std::string& key) {
    const auto found = std::ranges::find(columns, key, &Column::key);
    if (found == columns.end()) throw nb::key_error(key.c_str());
    return *found;
}

// An array where all values are there, or are numbers that can be NaN; otherwise a list with None.
nb::object values_of(const KeptTable& kept, const std::string& key) {
    const SharedColumns columns = kept.columns();
    const Column& column = named(*columns, key);
    switch (column.kind()) {
        case Column::Kind::text:
            return texts_of(column);
        case Column::Kind::list:
            return lists_of(column);
        case Column::Kind::real:
            return view<double>(column.reals().data(), column.size(), columns);
        case Column::Kind::count:
            if (column.missing() > 0) return counts_of(column);
            return column.has_large_counts() ? view<std::uint64_t>(column.counts().data(), column.size(), columns)
                                             : view<std::int64_t>(column.counts().data(), column.size(), columns);
        case Column::Kind::truth:
            return counts_of(column);
        default:
            nb::list missing;
            for (std::size_t i = 0; i < column.size(); ++i) missing.append(nb::none());
            return missing;
    }
}

const char* type_of(const KeptTable& kept, const std::string& key) {
    const SharedColumns columns = kept.columns();
    switch (named(*columns, key).kind()) {
        case Column::Kind::text:
            return "text";
        case Column::Kind::list:
            return "list";
        case Column::Kind::real:
            return "real";
        case Column::Kind::count:
            return "count";
        case Column::Kind::truth:
            return "truth";
        default:
            return "nothing";
    }
}

KeptTable some_rows(const KeptTable& kept, std::vector<std::size_t> rows) {
    if (std::ranges::any_of(rows, [&](std::size_t row) { return row >= kept.table().size; }))
        throw nb::index_error("row out of range");
    return {report::rows_of(kept.table(), std::move(rows)), kept.owner()};
}

bool has_columns_in(const report::Table& table, unsigned rendering) {
    return std::ranges::any_of(table.columns, [&](const report::Column& c) { return c.is_in(rendering); });
}

// Where no column is for people, those for programs are shown.
report::Table shown_to_people(const report::Table& table, unsigned rendering) {
    if (has_columns_in(table, rendering)) return table;
    report::Table shown = table;
    for (report::Column& column : shown.columns) {
        column.heading = column.key;
        column.look = report::look::digits(4);
    }
    return shown;
}

std::string text_of(const KeptTable& kept, std::size_t width, std::size_t ends) {
    const report::Table& table = kept.table();
    return report::text_of(shown_to_people(table, report::in::text), {false, width},
                           report::both_ends(table.size, ends));
}

std::string html_of(const KeptTable& kept, std::size_t ends) {
    const report::Table shown = shown_to_people(kept.table(), report::in::page);
    return report::html_of(report::DataTable{report::rows_of(shown, report::both_ends(shown.size, ends))});
}

// Text that takes long to make, without the GIL.
template <class Make>
nb::str made_without_gil(const Make& make) {
    std::string text;
    {
        const nb::gil_scoped_release released;
        text = make();
    }
    return python_text(text);
}

}  // namespace

SharedColumns KeptTable::columns() const {
    const nb::gil_scoped_release released;
    const std::lock_guard lock(kept_->mutex);
    if (!kept_->columns) kept_->columns = std::make_shared<const std::vector<Column>>(columns_of(kept_->table));
    return kept_->columns;
}

nb::str python_text(std::string_view text) {
    PyObject* const made = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
    if (made == nullptr) throw nb::python_error();
    return nb::steal<nb::str>(made);
}

nb::object python_of(const report::Json& json) {
    switch (json.type()) {
        case report::Json::value_t::object: {
            nb::dict object;
            for (const auto& [key, value] : json.items()) object[python_text(key)] = python_of(value);
            return object;
        }
        case report::Json::value_t::array: {
            nb::list list;
            for (const report::Json& value : json) list.append(python_of(value));
            return list;
        }
        case report::Json::value_t::string:
            return python_text(json.get_ref<const std::string&>());
        case report::Json::value_t::boolean:
            return nb::bool_(json.get<bool>());
        case report::Json::value_t::number_unsigned:
            return nb::int_(json.get<std::uint64_t>());
        case report::Json::value_t::number_integer:
            return nb::int_(json.get<std::int64_t>());
        case report::Json::value_t::number_float:
            return nb::float_(json.get<double>());
        default:
            return nb::none();
    }
}

void add_tables(nb::module_& module) {
    nb::class_<KeptTable>(module, "Table")
        .def_prop_ro("name", [](const KeptTable& kept) { return python_text(kept.table().name); })
        .def_prop_ro("caption", [](const KeptTable& kept) { return python_text(kept.table().caption); })
        .def("__len__", [](const KeptTable& kept) { return kept.table().size; })
        .def("columns", descriptions)
        .def("row", row_of)
        .def("rows", some_rows)
        .def("values", values_of)
        .def("type", type_of)
        .def("arrow_stream", [](const KeptTable& kept) { return arrow_stream(kept.columns()); })
        .def("tsv",
             [](const KeptTable& kept) { return made_without_gil([&] { return report::tsv_of(kept.table()); }); })
        .def("json",
             [](const KeptTable& kept) {
                 return made_without_gil([&] { return report::text_of(report::json_of(kept.table())); });
             })
        .def("text", [](const KeptTable& kept, std::size_t width,
                        std::size_t ends) { return made_without_gil([&] { return text_of(kept, width, ends); }); })
        .def("html", [](const KeptTable& kept, std::size_t ends) {
            return made_without_gil([&] { return html_of(kept, ends); });
        });
}

}  // namespace wordbreadth::python
