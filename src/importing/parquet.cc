// Parquet tables, a row per occurrence.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/failure.h"
#include "base/file.h"
#include "base/strings.h"
#include "importing/rows.h"
#include "parquet/reader.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::importing {
namespace {

using parquet::ColumnReader;
using parquet::ColumnRows;
using parquet::FileColumn;
using parquet::Kind;

constexpr std::size_t rows_of_words = 65'536;                // words alone
constexpr std::size_t rows_of_places = 10'922;               // whose texts may be long, however short the vectors are
constexpr std::size_t values_of_vectors = 16 * 1024 * 1024;  // with less, a word's rows are few, and writes short

class ParquetRows : public RowSource {
  public:
    ParquetRows(const std::string& path, const RoleNames& names) : path_(path), file_(path), names_(names) {
        names.require_chosen(path, "column", all_columns());
        std::array<std::size_t, roles> ranks{};
        for (const FileColumn& column : file_.columns()) {
            const auto found = names.match(column.name);
            if (!found || (is_optional(found->role) && column.kind == Kind::nothing)) continue;
            const auto role = static_cast<std::size_t>(found->role);
            if (columns_[role] != nullptr && ranks[role] == found->rank)
                base::fail(path, "has two columns called " + base::in_quotes(column.name));
            if (columns_[role] != nullptr && ranks[role] < found->rank) continue;
            columns_[role] = &column;
            ranks[role] = found->rank;
        }
        require(Role::word, {Kind::text});
        require(Role::vector, {Kind::reals});
        check(Role::text, {Kind::text});
        check(Role::start, {Kind::whole, Kind::real});
        check(Role::end, {Kind::whole, Kind::real});
        check(Role::span, {Kind::wholes, Kind::text});
        check(Role::document, {Kind::text, Kind::whole});
        if (file_.rows() == 0) base::fail(path, "has no rows");
        dimension_ = first_vector();
        require_real_size();
    }

    void read(Part part, const Take& take) override {
        std::array<std::optional<ColumnReader>, roles> readers;
        for (std::size_t role = 0; role < roles; ++role)
            if (columns_[role] != nullptr && part_of(static_cast<Role>(role)) == part)
                readers[role].emplace(file_, *columns_[role]);
        const std::size_t most = rows_of_batch(part);
        RowBatch batch;
        ColumnRows rows;  // of the column that is read
        for (std::uint64_t row = 0; row < file_.rows();) {
            batch.clear();
            batch.first = row;
            batch.size = std::min<std::uint64_t>(most, file_.rows() - row);
            row += batch.size;
            if (part == Part::places && has_places()) batch.places.resize(batch.size);
            for (std::size_t role = 0; role < roles; ++role) {
                if (!readers[role]) continue;
                if (static_cast<Role>(role) == Role::vector) {
                    readers[role]->read_in_place(batch.size, rows);
                    add_vectors(rows, batch);
                } else {
                    readers[role]->read(batch.size, rows);
                    add(static_cast<Role>(role), rows, batch);
                }
            }
            take(batch);
            if (part != Part::places) file_.forget();  // of these there are few, and the vectors are in use
        }
    }

    bool has_parts() const override { return true; }
    std::size_t dimension() const override { return dimension_; }
    std::string_view format() const override { return "parquet"; }
    std::string where(std::uint64_t row) const override { return path_ + ": row " + std::to_string(row); }

    bool has_places() const override {
        return std::any_of(columns_.begin() + 2, columns_.end(),
                           [](const FileColumn* column) { return column != nullptr; });
    }

  private:
    [[nodiscard]] const FileColumn* column(Role role) const { return columns_[static_cast<std::size_t>(role)]; }

    void require(Role role, std::initializer_list<Kind> kinds) const {
        if (column(role) == nullptr)
            base::fail(path_, "has no column " + base::joined(names_.names(role), " or ", base::in_quotes) +
                                  "; it has " + base::listed(all_columns(), 10));
        check(role, kinds);
    }

    void check(Role role, std::initializer_list<Kind> kinds) const {
        const FileColumn* const found = column(role);
        if (found == nullptr || std::ranges::find(kinds, found->kind) != kinds.end()) return;
        const auto name = [](Kind kind) -> std::string {
            return kind == Kind::text     ? "strings"
                   : kind == Kind::whole  ? "integers"
                   : kind == Kind::real   ? "real numbers that are whole"
                   : kind == Kind::wholes ? "lists of two integers"
                                          : "lists of float16, float or double";
        };
        base::fail(path_ + ": column " + base::in_quotes(found->name),
                   "has the type " + found->type + "; expected " + base::joined(kinds, " or ", name));
    }

    [[nodiscard]] std::vector<std::string> all_columns() const {
        std::vector<std::string> names;
        for (const FileColumn& each : file_.columns()) names.push_back(each.name);
        return names;
    }

    [[nodiscard]] std::size_t rows_of_batch(Part part) const {
        if (part == Part::words) return rows_of_words;
        if (part == Part::places) return rows_of_places;
        return std::max<std::size_t>(1, values_of_vectors / dimension_);
    }

    static bool is_optional(Role role) { return role != Role::word && role != Role::vector; }

    static Part part_of(Role role) {
        return role == Role::word ? Part::words : role == Role::vector ? Part::vectors : Part::places;
    }

    // The length of the first, which all others must have.
    std::size_t first_vector() {
        ColumnRows rows;
        ColumnReader(file_, *column(Role::vector)).read(1, rows);
        if (!rows.present[0] || rows.reals.empty()) base::fail(where(0), "has no vector");
        return rows.reals.size();
    }

    // Dictionaries and runs could let a small file unpack without end.
    void require_real_size() const {
        const std::uint64_t size = base::File(path_).size();
        const std::uint64_t row = dimension_ * sizeof(float);
        const std::uint64_t most = std::max(limits::npz_member_bytes, size * limits::npz_expansion);
        if (file_.rows() > most / row)
            base::fail(path_, "unpacks to " + std::to_string(file_.rows()) + " vectors of " +
                                  std::to_string(dimension_) + " values from " + std::to_string(size) +
                                  " bytes, more than " + std::to_string(limits::npz_expansion) +
                                  " times as much; is it damaged?");
    }

    void add(Role role, ColumnRows& rows, RowBatch& batch) const {
        for (std::size_t i = 0; i < batch.size; ++i) {
            if (role == Role::word && !rows.present[i]) base::fail(where(batch.first + i), "has no word");
            if (role != Role::word && rows.present[i]) add(role, batch.first + i, rows, i, batch.places[i]);
        }
        if (role == Role::word) std::swap(batch.words, rows.texts);
    }

    void add(Role role, std::uint64_t row, ColumnRows& rows, std::size_t i, Place& place) const {
        if (role == Role::text) place.text = std::move(rows.texts[i]);
        if (role == Role::start) place.start = whole(role, row, rows, i);
        if (role == Role::end) place.end = whole(role, row, rows, i);
        if (role == Role::document)
            place.document = column(role)->kind == Kind::text ? std::move(rows.texts[i]) : number(role, rows.wholes[i]);
        if (role != Role::span || place.start || place.end) return;
        if (column(role)->kind == Kind::text) {
            if (!read_span(rows.texts[i], place))
                base::fail(where(row), "has the span " + base::in_quotes(rows.texts[i]) + "; expected start:end");
            return;
        }
        const std::size_t begin = rows.list_starts[i], size = rows.list_starts[i + 1] - begin;
        if (size != 2)
            base::fail(where(row), "has a span of " + std::to_string(size) + " values; expected 2, start and end");
        const auto unless_missing = [](std::int64_t value) {
            return value == ColumnRows::missing_whole ? std::nullopt : std::optional(value);
        };
        place.start = unless_missing(rows.wholes[begin]);
        place.end = unless_missing(rows.wholes[begin + 1]);
    }

    // pandas makes integers real numbers where a row has none, which is then NaN.
    std::optional<std::int64_t> whole(Role role, std::uint64_t row, const ColumnRows& rows, std::size_t i) const {
        if (column(role)->kind == Kind::whole) return rows.wholes[i];
        constexpr float exact = 1 << 24;  // as float32 has them: beyond, some are rounded
        const float value = rows.reals[i];
        if (std::isnan(value)) return std::nullopt;
        if (value == std::trunc(value) && std::abs(value) < exact) return static_cast<std::int64_t>(value);
        base::fail(where(row), base::in_quotes(column(role)->name) + " is " + std::to_string(value) +
                                   "; expected a whole number, below 2^24 where it is stored as a real one");
    }

    // Those of 64 bits without a sign are read as if they had one.
    std::string number(Role role, std::int64_t value) const {
        return column(role)->element.logical == parquet::Logical::unsigned_integer
                   ? std::to_string(static_cast<std::uint64_t>(value))
                   : std::to_string(value);
    }

    // They stay where they are, as those of arrays do.
    void add_vectors(ColumnRows& rows, RowBatch& batch) const {
        for (std::size_t i = 0; i < batch.size; ++i) {
            const std::size_t size = rows.list_starts[i + 1] - rows.list_starts[i];
            if (!rows.present[i]) base::fail(where(batch.first + i), "has no vector");
            if (size != dimension_)
                base::fail(where(batch.first + i), "has a vector of " + std::to_string(size) + " values; expected " +
                                                       std::to_string(dimension_) + ", as the first row has");
        }
        std::swap(batch.vectors, rows.reals);
        std::swap(batch.rows, rows.in_place);
        std::swap(batch.kept, rows.pages);
        const std::byte* decoded = std::as_bytes(std::span(batch.vectors)).data();
        for (const std::byte*& row : batch.rows)
            if (row == nullptr) row = std::exchange(decoded, decoded + dimension_ * sizeof(float));
    }

    std::string path_;
    parquet::File file_;
    RoleNames names_;
    std::array<const FileColumn*, roles> columns_{};  // null: has none
    std::size_t dimension_ = 0;
};

}  // namespace

std::unique_ptr<RowSource> open_parquet(const std::string& path, const RoleNames& names) {
    return std::make_unique<ParquetRows>(path, names);
}

}  // namespace wordbreadth::importing
