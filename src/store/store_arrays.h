// A store as a file of named arrays, so that all that takes clouds from files takes them from stores.
#pragma once

#include <memory>

#include "store/array_file.h"

namespace wordbreadth::store {

// Throws as CloudStore does.
[[nodiscard]] std::unique_ptr<ArrayFile> open_store_arrays(const std::string& folder);

}  // namespace wordbreadth::store
