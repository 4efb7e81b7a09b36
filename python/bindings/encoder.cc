// The encoder: texts to vectors.
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <mutex>

#include "bindings/arguments.h"
#include "bindings/bindings.h"
#include "bindings/calls.h"
#include "bindings/tables.h"
#include "wordbreadth/encode.h"

namespace nb = nanobind;

namespace wordbreadth::python {
namespace {

// One call at a time, whichever thread of Python it comes from.
struct EncoderHandle {
    explicit EncoderHandle(const EncoderOptions& options) : encoder(options) {}

    Encoder encoder;
    std::mutex mutex;
};

EncoderOptions encoder_options(const Arguments& arguments) {
    EncoderOptions options;
    arguments.read("model", options.model);
    arguments.read("mecab_dictionary", options.mecab_dictionary);
    options.layers = read_layers(arguments);
    arguments.read("max_tokens", options.max_tokens);
    arguments.read("precision", options.precision);
    arguments.read("device", options.device);
    arguments.read("instruction_set", options.instruction_set);
    arguments.read("threads", options.threads);
    return options;
}

// An array that owns its values.
template <class Element, std::size_t Axes>
nb::object array_of(std::vector<Element> values, const std::size_t (&shape)[Axes]) {
    auto* const kept = new std::vector<Element>(std::move(values));
    const nb::capsule owner(kept, [](void* all) noexcept { delete static_cast<std::vector<Element>*>(all); });
    return nb::ndarray<nb::numpy, Element, nb::ndim<Axes>>(kept->data(), Axes, shape, owner).cast();
}

template <class Work>
auto encoded(EncoderHandle& handle, const nb::object& progress, const Work& work) {
    return watched(progress, [&](const Watch& watch) {
        const std::lock_guard lock(handle.mutex);
        return work(handle.encoder, EncodeControl{watch.progress, watch.stop});
    });
}

// (rows, dimension); of several layers (rows, layers, dimension).
nb::object vectors_of(const Encoder& encoder, std::vector<float> values, std::size_t rows) {
    const std::size_t layers = encoder.layers().size();
    if (layers == 1) return array_of<float, 2>(std::move(values), {rows, encoder.dimension()});
    return array_of<float, 3>(std::move(values), {rows, layers, encoder.dimension()});
}

nb::object pooled(EncoderHandle& handle, const std::vector<std::string>& texts, const nb::object& progress) {
    std::vector<float> rows = encoded(handle, progress, [&](const Encoder& encoder, const EncodeControl& control) {
        return encoder.encode_pooled(texts, control);
    });
    return vectors_of(handle.encoder, std::move(rows), texts.size());
}

nb::list tokens(EncoderHandle& handle, const std::vector<std::string>& texts, const nb::object& progress) {
    std::vector<EncodedText> found =
        encoded(handle, progress,
                [&](const Encoder& encoder, const EncodeControl& control) { return encoder.encode(texts, control); });
    nb::list all;
    for (EncodedText& text : found) {
        const std::size_t number = text.ids.size();
        std::vector<std::int64_t> offsets;
        for (const TextSpan& span : text.characters) {
            offsets.push_back(static_cast<std::int64_t>(span.begin));
            offsets.push_back(static_cast<std::int64_t>(span.end));
        }
        all.append(nb::make_tuple(vectors_of(handle.encoder, std::move(text.vectors), number),
                                  array_of<std::int32_t, 1>(std::move(text.ids), {number}),
                                  array_of<std::int64_t, 2>(std::move(offsets), {number, 2}), text.truncated));
    }
    return all;
}

}  // namespace

void add_encoder(nb::module_& module) {
    nb::class_<EncoderHandle>(module, "Encoder")
        .def("__init__",
             [](EncoderHandle* handle, const nb::dict& given) {
                 const EncoderOptions options = encoder_options(Arguments(given));
                 const nb::gil_scoped_release released;
                 new (handle) EncoderHandle(options);
             })
        .def("pooled", pooled, nb::arg(), nb::arg().none())
        .def("tokens", tokens, nb::arg(), nb::arg().none())
        .def_prop_ro("dimension", [](const EncoderHandle& handle) { return handle.encoder.dimension(); })
        .def_prop_ro("model_layers", [](const EncoderHandle& handle) { return handle.encoder.model_layers(); })
        .def_prop_ro("layers",
                     [](const EncoderHandle& handle) {
                         std::vector<std::pair<std::size_t, std::size_t>> all;
                         for (const auto& [first, last] : handle.encoder.layers()) all.emplace_back(first, last);
                         return all;
                     })
        .def_prop_ro("precision",
                     [](const EncoderHandle& handle) { return python_text(name_of(handle.encoder.precision())); })
        .def_prop_ro("device", [](const EncoderHandle& handle) { return python_text(handle.encoder.device()); });
}

}  // namespace wordbreadth::python
