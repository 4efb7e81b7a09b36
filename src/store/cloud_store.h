// A store: a folder with the clouds of a corpus (clouds.safetensors) and where each of their rows comes from
// (store.sqlite). Made by `wordbreadth extract`; docs/store.md describes both files.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/mapped_file.h"
#include "store/words.h"

namespace wordbreadth::store {

class Plan;

class CloudStore {
  public:
    // Throws InputError when the folder is no store, was written by a newer version, is not finished (saying how far it
    // is and how to go on) or is damaged.
    explicit CloudStore(const std::string& folder);
    CloudStore(CloudStore&&) noexcept;
    ~CloudStore();

    [[nodiscard]] const std::string& folder() const { return folder_; }
    [[nodiscard]] std::size_t dimension() const { return dimension_; }

    // In the byte order of the words; never empty.
    [[nodiscard]] const std::vector<StoredWord>& words() const;

    // The place in words(). Throws InputError, with the reason, when the store has no such word.
    [[nodiscard]] std::size_t find(const std::string& word) const;

    // Why it has no such word, or which it may be instead; "" where the store cannot tell.
    [[nodiscard]] std::string why_missing(const std::string& word) const;

    // (rows, dimension) of words()[index], as the encoder gave them: not scaled. Stays as long as the store is open.
    // Throws InputError when the bytes are not those that were written.
    [[nodiscard]] std::span<const float> rows(std::size_t index) const;

    // Of words()[index], in the order of its rows, which is that of the corpus.
    [[nodiscard]] std::vector<Occurrence> occurrences(std::size_t index) const;

    // How the store was made: "model", "layers", "seed" and so on, in the order in which people want to read them.
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> settings() const;
    [[nodiscard]] std::string setting(std::string_view name) const;  // "" where there is none

    // Why words of the corpus were not taken, most frequent first.
    [[nodiscard]] std::vector<SkippedOccurrences> skipped() const;

    // The words that were asked for and have no cloud, with the reason; in byte order.
    [[nodiscard]] std::vector<MissingWord> missing() const;

  private:
    struct Place {
        std::uint64_t begin = 0;  // in the file
        std::string sha256;
    };

    void find_clouds();

    std::string folder_;
    std::unique_ptr<Plan> plan_;
    base::MappedFile clouds_;
    std::size_t dimension_ = 0;
    std::vector<Place> places_;  // of words()
};

// Whether the path is a folder that is a store, finished or not.
[[nodiscard]] bool is_store(const std::string& path);

}  // namespace wordbreadth::store
