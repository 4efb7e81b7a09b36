#include "report/table/columns.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

namespace wordbreadth::report {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

bool is_rate(const Column& column) {
    return column.look.kind == Look::Kind::rate;
}

ColumnValues::Kind kind_of(const Value& value) {
    switch (value.kind) {
        case Value::Kind::missing:
            return ColumnValues::Kind::nothing;
        case Value::Kind::text:
            return ColumnValues::Kind::text;
        case Value::Kind::count:
            return ColumnValues::Kind::count;
        case Value::Kind::truth:
            return ColumnValues::Kind::truth;
        case Value::Kind::list:
            return ColumnValues::Kind::list;
        default:
            return ColumnValues::Kind::real;
    }
}

// Bytes that are not UTF-8 become U+FFFD, as in JSON: Arrow takes nothing else. Documents may have any names.
std::string utf8_of(const std::string& text) {
    return Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>();
}

}  // namespace

std::string_view ColumnValues::text(std::size_t index) const {
    const auto start = static_cast<std::size_t>(text_starts_[index]);
    return std::string_view(bytes_).substr(start, static_cast<std::size_t>(text_starts_[index + 1]) - start);
}

void ColumnValues::append(double value) {
    if (kind_ != Kind::real) become(Kind::real, "a number");
    reals_.push_back(value);
    mark(std::isfinite(value));
}

void ColumnValues::append(const Value& value) {
    const Kind kind = kind_of(value);
    if (kind == Kind::nothing) {
        add_placeholder();
        return mark(false);
    }
    if (kind == Kind::real || kind_ == Kind::real) {
        const bool is_count = kind == Kind::count;
        if (!is_count && kind != Kind::real) become(kind, "another value");
        return append(is_count                          ? static_cast<double>(value.count)
                      : value.kind == Value::Kind::rate ? value.rate.value
                                                        : value.real);
    }
    if (kind_ != kind) become(kind, "another value");
    if (kind == Kind::text) {
        add_text(value.text);
    } else if (kind == Kind::list) {
        for (const std::string& text : value.list) add_text(text);
        list_starts_.push_back(static_cast<std::int64_t>(text_starts_.size() - 1));
    } else {
        has_large_counts_ |= value.count > std::uint64_t{std::numeric_limits<std::int64_t>::max()};
        counts_.push_back(value.count);
    }
    mark(true);
}

// What came before are missing values, or counts that become real numbers.
void ColumnValues::become(Kind kind, const std::string& what) {
    if (kind_ == Kind::count && kind == Kind::real) {
        reals_.reserve(counts_.size());
        for (std::size_t i = 0; i < counts_.size(); ++i)
            reals_.push_back(is_present(i) ? static_cast<double>(counts_[i]) : nothing);
        counts_.clear();
        kind_ = kind;
        return;
    }
    if (kind_ != Kind::nothing)
        throw std::logic_error("column " + key_ + ": has " + what + " among values of one type");
    kind_ = kind;
    for (std::size_t i = 0; i < size_; ++i) add_placeholder();
}

void ColumnValues::add_placeholder() {
    if (kind_ == Kind::count || kind_ == Kind::truth) counts_.push_back(0);
    if (kind_ == Kind::real) reals_.push_back(nothing);
    if (kind_ == Kind::text) add_text("");
    if (kind_ == Kind::list) list_starts_.push_back(static_cast<std::int64_t>(text_starts_.size() - 1));
}

void ColumnValues::add_text(const std::string& text) {
    const bool is_ascii = std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    bytes_ += is_ascii ? text : utf8_of(text);
    text_starts_.push_back(static_cast<std::int64_t>(bytes_.size()));
}

void ColumnValues::mark(bool present) {
    if (size_ % 8 == 0) present_.push_back(0);
    if (present) present_.back() |= static_cast<std::uint8_t>(1U << size_ % 8);
    if (!present) ++missing_;
    ++size_;
}

std::vector<std::string> keys_of(const Table& table) {
    std::vector<std::string> keys;
    for (const Column& column : table.columns) {
        if (!column.is_in(in::tsv)) continue;
        keys.push_back(column.key);
        if (!is_rate(column)) continue;
        keys.push_back(column.key + "_low");
        keys.push_back(column.key + "_high");
    }
    return keys;
}

std::vector<ColumnValues> columns_of(const Table& table) {
    std::size_t begin = 0;
    return columns_of(table, begin, table.size, std::numeric_limits<std::size_t>::max());
}

std::vector<ColumnValues> columns_of(const Table& table, std::size_t& begin, std::size_t end, std::size_t most_text) {
    std::vector<ColumnValues> columns;
    for (std::string& key : keys_of(table)) columns.emplace_back(std::move(key));
    const auto has_room = [&] {
        return std::ranges::all_of(columns, [&](const auto& column) { return column.bytes().size() <= most_text; });
    };
    for (; begin < end && has_room(); ++begin) {
        const Cells cells = table.row(begin);
        std::size_t next = 0;
        for (std::size_t c = 0; c < cells.size(); ++c) {
            if (!table.columns[c].is_in(in::tsv)) continue;
            columns[next++].append(cells[c]);
            if (!is_rate(table.columns[c])) continue;
            columns[next++].append(cells[c].rate.low);
            columns[next++].append(cells[c].rate.high);
        }
    }
    return columns;
}

}  // namespace wordbreadth::report
