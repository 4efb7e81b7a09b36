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

void require_room(const std::string& folder) {
    std::error_code ignored;
    if (folder.empty()) throw InputError("no folder was named for the store");
    if (is_store(folder)) throw InputError(folder + ": is already a store; name another folder, or remove it");
    const bool is_folder = fs::is_directory(folder, ignored);
    const bool is_full =
        is_folder && std::ranges::any_of(fs::directory_iterator(folder, ignored), [](const auto& entry) {
            return !is_incomplete(entry.path().filename().string());
        });
    if (is_full || (fs::exists(folder, ignored) && !is_folder))
        throw InputError(folder + ": exists and is not an empty folder; name another");
}

const std::string& free_folder(const std::string& folder) {
    require_room(folder);
    require_unlocked(folder);
    return folder;
}

std::vector<fs::path> paths_in(const std::string& folder) {
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator(folder)) paths.push_back(entry.path());
    return paths;
}

bool is_part(const fs::path& path) {
    return path.filename().string().starts_with("store.part-");
}

void move(const fs::path& path, const std::string& folder) {
    std::error_code error;
    fs::rename(path, folder / path.filename(), error);
    if (error)
        base::fail_to_open(folder,
                           "its file " + path.filename().string() + " cannot be given its name: " + error.message(),
                           error.value());
}

}  // namespace

NewStore::NewStore(const std::string& folder) : folder_(free_folder(folder)), made_(folder_) {
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
    for (const fs::path& path : paths_in(temporary_))
        if (path != plan) move(path, folder_);
    move(plan, folder_);
    if (on_disk) base::sync_folder(folder_);
    std::error_code ignored;
    fs::remove_all(temporary_, ignored);
    // Whoever left it: nothing comes of it any more. A process that still writes finds the store at its own end.
    for (const fs::path& path : paths_in(folder_))
        if (is_part(path) && !base::is_in_use(path.filename().string())) fs::remove_all(path, ignored);
    temporary_.clear();
}

}  // namespace wordbreadth::store
