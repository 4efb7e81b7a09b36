#include "encoder/cpu/product.h"

#include <oneapi/dnnl/dnnl.hpp>
#include <optional>
#include <unordered_map>

#include "encoder/cpu/buffer.h"

// Of the OpenMP runtime that oneDNN brings. Its header belongs to a compiler, and clang-tidy does not find GCC's.
extern "C" void omp_set_num_threads(int threads);

namespace wordbreadth::encoder::cpu {

namespace {

using Type = dnnl::memory::data_type;
using Description = dnnl::memory::desc;

const dnnl::engine& engine() {
    static const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
    return cpu;
}

// OpenMP's number of threads is a setting of each thread that calls it; ours call oneDNN side by side.
void run_alone() {
    thread_local const bool done = (omp_set_num_threads(1), true);
    static_cast<void>(done);
}

dnnl::memory::dim dim(std::size_t size) {
    return static_cast<dnnl::memory::dim>(size);
}

Description row_major(std::size_t rows, std::size_t columns, Type type) {
    return {{dim(rows), dim(columns)}, type, dnnl::memory::dims{dim(columns), 1}};
}

Type type_of(Precision precision) {
    return precision == Precision::bf16 ? Type::bf16 : Type::f32;
}

Type result_type(const ProductKind& kind) {
    return kind.then == Then::store || kind.then == Then::add ? Type::f32 : type_of(kind.precision);
}

void append(dnnl::post_ops& steps, Activation activation) {
    using dnnl::algorithm;
    switch (activation) {
        case Activation::gelu:
            return steps.append_eltwise(1, algorithm::eltwise_gelu_erf, 0, 0);
        case Activation::gelu_tanh:
            return steps.append_eltwise(1, algorithm::eltwise_gelu_tanh, 0, 0);
        case Activation::quick_gelu:
            return steps.append_eltwise(1, algorithm::eltwise_swish, 1.702F, 0);
        case Activation::relu:
            return steps.append_eltwise(1, algorithm::eltwise_relu, 0, 0);
        case Activation::silu:
            return steps.append_eltwise(1, algorithm::eltwise_swish, 1, 0);
        case Activation::tanh:
            return steps.append_eltwise(1, algorithm::eltwise_tanh, 0, 0);
        case Activation::sigmoid:
            return steps.append_eltwise(1, algorithm::eltwise_logistic, 0, 0);
    }
}

dnnl::primitive_attr attributes(const ProductKind& kind, std::size_t rows) {
    dnnl::post_ops steps;
    if (kind.then == Then::add) steps.append_sum(1);
    if (kind.then == Then::activate) append(steps, kind.activation);
    if (kind.then == Then::multiply)
        steps.append_binary(dnnl::algorithm::binary_mul, row_major(rows, kind.outputs, result_type(kind)));
    dnnl::primitive_attr attributes;
    attributes.set_post_ops(steps);
    // Left to itself a primitive keeps working space of its own, which two threads would share.
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    return attributes;
}

dnnl::matmul::primitive_desc describe(const ProductKind& kind, std::size_t rows, const Description& weights) {
    const Description in = row_major(rows, kind.inputs, type_of(kind.precision));
    const Description out = row_major(rows, kind.outputs, result_type(kind));
    const Description bias = row_major(1, kind.outputs, Type::f32);
    const dnnl::matmul::desc product =
        kind.has_bias ? dnnl::matmul::desc(in, weights, bias, out) : dnnl::matmul::desc(in, weights, out);
    return {product, attributes(kind, rows), engine()};
}

// The layout that oneDNN likes best for many rows; it is as fast with it for few (seen with 32 to 512).
Description packed_layout(const ProductKind& kind) {
    constexpr std::size_t many = 256;
    const Description any({dim(kind.inputs), dim(kind.outputs)}, type_of(kind.precision),
                          dnnl::memory::format_tag::any);
    return describe(kind, many, any).weights_desc();
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
    const dnnl::cpu_isa isa = dnnl::get_effective_cpu_isa();
    return isa == dnnl::cpu_isa::avx512_core_bf16 || isa == dnnl::cpu_isa::avx512_core_amx;
}

class ProductCode {
  public:
    struct Code {
        dnnl::matmul::primitive_desc description;
        dnnl::matmul product;
    };

    explicit ProductCode(const ProductKind& kind) : kind_(kind), layout_(packed_layout(kind)) {}

    [[nodiscard]] const ProductKind& kind() const { return kind_; }
    [[nodiscard]] const Description& layout() const { return layout_; }

    // Made when first needed: it takes about half a millisecond.
    const Code& for_rows(std::size_t rows) {
        const std::lock_guard lock(mutex_);
        auto& code = codes_[rows];
        if (!code) {
            const auto description = describe(kind_, rows, layout_);
            code.emplace(Code{description, dnnl::matmul(description)});
        }
        return *code;
    }

  private:
    ProductKind kind_;
    Description layout_;
    std::mutex mutex_;
    std::map<std::size_t, std::optional<Code>> codes_;
};

struct Product::Packed {
    dnnl::memory weights;
    std::vector<float> bias;
};

std::size_t Product::padded_rows(std::size_t rows) {
    constexpr std::size_t step = 16;  // few enough kinds of code, little wasted
    return (rows + step - 1) / step * step;
}

void Product::run(std::size_t rows, const void* in, void* out, const void* factor) const {
    if (rows == 0) return;
    run_alone();
    const ProductCode::Code& code = code_->for_rows(padded_rows(rows));
    const auto& description = code.description;
    std::unordered_map<int, dnnl::memory> arguments{
        {DNNL_ARG_SRC, source(description.src_desc(), in)},
        {DNNL_ARG_WEIGHTS, packed_->weights},
        {DNNL_ARG_DST, dnnl::memory(description.dst_desc(), engine(), out)},
        {DNNL_ARG_SCRATCHPAD, dnnl::memory(description.scratchpad_desc(), engine(),
                                           working_space(description.scratchpad_desc().get_size()))}};
    if (code_->kind().has_bias) arguments.emplace(DNNL_ARG_BIAS, source(description.bias_desc(), packed_->bias.data()));
    if (factor != nullptr)
        arguments.emplace(DNNL_ARG_ATTR_MULTIPLE_POST_OP(0) | DNNL_ARG_SRC_1, source(description.dst_desc(), factor));
    dnnl::stream stream(engine());
    code.product.execute(stream, arguments);
    stream.wait();
}

Product Products::make(const Linear& linear, Then then, Activation activation) {
    run_alone();
    const ProductKind kind{linear.inputs, linear.outputs, !linear.bias.empty(), precision_, then, activation};
    Product product;
    auto& code = codes_[kind];
    if (!code) code = std::make_shared<ProductCode>(kind);
    product.code_ = code;
    const Description stored({dim(linear.inputs), dim(linear.outputs)}, Type::f32,
                             dnnl::memory::dims{1, dim(linear.inputs)});
    dnnl::memory from = source(stored, linear.weight.data());
    dnnl::memory to(code->layout(), engine());
    dnnl::stream stream(engine());
    dnnl::reorder(from, to).execute(stream, from, to);
    stream.wait();
    product.packed_ = std::make_shared<Product::Packed>(Product::Packed{to, linear.bias});
    return product;
}

}  // namespace wordbreadth::encoder::cpu
