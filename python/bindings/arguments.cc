#include "bindings/arguments.h"

#include <nanobind/stl/string.h>

#include "report/results.h"

namespace nb = nanobind;

namespace wordbreadth::python {
namespace {

std::string shown(nb::handle value) {
    return nb::repr(value).c_str();
}

[[noreturn]] void reject(const char* name, nb::handle value, const std::string& expected) {
    throw nb::value_error((std::string(name) + " = " + shown(value) + "; expected " + expected).c_str());
}

[[noreturn]] void reject_type(const char* name, nb::handle value, const std::string& expected) {
    throw nb::type_error((std::string(name) + " = " + shown(value) + "; expected " + expected).c_str());
}

// numpy's integers count, booleans and real numbers do not.
std::uint64_t whole_of(const char* name, nb::handle value, std::uint64_t most) {
    const std::string expected = "a whole number from 0 to " + std::to_string(most);
    if (PyBool_Check(value.ptr())) reject_type(name, value, expected);
    const nb::object number = nb::steal(PyNumber_Index(value.ptr()));
    if (!number.is_valid()) {
        PyErr_Clear();
        reject_type(name, value, expected);
    }
    const std::uint64_t found = PyLong_AsUnsignedLongLong(number.ptr());
    const bool too_large = PyErr_Occurred() != nullptr;
    PyErr_Clear();
    if (too_large || found > most) reject(name, value, expected);
    return found;
}

double real_of(const char* name, nb::handle value) {
    const double found = PyFloat_AsDouble(value.ptr());
    if (PyErr_Occurred() == nullptr) return found;
    PyErr_Clear();
    reject_type(name, value, "a number");
}

// os.PathLike is text, too.
std::string text_of(const char* name, nb::handle value) {
    const nb::object text = nb::steal(PyOS_FSPath(value.ptr()));
    if (text.is_valid() && PyUnicode_Check(text.ptr()) != 0) return nb::cast<std::string>(text);
    PyErr_Clear();
    reject_type(name, value, "text");
}

bool is_one(nb::handle value) {
    return PyUnicode_Check(value.ptr()) != 0 || nb::hasattr(value, "__fspath__") || !nb::hasattr(value, "__iter__");
}

template <class Value, class Read>
void read_each(nb::handle value, std::vector<Value>& values, const Read& read_one) {
    values.clear();
    if (is_one(value)) {
        values.push_back(read_one(value));
        return;
    }
    for (const nb::handle each : nb::iter(value)) values.push_back(read_one(each));
}

}  // namespace

bool Arguments::has(const char* name) const {
    return given_.contains(name) && !nb::object(given_[name]).is_none();
}

void Arguments::read(const char* name, bool& value) const {
    if (!has(name)) return;
    const int found = PyObject_IsTrue(nb::object(given_[name]).ptr());
    if (found < 0) throw nb::python_error();
    value = found == 1;
}

void Arguments::read(const char* name, double& value) const {
    if (has(name)) value = real_of(name, nb::object(given_[name]));
}

void Arguments::read(const char* name, std::string& value) const {
    if (has(name)) value = text_of(name, nb::object(given_[name]));
}

void Arguments::read(const char* name, std::vector<std::string>& value) const {
    if (has(name)) read_each(nb::object(given_[name]), value, [&](nb::handle each) { return text_of(name, each); });
}

void Arguments::read(const char* name, std::vector<double>& value) const {
    if (has(name)) read_each(nb::object(given_[name]), value, [&](nb::handle each) { return real_of(name, each); });
}

void Arguments::read(const char* name, std::vector<std::size_t>& value) const {
    if (has(name))
        read_each(nb::object(given_[name]), value,
                  [&](nb::handle each) { return whole_of(name, each, std::numeric_limits<std::size_t>::max()); });
}

void Arguments::read_either(const char* name, const char* if_true, const char* if_false, bool& value) const {
    std::string text;
    read(name, text);
    if (text.empty()) return;
    if (text != if_true && text != if_false) reject_name(name, text, {if_true, if_false});
    value = text == if_true;
}

void Arguments::read(Execution& execution) const {
    read("device", execution.device);
    read("threads", execution.threads);
    read("instruction_set", execution.instruction_set);
}

std::optional<std::uint64_t> Arguments::whole(const char* name, std::uint64_t most) const {
    if (!has(name)) return std::nullopt;
    return whole_of(name, nb::object(given_[name]), most);
}

void Arguments::reject_name(const char* name, const std::string& text, const std::vector<std::string>& known) {
    std::string all;
    for (std::size_t i = 0; i < known.size(); ++i)
        all += (i == 0 ? "'" : i + 1 == known.size() ? " or '" : ", '") + known[i] + "'";
    reject(name, nb::cast(text), all + report::suggestion(text, known));
}

std::vector<LayerRange> read_layers(const Arguments& arguments) {
    if (!arguments.has("layers")) return {};
    std::string text;
    arguments.read("layers", text);
    if (auto layers = layers_in(text)) return *std::move(layers);
    reject("layer", nb::cast(text), "a layer such as 4, a range such as (2, 4), or several as in [2, 4, 6]");
}

void read(const Arguments& arguments, TestOptions& options) {
    arguments.read("align", options.align);
    arguments.read("statistic", options.statistic);
    if (arguments.has("blocks")) {
        bool documents = true;
        arguments.read_blocks("blocks", documents);
        if (arguments.has("statistic"))
            throw nb::value_error("expected statistic or blocks, not both: blocks='none' is statistic='plain'");
        options.statistic = documents ? Statistic::blocks : Statistic::plain;
    }
    arguments.read("permutations", options.permutations);
    arguments.read("seed", options.seed);
    arguments.read("adaptive", options.adaptive);
    arguments.read("confidence", options.confidence);
    arguments.read("tail_estimate", options.tail_estimate);
    arguments.read(options.execution);
}

}  // namespace wordbreadth::python
