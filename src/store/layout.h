// Where things lie in the folder of a store, which version of it this program writes, and how to finish one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>

namespace wordbreadth::store {

// Grows when a file changes so that an older program would misread it. A store of one layer is as it always was.
inline constexpr std::int64_t store_version = 1;
inline constexpr std::int64_t version_of_several_layers = 2;

// Marks the SQLite file as ours ("wbrd"), for `file` and for ourselves.
inline constexpr std::int64_t store_application_id = 0x77627264;

[[nodiscard]] inline std::string plan_path(const std::string& folder) {
    return folder + "/store.sqlite";
}

// Of one layer ("4", "2-4") where the store has several; see Plan::clouds_path. Words that do not fit into the first
// file, 0, are in further ones: "clouds.2.safetensors".
[[nodiscard]] inline std::string clouds_path(const std::string& folder, const std::string& layer = {},
                                             std::size_t file = 0) {
    return folder + "/clouds" + (layer.empty() ? "" : ".layer-" + layer) +
           (file == 0 ? "" : "." + std::to_string(file + 1)) + ".safetensors";
}

// In the metadata of clouds that are in several files: "2 of 3".
inline constexpr const char* file_key = "file";

// Where each cloud lies; stores of older versions have none.
[[nodiscard]] inline std::string index_path(const std::string& folder) {
    return folder + "/store.index";
}

// Whether a file of that name, in the folder of a store, holds clouds, or was to become such a file.
[[nodiscard]] inline bool is_clouds_name(const std::string& name) {
    return name.starts_with("clouds.") && name.ends_with(".safetensors");
}
[[nodiscard]] inline bool is_incomplete_clouds_name(const std::string& name) {
    return is_clouds_name(name.substr(0, name.find(".part-"))) && !is_clouds_name(name);
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
