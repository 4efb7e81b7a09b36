// Matrix products by oneDNN. The only file pair that knows it: version 3 changed its interface.
//
// Each calling thread runs its products alone: the threads are ours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "engine/cpu/kernels.h"

namespace wordbreadth::engine::cpu {

inline constexpr double float_rounding = 0x1p-24;  // the relative error of one float32 operation is at most this

// Tells oneDNN to use no newer instructions than these. It obeys only until its first product in this process;
// returns false when it is too late.
[[nodiscard]] bool limit_instruction_set(const std::string& name);

// Has oneDNN write its code for products in float32, unless that was done before in this process. It takes 30 ms (AVX2:
// 14), longer than all else that a single test does. May be called while other threads multiply.
void write_code();

// C (rows, columns) = alpha op(A) op(B) + beta C in float32: by oneDNN once it has written its code, by the kernels
// until then.
void multiply(const Kernels& kernels, const FloatProduct& shape, const float* a, std::size_t stride_a, const float* b,
              std::size_t stride_b, float* c, std::size_t stride_c);

// The same product, with beta 0, added up in short stretches to keep the rounding small: every value is
// off by at most rounding_closely(inner) times the product of the lengths of its two rows.
void multiply_closely(const Kernels& kernels, FloatProduct shape, const float* a, std::size_t stride_a, const float* b,
                      std::size_t stride_b, float* c, std::size_t stride_c);
// C (n, m) = A B^T for rows of length `inner`.
void multiply_closely(const Kernels& kernels, std::size_t n, std::size_t m, std::size_t inner, const float* a,
                      const float* b, float* c, std::size_t stride_c);
[[nodiscard]] double rounding_closely(std::size_t inner);

// An int8 matrix (inner, columns) in the layout that a MaskProduct likes.
class PackedMatrix;

// Products of 0/1 bytes (rows, inner) with int8 matrices (inner, columns), exact in int32. Made once for a shape, since
// making it takes longer than running it.
class MaskProduct {
  public:
    // Masks are `stride` bytes apart; those behind the first `inner` do not count.
    MaskProduct(std::size_t rows, std::size_t inner, std::size_t columns, std::size_t stride);
    MaskProduct(const MaskProduct&) = delete;
    MaskProduct& operator=(const MaskProduct&) = delete;
    ~MaskProduct();

    [[nodiscard]] std::size_t rows() const;

    // `matrix` is row-major; it is copied.
    [[nodiscard]] std::shared_ptr<const PackedMatrix> pack(const std::int8_t* matrix) const;

    // `masks` is (rows, stride), `products` (rows, columns). May be called from several threads at once.
    void run(const std::uint8_t* masks, const PackedMatrix& matrix, std::int32_t* products) const;

  private:
    struct Shape;
    static void* working_space(const Shape& shape);

    std::unique_ptr<const Shape> shape_;
};

}  // namespace wordbreadth::engine::cpu
