#include "store/store_arrays.h"

#include "store/cloud_store.h"

namespace wordbreadth::store {

namespace {

class StoreArrays : public ArrayFile {
  public:
    explicit StoreArrays(const std::string& folder) : store_(folder) {}

    std::vector<std::string> names() const override {
        std::vector<std::string> names;
        for (const StoredWord& word : store_.words()) names.push_back(word.word);
        return names;
    }

    Array read(const std::string& name) override {
        const std::size_t index = store_.find(name);
        const std::span<const float> rows = store_.rows(index);
        return {name, store_.words()[index].rows, store_.dimension(), {rows.begin(), rows.end()}};
    }

  private:
    CloudStore store_;
};

}  // namespace

std::unique_ptr<ArrayFile> open_store_arrays(const std::string& folder) {
    return std::make_unique<StoreArrays>(folder);
}

}  // namespace wordbreadth::store
