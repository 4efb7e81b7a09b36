// A table as Parquet: its row groups are encoded by several threads.
#include <algorithm>

#include "base/strings.h"
#include "parquet/writer.h"
#include "report/table/columns.h"
#include "report/table/in_order.h"
#include "report/table/table.h"

namespace wordbreadth::report {
namespace {

using parquet::Type;

constexpr std::size_t rows_of_a_group = 65'536;            // of 45 columns: 25 MB in memory, on each thread
constexpr std::size_t text_of_a_group = 64 * 1024 * 1024;  // bytes of a column; beyond, the group ends earlier

Type type_of(ColumnValues::Kind kind) {
    switch (kind) {
        case ColumnValues::Kind::text:
        case ColumnValues::Kind::list:
            return Type::text;
        case ColumnValues::Kind::count:
            return Type::count;
        case ColumnValues::Kind::real:
            return Type::real;
        case ColumnValues::Kind::truth:
            return Type::truth;
        default:
            return Type::nothing;
    }
}

// Of a column in which all values are missing, so that the results of two runs have the same columns.
Type type_of(const Column& column) {
    switch (column.holds) {
        case Value::Kind::text:
        case Value::Kind::list:
            return Type::text;
        case Value::Kind::count:
            return Type::count;
        case Value::Kind::real:
        case Value::Kind::rate:
            return Type::real;
        case Value::Kind::truth:
            return Type::truth;
        default:
            break;
    }
    if (column.look.is_text()) return Type::text;
    return column.look.kind == Look::Kind::count || column.look.kind == Look::Kind::plain ? Type::nothing : Type::real;
}

// Lists joined by commas.
ColumnValues as_text(const ColumnValues& lists) {
    ColumnValues joined(lists.key());
    for (std::size_t i = 0; i < lists.size(); ++i) {
        std::vector<std::string> texts;
        for (auto k = lists.lists()[i]; k < lists.lists()[i + 1]; ++k)
            texts.emplace_back(lists.text(static_cast<std::size_t>(k)));
        joined.append(lists.is_present(i) ? Value(base::joined(texts, ",")) : Value());
    }
    return joined;
}

parquet::RowGroup encoded(std::vector<ColumnValues> columns) {
    std::vector<parquet::Values> values;
    for (ColumnValues& column : columns) {
        if (column.kind() == ColumnValues::Kind::list) column = as_text(column);
        values.push_back({type_of(column.kind()), column.size(), column.missing(), column.present(), column.counts(),
                          column.reals(), column.texts(), column.bytes()});
    }
    return parquet::encoded(values);
}

}  // namespace

void write_parquet(const Table& table, unsigned threads, const Sink& write) {
    std::vector<Type> types;
    for (const Column& column : table.columns) {
        if (!column.is_in(in::tsv)) continue;
        const bool is_rate = column.look.kind == Look::Kind::rate;
        types.insert(types.end(), is_rate ? 3 : 1, type_of(column));
    }
    parquet::Writer writer(keys_of(table), std::move(types), write);
    using Groups = std::vector<parquet::RowGroup>;
    const auto make = [&](std::size_t piece, Groups& groups) {
        std::size_t begin = piece * rows_of_a_group;
        const std::size_t end = std::min(begin + rows_of_a_group, table.size);
        while (begin < end) groups.push_back(encoded(columns_of(table, begin, end, text_of_a_group)));
    };
    const auto take = [&](Groups& groups) {
        for (parquet::RowGroup& group : groups) writer.write(std::move(group));
        groups.clear();
    };
    in_order<Groups>((table.size + rows_of_a_group - 1) / rows_of_a_group, 1, threads, make, take);
    writer.finish();
}

std::string parquet_of(const Table& table) {
    std::string bytes;
    write_parquet(table, 1, [&](std::string_view more) { bytes += more; });
    return bytes;
}

}  // namespace wordbreadth::report
