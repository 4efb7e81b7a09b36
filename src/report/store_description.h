// What is in a store, as text and JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "report/style.h"
#include "wordbreadth/store.h"

namespace wordbreadth::report {

[[nodiscard]] std::string text_of(const StoreDescription& store, const Style& style);

[[nodiscard]] nlohmann::ordered_json json_of(const StoreDescription& store);

}  // namespace wordbreadth::report
