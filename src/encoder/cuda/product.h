// Products with weights on the device by cuBLASLt, with what follows them.
//
// The way a product is computed is chosen once for its sizes, whatever the number of rows, and adds up every value in
// one go: a row's result depends neither on the rows beside it nor on how many there are. cuBLASLt's own first choice
// is taken and nothing is timed, so that the same GPU and the same cuBLASLt give the same bits in every process.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <tuple>

#include "cuda/runtime.h"
#include "encoder/cuda/cublas_lt.h"
#include "encoder/encoder.h"

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
        friend bool operator<(const Kind& a, const Kind& b) {
            const auto key = [](const Kind& kind) {
                return std::tie(kind.inputs, kind.outputs, kind.has_bias, kind.epilogue);
            };
            return key(a) < key(b);
        }
    };
    Way& way_of(const Kind& kind);

    Precision precision_;
    const Stream& stream_;
    LtFunctions functions_;
    std::unique_ptr<cublasLtContext, decltype(LtFunctions::destroy)> handle_;
    Buffer<std::byte> workspace_;
    std::map<Kind, std::unique_ptr<Way>> ways_;
};

}  // namespace wordbreadth::encoder::cuda
