// What a store says of itself: for people, and to tell whether two stores may be compared.
#include <algorithm>
#include <filesystem>
#include <future>
#include <system_error>

#include "store/index.h"
#include "store/plan.h"
#include "store/shards.h"
#include "wordbreadth/error.h"
#include "wordbreadth/store.h"

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

std::string pair_of(const std::string& what, const std::string& value_a, const std::string& value_b) {
    const auto shown = [](const std::string& value) { return value.empty() ? "not recorded" : value; };
    return what + ": " + shown(value_a) + " and " + shown(value_b);
}

// A model is its weights, wherever they lie; the path is for people.
std::string difference_of_models(const Store& a, const Store& b) {
    const std::string hash_a = a.setting("model sha256"), hash_b = b.setting("model sha256");
    const bool same = hash_a.empty() && hash_b.empty() ? a.setting("model") == b.setting("model") : hash_a == hash_b;
    if (same) return {};
    const auto value = [](const Store& store, const std::string& hash) {
        return store.setting("model") + (hash.empty() ? "" : " (sha256 " + hash.substr(0, 12) + ")");
    };
    return pair_of("models", value(a, hash_a), value(b, hash_b));
}

std::vector<StoredWord> most_copied(std::vector<StoredWord> found, std::size_t most) {
    const auto copies = [](const StoredWord& word) { return word.exact_copies + word.near_copies; };
    const auto share = [&](const StoredWord& word) {
        return static_cast<double>(copies(word)) / static_cast<double>(std::max<std::uint64_t>(1, word.frequency));
    };
    std::erase_if(found, [&](const StoredWord& word) { return copies(word) == 0; });
    std::ranges::stable_sort(found, std::ranges::greater(), share);
    found.resize(std::min(found.size(), most));
    return found;
}

[[noreturn]] void fail_different(const Store& a, const Store& b, const std::string& what) {
    throw InputError(a.folder() + " and " + b.folder() + ": different " + what +
                     "; extract both corpora with the same settings");
}

}  // namespace

StoreDescription describe_store(const std::string& folder, std::size_t most_frequent) {
    store::Plan plan(folder, std::launch::async, store::open_index(folder));
    StoreDescription found;
    found.folder = folder;
    found.bytes = bytes_in(folder);
    found.words = plan.word_count();
    found.rows = plan.row_count();
    found.shards = plan.shards().size();
    found.settings = plan.settings();
    found.sources = plan.sources();
    found.skipped = plan.skipped();
    found.missing = plan.missing();
    found.most_frequent = plan.most_frequent(most_frequent);
    found.most_copied = most_copied(plan.words_with_copies(), most_frequent);
    found.layers = plan.layers();
    found.finished = plan.has_clouds();
    if (found.finished) found.dimension = Store(folder, plan.layers().front()).dimension();
    for (std::size_t shard = 0; !found.finished && shard < plan.shards().size(); ++shard) {
        const store::ShardState state = store::glance_at(plan, shard);
        if (state == store::ShardState::finished) ++found.finished_shards;
        if (state == store::ShardState::unusable) ++found.unusable_shards;
    }
    return found;
}

std::string differences(const Store& a, const Store& b) {
    std::string found = difference_of_models(a, b);
    for (const char* const setting : {"layers", "unit", "case", "lemmas", "subwords"})
        if (a.setting(setting) != b.setting(setting))
            found += (found.empty() ? "" : ", ") + pair_of(setting, a.setting(setting), b.setting(setting));
    return found;
}

void require_comparable(const Store& a, const Store& b, bool force) {
    if (const std::string found = differences(a, b); !found.empty() && !force) fail_different(a, b, found);
    if (a.dimension() != b.dimension())
        fail_different(a, b, pair_of("dimensions", std::to_string(a.dimension()), std::to_string(b.dimension())));
}

}  // namespace wordbreadth
