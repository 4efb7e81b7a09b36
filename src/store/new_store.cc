#include "store/new_store.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include "base/failure.h"
#include "base/temporary.h"
#include "store/layout.h"
#include "store/shards.h"
#include "store/store_lock.h"
#include "wordbreadth/error.h"
#include "wordbreadth/store.h"

namespace wordbreadth::store {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> paths_in(const fs::path& folder, std::error_code& error) {
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator(folder, error)) paths.push_back(entry.path());
    return paths;
}

// None of a folder that is not there, or cannot be read.
std::vector<fs::path> paths_in(const fs::path& folder) {
    std::error_code ignored;
    return paths_in(folder, ignored);
}

std::string name_of(const fs::path& path) {
    return path.filename().string();
}

bool is_part(const fs::path& path) {
    return name_of(path).starts_with("store.part-");
}

// Of a process that was killed while it moved its files: they are complete, and the plan, which goes last, is there.
bool was_being_moved(const fs::path& path) {
    return is_part(path) && !base::may_be_in_use(name_of(path)) && is_store(path.string()) &&
           std::ranges::none_of(paths_in(path), [](const fs::path& file) { return is_incomplete(name_of(file)); });
}

// What such a process has moved.
std::vector<fs::path> moved_files(const std::string& folder) {
    std::vector<fs::path> paths = paths_in(folder);
    if (std::ranges::none_of(paths, was_being_moved)) return {};
    std::erase_if(paths, [](const fs::path& path) {
        return !is_clouds_name(name_of(path)) && name_of(path) != name_of(index_path(""));
    });
    return paths;
}

void require_room(const std::string& folder) {
    std::error_code ignored;
    if (folder.empty()) throw InputError("no folder was named for the store");
    if (is_store(folder)) throw InputError(folder + ": is already a store; name another folder, or remove it");
    const std::vector<fs::path> moved = moved_files(folder);
    const bool is_full = std::ranges::any_of(paths_in(folder), [&](const fs::path& path) {
        return !is_incomplete(name_of(path)) && std::ranges::find(moved, path) == moved.end();
    });
    if (is_full || (fs::exists(folder, ignored) && !fs::is_directory(folder, ignored)))
        throw InputError(folder + ": exists and is not an empty folder; name another");
}

const std::string& free_folder(const std::string& folder) {
    require_room(folder);
    require_unlocked(folder);
    return folder;
}

void remove_moved_files(const std::string& folder) {
    if (moved_files(folder).empty()) return;
    const StoreLock lock(folder);  // lest another moves its own meanwhile
    std::error_code ignored;
    for (const fs::path& path : moved_files(folder)) fs::remove(path, ignored);
}

void move(const fs::path& path, const std::string& folder) {
    std::error_code error;
    fs::rename(path, folder / path.filename(), error);
    if (error)
        base::fail_to_open(folder, "its file " + name_of(path) + " cannot be given its name: " + error.message(),
                           error.value());
}

}  // namespace

NewStore::NewStore(const std::string& folder) : folder_(free_folder(folder)), made_(folder_) {
    remove_moved_files(folder_);
    remove_incomplete(folder_);
    temporary_ = base::temporary_name(folder_ + "/store");
    std::error_code error;
    if (!fs::create_directory(temporary_, error))
        base::fail_to_open(folder_, "cannot be written to (" + error.message() + "); name a folder that can",
                           error.value());
}

NewStore::~NewStore() {
    std::error_code ignored;
    if (!temporary_.empty()) fs::remove_all(temporary_, ignored);
}

void NewStore::keep(bool on_disk) {
    const StoreLock lock(folder_);  // only now: that of a killed process in another container would be in the way
    require_room(folder_);          // of what another process made meanwhile
    const fs::path plan = plan_path(temporary_);
    std::error_code error;
    const std::vector<fs::path> paths = paths_in(temporary_, error);
    if (error) base::fail_to_open(temporary_, "cannot be read: " + error.message(), error.value());
    for (const fs::path& path : paths)
        if (path != plan) move(path, folder_);
    move(plan, folder_);
    if (on_disk) base::sync_folder(folder_);
    fs::remove_all(temporary_, error);
    // Whoever left it: nothing comes of it any more. A process that still writes finds the store at its own end.
    for (const fs::path& path : paths_in(folder_))
        if (is_part(path) && !base::is_in_use(name_of(path))) fs::remove_all(path, error);
    temporary_.clear();
}

}  // namespace wordbreadth::store
