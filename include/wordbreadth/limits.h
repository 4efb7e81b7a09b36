// Every limit on what the program accepts, in one place. Going past one is an InputError that names it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace wordbreadth::limits {

inline constexpr std::size_t rows_of_a_pair = 1'000'000;          // n + m
inline constexpr std::size_t dimension = 65'536;                  // d
inline constexpr std::uint64_t permutations = 1'000'000'000'000;  // B
inline constexpr std::uint64_t null_distribution = 100'000'000;   // values kept on request
inline constexpr std::size_t threads = 1024;

inline constexpr std::size_t npy_header_bytes = 64 * 1024;
inline constexpr std::size_t array_rank = 8;
inline constexpr std::size_t safetensors_header_bytes = 100'000'000;
inline constexpr std::size_t json_depth = 64;
inline constexpr std::size_t archive_entries = 1'000'000;  // clouds in one .npz or .safetensors
inline constexpr std::size_t name_bytes = 4096;            // of a cloud

// Of a store, which has at most archive_entries words, in one .safetensors file or several.
inline constexpr std::uint64_t stored_number = 1'000'000'000'000'000;  // any count, size or position in its tables

// Of a list that the user gives: words, or pairs of clouds.
inline constexpr std::uint64_t list_bytes = 256 * 1024 * 1024;
inline constexpr std::size_t list_line_bytes = 64 * 1024;
inline constexpr std::size_t list_entries = 10'000'000;

// Of a result that is to be verified: JSON, or a page.
inline constexpr std::uint64_t result_bytes = 4ULL * 1024 * 1024 * 1024;

// An .npz member may unpack to `npz_member_bytes` however well it was compressed (few, sparse rows), and beyond that to
// `npz_expansion` times its compressed size: real vectors stay below 2, a zip bomb is near 1000.
inline constexpr std::uint64_t npz_member_bytes = 64 * 1024 * 1024;
inline constexpr std::uint64_t npz_expansion = 250;

// Of a Parquet file. Its pages, and the vectors of the whole file, may unpack as far as members of an .npz may.
inline constexpr std::uint64_t parquet_footer_bytes = 256 * 1024 * 1024;
inline constexpr std::uint64_t parquet_page_bytes = 1024 * 1024 * 1024;
inline constexpr std::size_t parquet_delta_values = 16 * 1024 * 1024;  // of a page, which are decoded together

// Of a corpus. A longer sentence is not refused, but cut at white space into pieces.
inline constexpr std::size_t sentence_bytes = 64 * 1024;
inline constexpr std::size_t line_bytes = 1024 * 1024;         // of a table, such as CoNLL-U
inline constexpr std::size_t record_bytes = 16 * 1024 * 1024;  // of a JSON record, and of a text that is taken as one
// Distinct sentences that later ones are compared with, to find copies; 2 GB of memory each. Further ones are compared
// with these, but not remembered, and counted.
inline constexpr std::size_t compared_sentences = 1 << 27;
inline constexpr std::size_t compared_sentences_near = 1 << 23;
inline constexpr std::size_t xml_depth = 64;
inline constexpr std::size_t xml_token_bytes = 1024 * 1024;  // of one tag or comment

// Of WordNet's files.
inline constexpr std::size_t wordnet_file_bytes = 64 * 1024 * 1024;
inline constexpr std::size_t wordnet_line_bytes = 64 * 1024;

// Of a tokenizer.
inline constexpr std::size_t tokenizer_file_bytes = 64 * 1024 * 1024;  // tokenizer.json, vocab.txt
inline constexpr std::size_t vocabulary = 16'000'000;                  // tokens; also merges
inline constexpr std::size_t token_bytes = 4096;
inline constexpr std::size_t text_bytes = 16 * 1024 * 1024;   // tokenized at once
inline constexpr std::size_t expression_instructions = 4096;  // of one regular expression
inline constexpr std::size_t expression_sets = 512;           // characters and sets in it, 136 KiB each
inline constexpr std::size_t expression_steps = 100'000'000;  // back, on one text

// Of a model. Its width is a cloud's dimension, its vocabulary a tokenizer's.
inline constexpr std::size_t model_layers = 1024;
inline constexpr std::size_t model_positions = 1'048'576;     // tokens in one sentence
inline constexpr std::size_t model_intermediate = 1'048'576;  // width between the two products of a layer's second half
inline constexpr std::size_t pickle_bytes = 4 * 1024 * 1024;  // the list of tensors in a pytorch_model.bin
inline constexpr std::size_t batch_tokens = 16 * 1024 * 1024;  // encoded at once

}  // namespace wordbreadth::limits
