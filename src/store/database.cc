#include "store/database.h"

#include <sqlite3.h>

#include "base/failure.h"

namespace wordbreadth::store {

namespace {

// A path as SQLite's file: URI. "immutable" keeps it from locking, so that a store may lie on a disk that is only read.
std::string immutable_uri(const std::string& path) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string uri = "file:";
    for (const char c : path) {
        const auto byte = static_cast<unsigned char>(c);
        const bool plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                           (byte >= '0' && byte <= '9') || byte == '/' || byte == '.' || byte == '-' || byte == '_';
        if (plain) {
            uri += c;
        } else {
            ((uri += '%') += digits[byte >> 4]) += digits[byte & 15];
        }
    }
    return uri + "?immutable=1";
}

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const {
    sqlite3_finalize(statement);
}

Statement::Statement(Database& database, std::string_view sql) : database_(database) {
    sqlite3_stmt* raw = nullptr;
    const int code =
        sqlite3_prepare_v2(database.connection_.get(), sql.data(), static_cast<int>(sql.size()), &raw, nullptr);
    statement_.reset(raw);
    if (code != SQLITE_OK) database_.refuse();
}

Statement& Statement::bind(int parameter, std::int64_t value) {
    if (sqlite3_bind_int64(statement_.get(), parameter, value) != SQLITE_OK) database_.refuse();
    return *this;
}

Statement& Statement::bind(int parameter, std::string_view text) {
    const int code = sqlite3_bind_text64(statement_.get(), parameter, text.data() == nullptr ? "" : text.data(),
                                         text.size(), SQLITE_STATIC, SQLITE_UTF8);
    if (code != SQLITE_OK) database_.refuse();
    return *this;
}

Statement& Statement::bind(int parameter, std::span<const std::byte> bytes) {
    const int code = sqlite3_bind_blob64(statement_.get(), parameter, bytes.data(), bytes.size(), SQLITE_STATIC);
    if (code != SQLITE_OK) database_.refuse();
    return *this;
}

bool Statement::step() {
    const int code = sqlite3_step(statement_.get());
    if (code != SQLITE_ROW && code != SQLITE_DONE) database_.refuse();
    return code == SQLITE_ROW;
}

void Statement::run() {
    step();
    reset();
}

void Statement::reset() {
    sqlite3_reset(statement_.get());
}

std::int64_t Statement::whole(int column) const {
    return sqlite3_column_int64(statement_.get(), column);
}

std::optional<std::int64_t> Statement::integer(int column) const {
    if (sqlite3_column_type(statement_.get(), column) != SQLITE_INTEGER) return std::nullopt;
    return whole(column);
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

std::string_view Statement::name(int column) const {
    const char* const name = sqlite3_column_name(statement_.get(), column);
    return name == nullptr ? "" : name;
}

const std::string& Statement::where() const {
    return database_.path();
}

void Database::Close::operator()(sqlite3* connection) const {
    sqlite3_close_v2(connection);
}

Database::Database(const std::string& path, Mode mode, const std::string& first) : path_(path) {
    const bool creates = mode == Mode::create;
    const std::string name = creates ? path : immutable_uri(path);
    const int flags = creates ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY | SQLITE_OPEN_URI;
    sqlite3* raw = nullptr;
    const int code = sqlite3_open_v2(name.c_str(), &raw, flags, nullptr);
    connection_.reset(raw);
    if (code != SQLITE_OK) refuse();
    if (!first.empty()) execute(first);
}

void Database::execute(const std::string& sql) {
    if (sqlite3_exec(connection_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) refuse();
}

void Database::refuse() const {
    base::fail(path_, std::string("the database says: ") + sqlite3_errmsg(connection_.get()));
}

}  // namespace wordbreadth::store
