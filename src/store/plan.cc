#include "store/plan.h"

#include <cstring>
#include <filesystem>

#include "store/failure.h"
#include "store/layout.h"
#include "store/sha256.h"

namespace wordbreadth::store {

namespace {

std::string existing(const std::string& folder) {
    std::string path = plan_path(folder);
    std::error_code ignored;
    if (!std::filesystem::exists(folder, ignored)) fail(folder, "no such folder; expected a store");
    if (!std::filesystem::is_regular_file(path, ignored))
        fail(folder, "is no store: it has no store.sqlite; make one with `wordbreadth extract`");
    return path;
}

std::int64_t number(Database& database, const std::string& sql) {
    Statement statement(database, sql);
    return statement.step() ? statement.whole(0) : 0;
}

void require_ours(Database& database) {
    if (number(database, "PRAGMA application_id") != store_application_id)
        fail(database.path(), "is another program's database, or damaged; expected a store");
    const std::int64_t version = number(database, "PRAGMA user_version");
    if (version == store_version) return;
    fail(database.path(), "is a store of version " + std::to_string(version) + "; this program knows version " +
                              std::to_string(store_version) +
                              (version > store_version ? ": use a newer wordbreadth" : ": extract it again"));
}

std::uint64_t natural(const Statement& statement, int column) {
    return static_cast<std::uint64_t>(statement.whole(column));
}

std::vector<StoredWord> words_in(Database& database) {
    std::vector<StoredWord> words;
    Statement statement(database, "SELECT word, frequency, usable, rows FROM word ORDER BY id");
    while (statement.step()) {
        words.push_back(
            {std::string(statement.text(0)), natural(statement, 1), natural(statement, 2), natural(statement, 3)});
    }
    if (words.empty()) fail(database.path(), "lists no words; extract the store again");
    return words;
}

std::vector<PlannedShard> shards_in(Database& database) {
    std::vector<PlannedShard> shards;
    Statement statement(database, "SELECT first_sentence, last_sentence, tokens, rows FROM shard ORDER BY id");
    while (statement.step()) {
        shards.push_back({natural(statement, 0), natural(statement, 1), natural(statement, 2), natural(statement, 3)});
    }
    return shards;
}

std::vector<std::int32_t> ids_of(std::span<const std::byte> bytes) {
    std::vector<std::int32_t> ids(bytes.size() / sizeof(std::int32_t));
    if (!ids.empty()) std::memcpy(ids.data(), bytes.data(), ids.size() * sizeof(std::int32_t));
    return ids;
}

}  // namespace

Plan::Plan(const std::string& folder)
    : folder_(folder), sha256_(sha256_of_file(existing(folder))), database_(plan_path(folder), Database::Mode::read) {
    require_ours(database_);
    words_ = words_in(database_);
    shards_ = shards_in(database_);
}

std::vector<std::pair<std::string, std::string>> Plan::settings() {
    std::vector<std::pair<std::string, std::string>> settings;
    Statement statement(database_, "SELECT name, value FROM setting ORDER BY id");
    while (statement.step()) settings.emplace_back(statement.text(0), statement.text(1));
    return settings;
}

std::string Plan::setting(std::string_view name) {
    Statement statement(database_, "SELECT value FROM setting WHERE name = ?");
    statement.bind(1, name);
    return statement.step() ? std::string(statement.text(0)) : std::string();
}

std::vector<SourceFile> Plan::sources() {
    std::vector<SourceFile> sources;
    Statement statement(database_, "SELECT path, format, bytes FROM source ORDER BY id");
    while (statement.step())
        sources.push_back({std::string(statement.text(0)), std::string(statement.text(1)), natural(statement, 2)});
    return sources;
}

std::vector<SkippedOccurrences> Plan::skipped() {
    std::vector<SkippedOccurrences> skipped;
    Statement statement(database_, "SELECT reason, count FROM skipped ORDER BY count DESC, reason");
    while (statement.step()) skipped.push_back({std::string(statement.text(0)), natural(statement, 1)});
    return skipped;
}

std::vector<MissingWord> Plan::missing() {
    if (number(database_, "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'missing'") == 0)
        return {};
    std::vector<MissingWord> missing;
    Statement statement(database_, "SELECT word, frequency, usable, reason FROM missing ORDER BY word");
    while (statement.step())
        missing.push_back({std::string(statement.text(0)), natural(statement, 1), natural(statement, 2),
                           std::string(statement.text(3))});
    return missing;
}

std::vector<Occurrence> Plan::occurrences(std::size_t word) {
    std::vector<Occurrence> occurrences;
    Statement statement(database_,
                        "SELECT row, document.name, sentence, text, start, \"end\" FROM occurrence "
                        "JOIN sentence ON sentence.id = sentence JOIN document ON document.id = document "
                        "WHERE word = ? ORDER BY row");
    statement.bind(1, static_cast<std::uint64_t>(word));
    while (statement.step()) {
        occurrences.push_back({natural(statement, 0), std::string(statement.text(1)), natural(statement, 2),
                               std::string(statement.text(3)), natural(statement, 4), natural(statement, 5)});
    }
    return occurrences;
}

ShardWork Plan::work_of(std::size_t shard) {
    const PlannedShard& planned = shards_.at(shard);
    Statement sentences(database_, "SELECT id, tokens FROM sentence WHERE id BETWEEN ? AND ? ORDER BY id");
    Statement rows(database_,
                   "SELECT word, row, sentence, start, \"end\", token, tokens FROM occurrence WHERE sentence = ? "
                   "ORDER BY start");
    sentences.bind(1, planned.first_sentence).bind(2, planned.last_sentence);
    ShardWork work;
    std::uint64_t tokens = 0, found_rows = 0;
    while (sentences.step()) {
        ShardWork::Sentence sentence{ids_of(sentences.bytes(1)), {}};
        tokens += sentence.tokens.size();
        rows.bind(1, sentences.whole(0));
        while (rows.step()) {
            sentence.rows.push_back({natural(rows, 0), natural(rows, 1), natural(rows, 2), natural(rows, 3),
                                     natural(rows, 4), natural(rows, 5), natural(rows, 6)});
            const PlannedOccurrence& row = sentence.rows.back();
            if (row.tokens == 0 || row.token + row.tokens > sentence.tokens.size())
                fail(database_.path(), "an occurrence in sentence " + std::to_string(row.sentence) +
                                           " lies past its tokens; extract the store again");
        }
        rows.reset();
        found_rows += sentence.rows.size();
        work.sentences.push_back(std::move(sentence));
    }
    if (tokens != planned.tokens || found_rows != planned.rows)
        fail(database_.path(), "shard " + std::to_string(shard) + " should have " + std::to_string(planned.rows) +
                                   " rows but has " + std::to_string(found_rows) + "; extract the store again");
    return work;
}

std::vector<std::uint32_t> Plan::words_of_rows() {
    std::vector<std::uint32_t> words;
    Statement statement(database_,
                        "SELECT word FROM occurrence INDEXED BY occurrence_by_sentence ORDER BY sentence, start");
    while (statement.step()) words.push_back(static_cast<std::uint32_t>(statement.whole(0)));
    return words;
}

}  // namespace wordbreadth::store
