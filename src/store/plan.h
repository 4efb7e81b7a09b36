// The plan of a store, written and read: all that is known of its clouds but for the vectors, what there is to do, and
// in which order. It is written once, whole, and never changed: the same calls give the same bytes.
#pragma once

#include <array>
#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/output_file.h"
#include "store/database.h"
#include "store/index.h"
#include "wordbreadth/store.h"

namespace wordbreadth::store {

// A sentence as it will be embedded.
struct PlannedSentence {
    std::uint64_t number = 0;  // in the corpus
    std::uint64_t document = 0;
    std::string_view text;
    std::span<const std::int32_t> tokens;  // ids, special tokens included
};

// An occurrence that will be a row: the mean of the vectors of the tokens [token, token + tokens) of its sentence.
struct PlannedOccurrence {
    std::uint64_t word = 0;  // number of the word
    std::uint64_t row = 0;   // in the word's cloud
    std::uint64_t sentence = 0;
    std::uint64_t start = 0, end = 0;  // in characters
    std::uint64_t token = 0, tokens = 1;
};

struct PlannedShard {
    std::uint64_t first_sentence = 0, last_sentence = 0;  // numbers, both included
    std::uint64_t tokens = 0;
    std::uint64_t rows = 0;
};

class PlanWriter {
  public:
    // Makes the folder where there is none. The clouds of several layers are as many as the setting "layers" names.
    // Throws InputError when the folder cannot be written to.
    explicit PlanWriter(const std::string& folder, bool several_layers = false);

    // In any order among each other; each in ascending order of its numbers. Words are numbered 0, 1, ... in the byte
    // order of their spelling, shards as they come.
    void add_setting(std::string_view name, std::string_view value);
    void replace_setting(std::string_view name, std::string_view value);  // the same bytes as if it had been the first
    void add_source(std::string_view path, std::string_view format, std::uint64_t bytes);
    void add_skipped(const SkippedOccurrences& skipped);
    void add_document(std::uint64_t number, std::string_view name);
    void add_word(const StoredWord& word);
    void add_missing(const MissingWord& word);
    void add_sentence(const PlannedSentence& sentence) { add_sentences({&sentence, 1}); }
    void add_sentences(std::span<const PlannedSentence> sentences);  // quicker than one by one
    void add_occurrence(const PlannedOccurrence& occurrence) { add_occurrences({&occurrence, 1}); }
    void add_occurrences(std::span<const PlannedOccurrence> occurrences);  // quicker than one by one
    void add_shard(const PlannedShard& shard);

    // Puts the plan in its place; `on_disk`: as OutputFile::keep(). The last call.
    void keep(bool on_disk = true);

  private:
    static constexpr std::size_t most_rows = 16;  // of a statement

    [[nodiscard]] Statement insert(const std::string& table, int columns);
    using SeveralRows = std::array<std::optional<Statement>, most_rows>;  // statements for 1, 2, ... of them
    [[nodiscard]] Statement& insert_several(SeveralRows& statements, const std::string& table, int columns,
                                            std::size_t rows);
    void add_copies(std::int64_t number, const StoredWord& word);

    base::OutputFile file_;
    std::int64_t version_;
    Database database_;
    Statement settings_, sources_, skipped_, documents_, words_, shards_;
    SeveralRows sentences_, occurrences_;
    std::optional<Statement> missing_, copies_;  // of tables that most plans have not
    std::int64_t next_setting_ = 0, next_source_ = 0, next_word_ = 0, next_shard_ = 0;
};

// What a shard embeds: sentences one after the other, and the rows that come out of them.
struct ShardWork {
    struct Sentence {
        std::vector<std::int32_t> tokens;
        std::vector<PlannedOccurrence> rows;  // in order of `start`
    };
    std::vector<Sentence> sentences;
};

class Plan {
  public:
    // Throws InputError when the folder has no plan, or it is damaged or of a newer version. Of its contents only the
    // tables of words and shards are looked at, which are small. Its file is hashed meanwhile, or once that is asked
    // for. With the index of a finished store, nothing is read or hashed before it is asked for.
    explicit Plan(const std::string& folder, std::launch hashing = std::launch::async,
                  std::shared_ptr<const Index> index = nullptr);

    [[nodiscard]] const std::string& folder() const { return folder_; }

    // SHA-256 of the plan's file: what shards and clouds say they were made for.
    [[nodiscard]] const std::string& sha256() const { return sha256_.get(); }

    // What shards and clouds of this plan say of theirs.
    [[nodiscard]] std::int64_t version() const { return version_; }

    // The layers whose vectors are asked for: "4", "2-4". A row of a shard has them one after the other; clouds have a
    // file each. At least one; "" where there is one and nobody said which.
    [[nodiscard]] const std::vector<std::string>& layers() const { return layers_; }
    [[nodiscard]] std::string clouds_path(std::size_t layer, std::size_t file = 0) const;  // of layers()[layer]
    [[nodiscard]] bool has_clouds() const;  // of all layers: the store is finished

    [[nodiscard]] std::vector<std::pair<std::string, std::string>> settings();
    [[nodiscard]] std::string setting(std::string_view name);  // "" where there is none
    [[nodiscard]] const std::vector<StoredWord>& words() const;
    [[nodiscard]] const std::vector<PlannedShard>& shards() const;

    // Of words(), without reading them all.
    [[nodiscard]] std::size_t word_count();
    [[nodiscard]] StoredWord word(std::size_t index);
    [[nodiscard]] std::optional<std::size_t> find(std::string_view word);
    [[nodiscard]] std::uint64_t row_count();
    [[nodiscard]] std::vector<StoredWord> most_frequent(std::size_t most);  // the most frequent first
    [[nodiscard]] std::vector<StoredWord> words_with_copies();              // in byte order

    [[nodiscard]] std::vector<SourceFile> sources();  // that were read
    [[nodiscard]] std::vector<SkippedOccurrences> skipped();
    [[nodiscard]] std::vector<MissingWord> missing();  // in byte order; of older plans none
    [[nodiscard]] std::vector<Occurrence> occurrences(std::size_t word);
    // The number of the document of each of its rows; none where the whole plan has a single document.
    [[nodiscard]] std::vector<std::uint64_t> documents(std::size_t word);

    // Why it has no such word: what was recorded when the word was asked for and not found often enough ("too rare: 12
    // usable of 40 needed"), or else, with `suggest`, the words that it may be a misspelling of, or else the settings
    // that decide which words are here; nothing where there are no such settings.
    [[nodiscard]] std::string why_missing(const std::string& word, bool suggest = true);

    // Throws InputError with the reason; where there is none, with some words that it has.
    [[noreturn]] void fail_missing(const std::string& word);

    // Throws InputError, naming table, column and value, unless the plan agrees with itself in all that it says: every
    // number in bounds, shards that cover the sentences, the rows of every word, tokens below `vocabulary`. Reads the
    // whole file once.
    void check(std::size_t vocabulary);

    // Throws InputError when what the plan says of the shard does not agree with itself.
    [[nodiscard]] ShardWork work_of(std::size_t shard);

    // The word of each row, shard after shard, in the order in which the shards have their rows.
    [[nodiscard]] std::vector<std::uint32_t> words_of_rows();

  private:
    [[nodiscard]] std::vector<std::string> read_layers();
    [[nodiscard]] std::vector<StoredWord> words_listed(Statement& ids);
    void require_rows(std::size_t word, std::uint64_t found);
    void require_sum(std::size_t shard, std::string_view column, std::uint64_t planned, std::uint64_t found) const;

    std::string folder_;
    std::shared_ptr<const Index> index_;  // null: all is read and hashed at once
    std::shared_future<std::string> sha256_;
    mutable Database database_;
    std::int64_t version_;
    std::vector<std::string> layers_;
    mutable std::vector<StoredWord> words_;     // empty until they are asked for
    mutable std::vector<PlannedShard> shards_;  // likewise
    std::optional<bool> several_documents_;     // once it was asked for
};

}  // namespace wordbreadth::store
