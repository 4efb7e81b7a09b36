// Parquet tables, a row per occurrence.
#include <algorithm>
#include <array>

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

constexpr std::size_t rows_of_words = 65'536;               // words alone
constexpr std::size_t values_of_a_batch = 8 * 1024 * 1024;  // of vectors; with 2 M, writes are short and take longer

class ParquetRows : public RowSource {
  public:
    ParquetRows(const std::string& path, const RoleNames& names) : path_(path), file_(path), names_(names) {
        std::array<std::size_t, roles> ranks{};
        for (const FileColumn& column : file_.columns()) {
            const auto found = names.match(column.name);
            if (!found) continue;
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
        check(Role::start, {Kind::whole});
        check(Role::end, {Kind::whole});
        check(Role::span, {Kind::wholes, Kind::text});
        check(Role::document, {Kind::text, Kind::whole});
        if (file_.rows() == 0) base::fail(path, "has no rows");
        dimension_ = first_vector();
        require_real_size();
    }

    void read(Part part, const Take& take) override {
        std::array<std::optional<ColumnReader>, roles> readers;
        for (std::size_t role = 0; role < roles; ++role) {
            const bool is_word = static_cast<Role>(role) == Role::word;
            if (columns_[role] != nullptr && is_word == (part == Part::words))
                readers[role].emplace(file_, *columns_[role]);
        }
        const std::size_t most =
            part == Part::words ? rows_of_words : std::max<std::size_t>(1, values_of_a_batch / dimension_);
        RowBatch batch;
        for (std::uint64_t row = 0; row < file_.rows();) {
            batch.clear();
            batch.first = row;
            batch.size = std::min<std::uint64_t>(most, file_.rows() - row);
            row += batch.size;
            if (part == Part::everything && has_places()) batch.places.resize(batch.size);
            for (std::size_t role = 0; role < roles; ++role) {
                if (!readers[role]) continue;
                readers[role]->read(batch.size, rows_);
                add(static_cast<Role>(role), batch);
            }
            take(batch);
        }
    }

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
                                  "; it has " + all_columns());
        check(role, kinds);
    }

    void check(Role role, std::initializer_list<Kind> kinds) const {
        const FileColumn* const found = column(role);
        if (found == nullptr || std::ranges::find(kinds, found->kind) != kinds.end()) return;
        const auto name = [](Kind kind) -> std::string {
            return kind == Kind::text     ? "strings"
                   : kind == Kind::whole  ? "integers"
                   : kind == Kind::wholes ? "lists of two integers"
                                          : "lists of float16, float or double";
        };
        base::fail(path_ + ": column " + base::in_quotes(found->name),
                   "has the type " + found->type + "; expected " + base::joined(kinds, " or ", name));
    }

    [[nodiscard]] std::string all_columns() const {
        std::vector<std::string> names;
        for (const FileColumn& each : file_.columns()) names.push_back(each.name);
        return base::listed(names, 10);
    }

    // The length of the first, which all others must have.
    std::size_t first_vector() {
        ColumnReader(file_, *column(Role::vector)).read(1, rows_);
        if (!rows_.present[0] || rows_.reals.empty()) base::fail(where(0), "has no vector");
        return rows_.reals.size();
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

    void add(Role role, RowBatch& batch) {
        if (role == Role::vector) return add_vectors(batch);
        for (std::size_t i = 0; i < batch.size; ++i) {
            if (role == Role::word && !rows_.present[i]) base::fail(where(batch.first + i), "has no word");
            if (role != Role::word && rows_.present[i]) add(role, batch.first + i, i, batch.places[i]);
        }
        if (role == Role::word) std::swap(batch.words, rows_.texts);
    }

    void add(Role role, std::uint64_t row, std::size_t i, Place& place) {
        if (role == Role::text) place.text = std::move(rows_.texts[i]);
        if (role == Role::start) place.start = rows_.wholes[i];
        if (role == Role::end) place.end = rows_.wholes[i];
        if (role == Role::document)
            place.document =
                column(role)->kind == Kind::text ? std::move(rows_.texts[i]) : std::to_string(rows_.wholes[i]);
        if (role != Role::span) return;
        if (column(role)->kind == Kind::text) {
            if (!read_span(rows_.texts[i], place))
                base::fail(where(row), "has the span " + base::in_quotes(rows_.texts[i]) + "; expected start:end");
            return;
        }
        const std::size_t begin = rows_.list_starts[i], size = rows_.list_starts[i + 1] - begin;
        if (size != 2)
            base::fail(where(row), "has a span of " + std::to_string(size) + " values; expected 2, start and end");
        place.start = rows_.wholes[begin];
        place.end = rows_.wholes[begin + 1];
    }

    void add_vectors(RowBatch& batch) {
        for (std::size_t i = 0; i < batch.size; ++i) {
            const std::size_t size = rows_.list_starts[i + 1] - rows_.list_starts[i];
            if (!rows_.present[i]) base::fail(where(batch.first + i), "has no vector");
            if (size != dimension_)
                base::fail(where(batch.first + i), "has a vector of " + std::to_string(size) + " values; expected " +
                                                       std::to_string(dimension_) + ", as the first row has");
        }
        std::swap(batch.vectors, rows_.reals);
    }

    std::string path_;
    parquet::File file_;
    RoleNames names_;
    std::array<const FileColumn*, roles> columns_{};  // null: has none
    std::size_t dimension_ = 0;
    ColumnRows rows_;  // of the column that is read
};

}  // namespace

std::unique_ptr<RowSource> open_parquet(const std::string& path, const RoleNames& names) {
    return std::make_unique<ParquetRows>(path, names);
}

}  // namespace wordbreadth::importing
