#include "study/describe.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "store/cloud_store.h"
#include "store/layout.h"
#include "store/plan.h"
#include "store/shard_file.h"

namespace wordbreadth {
namespace {

std::uint64_t bytes_in(const std::string& folder) {
    std::uint64_t bytes = 0;
    std::error_code error;
    for (auto entry = std::filesystem::recursive_directory_iterator(folder, error);
         !error && entry != std::filesystem::recursive_directory_iterator(); entry.increment(error)) {
        std::error_code gone;  // files of an extraction at work come and go
        const std::uint64_t size = entry->is_regular_file(gone) ? entry->file_size(gone) : 0;
        if (!gone) bytes += size;
    }
    return bytes;
}

std::vector<store::StoredWord> most_frequent_of(std::vector<store::StoredWord> words, std::size_t count) {
    std::ranges::stable_sort(words, std::ranges::greater(), &store::StoredWord::frequency);
    words.resize(std::min(words.size(), count));
    return words;
}

void look_at_shards(const store::Plan& plan, StoreDescription& found) {
    for (std::size_t shard = 0; shard < plan.shards().size(); ++shard) {
        const store::ShardState state = store::state_of(plan, shard);
        if (state == store::ShardState::finished) ++found.finished_shards;
        if (state == store::ShardState::unusable) ++found.unusable_shards;
    }
}

bool has_clouds(const std::string& folder) {
    std::error_code ignored;
    return std::filesystem::exists(store::clouds_path(folder), ignored);
}

}  // namespace

StoreDescription describe_store(const std::string& folder, std::size_t most_frequent) {
    store::Plan plan(folder);
    StoreDescription found;
    found.folder = folder;
    found.bytes = bytes_in(folder);
    found.words = plan.words().size();
    for (const store::StoredWord& word : plan.words()) found.rows += word.rows;
    found.shards = plan.shards().size();
    found.settings = plan.settings();
    found.sources = plan.sources();
    found.skipped = plan.skipped();
    found.missing = plan.missing();
    found.most_frequent = most_frequent_of(plan.words(), most_frequent);
    found.finished = has_clouds(folder);
    if (found.finished)
        found.dimension = store::CloudStore(folder).dimension();
    else
        look_at_shards(plan, found);
    return found;
}

}  // namespace wordbreadth
