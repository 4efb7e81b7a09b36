// Pieces as a file of SQLite's (a "VFS"), so that what a query reads is checked, and nothing else.
#pragma once

#include <sqlite3.h>

#include <exception>
#include <string>

#include "store/pieces.h"

namespace wordbreadth::store {

class PiecesVfs {
  public:
    // Whatever database is opened by name() is made of these pieces, which must outlive it.
    explicit PiecesVfs(const Pieces& pieces);
    ~PiecesVfs();
    PiecesVfs(const PiecesVfs&) = delete;
    PiecesVfs& operator=(const PiecesVfs&) = delete;

    [[nodiscard]] const char* name() const { return name_.c_str(); }

    // What a piece threw when SQLite read it, if one did: exceptions do not pass through SQLite.
    void rethrow() const;

  private:
    struct File;  // as SQLite holds it
    static const sqlite3_io_methods methods;

    static int open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* opened);
    static int read(sqlite3_file* file, void* into, int bytes, sqlite3_int64 begin);
    static int size(sqlite3_file* file, sqlite3_int64* bytes);

    const Pieces& pieces_;
    std::string name_;  // no other has it: SQLite knows file systems by name
    sqlite3_vfs vfs_;
    std::exception_ptr failure_;
};

}  // namespace wordbreadth::store
