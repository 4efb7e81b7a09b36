#include "encoder/cpu/product.h"

#include <unordered_map>

#include "cpu/onednn.h"
#include "encoder/cpu/buffer.h"

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

dnnl::primitive_attr attributes(const ProductKind& kind) {
    dnnl::post_ops steps;
    if (kind.then == Then::add) steps.append_sum(1);
    if (kind.then == Then::activate) append(steps, kind.activation);
    if (kind.then == Then::multiply)
        steps.append_binary(dnnl::algorithm::binary_mul,
                            row_major(Product::rows_together, kind.outputs, result_type(kind)));
    dnnl::primitive_attr attributes;
    attributes.set_post_ops(steps);
    // Left to itself a primitive keeps working space of its own, which two threads would share.
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    return attributes;
}

// The weights lie as oneDNN likes them best.
dnnl::matmul::primitive_desc describe(const ProductKind& kind) {
    const Description in = row_major(Product::rows_together, kind.inputs, type_of(kind.precision));
    const Description out = row_major(Product::rows_together, kind.outputs, result_type(kind));
    const Description weights({dim(kind.inputs), dim(kind.outputs)}, type_of(kind.precision),
                              dnnl::memory::format_tag::any);
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

struct ProductCode {
    explicit ProductCode(const ProductKind& its_kind)
        : kind(its_kind), description(describe(its_kind)), product(description) {}

    ProductKind kind;
    dnnl::matmul::primitive_desc description;
    dnnl::matmul product;
};

struct Product::Packed {
    dnnl::memory weights;
    std::vector<float> bias;
};

namespace {

// What a primitive is given; the rows move on, the rest stays.
class Arguments {
  public:
    Arguments(const ProductCode& code, const dnnl::memory& weights, const std::vector<float>& bias)
        : in_(code.description.src_desc(), engine(), nullptr),
          out_(code.description.dst_desc(), engine(), nullptr),
          factor_(code.description.dst_desc(), engine(), nullptr) {
        const Description space = code.description.scratchpad_desc();
        all_ = {{DNNL_ARG_SRC, in_},
                {DNNL_ARG_WEIGHTS, weights},
                {DNNL_ARG_DST, out_},
                {DNNL_ARG_SCRATCHPAD, dnnl::memory(space, engine(), working_space(space.get_size()))}};
        if (code.kind.has_bias) all_.emplace(DNNL_ARG_BIAS, source(code.description.bias_desc(), bias.data()));
        if (code.kind.then == Then::multiply) all_.emplace(DNNL_ARG_ATTR_MULTIPLE_POST_OP(0) | DNNL_ARG_SRC_1, factor_);
    }

    void move_to(const char* in, char* out, const char* factor) {
        in_.set_data_handle(const_cast<char*>(in));
        out_.set_data_handle(out);
        factor_.set_data_handle(const_cast<char*>(factor));
    }
    [[nodiscard]] const std::unordered_map<int, dnnl::memory>& all() const { return all_; }

  private:
    dnnl::memory in_, out_, factor_;  // handles: those in `all_` are the same
    std::unordered_map<int, dnnl::memory> all_;
};

}  // namespace

std::size_t Product::padded_rows(std::size_t rows) {
    return (rows + rows_together - 1) / rows_together * rows_together;
}

void Product::run(std::size_t rows, const void* in, void* out, const void* factor) const {
    run_alone();
    Arguments arguments(*code_, packed_->weights, packed_->bias);
    dnnl::stream stream(engine());
    const std::size_t in_bytes = code_->description.src_desc().get_size();
    const std::size_t out_bytes = code_->description.dst_desc().get_size();
    for (std::size_t block = 0; block * rows_together < rows; ++block) {
        const char* its_factor = factor == nullptr ? nullptr : static_cast<const char*>(factor) + block * out_bytes;
        arguments.move_to(static_cast<const char*>(in) + block * in_bytes, static_cast<char*>(out) + block * out_bytes,
                          its_factor);
        code_->product.execute(stream, arguments.all());
    }
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
    dnnl::memory to(code->description.weights_desc(), engine());
    dnnl::stream stream(engine());
    dnnl::reorder(from, to).execute(stream, from, to);
    stream.wait();
    product.packed_ = std::make_shared<Product::Packed>(Product::Packed{to, linear.bias});
    return product;
}

}  // namespace wordbreadth::encoder::cpu
