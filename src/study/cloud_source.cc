#include "wordbreadth/cloud_source.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <string_view>
#include <system_error>
#include <utility>

#include "engine/backend.h"
#include "geometry/load.h"
#include "study/sampling.h"
#include "wordbreadth/error.h"

namespace wordbreadth {
namespace {

// A store as a file of named arrays.
class StoreArrays : public arrays::ArrayFile {
  public:
    explicit StoreArrays(const std::string& folder) : store_(folder) {}

    std::vector<std::string> names() const override {
        std::vector<std::string> names;
        for (const StoredWord& word : store_.words()) names.push_back(word.word);
        return names;
    }

    arrays::Array read(const std::string& name) override {
        const std::size_t index = store_.find(name);
        const std::span<const float> rows = store_.rows(index);
        return {
            name, store_.words()[index].rows, store_.dimension(), {rows.begin(), rows.end()}, store_.documents(index)};
    }

  private:
    Store store_;
};

// Opens the folder of a store, or a file as arrays::open_array_file() does; throws as that or Store does.
std::unique_ptr<arrays::ArrayFile> open_arrays(const std::string& path) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) return std::make_unique<StoreArrays>(path);
    return arrays::open_array_file(path);
}

// The label of each row of the array, as a number.
std::vector<std::uint64_t> labels_of(const arrays::Array& array, const std::string& origin, const BlockLabels& given) {
    const std::string label = array.name + " (" + origin + ")";
    auto found = given.clouds.find(origin.ends_with(".npy") ? origin : origin + ":" + array.name);
    if (found == given.clouds.end()) found = given.clouds.find(array.name);
    const std::string expected = "expected " + std::to_string(array.rows) + ", one for each of its rows";
    if (found == given.clouds.end())
        throw InputError(given.path + ": no labels of the cloud " + label + "; " + expected);
    const auto& [labels, line] = found->second;
    if (labels.size() != array.rows)
        throw InputError(given.path + ":" + std::to_string(line) + ": " + std::to_string(labels.size()) +
                         " labels of the cloud " + label + "; " + expected);
    std::map<std::string_view, std::uint64_t> numbers;
    std::vector<std::uint64_t> blocks;
    for (const std::string& each : labels) blocks.push_back(numbers.try_emplace(each, numbers.size()).first->second);
    return blocks;
}

// The rows that are kept, in place: they are in ascending order.
void keep_rows(arrays::Array& array, const Cut& cut) {
    if (cut.rows == 0) return;
    auto to = array.values.begin();
    std::vector<std::uint64_t> blocks;
    for (const std::size_t row : study::sample_rows(array.name, array.rows, cut.rows, cut.seed)) {
        const auto from = array.values.begin() + static_cast<std::ptrdiff_t>(row * array.columns);
        to = std::copy(from, from + static_cast<std::ptrdiff_t>(array.columns), to);
        if (!array.blocks.empty()) blocks.push_back(array.blocks[row]);
    }
    array.blocks = std::move(blocks);
    array.values.erase(to, array.values.end());
}

NamedCloud cut_array(arrays::Array array, const std::string& origin, const Cut& cut) {
    NamedCloud found{array.name, origin, array.rows, array.columns, {}, {}};
    if (array.rows < cut.rows) {
        found.reason = array.name + " (" + origin + "): has " + std::to_string(array.rows) +
                       (array.rows == 1 ? " row" : " rows") + ", fewer than the common size of " +
                       std::to_string(cut.rows);
        return found;
    }
    try {
        if (!cut.blocks) array.blocks.clear();
        if (cut.blocks && cut.labels != nullptr) array.blocks = labels_of(array, origin, *cut.labels);
        keep_rows(array, cut);
        found.cloud.emplace(std::move(array.name), std::move(array.values), array.columns, origin);
        found.rows = found.cloud->size();
        if (!array.blocks.empty()) found.cloud->set_blocks(array.blocks);
    } catch (const InputError& error) {
        found.reason = error.what();
    }
    return found;
}

}  // namespace

struct CloudSource::Contents {
    std::string path;
    std::unique_ptr<arrays::ArrayFile> file;
    std::vector<std::string> names;
};

CloudSource::CloudSource(const std::string& path) : contents_(std::make_unique<Contents>()) {
    contents_->path = path;
    contents_->file = open_arrays(path);
    contents_->names = contents_->file->names();
}

CloudSource::CloudSource(CloudSource&&) noexcept = default;
CloudSource& CloudSource::operator=(CloudSource&&) noexcept = default;
CloudSource::~CloudSource() = default;

const std::string& CloudSource::path() const {
    return contents_->path;
}

const std::vector<std::string>& CloudSource::names() const {
    return contents_->names;
}

NamedCloud CloudSource::read(const std::string& name, const Cut& cut) const {
    try {
        return cut_array(contents_->file->read(name), path(), cut);
    } catch (const InputError& error) {
        if (!std::ranges::binary_search(names(), name)) throw;
        return {name, path(), 0, 0, {}, error.what()};
    }
}

Cloud cloud_at(const std::string& where, const Cut& cut) {
    const CloudPlace place = place_of(where);
    const auto file = open_arrays(place.path);
    NamedCloud found = cut_array(file->read(geometry::cloud_name(place, *file)), place.path, cut);
    if (!found.cloud) throw InputError(found.reason);
    return *std::move(found.cloud);
}

}  // namespace wordbreadth
