#include "parquet/writer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "parquet/codec.h"
#include "parquet/hybrid.h"
#include "wordbreadth/version.h"

namespace wordbreadth::parquet {
namespace {

// Numbers that are written as places in a dictionary. A column with more different ones gains nothing by it.
constexpr std::size_t most_different_numbers = 1024;

template <class Number>
void append_number(std::string& bytes, Number number) {
    std::array<char, sizeof number> raw{};
    std::memcpy(raw.data(), &number, sizeof number);
    bytes.append(raw.data(), raw.size());
}

bool is_present(const Values& values, std::size_t index) {
    return (values.present[index / 8] >> index % 8 & 1U) != 0;
}

std::string_view text_at(const Values& values, std::size_t index) {
    const auto begin = static_cast<std::size_t>(values.text_starts[index]);
    return values.bytes.substr(begin, static_cast<std::size_t>(values.text_starts[index + 1]) - begin);
}

std::uint64_t bits_at(const Values& values, std::size_t index) {
    return values.type == Type::count ? values.counts[index] : std::bit_cast<std::uint64_t>(values.reals[index]);
}

void append_plain(std::string& bytes, std::uint64_t number) {
    append_number(bytes, number);
}

void append_plain(std::string& bytes, std::string_view text) {
    append_number(bytes, static_cast<std::uint32_t>(text.size()));
    bytes += text;
}

// The different values, plain, and for each value its place among them.
struct Dictionary {
    std::string bytes{};
    std::size_t size = 0;
    std::vector<std::uint32_t> places{};
    bool is_worth_it = true;
};

template <class Key, class At>
Dictionary dictionary_of(const Values& values, std::size_t most, const At& at) {
    Dictionary found;
    found.places.reserve(values.size - values.missing);
    std::unordered_map<Key, std::uint32_t> known;
    for (std::size_t i = 0; i < values.size && found.is_worth_it; ++i) {
        if (!is_present(values, i)) continue;
        const Key key = at(values, i);
        // Values often repeat the one before.
        if (!found.places.empty() && known.size() == 1 && known.begin()->first == key) {
            found.places.push_back(0);
            continue;
        }
        const auto [entry, is_new] = known.try_emplace(key, static_cast<std::uint32_t>(known.size()));
        if (is_new) append_plain(found.bytes, key);
        found.places.push_back(entry->second);
        found.is_worth_it = known.size() <= most;
    }
    found.size = known.size();
    return found;
}

Dictionary dictionary_of(const Values& values) {
    if (values.missing == values.size) return {.is_worth_it = false};
    if (values.type == Type::text)
        return dictionary_of<std::string_view>(values, std::numeric_limits<std::size_t>::max(), text_at);
    if (values.type == Type::count || values.type == Type::real)
        return dictionary_of<std::uint64_t>(values, most_different_numbers, bits_at);
    return {.is_worth_it = false};
}

// Which values are there, with the length of that before it.
std::string definition_levels(const Values& values) {
    std::string levels;
    if (values.missing == 0 || values.missing == values.size)
        append_run(levels, values.missing == 0, values.size);
    else
        append_bits(levels, values.present, values.size);
    std::string page;
    append_number(page, static_cast<std::uint32_t>(levels.size()));
    return page + levels;
}

void append_truths(std::string& page, const Values& values) {
    unsigned bit = 0;
    for (std::size_t i = 0; i < values.size; ++i) {
        if (!is_present(values, i)) continue;
        if (bit % 8 == 0) page += '\0';
        if (values.counts[i] != 0) page.back() = static_cast<char>(page.back() | 1 << bit % 8);
        ++bit;
    }
}

void append_all_plain(std::string& page, const Values& values) {
    if (values.type == Type::nothing) return;
    if (values.type == Type::truth) return append_truths(page, values);
    for (std::size_t i = 0; i < values.size; ++i)
        if (is_present(values, i)) append_plain(page, bits_at(values, i));
}

Physical physical_of(Type type) {
    switch (type) {
        case Type::text:
            return Physical::bytes;
        case Type::count:
            return Physical::int64;
        case Type::real:
            return Physical::float64;
        case Type::truth:
            return Physical::boolean;
        default:
            return Physical::int32;
    }
}

// Appends the page to the row group and counts it to the chunk.
void append_page(PageHeader header, const std::string& page, ChunkMetadata& chunk, std::string& bytes) {
    const std::string packed = compressed(page);
    if (page.size() > std::numeric_limits<std::int32_t>::max()) throw std::length_error("a page of more than 2 GiB");
    header.uncompressed_bytes = static_cast<std::int64_t>(page.size());
    header.compressed_bytes = static_cast<std::int64_t>(packed.size());
    const std::string before = bytes_of(header);
    chunk.uncompressed_bytes += static_cast<std::int64_t>(before.size() + page.size());
    chunk.compressed_bytes += static_cast<std::int64_t>(before.size() + packed.size());
    bytes += before;
    bytes += packed;
}

ChunkMetadata append_chunk(const Values& values, std::string& bytes) {
    ChunkMetadata chunk{.physical = physical_of(values.type),
                        .encodings = {Encoding::plain, Encoding::rle},
                        .codec = Codec::zstd,
                        .values = static_cast<std::int64_t>(values.size)};
    const Dictionary dictionary = dictionary_of(values);
    std::string page = definition_levels(values);
    if (dictionary.is_worth_it) {
        chunk.encodings.push_back(Encoding::rle_dictionary);
        chunk.dictionary_offset = static_cast<std::int64_t>(bytes.size());
        append_page({.kind = PageKind::dictionary, .values = static_cast<std::int64_t>(dictionary.size)},
                    dictionary.bytes, chunk, bytes);
        const unsigned width = width_of(dictionary.size > 0 ? dictionary.size - 1 : 0);
        page += static_cast<char>(width);
        append_hybrid(page, dictionary.places, width);
    } else {
        append_all_plain(page, values);
    }
    chunk.data_offset = static_cast<std::int64_t>(bytes.size());
    append_page({.kind = PageKind::data,
                 .values = static_cast<std::int64_t>(values.size),
                 .encoding = dictionary.is_worth_it ? Encoding::rle_dictionary : Encoding::plain},
                page, chunk, bytes);
    return chunk;
}

bool has_large_counts(const Values& values) {
    constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    return values.type == Type::count && std::ranges::any_of(values.counts, [](auto count) { return count > largest; });
}

SchemaElement schema_of(const std::string& name, Type type, bool large_counts) {
    SchemaElement column{name, physical_of(type), Repetition::optional};
    if (type == Type::text) column.logical = Logical::string;
    if (type == Type::count && large_counts) column.logical = Logical::unsigned_integer;
    if (type == Type::nothing) column.logical = Logical::always_null;
    return column;
}

}  // namespace

RowGroup encoded(std::span<const Values> columns) {
    RowGroup group;
    group.metadata.rows = columns.empty() ? 0 : static_cast<std::int64_t>(columns.front().size);
    for (const Values& values : columns) {
        group.metadata.chunks.push_back(append_chunk(values, group.bytes));
        group.types.push_back(values.type);
        group.large_counts.push_back(has_large_counts(values));
    }
    return group;
}

Writer::Writer(std::vector<std::string> names, std::vector<Type> like, Sink write)
    : names_(std::move(names)),
      types_(names_.size(), Type::nothing),
      like_(std::move(like)),
      large_counts_(names_.size(), false),
      write_(std::move(write)) {
    write_(std::string_view(magic, sizeof magic));
    offset_ = sizeof magic;
}

void Writer::write(RowGroup group) {
    for (std::size_t c = 0; c < names_.size(); ++c) {
        const Type type = group.types[c];
        if (types_[c] == Type::nothing) types_[c] = type;
        if (type != Type::nothing && type != types_[c])
            throw std::logic_error("column " + names_[c] + ": has another value among values of one type");
        large_counts_[c] = large_counts_[c] || group.large_counts[c];
        ChunkMetadata& chunk = group.metadata.chunks[c];
        chunk.path = {names_[c]};
        chunk.data_offset += offset_;
        if (chunk.dictionary_offset) *chunk.dictionary_offset += offset_;
    }
    write_(group.bytes);
    offset_ += static_cast<std::int64_t>(group.bytes.size());
    metadata_.rows += group.metadata.rows;
    metadata_.row_groups.push_back(std::move(group.metadata));
}

void Writer::finish() {
    metadata_.schema = {{.name = "schema", .children = static_cast<std::int64_t>(names_.size())}};
    for (std::size_t c = 0; c < names_.size(); ++c) {
        if (types_[c] == Type::nothing) types_[c] = like_[c];
        metadata_.schema.push_back(schema_of(names_[c], types_[c], large_counts_[c]));
        // A chunk without values is one of any type.
        for (RowGroupMetadata& group : metadata_.row_groups) group.chunks[c].physical = physical_of(types_[c]);
    }
    metadata_.created_by = "wordbreadth version " + std::string(version());
    std::string footer = bytes_of(metadata_);
    append_number(footer, static_cast<std::uint32_t>(footer.size()));
    footer.append(magic, sizeof magic);
    write_(footer);
}

}  // namespace wordbreadth::parquet
