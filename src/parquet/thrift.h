// Thrift's compact protocol, in which Parquet writes its footer and the headers of pages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wordbreadth::parquet {

// As the protocol has them.
enum class ThriftType : std::uint8_t {
    stop = 0,
    yes = 1,
    no = 2,
    byte = 3,
    int16 = 4,
    int32 = 5,
    int64 = 6,
    real = 7,
    binary = 8,
    list = 9,
    set = 10,
    map = 11,
    structure = 12,
};

// Appends an integer in groups of 7 bits, the lowest first.
void append_varint(std::string& bytes, std::uint64_t value);

class ThriftWriter {
  public:
    // The fields of the structure that was begun last, in ascending order of their ids.
    void integer(int id, ThriftType type, std::int64_t value);
    void int32(int id, std::int64_t value) { integer(id, ThriftType::int32, value); }
    void int64(int id, std::int64_t value) { integer(id, ThriftType::int64, value); }
    void truth(int id, bool value) { field(id, value ? ThriftType::yes : ThriftType::no); }
    void text(int id, std::string_view value);

    // A field whose value comes next: a structure, up to end(); or a list of so many elements.
    void begin(int id);
    void begin_list(int id, ThriftType type, std::size_t size);

    // The elements of a list; and a structure that is no field.
    void begin();
    void element(std::int64_t value);
    void element(std::string_view value);

    void end();

    [[nodiscard]] const std::string& bytes() const { return bytes_; }

  private:
    void field(int id, ThriftType type);

    std::string bytes_;
    std::vector<int> last_ids_;  // of the structures that are begun
};

// Reads bytes that may be anything: every method throws InputError, naming `where`, when they do not hold what it is
// to read.
class ThriftReader {
  public:
    ThriftReader(std::string where, std::span<const std::byte> bytes) : where_(std::move(where)), rest_(bytes) {}

    // Reads a structure: read(id, type) returns whether it has read the field, which is skipped otherwise.
    template <class Read>
    void structure(const Read& read) {
        enter();
        int last = 0;
        for (Field field = next_field(last); field.type != ThriftType::stop; field = next_field(last)) {
            last = field.id;
            if (!read(field.id, field.type)) skip(field.type);
        }
        --depth_;
    }

    // Reads a list, each of whose elements takes a byte at least: read() reads one.
    template <class Read>
    void list(ThriftType type, const Read& read) {
        for (std::size_t left = list_size(type); left > 0; --left) read();
    }

    // Values of the type that the field says it has.
    [[nodiscard]] std::int64_t integer(ThriftType type);
    [[nodiscard]] std::int64_t element();  // an integer of a list
    [[nodiscard]] std::string text(ThriftType type);
    [[nodiscard]] std::string text();  // of a list
    [[nodiscard]] bool truth(ThriftType type);

    // What was not read.
    [[nodiscard]] std::span<const std::byte> rest() const { return rest_; }

  private:
    struct Field {
        int id = 0;
        ThriftType type = ThriftType::stop;
    };

    void enter();
    [[nodiscard]] Field next_field(int last);
    [[nodiscard]] std::size_t list_size(ThriftType type);
    [[nodiscard]] std::uint8_t byte();
    [[nodiscard]] std::uint64_t varint();
    std::span<const std::byte> take(std::uint64_t bytes);
    void skip(ThriftType type);
    void skip_elements();
    [[noreturn]] void refuse(std::string_view what) const;

    std::string where_;
    std::span<const std::byte> rest_;
    std::size_t depth_ = 0;
    ThriftType element_type_ = ThriftType::stop;  // of the list that is read
};

}  // namespace wordbreadth::parquet
