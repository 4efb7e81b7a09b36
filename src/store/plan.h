// A plan that was written: what there is to do, and in which order.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "store/plan_writer.h"

namespace wordbreadth::store {

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
    // Throws InputError when the folder has no plan, or it is damaged or of a newer version.
    explicit Plan(const std::string& folder);

    [[nodiscard]] const std::string& folder() const { return folder_; }

    // SHA-256 of the plan's file: what shards and clouds say they were made for.
    [[nodiscard]] const std::string& sha256() const { return sha256_; }

    [[nodiscard]] std::vector<std::pair<std::string, std::string>> settings();
    [[nodiscard]] std::string setting(std::string_view name);  // "" where there is none
    [[nodiscard]] const std::vector<StoredWord>& words() const { return words_; }
    [[nodiscard]] const std::vector<PlannedShard>& shards() const { return shards_; }
    [[nodiscard]] std::vector<SourceFile> sources();  // that were read
    [[nodiscard]] std::vector<SkippedOccurrences> skipped();
    [[nodiscard]] std::vector<MissingWord> missing();  // in byte order; of older plans none
    [[nodiscard]] std::vector<Occurrence> occurrences(std::size_t word);

    // Throws InputError when what the plan says of the shard does not agree with itself.
    [[nodiscard]] ShardWork work_of(std::size_t shard);

    // The word of each row, shard after shard, in the order in which the shards have their rows.
    [[nodiscard]] std::vector<std::uint32_t> words_of_rows();

  private:
    std::string folder_;
    std::string sha256_;
    Database database_;
    std::vector<StoredWord> words_;
    std::vector<PlannedShard> shards_;
};

}  // namespace wordbreadth::store
