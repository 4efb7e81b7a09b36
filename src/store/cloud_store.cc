#include "store/cloud_store.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "arrays/safetensors.h"
#include "base/failure.h"
#include "base/file.h"
#include "base/sha256.h"
#include "store/layout.h"
#include "store/missing_word.h"
#include "store/plan.h"
#include "wordbreadth/error.h"

namespace wordbreadth::store {

namespace {

std::size_t shards_present(const Plan& plan) {
    std::error_code ignored;
    std::size_t present = 0;
    for (std::size_t shard = 0; shard < plan.shards().size(); ++shard) {
        present += std::filesystem::exists(shard_path(plan.folder(), shard), ignored) ? 1 : 0;
    }
    return present;
}

std::string finished_clouds(const Plan& plan) {
    std::string path = clouds_path(plan.folder());
    std::error_code ignored;
    if (std::filesystem::exists(path, ignored)) return path;
    throw Resumable(plan.folder() + ": is not finished: " + std::to_string(shards_present(plan)) + " of its " +
                        std::to_string(plan.shards().size()) + " shards are there; its extraction can be resumed",
                    plan.folder());
}

}  // namespace

CloudStore::CloudStore(const std::string& folder)
    : folder_(folder), plan_(std::make_unique<Plan>(folder)), clouds_(finished_clouds(*plan_)) {
    find_clouds();
}

CloudStore::CloudStore(CloudStore&&) noexcept = default;
CloudStore::~CloudStore() = default;

void CloudStore::find_clouds() {
    const std::string path = clouds_path(folder_);
    base::File file(path);
    const arrays::SafetensorsHeader header = arrays::read_safetensors_header(file);
    const arrays::Metadata metadata = arrays::read_metadata(path);
    const auto value = [&](const std::string& name) {
        const auto found = metadata.find(name);
        return found == metadata.end() ? std::string() : found->second;
    };
    if (value("plan") != plan_->sha256() || header.data_begin % alignof(float) != 0)
        base::fail(folder_,
                   "its two files do not belong together, or store.sqlite was changed; extract the store again");
    for (const StoredWord& word : words()) {
        const auto found = header.tensors.find(word.word);
        const bool fits = found != header.tensors.end() && found->second.type == "F32" &&
                          found->second.shape.size() == 2 && found->second.shape[0] == word.rows;
        if (!fits || (dimension_ != 0 && found->second.shape[1] != dimension_))
            base::fail(path + ":" + word.word,
                       "has not the " + std::to_string(word.rows) + " vectors that are planned");
        dimension_ = found->second.shape[1];
        places_.push_back({header.data_begin + found->second.begin, value("sha256 " + word.word)});
    }
}

const std::vector<StoredWord>& CloudStore::words() const {
    return plan_->words();
}

std::size_t CloudStore::find(const std::string& word) const {
    const auto found = std::ranges::lower_bound(words(), word, {}, &StoredWord::word);
    if (found == words().end() || found->word != word) fail_missing_word(*plan_, word);
    return static_cast<std::size_t>(found - words().begin());
}

std::string CloudStore::why_missing(const std::string& word) const {
    return store::why_missing(*plan_, word);
}

std::span<const float> CloudStore::rows(std::size_t index) const {
    const auto& [begin, sha256] = places_.at(index);
    const std::size_t values = words()[index].rows * dimension_;
    const auto bytes = clouds_.bytes().subspan(begin, values * sizeof(float));
    if (base::sha256_of(bytes) != sha256)
        base::fail(clouds_path(folder_) + ":" + words()[index].word, "is damaged; extract the store again");
    return {reinterpret_cast<const float*>(bytes.data()), values};
}

std::vector<Occurrence> CloudStore::occurrences(std::size_t index) const {
    return plan_->occurrences(index);
}

std::vector<std::pair<std::string, std::string>> CloudStore::settings() const {
    return plan_->settings();
}

std::string CloudStore::setting(std::string_view name) const {
    return plan_->setting(name);
}

std::vector<SkippedOccurrences> CloudStore::skipped() const {
    return plan_->skipped();
}

std::vector<MissingWord> CloudStore::missing() const {
    return plan_->missing();
}

bool is_store(const std::string& path) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(plan_path(path), ignored);
}

}  // namespace wordbreadth::store
