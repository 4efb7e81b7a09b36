// Columns of a Parquet file, read from front to back, a few rows and a page at a time. Nothing in the file is trusted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parquet/metadata.h"

namespace wordbreadth::parquet {

// What a column of a file holds, as it is used here.
enum class Kind {
    text,     // UTF-8, or what claims to be
    whole,    // an integer of any width
    real,     // a float16, float32 or float64
    reals,    // a list of such
    wholes,   // a list of integers
    nothing,  // nulls only, which a column without any value has for its type
    unknown,  // anything else
};

// A column, of a group with the names of the groups before its own: "span.start".
struct FileColumn {
    std::string name;
    Kind kind = Kind::unknown;
    std::string type;                         // for people
    std::size_t leaf = 0;                     // its place among the columns of a row group
    SchemaElement element{};                  // of its values
    unsigned repetition = 0, definition = 0;  // the largest levels
    unsigned list_definition = 0;             // the level at which a list is there, if empty; of others, 0
};

// Values of consecutive rows. Missing ones have a place, too: "", 0, NaN, no numbers.
struct ColumnRows {
    static constexpr std::int64_t missing_whole = std::numeric_limits<std::int64_t>::min();  // among those of a list

    std::vector<bool> present{};
    std::vector<std::string> texts{};        // of text
    std::vector<std::int64_t> wholes{};      // of whole; of wholes one list after the other
    std::vector<float> reals{};              // of real; of reals one list after the other
    std::vector<std::size_t> list_starts{};  // of lists: (rows + 1), in the values
    bool overflows = false;                  // a float64 that is finite, and is not as float32

    // Of lists that were read in place: where each lies, as float32 at any byte; null: its values are in `reals`, after
    // those of the last such list. In the file, or in what `pages` keep in memory.
    std::vector<const std::byte*> in_place{};
    std::vector<std::shared_ptr<const void>> pages{};
    void clear();
};

class File {
  public:
    // Throws InputError when the file is missing, cut off, encrypted or otherwise no Parquet file.
    explicit File(const std::string& path);
    File(File&&) noexcept;
    ~File();

    [[nodiscard]] const std::string& path() const;
    [[nodiscard]] std::uint64_t rows() const;
    [[nodiscard]] const std::vector<FileColumn>& columns() const;

    // As MappedFile::forget().
    void forget() const;

  private:
    friend class ColumnReader;
    struct Contents;
    std::shared_ptr<const Contents> contents_;
};

class ColumnReader {
  public:
    // Throws InputError when the file says impossible things about the column. Reads from the first row on.
    ColumnReader(const File& file, const FileColumn& column);
    ColumnReader(ColumnReader&&) noexcept;
    ~ColumnReader();

    // Fills `into` with the next `rows` rows, which the file has. Throws InputError, naming the file and the column,
    // when it does not, or is damaged.
    void read(std::size_t rows, ColumnRows& into);

    // The same, but lists of float32 are not copied where they lie in a page as they are: for as long as the file is
    // there, and what is in `pages`.
    void read_in_place(std::size_t rows, ColumnRows& into);

  private:
    class State;
    std::unique_ptr<State> state_;
};

}  // namespace wordbreadth::parquet
