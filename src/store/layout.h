// Where things lie in the folder of a store, which version of it this program writes, and how to finish one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>

namespace wordbreadth::store {

// Grows when a file changes so that an older program would misread it.
inline constexpr std::int64_t store_version = 1;

// Marks the SQLite file as ours ("wbrd"), for `file` and for ourselves.
inline constexpr std::int64_t store_application_id = 0x77627264;

[[nodiscard]] inline std::string plan_path(const std::string& folder) {
    return folder + "/store.sqlite";
}

[[nodiscard]] inline std::string clouds_path(const std::string& folder) {
    return folder + "/clouds.safetensors";
}

[[nodiscard]] inline bool has_clouds(const std::string& folder) {
    std::error_code ignored;
    return std::filesystem::exists(clouds_path(folder), ignored);
}

[[nodiscard]] inline std::string shards_folder(const std::string& folder) {
    return folder + "/shards";
}

[[nodiscard]] inline std::string shard_path(const std::string& folder, std::uint64_t shard) {
    std::string number = std::to_string(shard);
    if (number.size() < 6) number.insert(0, 6 - number.size(), '0');
    return shards_folder(folder) + "/" + number + ".safetensors";
}

// Parts of a plan that is not merged yet.
[[nodiscard]] inline std::string parts_folder(const std::string& folder) {
    return folder + "/parts";
}

// Who is writing to the store, while somebody is.
[[nodiscard]] inline std::string lock_path(const std::string& folder) {
    return folder + "/store.lock";
}

}  // namespace wordbreadth::store
