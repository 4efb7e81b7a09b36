#include "arrays/npy_header.h"

#include <array>
#include <optional>
#include <string_view>

#include "arrays/python_literal.h"
#include "base/failure.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::arrays {

namespace {

constexpr std::string_view magic = "\x93NUMPY";

// Magic and version, then the length of the dict: 2 bytes in version 1, 4 in the later ones.
struct Preamble {
    std::size_t bytes = 0;
    std::size_t dict_bytes = 0;
};

std::size_t little_endian(std::span<const unsigned char> bytes) {
    std::size_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | bytes[i];
    return value;
}

std::size_t length_bytes_of_version(const std::string& where, unsigned major, unsigned minor) {
    if (minor == 0 && major == 1) return 2;
    if (minor == 0 && (major == 2 || major == 3)) return 4;
    base::fail(where, ".npy version " + std::to_string(major) + "." + std::to_string(minor) +
                          " is unknown; expected 1.0, 2.0 or 3.0");
}

Preamble read_preamble(base::Bytes& source) {
    std::array<unsigned char, 12> raw{};
    const auto writable = std::as_writable_bytes(std::span(raw));
    const std::size_t before_length = magic.size() + 2;
    source.read_all(writable.first(before_length), "the .npy header");
    if (!std::string_view(reinterpret_cast<const char*>(raw.data()), magic.size()).starts_with(magic)) {
        base::fail(source.where(), "does not start as an .npy array does; save it with numpy.save");
    }
    const std::size_t length = length_bytes_of_version(source.where(), raw[6], raw[7]);
    source.read_all(writable.subspan(before_length, length), "the .npy header");
    return {before_length + length, little_endian(std::span(raw).subspan(before_length, length))};
}

Element element_of(const std::string& where, const std::string& descr) {
    if (descr == "<f2") return Element::float16;
    if (descr == "<f4") return Element::float32;
    if (descr == "<f8") return Element::float64;
    base::fail(where, "holds values of type " + base::in_quotes(descr) +
                          "; expected \"<f2\", \"<f4\" or \"<f8\": convert it with .astype(\"<f4\")");
}

class Dict {
  public:
    Dict(const std::string& where, std::string_view text) : where_(where), literal_(where, text) {}

    NpyHeader parse() {
        literal_.expect('{');
        while (!literal_.take('}')) {
            parse_item();
            if (!literal_.take(',')) {
                literal_.expect('}');
                break;
            }
        }
        if (!literal_.at_end()) base::fail(where_, "malformed .npy header: more text after its dict");
        return finished();
    }

  private:
    void parse_item() {
        const std::string key = literal_.string();
        literal_.expect(':');
        if (key == "descr") {
            set_once(descr_, key, type_name());
        } else if (key == "fortran_order") {
            set_once(fortran_order_, key, literal_.boolean());
        } else if (key == "shape") {
            set_once(shape_, key, literal_.tuple());
        } else {
            base::fail(where_, "malformed .npy header: unknown key " + base::in_quotes(key));
        }
    }

    std::string type_name() {
        if (literal_.take('[')) {
            base::fail(where_, "holds records (a structured type); save one matrix of floats, without field names");
        }
        return literal_.string();
    }

    template <typename T>
    void set_once(std::optional<T>& to, const std::string& key, T value) {
        if (to) base::fail(where_, "malformed .npy header: key " + base::in_quotes(key) + " stands there twice");
        to = std::move(value);
    }

    NpyHeader finished() const {
        if (!descr_ || !fortran_order_ || !shape_) {
            base::fail(where_, "malformed .npy header: expected the keys descr, fortran_order and shape");
        }
        require_rank_within_limit(where_, *shape_);
        return {element_of(where_, *descr_), *fortran_order_ ? Order::columns : Order::rows, *shape_, 0};
    }

    const std::string& where_;
    PythonLiteral literal_;
    std::optional<std::string> descr_;
    std::optional<bool> fortran_order_;
    std::optional<Shape> shape_;
};

}  // namespace

NpyHeader read_npy_header(base::Bytes& source) {
    const Preamble preamble = read_preamble(source);
    if (preamble.dict_bytes > limits::npy_header_bytes) {
        base::fail(source.where(), "announces an .npy header of " + std::to_string(preamble.dict_bytes) +
                                       " bytes; at most " + std::to_string(limits::npy_header_bytes) + " are accepted");
    }
    std::string text(preamble.dict_bytes, '\0');
    source.read_all(std::as_writable_bytes(std::span(text)), "the .npy header");
    NpyHeader header = Dict(source.where(), text).parse();
    header.bytes = preamble.bytes + preamble.dict_bytes;
    return header;
}

}  // namespace wordbreadth::arrays
