#include "encoder/cpu/product.h"

#include <array>
#include <unordered_map>

#include "cpu/onednn.h"

namespace wordbreadth::encoder::cpu {

namespace {

using Type = dnnl::memory::data_type;
using Description = dnnl::memory::desc;

using ::wordbreadth::cpu::dim;
using ::wordbreadth::cpu::engine;
using ::wordbreadth::cpu::run_alone;

Description row_major(std::size_t rows, std::size_t columns, Type type) {
    return {{dim(rows), dim(columns)}, type, dnnl::memory::dims{dim(columns), 1}};
}

Type type_of(Precision precision) {
    return precision == Precision::bf16 ? Type::bf16 : Type::f32;
}

Type result_type(const ProductKind& kind) {
    return kind.epilogue == Epilogue::store || kind.epilogue == Epilogue::add ? Type::f32 : type_of(kind.precision);
}

void append(dnnl::post_ops& steps, Activation activation) {
    using dnnl::algorithm;
    static constexpr std::array<std::pair<algorithm, float>, 7> known{{
        {algorithm::eltwise_gelu_erf, 0.0F},
        {algorithm::eltwise_gelu_tanh, 0.0F},
        {algorithm::eltwise_swish, 1.702F},  // quick_gelu
        {algorithm::eltwise_relu, 0.0F},
        {algorithm::eltwise_swish, 1.0F},  // silu
        {algorithm::eltwise_tanh, 0.0F},
        {algorithm::eltwise_logistic, 0.0F},
    }};
    const auto& [function, alpha] = known.at(static_cast<std::size_t>(activation));  // in the order of the enumeration
    steps.append_eltwise(1, function, alpha, 0);
}

dnnl::primitive_attr attributes(const ProductKind& kind) {
    dnnl::post_ops steps;
    if (kind.epilogue == Epilogue::add) steps.append_sum(1);
    if (kind.epilogue == Epilogue::activate) append(steps, kind.activation);
    if (kind.epilogue == Epilogue::multiply)
        steps.append_binary(dnnl::algorithm::binary_mul,
                            row_major(Product::rows_together, kind.outputs, result_type(kind)));
    dnnl::primitive_attr attributes;
    attributes.set_post_ops(steps);
    // Left to itself a primitive keeps working space of its own, which two threads would share.
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    return attributes;
}

bool has_avx512() {
    static_cast<void>(engine());  // chooses the instructions
    const dnnl::cpu_isa isa = dnnl::get_effective_cpu_isa();
    using enum dnnl::cpu_isa;
    return isa != sse41 && isa != avx && isa != avx2 && isa != avx2_vnni;
}

// With AVX-512 in the layout that oneDNN prefers. Without, it would take row-major ones, and read them down the
// columns: where rows lie whole pages apart, they share the lines of the cache. Rows of 3072 numbers that lie 12 KB
// apart made a product of BERT-base take 7.2 ms for 64 rows; 64 bytes more between them, 3.7.
Description weights_layout(const ProductKind& kind) {
    const Type type = type_of(kind.precision);
    if (has_avx512()) return {{dim(kind.inputs), dim(kind.outputs)}, type, dnnl::memory::format_tag::any};
    constexpr std::size_t line = 16;
    const std::size_t between = (kind.outputs + line - 1) / line * line + line;
    return {{dim(kind.inputs), dim(kind.outputs)}, type, dnnl::memory::dims{dim(between), 1}};
}

dnnl::matmul::primitive_desc describe(const ProductKind& kind) {
    const Description in = row_major(Product::rows_together, kind.inputs, type_of(kind.precision));
    const Description out = row_major(Product::rows_together, kind.outputs, result_type(kind));
    const Description weights = weights_layout(kind);
    const Description bias = row_major(1, kind.outputs, Type::f32);
    const dnnl::matmul::desc product =
        kind.has_bias ? dnnl::matmul::desc(in, weights, bias, out) : dnnl::matmul::desc(in, weights, out);
    return {product, attributes(kind), engine()};
}

// oneDNN's interface has no const pointers; what it takes as a source is only read.
dnnl::memory source(const Description& description, const void* values) {
    return {description, engine(), const_cast<void*>(values)};
}

void* working_space(std::size_t bytes) {
    thread_local Buffer space;
    space.reserve(bytes);
    return space.as<void>();
}

}  // namespace

bool has_bf16() {
    static_cast<void>(engine());  // chooses the instructions
    const dnnl::cpu_isa isa = dnnl::get_effective_cpu_isa();
    return isa == dnnl::cpu_isa::avx512_core_bf16 || isa == dnnl::cpu_isa::avx512_core_amx;
}

struct Product::Code {
    explicit Code(const ProductKind& its_kind)
        : kind(its_kind), description(describe(its_kind)), product(description) {}

    ProductKind kind;
    dnnl::matmul::primitive_desc description;
    dnnl::matmul product;
};

struct Product::Packed {
    dnnl::memory weights;
    std::vector<float> bias;
};

std::size_t Product::padded_rows(std::size_t rows) {
    return (rows + rows_together - 1) / rows_together * rows_together;
}

void Product::run(std::size_t rows, const void* in, void* out, const void* factor) const {
    run_alone();
    const dnnl::matmul::primitive_desc& description = code_->description;
    const Description space = description.scratchpad_desc();
    // Handles: those among the arguments are the same, and move on with the rows.
    dnnl::memory in_rows(description.src_desc(), engine(), nullptr);
    dnnl::memory out_rows(description.dst_desc(), engine(), nullptr);
    dnnl::memory factor_rows(description.dst_desc(), engine(), nullptr);
    std::unordered_map<int, dnnl::memory> arguments{
        {DNNL_ARG_SRC, in_rows},
        {DNNL_ARG_WEIGHTS, packed_->weights},
        {DNNL_ARG_DST, out_rows},
        {DNNL_ARG_SCRATCHPAD, dnnl::memory(space, engine(), working_space(space.get_size()))}};
    if (code_->kind.has_bias) arguments.emplace(DNNL_ARG_BIAS, source(description.bias_desc(), packed_->bias.data()));
    if (code_->kind.epilogue == Epilogue::multiply)
        arguments.emplace(DNNL_ARG_ATTR_MULTIPLE_POST_OP(0) | DNNL_ARG_SRC_1, factor_rows);
    dnnl::stream stream(engine());
    const std::size_t in_bytes = description.src_desc().get_size();
    const std::size_t out_bytes = description.dst_desc().get_size();
    for (std::size_t block = 0; block * rows_together < rows; ++block) {
        in_rows.set_data_handle(static_cast<char*>(const_cast<void*>(in)) + block * in_bytes);
        out_rows.set_data_handle(static_cast<char*>(out) + block * out_bytes);
        if (factor != nullptr)
            factor_rows.set_data_handle(static_cast<char*>(const_cast<void*>(factor)) + block * out_bytes);
        code_->product.execute(stream, arguments);
    }
    stream.wait();
}

Product Products::make(const snapshot::Linear& linear, Epilogue epilogue, Activation activation) {
    run_alone();
    const ProductKind kind{linear.inputs, linear.outputs, !linear.bias.empty(), precision_, epilogue, activation};
    Product product;
    auto& code = codes_[kind];
    if (!code) code = std::make_shared<const Product::Code>(kind);
    product.code_ = code;
    const Description stored({dim(linear.inputs), dim(linear.outputs)}, Type::f32,
                             dnnl::memory::dims{1, dim(linear.inputs)});
    dnnl::memory from = source(stored, linear.weight.data());
    dnnl::memory to(code->description.weights_desc(), engine());
    dnnl::stream stream(engine());
    dnnl::reorder(from, to).execute(stream, from, to);
    stream.wait();
    product.packed_ = std::make_shared<Product::Packed>(Product::Packed{to, linear.bias});
    return product;
}

}  // namespace wordbreadth::encoder::cpu
