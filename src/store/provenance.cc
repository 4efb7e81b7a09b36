// What a result was computed from, known by its hash.
#include "wordbreadth/provenance.h"

#include <algorithm>
#include <filesystem>
#include <future>
#include <memory>
#include <span>
#include <system_error>

#include "arrays/safetensors.h"
#include "base/failure.h"
#include "base/file.h"
#include "base/sha256.h"
#include "base/strings.h"
#include "store/index.h"
#include "store/layout.h"
#include "store/plan.h"
#include "wordbreadth/store.h"

namespace wordbreadth {
namespace {

namespace fs = std::filesystem;

InputFile identify_file(const std::string& path, const std::stop_token& stop) {
    return {path, base::File(path).size(), base::sha256_of_file(path, stop)};
}

std::string header_hash(const std::string& path) {
    base::File file(path);
    std::vector<std::byte> header(arrays::read_safetensors_header(file).data_begin);
    file.seek(0);
    file.read_all(header, "its header");
    return base::sha256_of(header);
}

// Of the headers of a layer's clouds, which hold the hashes of everything else.
void add_headers(const store::Plan& plan, std::size_t layer, const store::Index* index, InputFile& found,
                 std::vector<std::string>& hashes) {
    std::error_code ignored;
    for (std::size_t file = 0; index != nullptr && file < index->files(layer).size(); ++file) {
        found.bytes += index->files(layer)[file].bytes;
        hashes.push_back(index->files(layer)[file].header_sha256);
    }
    for (std::size_t file = 0; index == nullptr && fs::exists(plan.clouds_path(layer, file), ignored); ++file) {
        found.bytes += base::File(plan.clouds_path(layer, file)).size();
        hashes.push_back(header_hash(plan.clouds_path(layer, file)));
    }
}

InputFile identify_store(const std::string& folder, const std::stop_token& stop) {
    const std::shared_ptr<const store::Index> index = store::open_index(folder);
    const store::Plan plan(folder, std::launch::deferred, index);
    const std::string path = store::plan_path(folder);
    InputFile found{folder, base::File(path).size(), {}};
    if (!plan.has_clouds()) {
        found.sha256 = base::sha256_of_file(path, stop);
        return found;
    }
    std::vector<std::string> hashes;
    for (std::size_t layer = 0; layer < plan.layers().size(); ++layer)
        add_headers(plan, layer, index.get(), found, hashes);
    const std::string all = base::joined(hashes, "\n");
    found.sha256 = hashes.size() == 1 ? hashes.front() : base::sha256_of(std::as_bytes(std::span(all)));
    return found;
}

InputFile identify_folder(const std::string& folder, const std::stop_token& stop) {
    std::vector<fs::path> files;
    std::error_code error;
    for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::directory_iterator();
         entry.increment(error)) {
        std::error_code ignored;
        if (entry->is_regular_file(ignored)) files.push_back(entry->path());
    }
    if (error) base::fail(folder, "cannot be read: " + error.message());
    std::ranges::sort(files);
    InputFile found{folder, 0, {}};
    std::string list;
    for (const fs::path& file : files) {
        const InputFile part = identify_file(file.string(), stop);
        found.bytes += part.bytes;
        list += part.sha256 + "  " + file.filename().string() + "\n";
    }
    found.sha256 = base::sha256_of(std::as_bytes(std::span(list)));
    return found;
}

}  // namespace

InputFile identify_input(const std::string& path, const std::stop_token& stop) {
    std::error_code ignored;
    if (is_store(path)) return identify_store(path, stop);
    return fs::is_directory(path, ignored) ? identify_folder(path, stop) : identify_file(path, stop);
}

}  // namespace wordbreadth
