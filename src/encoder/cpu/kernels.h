// The inner loops that are not matrix products, compiled for several instruction sets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace wordbreadth::encoder::cpu {

// Rows of floats to mean 0 and variance 1, or to a mean square of 1; then scaled and shifted.
struct NormTask {
    std::size_t rows, width;
    const float* from;    // (rows, width)
    const float* weight;  // (width)
    const float* bias;    // (width), or null
    float epsilon;
    bool centres;            // else the mean is taken to be 0
    float* to;               // (rows, width), may be `from`; or null
    std::uint16_t* rounded;  // (rows, width) as bfloat16; or null
    float* moments;          // (rows, 2): mean, and 1 / standard deviation; or null
};

// A row of the first layer's projection from its parts: see FirstProjection.
struct SumTask {
    std::size_t width;
    const float *word, *position, *type, *ones, *rest;  // (width) each
    const float* moments;                               // of the embedding
    float* to;
};

// Terms of a score that depend on the bucket b of the distance query - key. Tables have `stride` columns, at least as
// many as there are buckets.
struct RelativeTerms {
    std::size_t stride = 0;
    const std::int32_t* bucket_of = nullptr;  // from distance -(keys - 1) to keys - 1: points to that of 0
    const float* bias = nullptr;              // (heads, stride): added; or null
    const float* keys = nullptr;              // (heads, head_size, stride): column b times the query is added; or null
    const float* queries = nullptr;           // (heads, head_size, stride): column b times the key is added; or null
};

// Attention in one sentence, all heads. A head's columns lie together: head h starts at column h * head_size.
struct AttentionTask {
    std::size_t queries, keys;                // rows; the keys are the whole sentence
    std::size_t heads, key_heads, head_size;  // heads / key_heads heads in turn share keys and values
    float scale;                              // of the scores
    std::size_t before, after;                // a query sees keys at most this far from its position
    const std::size_t* positions;  // of the queries, ascending, `position_offset` too large; or null: 0, 1, 2, ...
    std::size_t position_offset;
    const float *query, *key, *value;
    std::size_t query_stride, key_stride;  // between rows; values are as far apart as keys
    std::size_t to_stride;
    const float *cosines, *sines;   // (position, head_size / 2), or null: nothing is rotated
    const RelativeTerms* relative;  // or null
    float* space;                   // attention_space() floats
    float* to;                      // (queries, heads * head_size), rows to_stride apart; or null
    std::uint16_t* rounded;         // the same as bfloat16; or null
};

struct Kernels {
    const char* name;
    void (*normalize)(const NormTask& task);
    void (*attend)(const AttentionTask& task);
    void (*sum)(const SumTask& task);
    void (*round)(const float* from, std::size_t count, std::uint16_t* to);  // to bfloat16, nearest, ties to even
};

// The working space that `attend` needs for sentences of up to `keys` tokens.
[[nodiscard]] std::size_t attention_space(std::size_t keys, std::size_t head_size, bool has_relative_terms = false);

// Those that run on this processor, slowest first; never empty. Names: generic, avx2, avx512.
[[nodiscard]] std::vector<const Kernels*> usable_kernels();

// Those of one instruction set; an empty name: the fastest. Throws InputError when this processor lacks it.
[[nodiscard]] const Kernels& kernels_for(const std::string& instruction_set);

}  // namespace wordbreadth::encoder::cpu
