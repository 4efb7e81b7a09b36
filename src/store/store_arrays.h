// Stores and files of named arrays alike, so that all that takes clouds from files takes them from stores.
#pragma once

#include <memory>

#include "arrays/array_file.h"

namespace wordbreadth::store {

// Opens the folder of a store, or a file as arrays::open_array_file() does; throws as that or Store does.
[[nodiscard]] std::unique_ptr<arrays::ArrayFile> open_arrays(const std::string& path);

}  // namespace wordbreadth::store
