#include "encoder/cuda/product.h"

#include "cuda/library.h"

namespace wordbreadth::encoder::cuda {
namespace {

namespace cublas = ::wordbreadth::cuda::cublas;

// From cublasLt.h.
constexpr int description_transpose_a = 3;   // CUBLASLT_MATMUL_DESC_TRANSA
constexpr int description_epilogue = 7;      // CUBLASLT_MATMUL_DESC_EPILOGUE
constexpr int description_bias = 8;          // CUBLASLT_MATMUL_DESC_BIAS_POINTER
constexpr int layout_columns = 3;            // CUBLASLT_MATRIX_LAYOUT_COLS
constexpr int preference_workspace = 1;      // CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES
constexpr int preference_reductions = 3;     // CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK
constexpr std::uint32_t epilogue_store = 1;  // CUBLASLT_EPILOGUE_DEFAULT
constexpr std::uint32_t epilogue_relu = 2;   // CUBLASLT_EPILOGUE_RELU
constexpr std::uint32_t epilogue_bias = 4;   // CUBLASLT_EPILOGUE_BIAS, to be combined with the others
constexpr std::uint32_t epilogue_gelu = 32;  // CUBLASLT_EPILOGUE_GELU
constexpr std::uint32_t no_reduction = 0;    // CUBLASLT_REDUCTION_SCHEME_NONE: a sum is never split

constexpr std::size_t workspace_bytes = std::size_t{32} << 20;  // what NVIDIA recommends for Hopper
constexpr std::size_t usual_rows = 8192;                        // for which cuBLASLt is asked how it would do it

int type_of(Precision precision) {
    if (precision == Precision::f32) return cublas::float32;
    return precision == Precision::f16 ? cublas::float16 : cublas::bfloat16;
}

std::uint32_t epilogue_of(Epilogue epilogue, bool has_bias) {
    const std::uint32_t bias = has_bias ? epilogue_bias : 0;
    if (epilogue == Epilogue::gelu) return epilogue_gelu | bias;
    if (epilogue == Epilogue::relu) return epilogue_relu | bias;
    return has_bias ? epilogue_bias : epilogue_store;
}

}  // namespace

Epilogue fused(Activation activation, Precision precision) {
    const bool is_gelu = activation == Activation::gelu || activation == Activation::gelu_tanh;
    if (is_gelu && precision != Precision::f32) return Epilogue::gelu;
    return activation == Activation::relu ? Epilogue::relu : Epilogue::store;
}

LtFunctions::LtFunctions(std::span<const std::string> files) {
    const ::wordbreadth::cuda::Library library(files, {"cuBLASLt", "the encoder on a GPU", "use the CPU"});
    library.find("cublasLtCreate", create);
    library.find("cublasLtDestroy", destroy);
    library.find("cublasLtGetStatusString", status_string);
    library.find("cublasLtMatmulDescCreate", create_description);
    library.find("cublasLtMatmulDescDestroy", destroy_description);
    library.find("cublasLtMatmulDescSetAttribute", set_description);
    library.find("cublasLtMatrixLayoutCreate", create_layout);
    library.find("cublasLtMatrixLayoutDestroy", destroy_layout);
    library.find("cublasLtMatrixLayoutSetAttribute", set_layout);
    library.find("cublasLtMatmulPreferenceCreate", create_preference);
    library.find("cublasLtMatmulPreferenceDestroy", destroy_preference);
    library.find("cublasLtMatmulPreferenceSetAttribute", set_preference);
    library.find("cublasLtMatmulAlgoGetHeuristic", propose);
    library.find("cublasLtMatmul", multiply);
}

// How the products of one kind are computed. cuBLAS thinks in columns: to it our arrays, row after row, are their own
// transposes, and what it computes is out^T = weight in^T.
class Products::Way {
  public:
    Way(const Products& products, const Kind& kind)
        : products_(products),
          functions_(products.functions_),
          description_(describe(kind)),
          weight_(lay_out(kind.inputs, kind.outputs)),
          in_(lay_out(kind.inputs, usual_rows)),
          out_(lay_out(kind.outputs, usual_rows)),
          algorithm_(choose()) {}

    void run(const void* weight, const void* bias, std::uint64_t rows, const void* in, void* out) {
        const float one = 1;
        const float zero = 0;
        if (bias != nullptr) set(functions_.set_description, description_, description_bias, bias);
        set(functions_.set_layout, in_, layout_columns, rows);
        set(functions_.set_layout, out_, layout_columns, rows);
        check(functions_.multiply(products_.handle_.get(), description_.get(), &one, weight, weight_.get(), in,
                                  in_.get(), &zero, out, out_.get(), out, out_.get(), &algorithm_,
                                  products_.workspace_.data(), workspace_bytes, products_.stream_.get()),
              "cublasLtMatmul");
    }

  private:
    using Owned = std::unique_ptr<void, LtFunctions::Status (*)(void*)>;
    using Set = LtFunctions::Status (*)(void*, int, const void*, std::size_t);

    void check(LtFunctions::Status status, const char* call) const {
        cublas::check(status, call, functions_.status_string);
    }

    template <class Value>
    void set(Set function, const Owned& object, int attribute, const Value& value) const {
        check(function(object.get(), attribute, &value, sizeof value), "setting an attribute of cublasLtMatmul");
    }

    [[nodiscard]] Owned describe(const Kind& kind) const {
        void* made = nullptr;
        check(functions_.create_description(&made, cublas::compute_in_float32, cublas::float32),
              "cublasLtMatmulDescCreate");
        Owned description(made, functions_.destroy_description);
        set(functions_.set_description, description, description_transpose_a, std::int32_t{cublas::transposed});
        set(functions_.set_description, description, description_epilogue, epilogue_of(kind.epilogue, kind.has_bias));
        return description;
    }

    [[nodiscard]] Owned lay_out(std::size_t rows, std::size_t columns) const {
        void* made = nullptr;
        const int type = type_of(products_.precision_);
        check(functions_.create_layout(&made, type, rows, columns, static_cast<std::int64_t>(rows)),
              "cublasLtMatrixLayoutCreate");
        return {made, functions_.destroy_layout};
    }

    [[nodiscard]] LtAlgorithm choose() const {
        void* made = nullptr;
        check(functions_.create_preference(&made), "cublasLtMatmulPreferenceCreate");
        const Owned preference(made, functions_.destroy_preference);
        set(functions_.set_preference, preference, preference_workspace, workspace_bytes);
        set(functions_.set_preference, preference, preference_reductions, no_reduction);
        LtProposal proposal{};
        int found = 0;
        check(functions_.propose(products_.handle_.get(), description_.get(), weight_.get(), in_.get(), out_.get(),
                                 out_.get(), preference.get(), 1, &proposal, &found),
              "cublasLtMatmulAlgoGetHeuristic");
        check(found == 1 ? proposal.state : cublas::not_supported, "cublasLtMatmulAlgoGetHeuristic");
        return proposal.algorithm;
    }

    const Products& products_;
    const LtFunctions& functions_;
    const Owned description_, weight_, in_, out_;
    const LtAlgorithm algorithm_;
};

Products::Products(Precision precision, const Stream& stream)
    : precision_(precision),
      stream_(stream),
      functions_(::wordbreadth::cuda::library_files("libcublasLt")),
      handle_(nullptr, functions_.destroy),
      workspace_(workspace_bytes) {
    cublasLtContext* handle = nullptr;
    cublas::check(functions_.create(&handle), "cublasLtCreate", functions_.status_string);
    handle_.reset(handle);
}

Products::~Products() = default;

void Products::run(const MatrixRows& part, Epilogue epilogue, std::size_t rows, const void* in, void* out) {
    const Matrix& matrix = *part.matrix;
    const bool has_bias = matrix.bias.size() > 0;
    const std::size_t first = part.first * bytes_of(precision_);
    const std::byte* weight = matrix.weight.data() + first * matrix.inputs;
    const std::byte* bias = has_bias ? matrix.bias.data() + first : nullptr;
    const Kind kind{matrix.inputs, part.outputs, has_bias, epilogue};
    std::unique_ptr<Way>& way = ways_[kind];
    if (!way) way = std::make_unique<Way>(*this, kind);
    way->run(weight, bias, rows, in, out);
}

}  // namespace wordbreadth::encoder::cuda
