// The numbers of the Parquet format (github.com/apache/parquet-format), as its files have them.
#pragma once

#include <cstdint>

namespace wordbreadth::parquet {

enum class Physical : std::int32_t { boolean, int32, int64, int96, float32, float64, bytes, fixed_bytes };

enum class Encoding : std::int32_t {
    plain = 0,
    plain_dictionary = 2,  // RLE_DICTIONARY under its old name; of a dictionary page, PLAIN
    rle = 3,
    bit_packed = 4,
    delta_binary_packed = 5,
    delta_length_byte_array = 6,
    delta_byte_array = 7,
    rle_dictionary = 8,
    byte_stream_split = 9,
};

enum class Codec : std::int32_t { none = 0, snappy = 1, gzip = 2, lzo = 3, brotli = 4, lz4 = 5, zstd = 6, lz4_raw = 7 };

enum class Repetition : std::int32_t { required, optional, repeated };

enum class PageKind : std::int32_t { data, index, dictionary, data_v2 };

// Of the logical types those that matter here; all others are read as the physical type.
enum class Logical : std::int32_t { none, string, list, integer, unsigned_integer, always_null, float16, other };

inline constexpr char magic[] = {'P', 'A', 'R', '1'};  // at both ends of a file

}  // namespace wordbreadth::parquet
