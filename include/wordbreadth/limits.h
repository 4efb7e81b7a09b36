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

// An .npz member may unpack to `npz_member_bytes` however well it was compressed (few, sparse rows), and beyond that to
// `npz_expansion` times its compressed size: real vectors stay below 2, a zip bomb is near 1000.
inline constexpr std::uint64_t npz_member_bytes = 64 * 1024 * 1024;
inline constexpr std::uint64_t npz_expansion = 250;

}  // namespace wordbreadth::limits
