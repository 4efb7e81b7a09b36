#include "wordbreadth/cloud_source.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/failure.h"
#include "base/workers.h"
#include "engine/backend.h"
#include "geometry/load.h"
#include "study/sampling.h"
#include "wordbreadth/error.h"

namespace wordbreadth {
namespace {

// A store as a file of named arrays.
class StoreArrays : public arrays::ArrayFile {
  public:
    StoreArrays(const std::string& folder, const std::string& layer)
        : store_(std::make_shared<const Store>(folder, layer)) {}

    std::vector<std::string> names() const override {
        std::vector<std::string> names;
        for (const StoredWord& word : store_->words()) names.push_back(word.word);
        return names;
    }

    arrays::Array read(const std::string& name) override {
        const std::size_t index = store_->find(name);
        const std::span<const float> rows = store_->rows(index);
        const auto* const values = reinterpret_cast<const std::byte*>(rows.data());
        return {name,
                rows.size() / store_->dimension(),
                store_->dimension(),
                Element::f32,
                {store_, values},
                store_->documents(index)};
    }

    [[nodiscard]] const std::shared_ptr<const Store>& store() const { return store_; }

  private:
    std::shared_ptr<const Store> store_;  // shared by the arrays that lie in it
};

// Null where the arrays are not those of a store.
std::shared_ptr<const Store> store_of(const arrays::ArrayFile& file) {
    const auto* const arrays = dynamic_cast<const StoreArrays*>(&file);
    return arrays == nullptr ? nullptr : arrays->store();
}

// Opens the folder of a store, or a file as arrays::open_array_file() does; throws as that or Store does.
std::unique_ptr<arrays::ArrayFile> open_arrays(const std::string& path, const std::string& layer) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) return std::make_unique<StoreArrays>(path, layer);
    if (!layer.empty() && std::filesystem::exists(path, ignored))
        throw InputError(path + ": is not a store, and has no layer " + layer + " or other; do not name one");
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

// The rows that are kept, in ascending order.
void keep_rows(arrays::Array& array, const std::string& origin, const Cut& cut) {
    if (cut.rows == 0) return;
    const std::vector<std::size_t> kept = rows_of_cut(array.name, origin, array.rows, cut);
    const std::size_t bytes = array.columns * arrays::bytes_of(array.element);
    const auto values = std::make_shared_for_overwrite<std::byte[]>(cut.rows * bytes);
    std::vector<std::uint64_t> blocks;
    std::byte* to = values.get();
    for (const std::size_t row : kept) {
        to = std::copy_n(array.values.get() + row * bytes, bytes, to);
        if (!array.blocks.empty()) blocks.push_back(array.blocks[row]);
    }
    array.rows = cut.rows;
    array.values = {values, values.get()};
    array.blocks = std::move(blocks);
}

NamedCloud cut_array(arrays::Array array, const std::string& origin, const Cut& cut) {
    NamedCloud found{array.name, origin, array.rows, array.columns, {}, {}};
    try {
        if (!cut.blocks) array.blocks.clear();
        if (cut.blocks && cut.labels != nullptr) array.blocks = labels_of(array, origin, *cut.labels);
        keep_rows(array, origin, cut);
        found.cloud = geometry::cloud_of(std::move(array), origin);
        found.rows = found.cloud->size();
    } catch (const InputError& error) {
        found.reason = error.what();
    }
    return found;
}

}  // namespace

std::vector<std::size_t> rows_of_cut(const std::string& name, const std::string& origin, std::size_t rows,
                                     const Cut& cut) {
    if (rows < cut.rows)
        throw InputError(name + (origin.empty() ? "" : " (" + origin + ")") + ": has " + std::to_string(rows) +
                         (rows == 1 ? " row" : " rows") + ", fewer than the common size of " +
                         std::to_string(cut.rows));
    return study::sample_rows(name, rows, cut.rows == 0 ? rows : cut.rows, cut.seed);
}

struct CloudSource::Contents {
    std::string path;
    std::unique_ptr<arrays::ArrayFile> file;
    std::vector<std::string> names;
};

CloudSource::CloudSource(const std::string& path, const std::string& layer) : contents_(std::make_unique<Contents>()) {
    contents_->path = path;
    contents_->file = open_arrays(path, layer);
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

std::shared_ptr<const Store> CloudSource::store() const {
    return store_of(*contents_->file);
}

NamedCloud CloudSource::read(const std::string& name, const Cut& cut) const {
    try {
        return cut_array(contents_->file->read(name), path(), cut);
    } catch (const InputError& error) {
        if (!std::ranges::binary_search(names(), name)) throw;
        return {name, path(), 0, 0, {}, error.what()};
    }
}

std::vector<NamedCloud> CloudSource::read(std::span<const std::string> names, const Cut& cut,
                                          const Execution& execution) const {
    const Timing::Stage reading(execution.timing, "reading clouds");
    std::vector<NamedCloud> clouds(names.size());
    base::Monitor monitor(1, {}, execution.stop);
    base::Workers(engine::thread_count(execution)).run(names.size(), [&](std::size_t i, std::size_t) {
        monitor.check();
        clouds[i] = read(names[i], cut);
    });
    return clouds;
}

std::vector<Pair> listed_pairs(const std::string& list, const CloudSource& source) {
    const std::vector<std::string>& names = source.names();
    const auto place_of = [&](const std::string& name, std::size_t line) {
        const auto found = std::ranges::lower_bound(names, name);
        if (found != names.end() && *found == name) return static_cast<std::size_t>(found - names.begin());
        try {
            (void)source.read(name);  // which says why it is not there
        } catch (const InputError& error) {
            base::fail_at(list, line, error.what());
        }
        throw std::logic_error("a cloud that is no cloud of its source");
    };
    std::vector<Pair> pairs;
    for (const auto& [x, y, line] : read_pair_list(list)) {
        const std::size_t first = place_of(x, line);
        pairs.push_back({first, place_of(y, line)});
    }
    return pairs;
}

std::vector<Cloud> clouds_at(std::span<const std::string> where, const Cut& cut,
                             std::vector<std::shared_ptr<const Store>>* stores) {
    std::map<std::string, std::unique_ptr<arrays::ArrayFile>> files;
    std::vector<Cloud> clouds;
    for (const std::string& each : where) {
        const CloudPlace place = place_of(each);
        std::unique_ptr<arrays::ArrayFile>& file = files[place.path];
        if (!file) file = open_arrays(place.path, cut.layer);
        NamedCloud found = cut_array(file->read(geometry::cloud_name(place, *file)), place.path, cut);
        if (!found.cloud) throw InputError(found.reason);
        clouds.push_back(*std::move(found.cloud));
        if (stores != nullptr) stores->push_back(store_of(*file));
    }
    return clouds;
}

Cloud cloud_at(const std::string& where, const Cut& cut) {
    return std::move(clouds_at({&where, 1}, cut).front());
}

}  // namespace wordbreadth
