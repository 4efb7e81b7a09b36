// Products with packed weights by oneDNN, with what follows them. The only file pair of this room that knows it.
//
// Each calling thread runs its products alone: the threads are ours.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <new>

#include "encoder/encoder.h"
#include "encoder/snapshot/weights.h"

namespace wordbreadth::encoder::cpu {

using snapshot::Activation;

// Memory that starts on a cache line and keeps its size until it must grow.
class Buffer {
  public:
    // At least `bytes` bytes. What was there is lost when it grows; new memory is zero.
    void reserve(std::size_t bytes) {
        if (bytes <= bytes_) return;
        const std::size_t whole_lines = (bytes + line - 1) / line * line;
        memory_.reset(std::aligned_alloc(line, whole_lines));
        bytes_ = memory_ ? whole_lines : 0;
        if (!memory_) throw std::bad_alloc();
        std::memset(memory_.get(), 0, whole_lines);
    }

    template <typename Value>
    [[nodiscard]] Value* as() const {
        return static_cast<Value*>(memory_.get());
    }

  private:
    static constexpr std::size_t line = 64;
    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };
    std::unique_ptr<void, Free> memory_;
    std::size_t bytes_ = 0;
};

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

    friend auto operator<=>(const ProductKind&, const ProductKind&) = default;  // NOLINT(modernize-use-nullptr)
};

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
    struct Code;    // what matrices of one kind share
    struct Packed;  // the matrix
    std::shared_ptr<const Code> code_;
    std::shared_ptr<const Packed> packed_;
};

// Makes products, and shares code between those of one kind.
class Products {
  public:
    explicit Products(Precision precision) : precision_(precision) {}
    [[nodiscard]] Product make(const snapshot::Linear& linear, Epilogue epilogue, Activation activation);

  private:
    Precision precision_;
    std::map<ProductKind, std::shared_ptr<const Product::Code>> codes_;
};

}  // namespace wordbreadth::encoder::cpu
