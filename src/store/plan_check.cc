// Whether a plan agrees with itself. What can be said of one shard, work_of() checks; here is what spans them.
#include <utility>

#include "base/failure.h"
#include "store/plan.h"

namespace wordbreadth::store {

namespace {

constexpr const char* advice = ": the store is damaged, extract it again";

void require_known_tokens(const Database& database, const ShardWork::Sentence& sentence, std::size_t vocabulary) {
    for (const std::int32_t id : sentence.tokens) {
        if (id >= 0 && static_cast<std::size_t>(id) < vocabulary) continue;
        base::fail(database.path(), "sentence.tokens has the token " + std::to_string(id) + "; expected 0 to " +
                                        std::to_string(vocabulary - 1) + ", which the model knows" + advice);
    }
}

// Rows are numbered in the order of the corpus: shards are joined by that.
void count_rows(const Database& database, const ShardWork::Sentence& sentence, std::vector<std::uint64_t>& next) {
    for (const PlannedOccurrence& row : sentence.rows) {
        if (row.row == next[row.word]++) continue;
        base::fail(database.path(), "occurrence.row is " + std::to_string(row.row) + " in sentence " +
                                        std::to_string(row.sentence) + ", for word " + std::to_string(row.word) +
                                        "; expected " + std::to_string(next[row.word] - 1) + advice);
    }
}

// Of the occurrences of a word some are usable, and of these some are rows.
void require_ordered_counts(const Database& database, const StoredWord& word) {
    const bool too_usable = word.usable > word.frequency;
    if (!too_usable && word.rows <= word.usable) return;
    base::fail(
        database.path(),
        (too_usable ? "word.usable of " : "word.rows of ") + base::in_quotes(word.word) + " is " +
            std::to_string(too_usable ? word.usable : word.rows) + "; expected at most its " +
            (too_usable ? "frequency, " + std::to_string(word.frequency) : "usable, " + std::to_string(word.usable)) +
            advice);
}

void require_total(Database& database, const std::string& table, std::uint64_t covered) {
    Statement statement(database, "SELECT count(*) FROM " + table);
    const std::int64_t total = statement.step() ? statement.whole(0) : 0;
    if (std::cmp_equal(total, covered)) return;
    base::fail(database.path(), "table " + table + " has " + std::to_string(total) + " entries, but the shards cover " +
                                    std::to_string(covered) + advice);
}

void require_documents(Database& database) {
    Statement statement(database,
                        "SELECT id, document FROM sentence WHERE document NOT IN (SELECT id FROM document) LIMIT 1");
    if (!statement.step()) return;
    base::fail(database.path(), "sentence.document is " + base::in_quotes(statement.text(1)) + " of sentence " +
                                    std::to_string(statement.whole(0)) + ", but there is no such document" + advice);
}

}  // namespace

void Plan::fail_rows(std::size_t word, std::uint64_t found) const {
    base::fail(database_.path(), "word.rows of " + base::in_quotes(words_[word].word) + " is " +
                                     std::to_string(words_[word].rows) + ", but it has " + std::to_string(found) +
                                     " occurrences" + advice);
}

void Plan::require_sum(std::size_t shard, std::string_view column, std::uint64_t planned, std::uint64_t found) const {
    if (planned == found) return;
    base::fail(database_.path(), "shard." + std::string(column) + " of shard " + std::to_string(shard) + " is " +
                                     std::to_string(planned) + ", but its sentences have " + std::to_string(found) +
                                     advice);
}

void Plan::check(std::size_t vocabulary) {
    for (const StoredWord& word : words_) require_ordered_counts(database_, word);
    std::vector<std::uint64_t> next(words_.size());
    std::uint64_t sentences = 0, rows = 0;
    for (std::size_t shard = 0; shard < shards_.size(); ++shard) {
        const ShardWork work = work_of(shard);
        for (const ShardWork::Sentence& sentence : work.sentences) {
            require_known_tokens(database_, sentence, vocabulary);
            count_rows(database_, sentence, next);
        }
        sentences += work.sentences.size();
        rows += shards_[shard].rows;
    }
    for (std::size_t word = 0; word < words_.size(); ++word)
        if (next[word] != words_[word].rows) fail_rows(word, next[word]);
    require_total(database_, "sentence", sentences);
    require_total(database_, "occurrence", rows);
    require_documents(database_);
}

}  // namespace wordbreadth::store
