#include "store/database.h"

#include <sqlite3.h>

#include <utility>

#include "base/failure.h"
#include "store/pieces_vfs.h"

namespace wordbreadth::store {

void Statement::Finalize::operator()(sqlite3_stmt* statement) const {
    sqlite3_finalize(statement);
}

Statement::Statement(Database& database, std::string_view sql) : database_(database) {
    sqlite3_stmt* raw = nullptr;
    const int code =
        sqlite3_prepare_v2(database.connection_.get(), sql.data(), static_cast<int>(sql.size()), &raw, nullptr);
    statement_.reset(raw);
    require(code);
}

void Statement::require(int code) const {
    if (code != SQLITE_OK) database_.refuse();
}

void Statement::bind_one(int parameter, std::int64_t value) {
    require(sqlite3_bind_int64(statement_.get(), parameter, value));
}

void Statement::bind_one(int parameter, std::string_view text) {
    require(sqlite3_bind_text64(statement_.get(), parameter, text.data() == nullptr ? "" : text.data(), text.size(),
                                SQLITE_STATIC, SQLITE_UTF8));
}

void Statement::bind_one(int parameter, std::span<const std::byte> bytes) {
    require(sqlite3_bind_blob64(statement_.get(), parameter, bytes.data(), bytes.size(), SQLITE_STATIC));
}

bool Statement::step() {
    const int code = sqlite3_step(statement_.get());
    if (code != SQLITE_ROW && code != SQLITE_DONE) database_.refuse();
    return code == SQLITE_ROW;
}

void Statement::reset() {
    sqlite3_reset(statement_.get());
}

std::int64_t Statement::whole(int column) const {
    return sqlite3_column_int64(statement_.get(), column);
}

std::string_view Statement::text(int column) const {
    const auto* const first = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
    if (first == nullptr) return {};
    return {first, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

std::span<const std::byte> Statement::bytes(int column) const {
    const auto* const first = static_cast<const std::byte*>(sqlite3_column_blob(statement_.get(), column));
    return {first, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

std::uint64_t Statement::natural(int column, std::string_view table, const Bounds& bounds) const {
    const bool is_whole = sqlite3_column_type(statement_.get(), column) == SQLITE_INTEGER;
    const std::int64_t found = whole(column);
    if (is_whole && std::cmp_greater_equal(found, bounds.least) && std::cmp_less_equal(found, bounds.most))
        return static_cast<std::uint64_t>(found);
    const std::string least = std::to_string(bounds.least);
    base::fail(where(), std::string(table) + "." + sqlite3_column_name(statement_.get(), column) + " is " +
                            (is_whole ? std::to_string(found) : base::in_quotes(text(column))) + "; expected " +
                            (bounds.least == bounds.most ? least : least + " to " + std::to_string(bounds.most)) +
                            ": the store is damaged, extract it again");
}

const std::string& Statement::where() const {
    return database_.path();
}

void Database::Close::operator()(sqlite3* connection) const {
    sqlite3_close_v2(connection);
}

Database::Database(const std::string& path, Mode mode, const std::string& first) : path_(path) {
    // What is created is used by one thread at a time, which needs no locks inside SQLite.
    const int flags =
        mode == Mode::create ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX : SQLITE_OPEN_READONLY;
    // Without locks, so that a store may lie on a disk that is only read: nobody writes to what is read here.
    sqlite3* raw = nullptr;
    const int code = sqlite3_open_v2(path.c_str(), &raw, flags, mode == Mode::read ? "unix-none" : nullptr);
    connection_.reset(raw);
    if (code != SQLITE_OK) refuse();
    if (!first.empty()) execute(first);
}

Database::Database(const std::string& path, const Pieces& pieces)
    : path_(path), pieces_(std::make_unique<PiecesVfs>(pieces)) {
    sqlite3* raw = nullptr;
    const int code = sqlite3_open_v2(path.c_str(), &raw, SQLITE_OPEN_READONLY, pieces_->name());
    connection_.reset(raw);
    if (code != SQLITE_OK) refuse();
}

Database::~Database() = default;

void Database::execute(const std::string& sql) {
    if (sqlite3_exec(connection_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) refuse();
}

void Database::refuse() const {
    if (pieces_) pieces_->rethrow();
    base::fail(path_, std::string("the database says: ") + sqlite3_errmsg(connection_.get()));
}

}  // namespace wordbreadth::store
