#include "parquet/reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/failure.h"
#include "base/file.h"
#include "base/strings.h"
#include "parquet/codec.h"
#include "parquet/hybrid.h"
#include "parquet/values.h"
#include "wordbreadth/error.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::parquet {

// Mapped, so that nothing is copied before it is decoded.
class Input {
  public:
    explicit Input(const std::string& path) : path_(path), file_(path) {}

    [[nodiscard]] std::uint64_t size() const { return file_.bytes().size(); }

    [[nodiscard]] std::span<const std::byte> bytes(std::uint64_t offset, std::uint64_t count) const {
        if (offset > size() || count > size() - offset)
            base::fail(path_, "cannot be read at byte " + std::to_string(offset) + "; it is cut off");
        return file_.bytes().subspan(offset, count);
    }

    void forget() const { file_.forget(); }

  private:
    std::string path_;
    base::MappedFile file_;
};

namespace {

constexpr std::uint64_t least_file = sizeof magic + sizeof(std::uint32_t) + sizeof magic;

FileMetadata footer_of(const std::string& path, const Input& input) {
    if (input.size() < least_file)
        base::fail(path, "has " + std::to_string(input.size()) + " bytes; expected a Parquet file");
    constexpr std::uint64_t end_bytes = sizeof(std::uint32_t) + sizeof magic;
    const std::span<const std::byte> end = input.bytes(input.size() - end_bytes, end_bytes);
    if (std::memcmp(&end[4], "PARE", 4) == 0) base::fail(path, "is encrypted; write it without encryption");
    if (std::memcmp(&end[4], magic, sizeof magic) != 0)
        base::fail(path, "does not end as a Parquet file does (PAR1): it is cut off, or of another format");
    std::uint32_t size = 0;
    std::memcpy(&size, end.data(), sizeof size);
    if (size > input.size() - least_file || size > limits::parquet_footer_bytes)
        base::fail(
            path, "says that its footer has " + std::to_string(size) + " bytes; expected at most " +
                      std::to_string(std::min<std::uint64_t>(input.size() - least_file, limits::parquet_footer_bytes)));
    return read_metadata(path, input.bytes(input.size() - end_bytes - size, size));
}

// ---- the schema

const char* name_of(Physical type) {
    constexpr std::array names{"boolean", "int32", "int64", "int96", "float", "double", "bytes", "fixed bytes"};
    const auto index = static_cast<std::size_t>(type);
    return index < names.size() ? names[index] : "unknown";
}

// Of integers that are something else it says so: they are refused where integers are expected.
std::string type_of(const SchemaElement& element) {
    if (element.logical == Logical::always_null) return "null";
    const bool is_integer = element.physical == Physical::int32 || element.physical == Physical::int64;
    const std::string name = name_of(*element.physical);
    return is_integer && element.logical == Logical::other ? name + " (a date, time or decimal)" : name;
}

Kind kind_of_value(const SchemaElement& element, bool is_list) {
    if (element.logical == Logical::always_null && !is_list) return Kind::nothing;
    switch (*element.physical) {
        case Physical::bytes:
            return is_list ? Kind::unknown : Kind::text;
        case Physical::int32:
        case Physical::int64:
            if (element.logical == Logical::other || element.logical == Logical::always_null) return Kind::unknown;
            return is_list ? Kind::wholes : Kind::whole;
        case Physical::float32:
        case Physical::float64:
            return is_list ? Kind::reals : Kind::real;
        case Physical::fixed_bytes:
            if (element.logical != Logical::float16 || element.length != 2) return Kind::unknown;
            return is_list ? Kind::reals : Kind::real;
        default:
            return Kind::unknown;
    }
}

// Walks the tree of the schema. A list is a group with a repeated one in it; its name is that of the outer group. Of
// structs in a list, and of maps, each field is a column, as of those that are not.
class SchemaWalk {
  public:
    SchemaWalk(const std::string& path, const std::vector<SchemaElement>& schema) : path_(path), schema_(schema) {}

    std::vector<FileColumn> columns() {
        if (schema_.empty()) refuse();
        next_ = 1;
        for (std::int64_t child = 0; child < schema_.front().children; ++child) walk({}, 0);
        if (next_ != schema_.size()) refuse();
        return std::move(columns_);
    }

  private:
    struct Above {
        std::vector<std::string> names{};
        unsigned repetition = 0, definition = 0, list_definition = 0;
        bool has_fields = true;  // rather than the elements of a list, which have its name
    };

    [[noreturn]] void refuse() const {
        base::fail(path_, "has a schema that is not a tree of columns; the file is damaged");
    }

    void walk(Above above, std::size_t depth) {
        if (next_ >= schema_.size() || depth > limits::json_depth) refuse();
        const SchemaElement& element = schema_[next_++];
        const Repetition repetition = element.repetition.value_or(Repetition::required);
        const bool is_field = above.has_fields && repetition != Repetition::repeated;
        if (is_field || above.names.empty()) above.names.push_back(element.name);
        if (repetition != Repetition::required) ++above.definition;
        if (repetition == Repetition::repeated) {
            ++above.repetition;
            above.list_definition = above.definition - 1;
        }
        if (element.physical) return add(element, above);
        if (element.children <= 0) refuse();
        above.has_fields = repetition != Repetition::repeated || element.children > 1;
        for (std::int64_t child = 0; child < element.children; ++child) walk(above, depth + 1);
    }

    void add(const SchemaElement& element, const Above& above) {
        FileColumn column;
        column.name = base::joined(above.names, ".");
        column.kind = above.repetition > 1 ? Kind::unknown : kind_of_value(element, above.repetition == 1);
        for (unsigned list = 0; list < above.repetition; ++list) column.type += "list of ";
        column.type += type_of(element);
        column.leaf = columns_.size();
        column.element = element;
        column.repetition = above.repetition;
        column.definition = above.definition;
        column.list_definition = above.list_definition;
        columns_.push_back(std::move(column));
    }

    const std::string& path_;
    const std::vector<SchemaElement>& schema_;
    std::size_t next_ = 0;
    std::vector<FileColumn> columns_;
};

void require_row_groups(const std::string& path, const FileMetadata& metadata, std::size_t leaves) {
    std::uint64_t rows = 0;
    for (const RowGroupMetadata& group : metadata.row_groups) {
        if (group.rows < 0 || group.chunks.size() != leaves)
            base::fail(path, "has a row group with " + std::to_string(group.chunks.size()) + " columns and " +
                                 std::to_string(group.rows) + " rows; expected " + std::to_string(leaves) +
                                 " columns: the file is damaged");
        rows += static_cast<std::uint64_t>(group.rows);
        if (rows > limits::stored_number) break;
    }
    if (metadata.rows < 0 || rows != static_cast<std::uint64_t>(metadata.rows))
        base::fail(path, "says that it has " + std::to_string(metadata.rows) + " rows, and its row groups have " +
                             std::to_string(rows) + "; the file is damaged");
}

}  // namespace

void ColumnRows::clear() {
    present.clear();
    texts.clear();
    wholes.clear();
    reals.clear();
    list_starts.clear();
    overflows = false;
    in_place.clear();
    pages.clear();
}

struct File::Contents {
    explicit Contents(const std::string& from)
        : path(from),
          input(from),
          metadata(footer_of(from, input)),
          columns(SchemaWalk(path, metadata.schema).columns()) {
        require_row_groups(path, metadata, columns.size());
    }

    std::string path;
    Input input;
    FileMetadata metadata;
    std::vector<FileColumn> columns;
};

File::File(const std::string& path) : contents_(std::make_shared<const Contents>(path)) {}
File::File(File&&) noexcept = default;
File::~File() = default;

const std::string& File::path() const {
    return contents_->path;
}

std::uint64_t File::rows() const {
    return static_cast<std::uint64_t>(contents_->metadata.rows);
}

const std::vector<FileColumn>& File::columns() const {
    return contents_->columns;
}

void File::forget() const {
    contents_->input.forget();
}

// ---- one column

class ColumnReader::State {
  public:
    State(std::shared_ptr<const File::Contents> file, const FileColumn& column)
        : file_(std::move(file)), column_(column), where_(file_->path + ": column " + base::in_quotes(column.name)) {}

    void read(std::size_t rows, ColumnRows& into, bool in_place);

  private:
    [[noreturn]] void refuse(const std::string& what) const { base::fail(where_, what + "; the file is damaged"); }
    [[nodiscard]] const ChunkMetadata& chunk() const { return file_->metadata.row_groups[group_].chunks[column_.leaf]; }
    void begin_chunk();
    void next_page();
    PageHeader read_header();
    Buffer& free_page();
    std::span<const std::byte> page_bytes(const PageHeader& header);
    void begin_dictionary(const PageHeader& header, std::span<const std::byte> bytes);
    void begin_data(const PageHeader& header, std::span<const std::byte> bytes);
    std::span<const std::byte> levels_v1(std::span<const std::byte>& bytes);
    void read_flat(std::size_t rows, ColumnRows& into);
    void read_list(ColumnRows& into);
    bool find_list(ColumnRows& into);
    void read_elements(std::size_t count, ColumnRows& into);
    void read_values(std::size_t count, ColumnRows& into);
    void append_missing(ColumnRows& into) const;

    std::shared_ptr<const File::Contents> file_;
    FileColumn column_;
    std::string where_;

    std::size_t group_ = 0;
    bool in_chunk_ = false;
    std::int64_t rows_left_ = 0;                     // of the row group
    std::uint64_t offset_ = 0, chunk_end_ = 0;       // in the file, of the next page
    std::vector<std::shared_ptr<Buffer>> unpacked_;  // pages, of which rows may still be in use
    std::shared_ptr<Buffer> page_;                   // of these, the one that is read; null: it lies in the file
    Buffer dictionary_bytes_;
    std::optional<Decoded> dictionary_;
    std::uint64_t page_left_ = 0;  // values, nulls too
    HybridReader repetition_, definition_;
    PageValues values_;
    Decoded decoded_;
};

void ColumnReader::State::begin_chunk() {
    const ChunkMetadata& now = chunk();
    const std::int64_t begin = std::min(now.data_offset, now.dictionary_offset.value_or(now.data_offset));
    const std::uint64_t size = file_->input.size();
    // Some old writers say 0 where there is no dictionary.
    const std::int64_t first = begin > 0 ? begin : now.data_offset;
    if (now.is_encrypted) base::fail(where_, "is encrypted; write the file again without encryption");
    if (now.in_another_file) refuse("lies in another file");
    if (first < 0 || now.compressed_bytes < 0 || static_cast<std::uint64_t>(first) > size ||
        static_cast<std::uint64_t>(now.compressed_bytes) > size - static_cast<std::uint64_t>(first))
        refuse("lies at bytes " + std::to_string(first) + " to " + std::to_string(first) + " + " +
               std::to_string(now.compressed_bytes) + " of a file of " + std::to_string(size));
    if (now.physical != *column_.element.physical) refuse("has another type in a row group than in the schema");
    offset_ = static_cast<std::uint64_t>(first);
    chunk_end_ = offset_ + static_cast<std::uint64_t>(now.compressed_bytes);
    rows_left_ = file_->metadata.row_groups[group_].rows;
    dictionary_.reset();
    page_left_ = 0;
    in_chunk_ = true;
}

PageHeader ColumnReader::State::read_header() {
    std::span<const std::byte> rest = file_->input.bytes(offset_, chunk_end_ - offset_);
    const PageHeader header = read_page_header(where_, rest);
    offset_ = chunk_end_ - rest.size();
    return header;
}

// One that no rows lie in any more, or a new one.
Buffer& ColumnReader::State::free_page() {
    const auto free = std::ranges::find(unpacked_, 1, &std::shared_ptr<Buffer>::use_count);
    page_ = free == unpacked_.end() ? unpacked_.emplace_back(std::make_shared<Buffer>()) : *free;
    return *page_;
}

std::span<const std::byte> ColumnReader::State::page_bytes(const PageHeader& header) {
    const auto is_size = [](std::int64_t bytes) {
        return bytes >= 0 && static_cast<std::uint64_t>(bytes) <= limits::parquet_page_bytes;
    };
    if (!is_size(header.compressed_bytes) || !is_size(header.uncompressed_bytes) ||
        static_cast<std::uint64_t>(header.compressed_bytes) > chunk_end_ - offset_)
        refuse("has a page of " + std::to_string(header.compressed_bytes) + " bytes that unpacks to " +
               std::to_string(header.uncompressed_bytes) + "; expected at most " +
               std::to_string(std::min(limits::parquet_page_bytes, chunk_end_ - offset_)));
    const auto packed = static_cast<std::uint64_t>(header.compressed_bytes);
    const auto unpacked = static_cast<std::uint64_t>(header.uncompressed_bytes);
    if (unpacked > limits::npz_member_bytes && unpacked / limits::npz_expansion > packed)
        refuse("has a page of " + std::to_string(packed) + " bytes that unpacks to " + std::to_string(unpacked));
    const std::span<const std::byte> bytes = file_->input.bytes(offset_, packed);
    offset_ += packed;
    page_.reset();
    if (header.kind != PageKind::data && header.kind != PageKind::data_v2 && header.kind != PageKind::dictionary)
        return {};
    const bool v2 = header.kind == PageKind::data_v2;
    const std::uint64_t levels =
        v2 ? static_cast<std::uint64_t>(header.definition_bytes) + static_cast<std::uint64_t>(header.repetition_bytes)
           : 0;
    if (header.definition_bytes < 0 || header.repetition_bytes < 0 || levels > packed || levels > unpacked)
        refuse("has a page whose levels are longer than it");
    if (chunk().codec == Codec::none || (v2 && !header.is_compressed)) {
        if (packed != unpacked)
            refuse("has a page that is not compressed, of " + std::to_string(packed) + " bytes, and says " +
                   std::to_string(unpacked));
        return bytes;
    }
    Buffer& into = header.kind == PageKind::dictionary ? dictionary_bytes_ : free_page();
    const std::span<std::byte> room = into.resize(unpacked);
    std::ranges::copy(bytes.first(levels), room.begin());
    decompress(where_, chunk().codec, bytes.subspan(levels), room.subspan(levels));
    return room;
}

void ColumnReader::State::begin_dictionary(const PageHeader& header, std::span<const std::byte> bytes) {
    if (header.encoding != Encoding::plain && header.encoding != Encoding::plain_dictionary)
        refuse("has a dictionary of encoding " + std::to_string(static_cast<std::int32_t>(header.encoding)));
    // Each entry takes bytes, so that their number cannot be larger.
    if (header.values < 0 || static_cast<std::uint64_t>(header.values) > bytes.size())
        refuse("has a dictionary of " + std::to_string(header.values) + " values in " + std::to_string(bytes.size()) +
               " bytes");
    const auto count = static_cast<std::size_t>(header.values);
    dictionary_.emplace();
    PageValues(where_, column_.element, Encoding::plain, count, bytes, nullptr).read(count, *dictionary_);
}

// Of a page of version 1: their length, then they.
std::span<const std::byte> ColumnReader::State::levels_v1(std::span<const std::byte>& bytes) {
    std::uint32_t size = 0;
    if (bytes.size() < sizeof size) refuse("has a page without levels");
    std::memcpy(&size, bytes.data(), sizeof size);
    bytes = bytes.subspan(sizeof size);
    if (size > bytes.size()) refuse("has a page whose levels are longer than it");
    const std::span<const std::byte> levels = bytes.first(size);
    bytes = bytes.subspan(size);
    return levels;
}

void ColumnReader::State::begin_data(const PageHeader& header, std::span<const std::byte> bytes) {
    if (header.values < 0) refuse("has a page of " + std::to_string(header.values) + " values");
    if (header.levels != Encoding::rle) refuse("has levels that are not encoded as runs, which was deprecated in 2013");
    std::span<const std::byte> repetition, definition;
    if (header.kind == PageKind::data_v2) {
        repetition = bytes.first(static_cast<std::size_t>(header.repetition_bytes));
        definition = bytes.subspan(repetition.size(), static_cast<std::size_t>(header.definition_bytes));
        bytes = bytes.subspan(repetition.size() + definition.size());
    } else {
        if (column_.repetition > 0) repetition = levels_v1(bytes);
        if (column_.definition > 0) definition = levels_v1(bytes);
    }
    repetition_ = HybridReader(where_, repetition, width_of(column_.repetition));
    definition_ = HybridReader(where_, definition, width_of(column_.definition));
    page_left_ = static_cast<std::uint64_t>(header.values);
    values_ = PageValues(where_, column_.element, header.encoding, static_cast<std::size_t>(header.values), bytes,
                         dictionary_ ? &*dictionary_ : nullptr);
}

void ColumnReader::State::next_page() {
    while (page_left_ == 0) {
        if (offset_ >= chunk_end_) refuse("ends before its last row");
        const PageHeader header = read_header();
        const std::span<const std::byte> bytes = page_bytes(header);
        if (header.kind == PageKind::dictionary) begin_dictionary(header, bytes);
        if (header.kind == PageKind::data || header.kind == PageKind::data_v2) begin_data(header, bytes);
    }
}

void ColumnReader::State::append_missing(ColumnRows& into) const {
    into.present.push_back(false);
    if (column_.kind == Kind::text) into.texts.emplace_back();
    if (column_.kind == Kind::whole) into.wholes.push_back(0);
    if (column_.kind == Kind::real) into.reals.push_back(std::numeric_limits<float>::quiet_NaN());
}

void ColumnReader::State::read_values(std::size_t count, ColumnRows& into) {
    // The vectors are lent, so that values are decoded where they belong.
    std::swap(decoded_.reals, into.reals);
    std::swap(decoded_.wholes, into.wholes);
    std::swap(decoded_.texts, into.texts);
    decoded_.overflows = into.overflows;
    values_.read(count, decoded_);
    std::swap(decoded_.reals, into.reals);
    std::swap(decoded_.wholes, into.wholes);
    std::swap(decoded_.texts, into.texts);
    into.overflows = decoded_.overflows;
}

void ColumnReader::State::read_flat(std::size_t rows, ColumnRows& into) {
    while (rows > 0) {
        next_page();
        const std::size_t some = std::min<std::uint64_t>(rows, page_left_);
        const std::size_t there = column_.definition == 0 ? some : definition_.skip_equal(column_.definition, some);
        if (there > 0) {
            read_values(there, into);
            into.present.insert(into.present.end(), there, true);
        } else {
            static_cast<void>(definition_.next());
            append_missing(into);
        }
        const std::size_t done = std::max<std::size_t>(there, 1);
        page_left_ -= done;
        rows -= done;
    }
}

// `count` further elements of the row, those that are missing among them: NaN, which no vector may have, or
// missing_whole.
void ColumnReader::State::read_elements(std::size_t count, ColumnRows& into) {
    while (count > 0) {
        const std::size_t there = definition_.skip_equal(column_.definition, count);
        if (there > 0) read_values(there, into);
        page_left_ -= there;
        count -= there;
        if (count == 0) return;
        if (definition_.next() <= column_.list_definition) refuse("has a list that continues after its end");
        if (column_.kind == Kind::reals) into.reals.push_back(std::numeric_limits<float>::quiet_NaN());
        if (column_.kind == Kind::wholes) into.wholes.push_back(ColumnRows::missing_whole);
        --page_left_;
        --count;
    }
}

// Where the next row lies, if that is in one page and as float32; else it is for read_list().
bool ColumnReader::State::find_list(ColumnRows& into) {
    next_page();
    HybridReader repetition = repetition_, definition = definition_;
    if (repetition.next() != 0) return false;
    const std::size_t count = 1 + repetition.skip_equal(1, std::min<std::uint64_t>(page_left_ - 1, limits::dimension));
    const bool may_go_on = count == page_left_ && offset_ < chunk_end_;
    if (count > limits::dimension || may_go_on || definition.skip_equal(column_.definition, count) != count)
        return false;
    const std::byte* const values = values_.in_place(count);
    if (values == nullptr) return false;
    repetition_ = repetition;
    definition_ = definition;
    page_left_ -= count;
    if (page_ && (into.pages.empty() || into.pages.back() != page_)) into.pages.push_back(page_);
    into.in_place.push_back(values);
    into.present.push_back(true);
    into.list_starts.push_back(into.list_starts.back() + count);
    return true;
}

// A row may go on in the next page, but not in the next row group.
void ColumnReader::State::read_list(ColumnRows& into) {
    next_page();
    if (repetition_.next() != 0) refuse("begins a row in the middle of a list");
    const auto size = [&] { return column_.kind == Kind::reals ? into.reals.size() : into.wholes.size(); };
    const std::size_t begin = size();
    if (definition_.skip_equal(column_.definition, 1) == 1) {
        read_values(1, into);
        --page_left_;
    } else {
        const std::uint32_t level = definition_.next();
        --page_left_;
        if (level <= column_.list_definition) {
            into.present.push_back(level == column_.list_definition);
            into.list_starts.push_back(into.list_starts.back());
            return;
        }
        if (column_.kind == Kind::reals) into.reals.push_back(std::numeric_limits<float>::quiet_NaN());
        if (column_.kind == Kind::wholes) into.wholes.push_back(ColumnRows::missing_whole);
    }
    for (;;) {
        if (page_left_ == 0 && offset_ < chunk_end_) next_page();
        const std::size_t room = limits::dimension - std::min(limits::dimension, size() - begin);
        const std::size_t more = repetition_.skip_equal(1, std::min<std::uint64_t>(page_left_, room + 1));
        if (more > room)
            base::fail(where_, "has a row with more than " + std::to_string(limits::dimension) +
                                   " values; at most that many are accepted");
        if (more == 0) break;
        read_elements(more, into);
        if (page_left_ > 0) break;
    }
    into.present.push_back(true);
    into.list_starts.push_back(into.list_starts.back() + size() - begin);
}

void ColumnReader::State::read(std::size_t rows, ColumnRows& into, bool in_place) {
    into.clear();
    const bool is_list = column_.repetition > 0;
    if (is_list) into.list_starts.push_back(0);
    while (rows > 0) {
        if (in_chunk_ && rows_left_ == 0) {
            in_chunk_ = false;
            ++group_;
        }
        if (group_ >= file_->metadata.row_groups.size()) refuse("ends before its last row");
        if (!in_chunk_) begin_chunk();
        const std::size_t some = std::min<std::uint64_t>(rows, static_cast<std::uint64_t>(rows_left_));
        for (std::size_t row = 0; is_list && row < some; ++row) {
            if (in_place && find_list(into)) continue;
            read_list(into);
            if (in_place) into.in_place.push_back(nullptr);
        }
        if (!is_list) read_flat(some, into);
        rows_left_ -= static_cast<std::int64_t>(some);
        rows -= some;
    }
}

ColumnReader::ColumnReader(const File& file, const FileColumn& column)
    : state_(std::make_unique<State>(file.contents_, column)) {
    if (column.kind == Kind::unknown || column.kind == Kind::nothing)
        base::fail(file.path() + ": column " + base::in_quotes(column.name),
                   "has the type " + column.type + ", which cannot be used");
}
ColumnReader::ColumnReader(ColumnReader&&) noexcept = default;
ColumnReader::~ColumnReader() = default;

void ColumnReader::read(std::size_t rows, ColumnRows& into) {
    state_->read(rows, into, false);
}

void ColumnReader::read_in_place(std::size_t rows, ColumnRows& into) {
    state_->read(rows, into, true);
}

}  // namespace wordbreadth::parquet
