// What a Parquet file says of itself: the footer, and the header of each page. Written by the writer, read by the
// reader; fields that neither needs are left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "parquet/format.h"

namespace wordbreadth::parquet {

// A column, or a group of those that follow it: the schema is a tree, written from its root.
struct SchemaElement {
    std::string name;
    std::optional<Physical> physical{};  // none: a group
    std::optional<Repetition> repetition{};
    std::int64_t length = 0;  // bytes of fixed_bytes
    std::int64_t children = 0;
    Logical logical = Logical::none;
};

// One column of a row group.
struct ChunkMetadata {
    Physical physical = Physical::boolean;
    std::vector<Encoding> encodings{};  // written, not read: pages say theirs
    std::vector<std::string> path{};    // in the schema
    Codec codec = Codec::none;
    std::int64_t values = 0;  // nulls too
    std::int64_t uncompressed_bytes = 0;
    std::int64_t compressed_bytes = 0;
    std::int64_t data_offset = 0;  // of the first data page
    std::optional<std::int64_t> dictionary_offset{};
    bool in_another_file = false;
    bool is_encrypted = false;
};

struct RowGroupMetadata {
    std::vector<ChunkMetadata> chunks{};
    std::int64_t rows = 0;
};

struct FileMetadata {
    std::vector<SchemaElement> schema{};
    std::int64_t rows = 0;
    std::vector<RowGroupMetadata> row_groups{};
    std::string created_by{};
};

[[nodiscard]] std::string bytes_of(const FileMetadata& metadata);

// Throws InputError, naming `where`, when the bytes are not a footer. What it says may still be anything.
[[nodiscard]] FileMetadata read_metadata(const std::string& where, std::span<const std::byte> bytes);

struct PageHeader {
    PageKind kind = PageKind::data;
    std::int64_t uncompressed_bytes = 0;
    std::int64_t compressed_bytes = 0;
    std::int64_t values = 0;  // nulls too; of a dictionary, its entries
    Encoding encoding = Encoding::plain;
    Encoding levels = Encoding::rle;  // of definition and repetition levels, the one that is not rle where one is not
    // Of data_v2 only, where levels precede the values and are not compressed.
    std::int64_t definition_bytes = 0;
    std::int64_t repetition_bytes = 0;
    bool is_compressed = true;
};

[[nodiscard]] std::string bytes_of(const PageHeader& header);  // not of data_v2, which is not written

// Reads a header and moves `bytes` past it. Throws as read_metadata().
[[nodiscard]] PageHeader read_page_header(const std::string& where, std::span<const std::byte>& bytes);

}  // namespace wordbreadth::parquet
