#include "bindings/arrays.h"

#include <utility>

namespace wordbreadth::python {

namespace nb = nanobind;

namespace {

using AnyArray = nb::ndarray<nb::ro>;

std::string name_of(const nb::dlpack::dtype& type) {
    static constexpr const char* kinds[] = {"int", "uint", "float", "", "bfloat", "complex", "bool"};
    const std::string kind = type.code < std::size(kinds) ? kinds[type.code] : "float of less than 16 bits, ";
    return kind == "bool" ? kind : kind + std::to_string(type.bits);
}

Element element_of(const std::string& name, const nb::dlpack::dtype& type, bool bf16) {
    const auto is = [&](nb::dlpack::dtype_code code, int bits) {
        return type.code == static_cast<std::uint8_t>(code) && type.bits == bits && type.lanes == 1;
    };
    using Code = nb::dlpack::dtype_code;
    if (bf16 && is(Code::UInt, 16)) return Element::bf16;
    if (is(Code::Float, 32)) return Element::f32;
    if (is(Code::Float, 64)) return Element::f64;
    if (is(Code::Float, 16)) return Element::f16;
    if (is(Code::Bfloat, 16)) return Element::bf16;
    throw nb::type_error(
        (name + ": its elements are " + name_of(type) + "; expected float32, float64, float16 or bfloat16").c_str());
}

bool is_contiguous(const AnyArray& array) {
    if (array.size() == 0) return true;
    const auto d = static_cast<std::int64_t>(array.shape(1));
    return (array.shape(1) == 1 || array.stride(1) == 1) && (array.shape(0) == 1 || array.stride(0) == d);
}

bool is_on_gpu(const AnyArray& array) {
    return array.device_type() == nb::device::cuda::value || array.device_type() == nb::device::cuda_managed::value;
}

void check_place(const std::string& name, const AnyArray& array) {
    const int device = array.device_type();
    if (!is_contiguous(array))
        throw nb::value_error((name + ": its rows do not lie side by side; make it contiguous").c_str());
    if (!is_on_gpu(array) && device != nb::device::cpu::value && device != nb::device::cuda_host::value)
        throw nb::type_error((name + ": is on a device of DLPack's type " + std::to_string(device) +
                              "; expected the memory of this machine or of a CUDA GPU")
                                 .c_str());
}

}  // namespace

Array array_of(nb::handle object, std::string name, std::string origin, bool bf16, Labels labels) {
    AnyArray array;
    if (!nb::try_cast(object, array, false))
        throw nb::type_error((name + ": is a " + std::string(nb::type_name(object.type()).c_str()) +
                              " that gives no array; expected an array of rows")
                                 .c_str());
    if (array.ndim() != 2)
        throw nb::value_error(
            (name + ": has " + std::to_string(array.ndim()) + " axes; expected 2: rows, and their values").c_str());
    check_place(name, array);
    Array found;
    found.rows = {nullptr, element_of(name, array.dtype(), bf16), array.shape(0), array.shape(1), is_on_gpu(array), {}};
    found.gpu = array.device_id();
    if (labels) {
        if (labels->shape(0) != array.shape(0))
            throw nb::value_error((name + ": has " + std::to_string(labels->shape(0)) + " labels of blocks; expected " +
                                   std::to_string(array.shape(0)) + ", one per row")
                                      .c_str());
        found.rows.blocks = {labels->data(), labels->shape(0)};
    }
    found.name = std::move(name);
    found.origin = std::move(origin);
    found.labels = std::move(labels);
    found.rows.data = array.data();
    found.owner = std::make_shared<AnyArray>(std::move(array));
    return found;
}

}  // namespace wordbreadth::python
