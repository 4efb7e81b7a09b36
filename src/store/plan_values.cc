#include "store/plan_values.h"

#include <string>

#include "base/failure.h"

namespace wordbreadth::store {

namespace {

std::string shown(const Statement& statement, int column) {
    if (const auto whole = statement.integer(column)) return std::to_string(*whole);
    return base::in_quotes(statement.text(column));
}

std::string text_of(const Bounds& bounds) {
    const std::string least = std::to_string(bounds.least);
    return bounds.least == bounds.most ? least : least + " to " + std::to_string(bounds.most);
}

}  // namespace

std::uint64_t natural(const Statement& statement, int column, std::string_view table, const Bounds& bounds) {
    const auto whole = statement.integer(column);
    if (whole && *whole >= 0) {
        const auto value = static_cast<std::uint64_t>(*whole);
        if (value >= bounds.least && value <= bounds.most) return value;
    }
    base::fail(statement.where(), std::string(table).append(".").append(statement.name(column)) + " is " +
                                      shown(statement, column) + "; expected " + text_of(bounds) +
                                      ": the store is damaged, extract it again");
}

}  // namespace wordbreadth::store
