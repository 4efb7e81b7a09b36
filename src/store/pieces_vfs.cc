#include "store/pieces_vfs.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <stdexcept>

namespace wordbreadth::store {
namespace {

// For what SQLite may write beside a database: the results of sorting.
sqlite3_vfs* others() {
    return sqlite3_vfs_find(nullptr);
}

int refuse_to_write(sqlite3_file* /*file*/, const void* /*from*/, int /*bytes*/, sqlite3_int64 /*begin*/) {
    return SQLITE_READONLY;
}

}  // namespace

struct PiecesVfs::File {
    sqlite3_file base;  // what SQLite knows of it
    PiecesVfs* from;
};

// Nobody writes to the file, so there is nothing to lock.
const sqlite3_io_methods PiecesVfs::methods = [] {
    sqlite3_io_methods all{};
    all.iVersion = 1;
    all.xClose = [](sqlite3_file*) { return SQLITE_OK; };
    all.xRead = read;
    all.xWrite = refuse_to_write;
    all.xTruncate = [](sqlite3_file*, sqlite3_int64) { return SQLITE_READONLY; };
    all.xSync = [](sqlite3_file*, int) { return SQLITE_OK; };
    all.xFileSize = size;
    all.xLock = [](sqlite3_file*, int) { return SQLITE_OK; };
    all.xUnlock = [](sqlite3_file*, int) { return SQLITE_OK; };
    all.xCheckReservedLock = [](sqlite3_file*, int* is_locked) { return *is_locked = 0, SQLITE_OK; };
    all.xFileControl = [](sqlite3_file*, int, void*) { return SQLITE_NOTFOUND; };
    all.xSectorSize = [](sqlite3_file*) { return 4096; };
    all.xDeviceCharacteristics = [](sqlite3_file*) { return SQLITE_IOCAP_IMMUTABLE; };
    return all;
}();

PiecesVfs::PiecesVfs(const Pieces& pieces)
    : pieces_(pieces), name_("wordbreadth-" + std::to_string(reinterpret_cast<std::uintptr_t>(this))), vfs_(*others()) {
    vfs_.szOsFile = std::max(vfs_.szOsFile, static_cast<int>(sizeof(File)));
    vfs_.pNext = nullptr;
    vfs_.zName = name_.c_str();
    vfs_.pAppData = this;
    vfs_.xOpen = open;
    if (sqlite3_vfs_register(&vfs_, 0) != SQLITE_OK) throw std::runtime_error("SQLite takes no further file system");
}

PiecesVfs::~PiecesVfs() {
    sqlite3_vfs_unregister(&vfs_);
}

void PiecesVfs::rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
}

int PiecesVfs::open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* opened) {
    if ((flags & SQLITE_OPEN_MAIN_DB) == 0) return others()->xOpen(others(), name, file, flags, opened);
    auto* const ours = reinterpret_cast<File*>(file);
    ours->base.pMethods = &methods;
    ours->from = static_cast<PiecesVfs*>(vfs->pAppData);
    if (opened != nullptr) *opened = flags;
    return SQLITE_OK;
}

int PiecesVfs::read(sqlite3_file* file, void* into, int bytes, sqlite3_int64 begin) {
    PiecesVfs& from = *reinterpret_cast<File*>(file)->from;
    const auto wanted = static_cast<std::uint64_t>(bytes), first = static_cast<std::uint64_t>(begin);
    const std::uint64_t there = std::min(wanted, from.pieces_.size() - std::min(first, from.pieces_.size()));
    try {
        if (there > 0) std::memcpy(into, from.pieces_.read(first, there).data(), there);
    } catch (...) {
        from.failure_ = std::current_exception();
        return SQLITE_IOERR_DATA;
    }
    if (there == wanted) return SQLITE_OK;
    std::memset(static_cast<char*>(into) + there, 0, wanted - there);  // as SQLite expects
    return SQLITE_IOERR_SHORT_READ;
}

int PiecesVfs::size(sqlite3_file* file, sqlite3_int64* bytes) {
    *bytes = static_cast<sqlite3_int64>(reinterpret_cast<File*>(file)->from->pieces_.size());
    return SQLITE_OK;
}

}  // namespace wordbreadth::store
