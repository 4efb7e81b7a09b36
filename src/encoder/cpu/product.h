// Products with packed weights by oneDNN, with what follows them. The only file pair of this room that knows it.
//
// Each calling thread runs its products alone: the threads are ours.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <tuple>

#include "encoder/encoder.h"
#include "encoder/snapshot/weights.h"

namespace wordbreadth::encoder::cpu {

using snapshot::Activation;

// Products of bfloat16 run fast on this processor.
[[nodiscard]] bool has_bf16();

// What is done with the product, the bias included, before it is stored.
enum class Epilogue {
    store,     // in float32
    add,       // to what is there, in float32
    activate,  // stored in the type of the operands
    multiply,  // by the values of another matrix, element by element; stored in the type of the operands
};

struct ProductKind {
    std::size_t inputs, outputs;
    bool has_bias;
    Precision precision;
    Epilogue epilogue;
    Activation activation;

    friend bool operator<(const ProductKind& a, const ProductKind& b) {
        const auto key = [](const ProductKind& kind) {
            return std::tie(kind.inputs, kind.outputs, kind.has_bias, kind.precision, kind.epilogue, kind.activation);
        };
        return key(a) < key(b);
    }
};

// All that matrices of one kind share: how they are packed, and the code.
struct ProductCode;

// A matrix, packed once.
class Product {
  public:
    // Rows are multiplied in blocks of this size, always by the same code: a row's product never depends on the rows
    // around it. Measured at 48 to 192: more rows are not faster, and at the end of a piece more are
    // computed in vain.
    static constexpr std::size_t rows_together = 64;
    [[nodiscard]] static std::size_t padded_rows(std::size_t rows);

    // out (rows, outputs) = in (rows, inputs) weight^T + bias, and the epilogue. All padded_rows(rows) are read and
    // computed: `in` and `out` must have them. `factor` is what Epilogue::multiply multiplies by. May be called from
    // several threads at once.
    void run(std::size_t rows, const void* in, void* out, const void* factor = nullptr) const;

  private:
    friend class Products;
    struct Packed;
    std::shared_ptr<ProductCode> code_;
    std::shared_ptr<const Packed> packed_;
};

// Makes products, and shares code between those of one kind.
class Products {
  public:
    explicit Products(Precision precision) : precision_(precision) {}
    [[nodiscard]] Product make(const snapshot::Linear& linear, Epilogue epilogue, Activation activation);

  private:
    Precision precision_;
    std::map<ProductKind, std::shared_ptr<ProductCode>> codes_;
};

}  // namespace wordbreadth::encoder::cpu
