#include "arrays/npy.h"

#include <array>
#include <charconv>
#include <filesystem>
#include <optional>

#include "arrays/array_file.h"
#include "base/failure.h"
#include "base/file.h"
#include "base/names.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::arrays {

namespace {

constexpr std::string_view magic = "\x93NUMPY";

struct NpyHeader {
    Element type = Element::f32;
    Order order = Order::rows;
    Shape shape;
    std::uint64_t bytes = 0;  // of the header itself: the values start there
};

// Magic and version, then the length of the dict: 2 bytes in version 1, 4 in the later ones.
struct Preamble {
    std::size_t bytes = 0;
    std::size_t dict_bytes = 0;
};

std::size_t length_bytes_of_version(const std::string& where, unsigned major, unsigned minor) {
    if (minor == 0 && major == 1) return 2;
    if (minor == 0 && (major == 2 || major == 3)) return 4;
    base::fail(where, ".npy version " + std::to_string(major) + "." + std::to_string(minor) +
                          " is unknown; expected 1.0, 2.0 or 3.0");
}

Preamble read_preamble(base::Bytes& source) {
    constexpr const char* what = "the .npy header";
    std::array<char, 8> start{};
    source.read_all(std::as_writable_bytes(std::span(start)), what);
    if (!std::string_view(start.data(), start.size()).starts_with(magic))
        base::fail(source.where(), "does not start as an .npy array does; save it with numpy.save");
    const auto major = static_cast<unsigned char>(start[6]), minor = static_cast<unsigned char>(start[7]);
    const std::size_t length_bytes = length_bytes_of_version(source.where(), major, minor);
    std::uint32_t dict_bytes = 0;  // little-endian, as the machine is
    source.read_all(std::as_writable_bytes(std::span(&dict_bytes, 1)).first(length_bytes), what);
    return {start.size() + length_bytes, dict_bytes};
}

Element element_of(const std::string& where, const std::string& descr) {
    if (descr == "<f2") return Element::f16;
    if (descr == "<f4") return Element::f32;
    if (descr == "<f8") return Element::f64;
    base::fail(where, "holds values of type " + base::in_quotes(descr) +
                          "; expected \"<f2\", \"<f4\" or \"<f8\": convert it with .astype(\"<f4\")");
}

// The little Python in .npy headers: a dict of strings, True and False, and tuples of whole numbers. It is no
// evaluator: no escapes, no expressions. Whatever else it finds is an InputError that says what was expected.
class HeaderDict {
  public:
    // `where` is what messages call the source. Both arguments must outlive the reader.
    HeaderDict(const std::string& where, std::string_view text) : where_(where), rest_(text) {}

    NpyHeader parse() {
        expect('{');
        while (!take('}')) {
            parse_item();
            if (!take(',')) {
                expect('}');
                break;
            }
        }
        skip_space();
        if (!rest_.empty()) base::fail(where_, "malformed .npy header: more text after its dict");
        if (!descr_ || !fortran_order_ || !shape_)
            base::fail(where_, "malformed .npy header: expected the keys descr, fortran_order and shape");
        require_rank_within_limit(where_, *shape_);
        return {element_of(where_, *descr_), *fortran_order_ ? Order::columns : Order::rows, *shape_, 0};
    }

  private:
    void parse_item() {
        const std::string key = string();
        expect(':');
        if (key == "descr") {
            if (take('['))
                base::fail(where_, "holds records (a structured type); save one matrix of floats, without field names");
            set_once(descr_, key, string());
        } else if (key == "fortran_order") {
            set_once(fortran_order_, key, boolean());
        } else if (key == "shape") {
            set_once(shape_, key, tuple());
        } else {
            base::fail(where_, "malformed .npy header: unknown key " + base::in_quotes(key));
        }
    }

    template <typename T>
    void set_once(std::optional<T>& to, const std::string& key, T value) {
        if (to) base::fail(where_, "malformed .npy header: key " + base::in_quotes(key) + " is there twice");
        to = std::move(value);
    }

    std::string string() {
        skip_space();
        if (!rest_.starts_with('\'') && !rest_.starts_with('"')) fail_expecting("a string");
        const auto end = rest_.find(rest_.front(), 1);
        if (end == std::string_view::npos) fail_expecting("a closed string");
        std::string text(rest_.substr(1, end - 1));
        if (text.find('\\') != std::string::npos) fail_expecting("a string without escapes");
        rest_.remove_prefix(end + 1);
        return text;
    }

    bool boolean() {
        skip_space();
        if (take_word("True")) return true;
        if (take_word("False")) return false;
        fail_expecting("True or False");
    }

    Shape tuple() {
        Shape shape;
        expect('(');
        while (!take(')')) {
            shape.push_back(whole_number());
            // "(3)" is a number in Python, not a tuple.
            if (shape.size() == 1) {
                expect(',');
            } else if (!take(',')) {
                expect(')');
                break;
            }
        }
        return shape;
    }

    std::uint64_t whole_number() {
        skip_space();
        std::uint64_t number = 0;
        const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
        if (error != std::errc{}) fail_expecting("a whole number of at most 64 bits");
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
        take_word("L");  // Python 2 wrote long numbers so, and numpy still reads them
        return number;
    }

    void skip_space() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size())); }

    // Skips white space, then takes `token` if it comes next.
    bool take(char token) {
        skip_space();
        return take_word({&token, 1});
    }

    bool take_word(std::string_view word) {
        if (!rest_.starts_with(word)) return false;
        rest_.remove_prefix(word.size());
        return true;
    }

    void expect(char token) {
        if (!take(token)) fail_expecting({'\'', token, '\''});
    }

    [[noreturn]] void fail_expecting(const std::string& what) const {
        const std::string found = rest_.empty() ? "its end" : base::in_quotes(rest_.substr(0, 20));
        base::fail(where_, "malformed .npy header: found " + found + " where " + what + " was expected");
    }

    const std::string& where_;
    std::string_view rest_;
    std::optional<std::string> descr_;
    std::optional<bool> fortran_order_;
    std::optional<Shape> shape_;
};

NpyHeader read_npy_header(base::Bytes& source) {
    const Preamble preamble = read_preamble(source);
    if (preamble.dict_bytes > limits::npy_header_bytes) {
        base::fail(source.where(), "declares an .npy header of " + std::to_string(preamble.dict_bytes) +
                                       " bytes; at most " + std::to_string(limits::npy_header_bytes) + " are accepted");
    }
    std::string text(preamble.dict_bytes, '\0');
    source.read_all(std::as_writable_bytes(std::span(text)), "the .npy header");
    NpyHeader header = HeaderDict(source.where(), text).parse();
    header.bytes = preamble.bytes + preamble.dict_bytes;
    return header;
}

void require_size(const std::string& where, const NpyHeader& header, std::uint64_t size) {
    const auto expected = checked_product(header.shape, bytes_of(header.type));
    if (!expected) base::fail(where, "declares the shape " + to_text(header.shape) + ", which no file can hold");
    const std::uint64_t found = size < header.bytes ? 0 : size - header.bytes;
    if (found == *expected) return;
    base::fail(where, "declares the shape " + to_text(header.shape) + ", " + std::to_string(*expected) +
                          " bytes, but holds " + std::to_string(found) + " bytes of values; save or copy it again");
}

class NpyFile : public ArrayFile {
  public:
    explicit NpyFile(const std::string& path)
        : path_(path),
          name_(std::filesystem::path(path).stem().string()),
          file_(std::make_shared<base::MappedFile>(path)) {
        base::require_good_name(path, name_);
        base::File file(path);
        header_ = read_npy_header(file);
        require_size(path, header_, file_->bytes().size());
    }

    std::vector<std::string> names() const override { return {name_}; }

    Array read(const std::string& name) override {
        if (name != name_) base::fail_missing(path_, name, {name_});
        if (header_.order == Order::rows)
            return mapped_matrix(file_, header_.bytes, path_, name_, header_.type, header_.shape);
        base::File file(path_);
        return read_npy(file, name_, file.size());
    }

    MatrixSize size_of(const std::string& name) override {
        if (name != name_) base::fail_missing(path_, name, {name_});
        return matrix_size(path_, header_.shape);
    }

  private:
    std::string path_;
    std::string name_;
    SharedFile file_;
    NpyHeader header_;
};

}  // namespace

std::unique_ptr<ArrayFile> open_npy(const std::string& path) {
    return std::make_unique<NpyFile>(path);
}

Array read_npy(base::Bytes& source, std::string name, std::uint64_t size) {
    const NpyHeader header = read_npy_header(source);
    require_size(source.where(), header, size);
    return read_matrix(source, std::move(name), header.type, header.order, header.shape);
}

Shape read_npy_shape(base::Bytes& source) {
    return read_npy_header(source).shape;
}

std::string npy_header(std::string_view type, const Shape& shape) {
    constexpr std::size_t before_dict = 10;
    std::string dict =
        "{'descr': '" + std::string(type) + "', 'fortran_order': False, 'shape': " + to_text(shape) + ", }";
    dict.append(63 - (before_dict + dict.size()) % 64, ' ') += '\n';
    const auto length = dict.size();
    return std::string(magic) + std::string{1, 0, static_cast<char>(length & 0xFF), static_cast<char>(length >> 8)} +
           dict;
}

}  // namespace wordbreadth::arrays
