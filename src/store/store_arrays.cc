#include "store/store_arrays.h"

#include <filesystem>
#include <system_error>

#include "wordbreadth/store.h"

namespace wordbreadth::store {

namespace {

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

}  // namespace

std::unique_ptr<arrays::ArrayFile> open_arrays(const std::string& path) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) return std::make_unique<StoreArrays>(path);
    return arrays::open_array_file(path);
}

}  // namespace wordbreadth::store
