#include "bindings/arrow.h"

#include <array>
#include <cerrno>
#include <string>
#include <utility>

namespace nb = nanobind;

// ---- The structs of the interface, which are the same in every program. Their names are Arrow's.

extern "C" {

struct ArrowSchema {
    const char* format;
    const char* name;
    const char* metadata;
    std::int64_t flags;
    std::int64_t n_children;
    ArrowSchema** children;
    ArrowSchema* dictionary;
    void (*release)(ArrowSchema*);
    void* private_data;
};

struct ArrowArray {
    std::int64_t length;
    std::int64_t null_count;
    std::int64_t offset;
    std::int64_t n_buffers;
    std::int64_t n_children;
    const void** buffers;
    ArrowArray** children;
    ArrowArray* dictionary;
    void (*release)(ArrowArray*);
    void* private_data;
};

struct ArrowArrayStream {
    int (*get_schema)(ArrowArrayStream*, ArrowSchema* out);
    int (*get_next)(ArrowArrayStream*, ArrowArray* out);
    const char* (*get_last_error)(ArrowArrayStream*);
    void (*release)(ArrowArrayStream*);
    void* private_data;
};
}

namespace wordbreadth::python {
namespace {

constexpr std::int64_t nullable = 2;
constexpr const char* text_format = "U";  // with 64-bit offsets: no table is too long

const char* format_of(const Column& column) {
    switch (column.kind()) {
        case Column::Kind::text:
            return text_format;
        case Column::Kind::count:
            return column.has_large_counts() ? "L" : "l";
        case Column::Kind::real:
            return "g";
        case Column::Kind::truth:
            return "b";
        case Column::Kind::list:
            return "+L";
        default:
            return "n";
    }
}

// A schema or an array owns its children: whoever takes it releases all of them, but a child may be taken out before.
template <class Node>
struct Family {
    std::vector<Node> nodes;
    std::vector<Node*> children;

    explicit Family(std::size_t size) : nodes(size) {
        for (Node& node : nodes) children.push_back(&node);
    }
    Family(const Family&) = delete;
    Family& operator=(const Family&) = delete;
    ~Family() {
        for (Node& node : nodes)
            if (node.release != nullptr) node.release(&node);
    }
};

template <class Node, class Owned>
void release(Node* node) {
    delete static_cast<Owned*>(node->private_data);
    node->release = nullptr;
}

// ---- Schemas

struct OwnedSchema : Family<ArrowSchema> {
    std::string name;
    OwnedSchema(std::string called, std::size_t children) : Family(children), name(std::move(called)) {}
};

void fill(ArrowSchema& schema, const char* format, OwnedSchema* owned) {
    schema = {format,
              owned->name.c_str(),
              nullptr,
              nullable,
              static_cast<std::int64_t>(owned->children.size()),
              owned->children.data(),
              nullptr,
              release<ArrowSchema, OwnedSchema>,
              owned};
}

void fill(ArrowSchema& schema, const Column& column) {
    const bool is_list = column.kind() == Column::Kind::list;
    auto owned = std::make_unique<OwnedSchema>(column.key(), is_list ? 1 : 0);
    if (is_list) fill(owned->nodes.front(), text_format, new OwnedSchema("item", 0));
    fill(schema, format_of(column), owned.release());
}

int get_schema(ArrowArrayStream* stream, ArrowSchema* out);

// ---- Arrays

struct OwnedArray : Family<ArrowArray> {
    SharedColumns columns;
    std::array<const void*, 3> buffers{};
    std::vector<std::uint8_t> truths;  // a bit each
    OwnedArray(SharedColumns all, std::size_t children) : Family(children), columns(std::move(all)) {}
};

void fill(ArrowArray& array, std::size_t length, std::size_t missing, std::int64_t buffers, OwnedArray* owned) {
    array = {static_cast<std::int64_t>(length),
             static_cast<std::int64_t>(missing),
             0,
             buffers,
             static_cast<std::int64_t>(owned->children.size()),
             owned->buffers.data(),
             owned->children.data(),
             nullptr,
             release<ArrowArray, OwnedArray>,
             owned};
}

std::vector<std::uint8_t> bits_of(const std::vector<std::uint64_t>& truths) {
    std::vector<std::uint8_t> bits((truths.size() + 7) / 8);
    for (std::size_t i = 0; i < truths.size(); ++i)
        if (truths[i] != 0) bits[i / 8] |= static_cast<std::uint8_t>(1U << i % 8);
    return bits;
}

void fill_texts(ArrowArray& array, const Column& column, const SharedColumns& columns, const void* present,
                std::size_t missing) {
    auto* const owned = new OwnedArray(columns, 0);
    owned->buffers = {present, column.texts().data(), column.bytes().data()};
    fill(array, column.texts().size() - 1, missing, 3, owned);
}

void fill(ArrowArray& array, const Column& column, const SharedColumns& columns) {
    const void* const present = column.missing() > 0 ? column.present().data() : nullptr;
    if (column.kind() == Column::Kind::text) return fill_texts(array, column, columns, present, column.missing());
    auto owned = std::make_unique<OwnedArray>(columns, column.kind() == Column::Kind::list ? 1 : 0);
    owned->buffers[0] = present;
    std::int64_t buffers = 2;
    switch (column.kind()) {
        case Column::Kind::count:
            owned->buffers[1] = column.counts().data();
            break;
        case Column::Kind::real:
            owned->buffers[1] = column.reals().data();
            break;
        case Column::Kind::truth:
            owned->truths = bits_of(column.counts());
            owned->buffers[1] = owned->truths.data();
            break;
        case Column::Kind::list:
            owned->buffers[1] = column.lists().data();
            fill_texts(owned->nodes.front(), column, columns, nullptr, 0);
            break;
        default:
            buffers = 0;
    }
    fill(array, column.size(), column.missing(), buffers, owned.release());
}

// ---- The stream

struct Stream {
    SharedColumns columns;
    bool ended = false;
};

Stream& stream_of(ArrowArrayStream* stream) {
    return *static_cast<Stream*>(stream->private_data);
}

// Nothing may be thrown into another library.
template <class Work>
int guarded(const Work& work) {
    try {
        work();
        return 0;
    } catch (...) {
        return ENOMEM;
    }
}

int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
    return guarded([&] {
        const std::vector<Column>& columns = *stream_of(stream).columns;
        auto owned = std::make_unique<OwnedSchema>("", columns.size());
        for (std::size_t c = 0; c < columns.size(); ++c) fill(owned->nodes[c], columns[c]);
        fill(*out, "+s", owned.release());
        out->flags = 0;
    });
}

int get_next(ArrowArrayStream* stream, ArrowArray* out) {
    return guarded([&] {
        *out = {};
        if (std::exchange(stream_of(stream).ended, true)) return;
        const SharedColumns& columns = stream_of(stream).columns;
        auto owned = std::make_unique<OwnedArray>(columns, columns->size());
        for (std::size_t c = 0; c < columns->size(); ++c) fill(owned->nodes[c], (*columns)[c], columns);
        fill(*out, columns->empty() ? 0 : columns->front().size(), 0, 1, owned.release());
    });
}

void drop(PyObject* capsule) {
    auto* const stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule, "arrow_array_stream"));
    if (stream->release != nullptr) stream->release(stream);
    delete stream;
}

}  // namespace

nb::object arrow_stream(const SharedColumns& columns) {
    auto stream = std::make_unique<ArrowArrayStream>(
        ArrowArrayStream{get_schema, get_next, [](ArrowArrayStream*) -> const char* { return "out of memory"; },
                         release<ArrowArrayStream, Stream>, new Stream{columns}});
    nb::object capsule = nb::steal(PyCapsule_New(stream.get(), "arrow_array_stream", drop));
    if (!capsule.is_valid()) {
        stream->release(stream.get());
        throw nb::python_error();
    }
    stream.release();
    return capsule;
}

}  // namespace wordbreadth::python
