// A reader of the little pickle that stands in a pytorch_model.bin: a dictionary of tensors, each a place in a storage.
// It executes nothing. It knows the few opcodes and the three kinds of names that state dicts use, and refuses the
// rest.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "arrays/array_file.h"

namespace wordbreadth::encoder::snapshot {

struct TorchTensor {
    std::string storage;       // the key of its storage
    std::string storage_type;  // "FloatStorage"
    std::uint64_t offset = 0;  // of its first value in the storage, in values
    arrays::Shape shape;
    arrays::Shape strides;  // in values
};

using StateDict = std::map<std::string, TorchTensor>;

// Each reads the pickle that starts at byte `at`, which moves past it. Throws InputError, naming `where`, when the
// bytes are no such dictionary; what is not known, such as another global name, is named.
[[nodiscard]] StateDict read_state_dict(const std::string& where, std::string_view bytes, std::size_t& at);
[[nodiscard]] std::vector<std::string> read_texts(const std::string& where, std::string_view bytes, std::size_t& at);
void skip_pickle(const std::string& where, std::string_view bytes, std::size_t& at);

}  // namespace wordbreadth::encoder::snapshot
