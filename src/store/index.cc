#include "store/index.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>
#include <type_traits>
#include <utility>

#include "base/failure.h"
#include "base/output_file.h"
#include "base/sha256.h"
#include "store/layout.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::store {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view mark = "wbindex1";
constexpr std::string_view family = "wbindex";

struct Front {
    std::array<char, 8> format{};
    std::uint64_t description_bytes = 0, body_bytes = 0;
};

struct PlaceRecord {
    std::uint64_t begin = 0, rows = 0;
    std::array<char, digest_bytes> sha256{};
};

static_assert(sizeof(Front) == 24 && sizeof(PlaceRecord) == 80 && std::endian::native == std::endian::little);

constexpr const char* without_it = "remove the file: without it the store opens, only more slowly";

std::string damaged() {
    return std::string("is damaged; ") + without_it;
}

template <class Record>
void append(std::string& to, const Record& record) {
    static_assert(std::is_trivially_copyable_v<Record>);
    to.append(reinterpret_cast<const char*>(&record), sizeof record);
}

std::string_view text_of(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string hash_of(std::string_view text) {
    return base::sha256_of(std::as_bytes(std::span(text)));
}

std::string records_of(const std::vector<IndexedLayer>& layers) {
    std::string records;
    for (const IndexedLayer& layer : layers)
        for (const IndexedCloud& cloud : layer.clouds) {
            PlaceRecord record{cloud.begin, cloud.rows};
            cloud.sha256.copy(record.sha256.data(), record.sha256.size());
            append(records, record);
        }
    return records;
}

Json json_of(const IndexedLayer& layer) {
    Json files = Json::array();
    for (const IndexedFile& file : layer.files)
        files.push_back({{"bytes", file.bytes},
                         {"first word", file.first_word},
                         {"header bytes", file.header_bytes},
                         {"header sha256", file.header_sha256},
                         {"front sha256", file.front_sha256}});
    return files;
}

std::vector<IndexedFile> files_in(const Json& layer) {
    std::vector<IndexedFile> files;
    for (const Json& file : layer)
        files.push_back({file.at("bytes"), file.at("first word"), file.at("header bytes"), file.at("header sha256"),
                         file.at("front sha256")});
    return files;
}

// Those of consecutive words, the first of them of word 0.
bool are_in_order(const std::vector<IndexedFile>& files, std::uint64_t words) {
    const auto starts_late = [](const IndexedFile& a, const IndexedFile& b) { return a.first_word >= b.first_word; };
    return !files.empty() && files.front().first_word == 0 && files.back().first_word < words &&
           std::ranges::adjacent_find(files, starts_late) == files.end();
}

}  // namespace

std::string front_hash(std::span<const std::byte> file, std::uint64_t bytes) {
    return base::sha256_of(file.first(std::min<std::uint64_t>({file.size(), bytes, piece_bytes})));
}

void write_index(const std::string& folder, const std::string& plan_sha256, std::size_t dimension,
                 const std::vector<IndexedLayer>& layers, base::Workers& workers, bool on_disk) {
    const base::MappedFile plan(plan_path(folder));
    const std::string body = records_of(layers) + piece_hashes(plan.bytes(), workers);
    Json files = Json::array();
    for (const IndexedLayer& layer : layers) files.push_back(json_of(layer));
    const std::string description = Json{
        {"plan", plan_sha256},
        {"plan bytes", plan.bytes().size()},
        {"words", layers.front().clouds.size()},
        {"dimension", dimension},
        {"files", std::move(files)}}.dump();
    Front sizes{{}, description.size(), body.size()};
    mark.copy(sizes.format.data(), sizes.format.size());
    std::string front;
    append(front, sizes);
    front += description + piece_hashes(std::as_bytes(std::span(body)), workers);
    front += hash_of(front);
    base::OutputFile file(index_path(folder));
    file.write(std::as_bytes(std::span(front)));
    file.write(std::as_bytes(std::span(body)));
    file.keep(on_disk);
}

Index::Index(const std::string& folder) : path_(index_path(folder)), file_(path_), plan_file_(plan_path(folder)) {
    const std::span<const std::byte> all = file_.bytes();
    Front front;
    if (all.size() < sizeof front + digest_bytes) fail();
    std::memcpy(&front, all.data(), sizeof front);
    const std::string_view format(front.format.data(), front.format.size());
    if (format != mark && format.starts_with(family))
        base::fail(path_, std::string("is of a newer version: use a newer wordbreadth, or ") + without_it);
    const std::uint64_t room = all.size() - sizeof front - digest_bytes;
    if (format != mark || front.description_bytes > room || front.body_bytes > room - front.description_bytes) fail();
    const std::uint64_t hash_bytes = pieces_in(front.body_bytes) * digest_bytes;
    if (hash_bytes != room - front.description_bytes - front.body_bytes) fail();
    const std::size_t hashed = sizeof front + front.description_bytes + hash_bytes;
    if (base::sha256_of(all.first(hashed)) != text_of(all.subspan(hashed, digest_bytes))) fail();
    const std::string_view hashes = text_of(all.subspan(sizeof front + front.description_bytes, hash_bytes));
    body_.emplace(
        path_, all.subspan(hashed + digest_bytes),
        [hashes](std::uint64_t piece) { return hashes.substr(piece * digest_bytes, digest_bytes); }, damaged());
    plan_.emplace(
        plan_path(folder), plan_file_.bytes(), [this](std::uint64_t piece) { return plan_hash(piece); },
        "was changed or damaged; restore it, or extract the store again");
    read_description(folder, text_of(all.subspan(sizeof front, front.description_bytes)));
}

void Index::fail() const {
    base::fail(path_, damaged());
}

void Index::read_description(const std::string& folder, std::string_view text) {
    std::uint64_t plan_bytes = 0;
    try {
        const Json json = Json::parse(text);
        plan_sha256_ = json.at("plan");
        plan_bytes = json.at("plan bytes");
        words_ = json.at("words");
        dimension_ = json.at("dimension");
        for (const Json& layer : json.at("files")) files_.push_back(files_in(layer));
    } catch (const Json::exception&) {
        fail();
    }
    const auto in_order = [&](const std::vector<IndexedFile>& files) { return are_in_order(files, words_); };
    if (files_.empty() || files_.size() > limits::model_layers || words_ > limits::archive_entries || dimension_ == 0 ||
        dimension_ > limits::dimension || !std::ranges::all_of(files_, in_order))
        fail();
    const std::uint64_t records = files_.size() * words_ * sizeof(PlaceRecord);
    const std::uint64_t hashes = body_->size() - std::min(records, body_->size());
    if (records + hashes != body_->size()) fail();
    // The rest of the plan is checked when it is read.
    if (plan_bytes != plan_->size() || hashes != pieces_in(plan_->size()) * digest_bytes ||
        front_hash(plan_file_.bytes(), piece_bytes) != plan_hash(0))
        fail_mixed(folder);
}

std::string_view Index::plan_hash(std::uint64_t piece) const {
    const std::uint64_t records = files_.size() * words_ * sizeof(PlaceRecord);
    return text_of(body_->read(records + piece * digest_bytes, digest_bytes));
}

Index::Place Index::place(std::size_t layer, std::uint64_t word) const {
    if (layer >= files_.size() || word >= words_) fail();
    const auto bytes = body_->read((layer * words_ + word) * sizeof(PlaceRecord), sizeof(PlaceRecord));
    PlaceRecord record;
    std::memcpy(&record, bytes.data(), sizeof record);
    const auto behind = std::ranges::upper_bound(files_[layer], word, {}, &IndexedFile::first_word);
    return {static_cast<std::size_t>(behind - files_[layer].begin()) - 1, record.begin, record.rows,
            text_of(bytes.last(digest_bytes))};
}

void fail_mixed(const std::string& folder) {
    base::fail(folder, "its files do not belong together, or store.sqlite was changed; extract the store again");
}

std::shared_ptr<const Index> open_index(const std::string& folder) {
    std::error_code ignored;
    for (const std::string& path : {index_path(folder), plan_path(folder)})
        if (!std::filesystem::exists(path, ignored)) return nullptr;
    return std::make_shared<const Index>(folder);
}

}  // namespace wordbreadth::store
