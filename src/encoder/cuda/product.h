// Products with weights on the device by cuBLASLt, with what follows them.
//
// The way a product is computed is chosen once for its sizes, whatever the number of rows, and adds up every value in
// one go: a row's result depends neither on the rows beside it nor on how many there are. cuBLASLt's own first choice
// is taken and nothing is timed, so that the same GPU and the same cuBLASLt give the same bits in every process.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "cuda/runtime.h"
#include "encoder/encoder.h"

struct cublasLtContext;  // a cublasLtHandle_t points to one

namespace wordbreadth::encoder::cuda {

using snapshot::Activation;
using ::wordbreadth::cuda::Buffer;
using ::wordbreadth::cuda::Stream;

// Of numbers that products take and give.
[[nodiscard]] constexpr std::size_t bytes_of(Precision precision) {
    return precision == Precision::f32 ? 4 : 2;
}

// What is done with a product and its bias before it is stored. GELU is cuBLASLt's, by its formula with tanh: it is off
// by up to 0.0005, which is less than bfloat16 can tell at the numbers where that happens.
enum class Epilogue { store, gelu, relu };

// How much of an activation a product can do itself. In float32 GELU is left to those who do it exactly.
[[nodiscard]] Epilogue fused(Activation activation, Precision precision);

struct LtAlgorithm {
    std::uint64_t data[8];
};

struct LtProposal {
    LtAlgorithm algorithm;
    std::size_t workspace_bytes;
    int state;
    float waves;
    int reserved[4];
};

// The few functions of cuBLASLt, opened when they are asked for and never linked, so that the program starts where the
// library is not installed. They are declared by hand, with the values of cublasLt.h (a C interface that has kept them
// since version 11), so that this file needs no header of cuBLAS's.
struct LtFunctions {
    // Opens the first of `files` that is there. Throws InputError when there is none, or when it lacks a function.
    explicit LtFunctions(std::span<const std::string> files);

    using Status = int;  // 0: done
    using Layout = void*;
    using Description = void*;
    using Preference = void*;
    Status (*create)(cublasLtContext**);
    Status (*destroy)(cublasLtContext*);
    const char* (*status_string)(Status);
    Status (*create_description)(Description*, int compute_type, int scale_type);
    Status (*destroy_description)(Description);
    Status (*set_description)(Description, int attribute, const void* value, std::size_t bytes);
    Status (*create_layout)(Layout*, int type, std::uint64_t rows, std::uint64_t columns, std::int64_t stride);
    Status (*destroy_layout)(Layout);
    Status (*set_layout)(Layout, int attribute, const void* value, std::size_t bytes);
    Status (*create_preference)(Preference*);
    Status (*destroy_preference)(Preference);
    Status (*set_preference)(Preference, int attribute, const void* value, std::size_t bytes);
    Status (*propose)(cublasLtContext*, Description, Layout a, Layout b, Layout c, Layout d, Preference, int asked,
                      LtProposal* proposals, int* found);
    Status (*multiply)(cublasLtContext*, Description, const void* alpha, const void* a, Layout layout_a, const void* b,
                       Layout layout_b, const void* beta, const void* c, Layout layout_c, void* d, Layout layout_d,
                       const LtAlgorithm*, void* workspace, std::size_t workspace_bytes, CUstream_st*);
};

// On the device, in the type of the products; sizes are multiples of 8.
struct Matrix {
    std::size_t outputs = 0;
    std::size_t inputs = 0;
    Buffer<std::byte> weight;  // (outputs, inputs)
    Buffer<std::byte> bias;    // (outputs), or empty
};

// Rows first .. first + outputs - 1 of a matrix.
struct MatrixRows {
    const Matrix* matrix = nullptr;
    std::size_t first = 0;
    std::size_t outputs = 0;
};

class Products {
  public:
    // Throws InputError when there is no cuBLASLt here. `stream` must outlive the object.
    Products(Precision precision, const Stream& stream);
    ~Products();
    Products(const Products&) = delete;
    Products& operator=(const Products&) = delete;

    [[nodiscard]] Precision precision() const { return precision_; }

    // out (rows, outputs) = in (rows, inputs) matrix^T + bias, and the epilogue. Throws std::runtime_error with
    // cuBLAS's words.
    void run(const MatrixRows& matrix, Epilogue epilogue, std::size_t rows, const void* in, void* out);
    void run(const Matrix& matrix, Epilogue epilogue, std::size_t rows, const void* in, void* out) {
        run(MatrixRows{&matrix, 0, matrix.outputs}, epilogue, rows, in, out);
    }

  private:
    class Way;
    struct Kind {
        std::size_t inputs, outputs;
        bool has_bias;
        Epilogue epilogue;
        friend auto operator<=>(const Kind&, const Kind&) = default;  // NOLINT(modernize-use-nullptr)
    };

    Precision precision_;
    const Stream& stream_;
    LtFunctions functions_;
    std::unique_ptr<cublasLtContext, decltype(LtFunctions::destroy)> handle_;
    Buffer<std::byte> workspace_;
    std::map<Kind, std::unique_ptr<Way>> ways_;
};

}  // namespace wordbreadth::encoder::cuda
