// The rows of a file of vectors, whatever its format.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/workers.h"

namespace wordbreadth::importing {

// Where an occurrence stands, as far as the file says so.
struct Place {
    std::optional<std::string> text{};
    std::optional<std::int64_t> start{}, end{};  // in characters of the text
    std::optional<std::string> document{};
};

// Consecutive rows; of what was not asked for, nothing.
struct RowBatch {
    std::uint64_t first = 0;  // its number in the file, from 0
    std::size_t size = 0;
    std::vector<std::string> words{};
    std::vector<Place> places{};
    // Vectors: (size, dimension), or where each lies, (size), as float32 at any byte, in what `kept` keeps in memory.
    std::vector<float> vectors{};
    std::vector<const std::byte*> rows{};
    std::vector<std::shared_ptr<const void>> kept{};

    [[nodiscard]] std::span<const std::byte> row(std::size_t i, std::size_t dimension) const {
        if (rows.empty()) return std::as_bytes(std::span(vectors).subspan(i * dimension, dimension));
        return {rows[i], dimension * sizeof(float)};
    }

    void clear();
};

enum class Part { words, places, vectors, places_and_vectors };

class RowSource {
  public:
    using Take = std::function<void(RowBatch& batch)>;

    RowSource() = default;
    RowSource(const RowSource&) = delete;
    RowSource& operator=(const RowSource&) = delete;
    virtual ~RowSource() = default;

    // Hands over all rows, in order; `take` may keep the memory of a batch and leave other in its place. Throws
    // InputError when the file is malformed, and when a vector has another length than the first; what is in them is
    // left to the caller.
    virtual void read(Part part, const Take& take) = 0;

    // Whether places and vectors can be read by a thread for each, in batches of their own. Else they are read
    // together.
    [[nodiscard]] virtual bool has_parts() const = 0;

    // Known once everything, or the words, of some rows are read.
    [[nodiscard]] virtual std::size_t dimension() const = 0;

    [[nodiscard]] virtual bool has_places() const = 0;  // texts, spans or documents

    // What messages call a row: "vectors.jsonl:12".
    [[nodiscard]] virtual std::string where(std::uint64_t row) const = 0;

    [[nodiscard]] virtual std::string_view format() const = 0;
};

// ---- Names of columns

enum class Role { word, vector, text, start, end, span, document };
inline constexpr std::size_t roles = 7;

// The names that each role may have, the preferred first.
class RoleNames {
  public:
    // With other names for some roles, which no other role then looks for. Throws InputError for a role that does not
    // exist or is named twice, and for a name that two roles are to have.
    explicit RoleNames(const std::vector<std::pair<std::string, std::string>>& chosen);

    struct Match {
        Role role = Role::word;
        std::size_t rank = 0;  // 0: no other name is preferred
    };

    [[nodiscard]] std::optional<Match> match(std::string_view name) const;
    [[nodiscard]] const std::vector<std::string>& names(Role role) const {
        return names_[static_cast<std::size_t>(role)];
    }

    // Throws InputError, naming `where` and what is there, for a name that was chosen and is not among the names that
    // are there; `kind` says what those are of, such as "column".
    void require_chosen(const std::string& where, std::string_view kind, const std::vector<std::string>& there) const;

  private:
    void take(Role role, const std::string& name);
    void follow_chosen_span();
    [[nodiscard]] bool is_chosen(Role role) const { return is_chosen_[static_cast<std::size_t>(role)]; }
    [[nodiscard]] std::vector<std::string>& of(Role role) { return names_[static_cast<std::size_t>(role)]; }

    std::array<std::vector<std::string>, roles> names_;
    std::array<bool, roles> is_chosen_{};
};

// "3:7", as DWUG has it.
[[nodiscard]] bool read_span(std::string_view text, Place& place);

[[nodiscard]] std::unique_ptr<RowSource> open_arrays(const std::string& path);
[[nodiscard]] std::unique_ptr<RowSource> open_jsonl(const std::string& path, RoleNames names, base::Workers& workers);
[[nodiscard]] std::unique_ptr<RowSource> open_parquet(const std::string& path, const RoleNames& names);

}  // namespace wordbreadth::importing
