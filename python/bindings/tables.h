// Tables of the report as Python sees them.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <mutex>
#include <string_view>
#include <utility>

#include "bindings/arrow.h"
#include "report/table/table.h"

namespace wordbreadth::python {

// A table and what its rows refer to. Rows are turned into columns when somebody first asks for one.
class KeptTable {
  public:
    KeptTable(report::Table table, std::shared_ptr<const void> owner)
        : kept_(std::make_shared<Kept>(std::move(table), std::move(owner))) {}

    [[nodiscard]] const report::Table& table() const { return kept_->table; }
    [[nodiscard]] const std::shared_ptr<const void>& owner() const { return kept_->owner; }

    // Called with the GIL, which is released meanwhile.
    [[nodiscard]] SharedColumns columns() const;

  private:
    struct Kept {
        Kept(report::Table rows, std::shared_ptr<const void> data) : table(std::move(rows)), owner(std::move(data)) {}

        report::Table table;
        std::shared_ptr<const void> owner;
        std::mutex mutex;
        SharedColumns columns;
    };

    std::shared_ptr<Kept> kept_;
};

// Bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] nanobind::str python_text(std::string_view text);

[[nodiscard]] nanobind::object python_of(const report::Json& json);

}  // namespace wordbreadth::python
