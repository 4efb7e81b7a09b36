#include "wordbreadth/store.h"

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <system_error>

#include "arrays/safetensors.h"
#include "base/failure.h"
#include "base/file.h"
#include "base/sha256.h"
#include "base/strings.h"
#include "store/layout.h"
#include "store/plan.h"
#include "wordbreadth/error.h"
#include "wordbreadth/layers.h"

namespace wordbreadth {
namespace {

// By its place among the plan's layers.
std::size_t chosen_layer(store::Plan& plan, const std::string& asked) {
    const std::vector<std::string>& layers = plan.layers();
    if (asked.empty() && layers.size() == 1) return 0;
    std::string wanted = asked;
    if (asked.empty()) {
        const auto model_layers = base::number_in<std::size_t>(plan.setting("model layers"));
        if (model_layers) wanted = std::to_string(default_layer(*model_layers));
    }
    const auto found = std::ranges::find(layers, wanted);
    if (found != layers.end()) return static_cast<std::size_t>(found - layers.begin());
    const std::string there = layers.size() > 1 ? "layers " + base::joined(layers) : "layer " + layers.front();
    if (asked.empty())
        base::fail(plan.folder(), "has " + there + ", and not the default, " + wanted + "; name one of them");
    base::fail(plan.folder(),
               "has no layer " + base::in_quotes(asked) +
                   (layers.front().empty() ? "; it does not say which it has: name none" : "; it has " + there));
}

void require_finished(const store::Plan& plan) {
    if (plan.has_clouds()) return;
    std::error_code ignored;
    std::size_t present = 0;
    for (std::size_t shard = 0; shard < plan.shards().size(); ++shard)
        present += std::filesystem::exists(store::shard_path(plan.folder(), shard), ignored) ? 1 : 0;
    throw Resumable(plan.folder() + ": is not finished: " + std::to_string(present) + " of its " +
                        std::to_string(plan.shards().size()) + " shards are there; its extraction can be resumed",
                    plan.folder());
}

}  // namespace

struct Store::Contents {
    Contents(const std::string& from, const std::string& asked)
        : folder(from), plan(from), layer(chosen_layer(plan, asked)), path(plan.clouds_path(layer)) {
        require_finished(plan);
        clouds = std::make_shared<base::MappedFile>(path);
        find_clouds();
    }

    void find_clouds();

    struct Place {
        std::uint64_t begin = 0;  // in the file
        std::string sha256;
    };

    std::string folder;
    std::mutex reading;  // held by documents(), which threads may share
    store::Plan plan;
    std::size_t layer;                               // of the plan's
    std::string path;                                // of its clouds
    std::shared_ptr<const base::MappedFile> clouds;  // shared by the clouds that lie in it
    std::size_t dimension = 0;
    std::vector<Place> places;  // of the words
};

void Store::Contents::find_clouds() {
    base::File file(path);
    const arrays::SafetensorsHeader header = arrays::read_safetensors_header(file);
    const auto value = [&](const std::string& name) {
        const auto found = header.metadata.find(name);
        return found == header.metadata.end() ? std::string() : found->second;
    };
    const bool is_layer = plan.layers().size() == 1 || value("layer") == plan.layers()[layer];
    if (value("plan") != plan.sha256() || !is_layer || header.data_begin % alignof(float) != 0)
        base::fail(folder, "its files do not belong together, or store.sqlite was changed; extract the store again");
    for (const StoredWord& word : plan.words()) {
        const auto found = header.tensors.find(word.word);
        const bool fits = found != header.tensors.end() && found->second.type == "F32" &&
                          found->second.shape.size() == 2 && found->second.shape[0] == word.rows;
        if (!fits || (dimension != 0 && found->second.shape[1] != dimension))
            base::fail(path + ":" + word.word,
                       "has not the " + std::to_string(word.rows) + " vectors that are planned");
        dimension = found->second.shape[1];
        places.push_back({header.data_begin + found->second.begin, value("sha256 " + word.word)});
    }
}

Store::Store(const std::string& folder, const std::string& layer)
    : contents_(std::make_unique<Contents>(folder, layer)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

const std::string& Store::folder() const {
    return contents_->folder;
}

std::size_t Store::dimension() const {
    return contents_->dimension;
}

const std::string& Store::layer() const {
    return layers()[contents_->layer];
}

const std::vector<std::string>& Store::layers() const {
    return contents_->plan.layers();
}

const std::vector<StoredWord>& Store::words() const {
    return contents_->plan.words();
}

std::size_t Store::find(const std::string& word) const {
    const auto found = std::ranges::lower_bound(words(), word, {}, &StoredWord::word);
    if (found == words().end() || found->word != word) contents_->plan.fail_missing(word);
    return static_cast<std::size_t>(found - words().begin());
}

std::string Store::why_missing(const std::string& word) const {
    return contents_->plan.why_missing(word);
}

std::span<const float> Store::rows(std::size_t index) const {
    const auto& [begin, sha256] = contents_->places.at(index);
    const std::size_t values = words()[index].rows * dimension();
    const auto bytes = contents_->clouds->bytes().subspan(begin, values * sizeof(float));
    if (base::sha256_of(bytes) != sha256)
        base::fail(contents_->path + ":" + words()[index].word, "is damaged; extract the store again");
    return {reinterpret_cast<const float*>(bytes.data()), values};
}

Cloud Store::cloud(std::size_t index) const {
    const std::vector<std::uint64_t> blocks = documents(index);
    const Rows all{rows(index).data(), Element::f32, words()[index].rows, dimension(), false, blocks};
    return {words()[index].word, all, contents_->clouds, folder()};
}

std::vector<std::uint64_t> Store::documents(std::size_t index) const {
    const std::lock_guard lock(contents_->reading);
    return contents_->plan.documents(index);
}

std::vector<Occurrence> Store::occurrences(std::size_t index) const {
    return contents_->plan.occurrences(index);
}

Settings Store::settings() const {
    Settings settings = contents_->plan.settings();
    for (auto& [name, value] : settings)
        if (name == "layers") value = layer();
    return settings;
}

std::string Store::setting(std::string_view name) const {
    return name == "layers" ? layer() : contents_->plan.setting(name);
}

std::vector<SourceFile> Store::sources() const {
    return contents_->plan.sources();
}

std::vector<SkippedOccurrences> Store::skipped() const {
    return contents_->plan.skipped();
}

std::vector<MissingWord> Store::missing() const {
    return contents_->plan.missing();
}

bool is_store(const std::string& path) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(store::plan_path(path), ignored);
}

bool is_file_of_store(const std::string& path, const std::string& folder) {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
        const bool is_ours =
            entry.path().filename() == "store.sqlite" || store::is_clouds_name(entry.path().filename().string());
        std::error_code unlike;
        if (is_ours && std::filesystem::equivalent(path, entry.path(), unlike)) return true;
    }
    return false;
}

}  // namespace wordbreadth
