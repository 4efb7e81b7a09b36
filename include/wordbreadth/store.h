// A store: a folder with the clouds of a corpus and, for each of their rows, where it comes from. extract() and
// write_store() make one; docs/store.md describes its files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wordbreadth/cloud.h"

namespace wordbreadth {

struct StoredWord {
    std::string word;             // where rows are whole texts, their label
    std::uint64_t frequency = 0;  // occurrences in the corpus
    std::uint64_t usable = 0;     // of these, the ones that could have become rows
    std::uint64_t rows = 0;       // of the cloud: a sample of the usable ones
    // Those that would be usable if they were not in sentences that copy an earlier one, exactly or nearly. 0 in
    // stores that were made without looking for them (without a setting "deduplicate").
    std::uint64_t exact_copies = 0;
    std::uint64_t near_copies = 0;
};

// A word that was asked for and has no cloud.
struct MissingWord {
    std::string word;
    std::uint64_t frequency = 0;  // as in StoredWord
    std::uint64_t usable = 0;
    std::string reason;  // for people: "too rare: 12 usable of 40 needed"

    friend bool operator==(const MissingWord&, const MissingWord&) = default;
};

// Where a row comes from.
struct Occurrence {
    std::uint64_t row = 0;
    std::string document;
    std::uint64_t sentence = 0;  // its number in the corpus
    std::string text;            // of the sentence
    std::uint64_t start = 0;     // in characters of the text
    std::uint64_t end = 0;
};

// A file of the corpus.
struct SourceFile {
    std::string path;
    std::string format;
    std::uint64_t bytes = 0;
};

struct SkippedOccurrences {
    std::string reason;
    std::uint64_t count = 0;
};

// How a store was made: names ("model", "layers", "seed") and values, in the order in which people want to read them.
using Settings = std::vector<std::pair<std::string, std::string>>;

// Threads may share a store. Opening one takes no longer for many words than for few, and reads no cloud: what is read
// is checked then. A store without an index, as older versions made, is opened more slowly.
class Store {
  public:
    // The clouds of one layer ("4"; of a range, its mean, "2-4"): of the one that is named, else of the only one there
    // is, else of the default layer, one third up. Throws InputError when the folder is not a store, was written by a
    // newer version, is not finished (saying how far it is) or is damaged; and, naming the layers that there are, when
    // it has no such layer or several of which none is the default.
    explicit Store(const std::string& folder, const std::string& layer = {});
    Store(Store&&) noexcept;
    Store& operator=(Store&&) noexcept;
    ~Store();

    [[nodiscard]] const std::string& folder() const;
    [[nodiscard]] std::size_t dimension() const;

    // The layer that was opened, and all that the store has, ascending; "" where nobody said which it is.
    [[nodiscard]] const std::string& layer() const;
    [[nodiscard]] const std::vector<std::string>& layers() const;

    // In the byte order of the words; never empty. All of them are read when they are first asked for: to look at a
    // few, use word(). Throws InputError when the store is damaged, as all functions below do where they read.
    [[nodiscard]] const std::vector<StoredWord>& words() const;

    [[nodiscard]] std::size_t size() const;                  // words().size()
    [[nodiscard]] StoredWord word(std::size_t index) const;  // words()[index]

    // The index in words(), of a word that the store has.
    [[nodiscard]] std::optional<std::size_t> index_of(const std::string& word) const;

    // Likewise. Throws InputError, with the reason, when the store has no such word.
    [[nodiscard]] std::size_t find(const std::string& word) const;

    // Why it has no such word, and, with `suggest`, which it may be instead; "" where the store cannot say.
    [[nodiscard]] std::string why_missing(const std::string& word, bool suggest = true) const;

    // (rows, dimension) of words()[index], as the encoder gave them: not scaled. Valid while the store is open.
    // Throws InputError when the bytes are not those that were written.
    [[nodiscard]] std::span<const float> rows(std::size_t index) const;

    // The document of each row of words()[index], as a number; empty where the store has a single document, and so does
    // not know what belongs together. Throws InputError when the store is damaged.
    [[nodiscard]] std::vector<std::uint64_t> documents(std::size_t index) const;

    // All rows of words()[index] as a cloud, with its documents as blocks. Throws as rows() and Cloud do.
    [[nodiscard]] Cloud cloud(std::size_t index) const;

    // Of words()[index], in the order of its rows, which is that of the corpus.
    [[nodiscard]] std::vector<Occurrence> occurrences(std::size_t index) const;

    // Of several layers, "layers" is the one that was opened.
    [[nodiscard]] Settings settings() const;
    [[nodiscard]] std::string setting(std::string_view name) const;  // "" where there is none

    [[nodiscard]] std::vector<SourceFile> sources() const;
    [[nodiscard]] std::vector<SkippedOccurrences> skipped() const;  // with the reason, the most frequent first
    [[nodiscard]] std::vector<MissingWord> missing() const;         // in byte order

  private:
    struct Contents;
    std::unique_ptr<Contents> contents_;
};

// Whether the path is the folder of a store, finished or not.
[[nodiscard]] bool is_store(const std::string& path);

// Whether the path is one of the files of the store in that folder.
[[nodiscard]] bool is_file_of_store(const std::string& path, const std::string& folder);

// What is in a store and where it came from, finished or not.
struct StoreDescription {
    std::string folder;
    std::uint64_t bytes = 0;  // on disk
    std::size_t words = 0;
    std::uint64_t rows = 0;           // of all clouds
    std::size_t dimension = 0;        // 0: not known yet
    std::vector<std::string> layers;  // with clouds of their own: see Store::layers()
    bool finished = false;
    std::size_t shards = 0;           // that the work was divided into
    std::size_t finished_shards = 0;  // of a store that is not finished
    std::size_t unusable_shards = 0;  // of these, too; they will be made again
    Settings settings;
    std::vector<SourceFile> sources;
    std::vector<SkippedOccurrences> skipped;
    std::vector<MissingWord> missing;
    std::vector<StoredWord> most_frequent;  // the most frequent first
    std::vector<StoredWord> most_copied;    // words with copies, those with the largest share first; as many at most
};

// Throws InputError when the folder is not a store, was written by a newer version or is damaged. Reads the shards of
// an unfinished store, but not the clouds of a finished one.
[[nodiscard]] StoreDescription describe_store(const std::string& folder, std::size_t most_frequent = 20);

// What differs in how the vectors of two stores were made (model, layers, unit, case, lemmas, subwords), with both
// values: "layers: 1 and 4, subwords: mean and single". Empty where nothing does.
[[nodiscard]] std::string differences(const Store& a, const Store& b);

// Throws InputError, with both values, when the stores have differences, which `force` accepts, or vectors of different
// dimensions, which it cannot: breadths of different models, layers or units cannot be compared.
void require_comparable(const Store& a, const Store& b, bool force = false);

}  // namespace wordbreadth
