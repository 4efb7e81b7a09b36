#include "parquet/metadata.h"

#include "parquet/thrift.h"

namespace wordbreadth::parquet {
namespace {

// Converted types are what logical types were before; older readers and writers know nothing else.
namespace converted {
constexpr int utf8 = 0, list = 3, first_unsigned = 11, last_unsigned = 14, first_signed = 15, last_signed = 18;
constexpr int unsigned_64 = 14;
}  // namespace converted

// The fields of the union of logical types.
namespace logical {
constexpr int string = 1, list = 3, integer = 10, always_null = 11, float16 = 15;
}  // namespace logical

template <class Enum>
std::int64_t number_of(Enum value) {
    return static_cast<std::int64_t>(value);
}

void write_logical(ThriftWriter& out, Logical type) {
    if (type == Logical::none) return;
    if (type == Logical::string) out.int32(6, converted::utf8);
    if (type == Logical::unsigned_integer) out.int32(6, converted::unsigned_64);
    out.begin(10);
    if (type == Logical::unsigned_integer) {
        out.begin(logical::integer);
        out.integer(1, ThriftType::byte, 64);
        out.truth(2, false);
    } else {
        out.begin(type == Logical::string ? logical::string : logical::always_null);
    }
    out.end();
    out.end();
}

void write(ThriftWriter& out, const SchemaElement& element) {
    out.begin();
    if (element.physical) out.int32(1, number_of(*element.physical));
    if (element.repetition) out.int32(3, number_of(*element.repetition));
    out.text(4, element.name);
    if (!element.physical) out.int32(5, element.children);
    write_logical(out, element.logical);
    out.end();
}

void write(ThriftWriter& out, const ChunkMetadata& chunk) {
    out.begin();
    out.int64(2, 0);  // file_offset, which nothing uses
    out.begin(3);
    out.int32(1, number_of(chunk.physical));
    out.begin_list(2, ThriftType::int32, chunk.encodings.size());
    for (const Encoding encoding : chunk.encodings) out.element(number_of(encoding));
    out.begin_list(3, ThriftType::binary, chunk.path.size());
    for (const std::string& name : chunk.path) out.element(name);
    out.int32(4, number_of(chunk.codec));
    out.int64(5, chunk.values);
    out.int64(6, chunk.uncompressed_bytes);
    out.int64(7, chunk.compressed_bytes);
    out.int64(9, chunk.data_offset);
    if (chunk.dictionary_offset) out.int64(11, *chunk.dictionary_offset);
    out.end();
    out.end();
}

void write(ThriftWriter& out, const RowGroupMetadata& group) {
    std::int64_t bytes = 0;
    out.begin();
    out.begin_list(1, ThriftType::structure, group.chunks.size());
    for (const ChunkMetadata& chunk : group.chunks) {
        write(out, chunk);
        bytes += chunk.uncompressed_bytes;
    }
    out.int64(2, bytes);
    out.int64(3, group.rows);
    out.end();
}

Logical logical_of_converted(std::int64_t type) {
    if (type == converted::utf8) return Logical::string;
    if (type == converted::list) return Logical::list;
    if (type >= converted::first_unsigned && type <= converted::last_unsigned) return Logical::unsigned_integer;
    return type >= converted::first_signed && type <= converted::last_signed ? Logical::integer : Logical::other;
}

Logical read_integer_type(ThriftReader& in) {
    bool is_signed = true;
    in.structure([&](int id, ThriftType type) {
        if (id != 2) return false;
        is_signed = in.truth(type);
        return true;
    });
    return is_signed ? Logical::integer : Logical::unsigned_integer;
}

Logical read_logical(ThriftReader& in) {
    Logical found = Logical::other;
    in.structure([&](int id, ThriftType type) {
        if (id == logical::string) found = Logical::string;
        if (id == logical::list) found = Logical::list;
        if (id == logical::always_null) found = Logical::always_null;
        if (id == logical::float16) found = Logical::float16;
        if (id != logical::integer || type != ThriftType::structure) return false;
        found = read_integer_type(in);
        return true;
    });
    return found;
}

SchemaElement read_element(ThriftReader& in) {
    SchemaElement element;
    in.structure([&](int id, ThriftType type) {
        switch (id) {
            case 1:
                element.physical = static_cast<Physical>(in.integer(type));
                return true;
            case 2:
                element.length = in.integer(type);
                return true;
            case 3:
                element.repetition = static_cast<Repetition>(in.integer(type));
                return true;
            case 4:
                element.name = in.text(type);
                return true;
            case 5:
                element.children = in.integer(type);
                return true;
            case 6:
                element.logical = logical_of_converted(in.integer(type));
                return true;
            case 10:
                if (type != ThriftType::structure) return false;
                element.logical = read_logical(in);
                return true;
            default:
                return false;
        }
    });
    return element;
}

void read_chunk_metadata(ThriftReader& in, ChunkMetadata& chunk) {
    in.structure([&](int id, ThriftType type) {
        switch (id) {
            case 1:
                chunk.physical = static_cast<Physical>(in.integer(type));
                return true;
            case 3:
                in.list(type, [&] { chunk.path.push_back(in.text()); });
                return true;
            case 4:
                chunk.codec = static_cast<Codec>(in.integer(type));
                return true;
            case 5:
                chunk.values = in.integer(type);
                return true;
            case 6:
                chunk.uncompressed_bytes = in.integer(type);
                return true;
            case 7:
                chunk.compressed_bytes = in.integer(type);
                return true;
            case 9:
                chunk.data_offset = in.integer(type);
                return true;
            case 11:
                chunk.dictionary_offset = in.integer(type);
                return true;
            default:
                return false;
        }
    });
}

ChunkMetadata read_chunk(ThriftReader& in) {
    ChunkMetadata chunk;
    in.structure([&](int id, ThriftType type) {
        if (id == 1) chunk.in_another_file = true;
        if (id == 8) chunk.is_encrypted = true;
        if (id != 3 || type != ThriftType::structure) return false;
        read_chunk_metadata(in, chunk);
        return true;
    });
    return chunk;
}

RowGroupMetadata read_row_group(ThriftReader& in) {
    RowGroupMetadata group;
    in.structure([&](int id, ThriftType type) {
        if (id == 1) {
            in.list(type, [&] { group.chunks.push_back(read_chunk(in)); });
            return true;
        }
        if (id != 3) return false;
        group.rows = in.integer(type);
        return true;
    });
    return group;
}

// Of a data page of either version and of a dictionary page; the numbers of their fields differ.
struct FieldsOfPage {
    int values = 0, encoding = 0, definition_levels = 0, repetition_levels = 0;  // 0: has none
    int definition_bytes = 0, repetition_bytes = 0, is_compressed = 0;
};

constexpr FieldsOfPage data_fields{.values = 1, .encoding = 2, .definition_levels = 3, .repetition_levels = 4};
constexpr FieldsOfPage dictionary_fields{.values = 1, .encoding = 2};
constexpr FieldsOfPage data_v2_fields{
    .values = 1, .encoding = 4, .definition_bytes = 5, .repetition_bytes = 6, .is_compressed = 7};

void read_fields_of_page(ThriftReader& in, const FieldsOfPage& fields, PageHeader& header) {
    in.structure([&](int id, ThriftType type) {
        if (id == fields.values) {
            header.values = in.integer(type);
        } else if (id == fields.encoding) {
            header.encoding = static_cast<Encoding>(in.integer(type));
        } else if (id == fields.definition_levels || id == fields.repetition_levels) {
            const auto encoding = static_cast<Encoding>(in.integer(type));
            if (encoding != Encoding::rle) header.levels = encoding;
        } else if (id == fields.definition_bytes) {
            header.definition_bytes = in.integer(type);
        } else if (id == fields.repetition_bytes) {
            header.repetition_bytes = in.integer(type);
        } else if (id == fields.is_compressed) {
            header.is_compressed = in.truth(type);
        } else {
            return false;
        }
        return true;
    });
}

}  // namespace

std::string bytes_of(const FileMetadata& metadata) {
    ThriftWriter out;
    out.begin();
    out.int32(1, 2);  // the version of the format
    out.begin_list(2, ThriftType::structure, metadata.schema.size());
    for (const SchemaElement& element : metadata.schema) write(out, element);
    out.int64(3, metadata.rows);
    out.begin_list(4, ThriftType::structure, metadata.row_groups.size());
    for (const RowGroupMetadata& group : metadata.row_groups) write(out, group);
    out.text(6, metadata.created_by);
    out.end();
    return out.bytes();
}

FileMetadata read_metadata(const std::string& where, std::span<const std::byte> bytes) {
    ThriftReader in(where, bytes);
    FileMetadata metadata;
    in.structure([&](int id, ThriftType type) {
        switch (id) {
            case 2:
                in.list(type, [&] { metadata.schema.push_back(read_element(in)); });
                return true;
            case 3:
                metadata.rows = in.integer(type);
                return true;
            case 4:
                in.list(type, [&] { metadata.row_groups.push_back(read_row_group(in)); });
                return true;
            case 6:
                metadata.created_by = in.text(type);
                return true;
            default:
                return false;
        }
    });
    return metadata;
}

std::string bytes_of(const PageHeader& header) {
    const bool dictionary = header.kind == PageKind::dictionary;
    ThriftWriter out;
    out.begin();
    out.int32(1, number_of(header.kind));
    out.int32(2, header.uncompressed_bytes);
    out.int32(3, header.compressed_bytes);
    out.begin(dictionary ? 7 : 5);
    out.int32(1, header.values);
    out.int32(2, number_of(header.encoding));
    if (!dictionary) out.int32(3, number_of(Encoding::rle));
    if (!dictionary) out.int32(4, number_of(Encoding::rle));
    out.end();
    out.end();
    return out.bytes();
}

PageHeader read_page_header(const std::string& where, std::span<const std::byte>& bytes) {
    ThriftReader in(where, bytes);
    PageHeader header;
    in.structure([&](int id, ThriftType type) {
        const bool is_structure = type == ThriftType::structure;
        if (id == 1) {
            header.kind = static_cast<PageKind>(in.integer(type));
        } else if (id == 2) {
            header.uncompressed_bytes = in.integer(type);
        } else if (id == 3) {
            header.compressed_bytes = in.integer(type);
        } else if (is_structure && (id == 5 || id == 7 || id == 8)) {
            read_fields_of_page(in, id == 5 ? data_fields : id == 7 ? dictionary_fields : data_v2_fields, header);
        } else {
            return false;
        }
        return true;
    });
    bytes = in.rest();
    return header;
}

}  // namespace wordbreadth::parquet
