// SQLite, which stays out of every other file but for pieces_vfs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "wordbreadth/limits.h"

struct sqlite3;
struct sqlite3_stmt;

namespace wordbreadth::store {

class Database;
class Pieces;
class PiecesVfs;

struct Bounds {
    std::uint64_t least = 0;
    std::uint64_t most = limits::stored_number;
};

// A prepared statement; its database must outlive it.
class Statement {
  public:
    Statement(Database& database, std::string_view sql);

    // Binds all parameters, in order. Text and bytes must live until the next reset.
    template <class... Values>
    Statement& bind(const Values&... values) {
        return bind_from(1, values...);
    }

    // Likewise those from `first` on, which counts from 1: a row of several.
    template <class... Values>
    Statement& bind_from(int first, const Values&... values) {
        (bind_one(first++, values), ...);
        return *this;
    }

    // Goes to the next row; false when there is none. Throws InputError when the file is damaged or full.
    bool step();
    void reset();

    // For a statement that gives no rows: one step, then ready to be bound again.
    template <class... Values>
    void run(const Values&... values) {
        bind(values...).step();
        reset();
    }

    // Of the row that step() went to, from 0. Text stays until the next step.
    [[nodiscard]] std::int64_t whole(int column) const;
    [[nodiscard]] std::string_view text(int column) const;
    [[nodiscard]] std::span<const std::byte> bytes(int column) const;

    // A whole number out of a plan's `table`, which anybody may have changed. Throws InputError, naming file, table,
    // column and value, when it is none or out of bounds.
    [[nodiscard]] std::uint64_t natural(int column, std::string_view table, const Bounds& bounds = {}) const;

    [[nodiscard]] const std::string& where() const;  // the file

  private:
    void bind_one(int parameter, std::int64_t value);
    void bind_one(int parameter, std::uint64_t value) { bind_one(parameter, static_cast<std::int64_t>(value)); }
    void bind_one(int parameter, std::string_view text);
    void bind_one(int parameter, std::span<const std::byte> bytes);
    void require(int code) const;

    struct Finalize {
        void operator()(sqlite3_stmt* statement) const;
    };
    Database& database_;
    std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

class Database {
  public:
    enum class Mode { create, read };

    // create: there is no file of that path yet. read: the file is never written to, nor is anything put beside it.
    // Throws InputError when it cannot be opened; whether it is a database shows when it is first asked.
    // `first` is executed at once.
    Database(const std::string& path, Mode mode, const std::string& first = {});

    // Reads from these pieces of the file `path`, which must outlive it: a statement throws what they throw.
    Database(const std::string& path, const Pieces& pieces);
    ~Database();

    void execute(const std::string& sql);

    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    friend class Statement;
    // What SQLite says of its last call, as an InputError.
    [[noreturn]] void refuse() const;

    struct Close {
        void operator()(sqlite3* connection) const;
    };
    std::string path_;
    std::unique_ptr<PiecesVfs> pieces_;  // where it reads from them
    std::unique_ptr<sqlite3, Close> connection_;
};

}  // namespace wordbreadth::store
