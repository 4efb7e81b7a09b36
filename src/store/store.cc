#include "wordbreadth/store.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <future>
#include <memory>
#include <mutex>
#include <system_error>

#include "arrays/safetensors.h"
#include "base/failure.h"
#include "base/file.h"
#include "base/sha256.h"
#include "base/strings.h"
#include "store/index.h"
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
                   (layers.front().empty() ? "; it does not say which it has: do not name one" : "; it has " + there));
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

// "2 of 3"; nothing where there is one. A number that makes no sense fits no file.
std::size_t number_of_files(const std::string& text, std::size_t file) {
    if (text.empty()) return file == 0 ? 1 : 0;
    const std::string front = std::to_string(file + 1) + " of ";
    if (!text.starts_with(front)) return 0;
    return base::number_in<std::size_t>(std::string_view(text).substr(front.size())).value_or(0);
}

}  // namespace

struct Store::Contents {
    Contents(const std::string& from, const std::string& asked)
        : folder(from),
          index(store::open_index(from)),
          plan(from, std::launch::async, index),
          layer(chosen_layer(plan, asked)) {
        require_finished(plan);
        if (index)
            map_indexed();
        else
            read_headers();
    }

    void map_indexed();
    void read_headers();
    std::size_t read_header(std::size_t file);  // returns the number of files
    [[nodiscard]] store::Index::Place place(std::size_t word) const;

    // What `use` makes of the plan, while no other thread has it.
    template <class Use>
    decltype(auto) with_plan(const Use& use) {
        const std::lock_guard lock(reading);
        return use(plan);
    }

    std::string folder;
    std::shared_ptr<const store::Index> index;  // null: of an older version
    std::mutex reading;
    store::Plan plan;
    std::atomic<const std::vector<StoredWord>*> words = nullptr;  // the plan's, once they are read
    std::size_t layer;                                            // of the plan's
    std::size_t dimension = 0;
    std::vector<std::shared_ptr<const base::MappedFile>> files;  // shared by the clouds that lie in them

    struct Place {
        std::size_t file = 0;
        std::uint64_t begin = 0;
        std::string sha256;
    };
    std::vector<Place> places;  // of the words, without an index
};

// Neither clouds nor, where they are long, headers are read: other programs use these.
void Store::Contents::map_indexed() {
    if (index->layers() != plan.layers().size()) store::fail_mixed(folder);
    dimension = index->dimension();
    for (std::size_t file = 0; file < index->files(layer).size(); ++file) {
        const store::IndexedFile& expected = index->files(layer)[file];
        const std::string path = plan.clouds_path(layer, file);
        files.push_back(std::make_shared<base::MappedFile>(path));
        const std::span<const std::byte> bytes = files.back()->bytes();
        if (bytes.size() != expected.bytes)
            base::fail(path, "has " + std::to_string(bytes.size()) + " bytes; expected " +
                                 std::to_string(expected.bytes) + ": restore it, or extract the store again");
        if (store::front_hash(bytes, expected.header_bytes) != expected.front_sha256)
            base::fail(path,
                       "has a damaged header, or is of another store or layer; restore it, or extract the store again");
    }
}

void Store::Contents::read_headers() {
    std::size_t number = 1;
    for (std::size_t file = 0; file < number; ++file) number = read_header(file);
    if (places.size() != plan.words().size())
        base::fail(plan.clouds_path(layer, number - 1), "ends before the last word; extract the store again");
    words = &plan.words();
}

std::size_t Store::Contents::read_header(std::size_t number) {
    const std::string path = plan.clouds_path(layer, number);
    files.push_back(std::make_shared<base::MappedFile>(path));
    base::File file(path);
    const arrays::SafetensorsHeader header = arrays::read_safetensors_header(file);
    const auto value = [&](const std::string& name) {
        const auto found = header.metadata.find(name);
        return found == header.metadata.end() ? std::string() : found->second;
    };
    const bool is_layer = plan.layers().size() == 1 || value("layer") == plan.layers()[layer];
    const std::size_t number_of_all = number_of_files(value(store::file_key), number);
    if (value("plan") != plan.sha256() || !is_layer || number_of_all <= number ||
        header.data_begin % alignof(float) != 0)
        store::fail_mixed(folder);
    for (const bool is_last = number + 1 == number_of_all; places.size() < plan.words().size();) {
        const StoredWord& word = plan.words()[places.size()];
        const auto found = header.tensors.find(word.word);
        if (found == header.tensors.end() && !is_last) break;  // it is in the next
        const bool fits = found != header.tensors.end() && found->second.type == "F32" &&
                          found->second.shape.size() == 2 && found->second.shape[0] == word.rows;
        if (!fits || (dimension != 0 && found->second.shape[1] != dimension))
            base::fail(path + ":" + word.word,
                       "has not the " + std::to_string(word.rows) + " vectors that are planned");
        dimension = found->second.shape[1];
        places.push_back({number, header.data_begin + found->second.begin, value("sha256 " + word.word)});
    }
    return number_of_all;
}

store::Index::Place Store::Contents::place(std::size_t word) const {
    if (index) return index->place(layer, word);
    const auto& [file, begin, sha256] = places.at(word);
    return {file, begin, plan.words()[word].rows, sha256};
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
    if (const auto* const all = contents_->words.load(std::memory_order_acquire)) return *all;
    return contents_->with_plan([&](store::Plan& plan) -> const std::vector<StoredWord>& {
        contents_->words.store(&plan.words(), std::memory_order_release);
        return plan.words();
    });
}

std::size_t Store::size() const {
    if (const auto* const all = contents_->words.load(std::memory_order_acquire)) return all->size();
    return contents_->with_plan([](store::Plan& plan) { return plan.word_count(); });
}

StoredWord Store::word(std::size_t index) const {
    if (const auto* const all = contents_->words.load(std::memory_order_acquire)) return all->at(index);
    return contents_->with_plan([&](store::Plan& plan) { return plan.word(index); });
}

std::optional<std::size_t> Store::index_of(const std::string& word) const {
    const auto* const all = contents_->words.load(std::memory_order_acquire);
    if (all == nullptr) return contents_->with_plan([&](store::Plan& plan) { return plan.find(word); });
    const auto found = std::ranges::lower_bound(*all, word, {}, &StoredWord::word);
    if (found == all->end() || found->word != word) return std::nullopt;
    return static_cast<std::size_t>(found - all->begin());
}

std::size_t Store::find(const std::string& word) const {
    if (const auto found = index_of(word)) return *found;
    contents_->with_plan([&](store::Plan& plan) { plan.fail_missing(word); });
    return 0;  // never: that throws
}

std::string Store::why_missing(const std::string& word, bool suggest) const {
    return contents_->with_plan([&](store::Plan& plan) { return plan.why_missing(word, suggest); });
}

std::span<const float> Store::rows(std::size_t index) const {
    const auto [file, begin, rows, sha256] = contents_->place(index);
    const std::span<const std::byte> all = contents_->files.at(file)->bytes();
    const std::uint64_t row_bytes = dimension() * sizeof(float);
    const bool fits = begin % alignof(float) == 0 && begin <= all.size() && rows <= (all.size() - begin) / row_bytes;
    const auto bytes = fits ? all.subspan(begin, rows * row_bytes) : all.first(0);
    if (base::sha256_of(bytes) != sha256)
        base::fail(contents_->plan.clouds_path(contents_->layer, file) + ":" + word(index).word,
                   "is damaged; extract the store again");
    return {reinterpret_cast<const float*>(bytes.data()), rows * dimension()};
}

Cloud Store::cloud(std::size_t index) const {
    const std::vector<std::uint64_t> blocks = documents(index);
    const std::span<const float> values = rows(index);
    const Rows all{values.data(), Element::f32, values.size() / dimension(), dimension(), false, blocks};
    return {word(index).word, all, contents_->files[contents_->place(index).file], folder()};
}

std::vector<std::uint64_t> Store::documents(std::size_t index) const {
    return contents_->with_plan([&](store::Plan& plan) { return plan.documents(index); });
}

std::vector<Occurrence> Store::occurrences(std::size_t index) const {
    return contents_->with_plan([&](store::Plan& plan) { return plan.occurrences(index); });
}

Settings Store::settings() const {
    Settings settings = contents_->with_plan([](store::Plan& plan) { return plan.settings(); });
    for (auto& [name, value] : settings)
        if (name == "layers") value = layer();
    return settings;
}

std::string Store::setting(std::string_view name) const {
    if (name == "layers") return layer();
    return contents_->with_plan([&](store::Plan& plan) { return plan.setting(name); });
}

std::vector<SourceFile> Store::sources() const {
    return contents_->with_plan([](store::Plan& plan) { return plan.sources(); });
}

std::vector<SkippedOccurrences> Store::skipped() const {
    return contents_->with_plan([](store::Plan& plan) { return plan.skipped(); });
}

std::vector<MissingWord> Store::missing() const {
    return contents_->with_plan([](store::Plan& plan) { return plan.missing(); });
}

bool is_store(const std::string& path) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(store::plan_path(path), ignored);
}

bool is_file_of_store(const std::string& path, const std::string& folder) {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
        const std::string name = entry.path().filename().string();
        const bool is_ours = name == "store.sqlite" || name == "store.index" || store::is_clouds_name(name);
        std::error_code unlike;
        if (is_ours && std::filesystem::equivalent(path, entry.path(), unlike)) return true;
    }
    return false;
}

}  // namespace wordbreadth
