// Writes the plan of a store: all that will be known of its clouds but for the vectors. It is written once, whole, and
// never changed: the same calls give the same bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "store/database.h"
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
    // Starts a plan beside the place where it will lie. Throws InputError when the folder cannot be written to.
    explicit PlanWriter(const std::string& folder);
    ~PlanWriter();
    PlanWriter(const PlanWriter&) = delete;
    PlanWriter& operator=(const PlanWriter&) = delete;

    // In any order among each other; each in ascending order of its numbers. Words are numbered 0, 1, ... in the byte
    // order of their spelling, shards as they come.
    void add_setting(std::string_view name, std::string_view value);
    void add_source(std::string_view path, std::string_view format, std::uint64_t bytes);
    void add_skipped(const SkippedOccurrences& skipped);
    void add_document(std::uint64_t number, std::string_view name);
    void add_word(const StoredWord& word);
    void add_missing(const MissingWord& word);
    void add_sentence(const PlannedSentence& sentence);
    void add_occurrence(const PlannedOccurrence& occurrence);
    void add_shard(const PlannedShard& shard);

    // Puts the plan in its place, safely on disk. The last call.
    void keep();

  private:
    [[nodiscard]] Statement insert(const std::string& table, int columns);

    std::string folder_;
    std::string temporary_;
    Database database_;
    Statement settings_, sources_, skipped_, documents_, words_, sentences_, occurrences_, shards_;
    std::optional<Statement> missing_;  // of a table that most plans have not
    std::int64_t next_setting_ = 0, next_source_ = 0, next_word_ = 0, next_shard_ = 0;
};

}  // namespace wordbreadth::store
