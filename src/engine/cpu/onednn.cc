#include "engine/cpu/onednn.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <new>
#include <stdexcept>
#include <vector>

#include "cpu/onednn.h"

namespace wordbreadth::engine::cpu {
namespace {

using Type = dnnl::memory::data_type;

using wordbreadth::cpu::dim;
using wordbreadth::cpu::engine;
using wordbreadth::cpu::run_alone;

dnnl::memory::desc row_major(std::size_t rows, std::size_t columns, std::size_t stride, Type type) {
    return {{dim(rows), dim(columns)}, type, dnnl::memory::dims{dim(stride), 1}};
}

}  // namespace

bool limit_instruction_set(const std::string& name) {
    const dnnl::cpu_isa isa = name == "generic" ? dnnl::cpu_isa::sse41
                              : name == "avx2"  ? dnnl::cpu_isa::avx2
                                                : wordbreadth::cpu::usable_instructions();
    return wordbreadth::cpu::limit_instructions(isa);
}

namespace {

std::atomic<bool> is_code_written = false;

void multiply_by_onednn(const FloatProduct& shape, const float* a, std::size_t stride_a, const float* b,
                        std::size_t stride_b, float* c, std::size_t stride_c) {
    run_alone();
    const dnnl::status status =
        dnnl::sgemm(shape.transpose_a ? 'T' : 'N', shape.transpose_b ? 'T' : 'N', dim(shape.rows), dim(shape.columns),
                    dim(shape.inner), shape.alpha, a, dim(stride_a), b, dim(stride_b), shape.beta, c, dim(stride_c));
    if (status == dnnl::status::out_of_memory) throw std::bad_alloc();
    if (status != dnnl::status::success) throw std::runtime_error("a float32 matrix product failed in oneDNN");
}

}  // namespace

void multiply(const Kernels& kernels, const FloatProduct& shape, const float* a, std::size_t stride_a, const float* b,
              std::size_t stride_b, float* c, std::size_t stride_c) {
    (is_code_written ? multiply_by_onednn : kernels.multiply)(shape, a, stride_a, b, stride_b, c, stride_c);
}

void write_code() {
    if (is_code_written) return;
    constexpr std::size_t size = 16;
    const std::vector<float> ones(size * size, 1.0F);
    std::vector<float> products(size * size);
    multiply_by_onednn({.rows = size, .columns = size, .inner = size}, ones.data(), size, ones.data(), size,
                       products.data(), size);
    is_code_written = true;
}

namespace {
// Added up in one go. Costs nothing measurable (44 against 45 GMAC/s at n = 128, inner = 1024), and makes the error
// bound 12 times smaller there.
constexpr std::size_t stretch = 64;
}  // namespace

void multiply_closely(const Kernels& kernels, FloatProduct shape, const float* a, std::size_t stride_a, const float* b,
                      std::size_t stride_b, float* c, std::size_t stride_c) {
    const std::size_t step_a = shape.transpose_a ? stride_a : 1, step_b = shape.transpose_b ? 1 : stride_b;
    const std::size_t inner = shape.inner;
    for (std::size_t k = 0; k < inner; k += stretch) {
        shape.inner = std::min(stretch, inner - k);
        shape.beta = k == 0 ? 0.0F : 1.0F;
        multiply(kernels, shape, a + k * step_a, stride_a, b + k * step_b, stride_b, c, stride_c);
    }
}

void multiply_closely(const Kernels& kernels, std::size_t n, std::size_t m, std::size_t inner, const float* a,
                      const float* b, float* c, std::size_t stride_c) {
    multiply_closely(kernels, {.rows = n, .columns = m, .inner = inner, .transpose_b = true}, a, inner, b, inner, c,
                     stride_c);
}

double rounding_closely(std::size_t inner) {
    // As many roundings as an addend passes through, whatever their order, and some for computing the factors.
    const double roundings = static_cast<double>(stretch) + static_cast<double>(inner / stretch) + 8;
    return 1.01 * roundings * float_rounding;
}

class PackedMatrix {
  public:
    dnnl::memory memory;
};

struct MaskProduct::Shape {
    std::size_t rows, inner, columns;
    dnnl::memory::desc masks, products;
    dnnl::matmul::primitive_desc description;
    dnnl::matmul product;
};

MaskProduct::MaskProduct(std::size_t rows, std::size_t inner, std::size_t columns, std::size_t stride) {
    run_alone();
    // The gap between two masks is multiplied with zeros. Where there is one, oneDNN's faster product (brgemm) stands
    // back, and the other packs both matrices anew: at inner = 200 and 1,000 and 16 columns 0.024 and 0.114 us a mask
    // instead of 0.011 and 0.049.
    const dnnl::memory::desc masks = row_major(rows, stride, stride, Type::u8);
    const dnnl::memory::desc products = row_major(rows, columns, columns, Type::s32);
    const dnnl::memory::desc any({dim(stride), dim(columns)}, Type::s8, dnnl::memory::format_tag::any);
    // By default a primitive keeps its own scratchpad, which two threads would share.
    dnnl::primitive_attr own_space;
    own_space.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    const dnnl::matmul::primitive_desc description(dnnl::matmul::desc(masks, any, products), own_space, engine());
    shape_ = std::make_unique<const Shape>(
        Shape{rows, inner, columns, masks, products, description, dnnl::matmul(description)});
}

MaskProduct::~MaskProduct() = default;

std::size_t MaskProduct::rows() const {
    return shape_->rows;
}

std::shared_ptr<const PackedMatrix> MaskProduct::pack(const std::int8_t* matrix) const {
    run_alone();
    const dnnl::memory::desc layout = shape_->description.weights_desc();
    const auto stride = static_cast<std::size_t>(layout.dims()[0]);
    std::vector<std::int8_t> padded(stride * shape_->columns, 0);
    std::copy_n(matrix, shape_->inner * shape_->columns, padded.begin());
    auto packed = std::make_shared<PackedMatrix>();
    packed->memory = dnnl::memory(layout, engine());
    dnnl::memory from(row_major(stride, shape_->columns, shape_->columns, Type::s8), engine(), padded.data());
    dnnl::stream stream(engine());
    dnnl::reorder(from, packed->memory).execute(stream, from, packed->memory);
    stream.wait();
    return packed;
}

// This thread's, large enough, on a cache line.
void* MaskProduct::working_space(const Shape& shape) {
    thread_local std::vector<std::max_align_t> space;
    constexpr std::size_t line = 64;
    const std::size_t bytes = shape.description.scratchpad_desc().get_size() + line;
    if (space.size() * sizeof(std::max_align_t) < bytes) space.resize(bytes / sizeof(std::max_align_t) + 1);
    void* start = space.data();
    std::size_t room = space.size() * sizeof(std::max_align_t);
    return std::align(line, bytes - line, start, room);
}

void MaskProduct::run(const std::uint8_t* masks, const PackedMatrix& matrix, std::int32_t* products) const {
    run_alone();
    // oneDNN's interface has no const pointers; a source is only read.
    const dnnl::memory source(shape_->masks, engine(), const_cast<std::uint8_t*>(masks));
    const dnnl::memory target(shape_->products, engine(), products);
    const dnnl::memory space(shape_->description.scratchpad_desc(), engine(), working_space(*shape_));
    dnnl::stream stream(engine());
    shape_->product.execute(stream, {{DNNL_ARG_SRC, source},
                                     {DNNL_ARG_WEIGHTS, matrix.memory},
                                     {DNNL_ARG_DST, target},
                                     {DNNL_ARG_SCRATCHPAD, space}});
    stream.wait();
}

}  // namespace wordbreadth::engine::cpu
