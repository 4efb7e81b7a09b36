#include "store/plan.h"

#include <cstring>
#include <filesystem>

#include "base/failure.h"
#include "base/names.h"
#include "base/sha256.h"
#include "base/utf8.h"
#include "store/layout.h"
#include "store/plan_values.h"

namespace wordbreadth::store {

namespace {

std::string existing(const std::string& folder) {
    std::string path = plan_path(folder);
    std::error_code ignored;
    if (!std::filesystem::exists(folder, ignored)) base::fail(folder, "no such folder; expected a store");
    if (!std::filesystem::is_regular_file(path, ignored))
        base::fail(folder, "is no store: it has no store.sqlite; make one with `wordbreadth extract`");
    return path;
}

std::int64_t number(Database& database, const std::string& sql) {
    Statement statement(database, sql);
    return statement.step() ? statement.whole(0) : 0;
}

void require_ours(Database& database) {
    if (number(database, "PRAGMA application_id") != store_application_id)
        base::fail(database.path(), "is another program's database, or damaged; expected a store");
    const std::int64_t version = number(database, "PRAGMA user_version");
    if (version == store_version) return;
    base::fail(database.path(), "is a store of version " + std::to_string(version) + "; this program knows version " +
                                    std::to_string(store_version) +
                                    (version > store_version ? ": use a newer wordbreadth" : ": extract it again"));
}

// Numbered from 0, in byte order, each once: they are looked for by halving.
std::vector<StoredWord> words_in(Database& database) {
    std::vector<StoredWord> words;
    Statement statement(database, "SELECT id, word, frequency, usable, rows FROM word ORDER BY id");
    while (statement.step()) {
        (void)natural(statement, 0, "word", {words.size(), words.size()});
        StoredWord word{std::string(statement.text(1)), 0, 0, 0};
        word.frequency = natural(statement, 2, "word");
        word.usable = natural(statement, 3, "word");
        word.rows = natural(statement, 4, "word", {1});
        base::require_good_name(database.path(), word.word);
        if (!words.empty() && word.word <= words.back().word)
            base::fail(database.path(), "word.word is " + base::in_quotes(word.word) + " after " +
                                            base::in_quotes(words.back().word) +
                                            "; expected byte order: the store is damaged, extract it again");
        words.push_back(std::move(word));
        if (words.size() > limits::archive_entries)
            base::fail(database.path(), "lists more than the " + std::to_string(limits::archive_entries) +
                                            " words that a store may have; ask for a higher minimum count");
    }
    if (words.empty()) base::fail(database.path(), "lists no words; extract the store again");
    return words;
}

// One after the other, without overlap.
std::vector<PlannedShard> shards_in(Database& database) {
    std::vector<PlannedShard> shards;
    Statement statement(database, "SELECT id, first_sentence, last_sentence, tokens, rows FROM shard ORDER BY id");
    while (statement.step()) {
        (void)natural(statement, 0, "shard", {shards.size(), shards.size()});
        PlannedShard shard;
        shard.first_sentence = natural(statement, 1, "shard", {shards.empty() ? 0 : shards.back().last_sentence + 1});
        shard.last_sentence = natural(statement, 2, "shard", {shard.first_sentence});
        shard.tokens = natural(statement, 3, "shard", {1});
        shard.rows = natural(statement, 4, "shard", {1});
        shards.push_back(shard);
    }
    if (shards.empty()) base::fail(database.path(), "lists no shards; extract the store again");
    return shards;
}

// A sentence that the plan asks to embed.
struct SentenceRow {
    std::int64_t id = 0;
    std::uint64_t characters = 0;
    std::uint64_t tokens = 0;
};

std::vector<std::int32_t> ids_in(const Statement& sentence, int column) {
    const std::span<const std::byte> bytes = sentence.bytes(column);
    std::vector<std::int32_t> ids(bytes.size() / sizeof(std::int32_t));
    if (ids.empty() || ids.size() * sizeof(std::int32_t) != bytes.size() || ids.size() > limits::model_positions)
        base::fail(sentence.where(), "sentence.tokens of sentence " + std::to_string(sentence.whole(0)) + " has " +
                                         std::to_string(bytes.size()) + " bytes; expected 4 for each of 1 to " +
                                         std::to_string(limits::model_positions) +
                                         " tokens: the store is damaged, extract it again");
    std::memcpy(ids.data(), bytes.data(), bytes.size());
    return ids;
}

// Of a statement that gives word, row, start, end, token and tokens. Every sum stays far below what overflows.
PlannedOccurrence occurrence_in(const Statement& statement, const SentenceRow& sentence, std::size_t words) {
    constexpr std::string_view table = "occurrence";
    PlannedOccurrence row;
    row.word = natural(statement, 0, table, {0, words - 1});
    row.row = natural(statement, 1, table);
    row.sentence = static_cast<std::uint64_t>(sentence.id);
    row.start = natural(statement, 2, table, {0, sentence.characters});
    row.end = natural(statement, 3, table, {row.start, sentence.characters});
    row.token = natural(statement, 4, table, {0, sentence.tokens - 1});
    row.tokens = natural(statement, 5, table, {1, sentence.tokens - row.token});
    return row;
}

}  // namespace

Plan::Plan(const std::string& folder)
    : folder_(folder),
      sha256_(base::sha256_of_file(existing(folder))),
      database_(plan_path(folder), Database::Mode::read) {
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
        sources.push_back(
            {std::string(statement.text(0)), std::string(statement.text(1)), natural(statement, 2, "source")});
    return sources;
}

std::vector<SkippedOccurrences> Plan::skipped() {
    std::vector<SkippedOccurrences> skipped;
    Statement statement(database_, "SELECT reason, count FROM skipped ORDER BY count DESC, reason");
    while (statement.step()) skipped.push_back({std::string(statement.text(0)), natural(statement, 1, "skipped")});
    return skipped;
}

std::vector<MissingWord> Plan::missing() {
    if (number(database_, "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'missing'") == 0)
        return {};
    std::vector<MissingWord> missing;
    Statement statement(database_, "SELECT word, frequency, usable, reason FROM missing ORDER BY word");
    while (statement.step())
        missing.push_back({std::string(statement.text(0)), natural(statement, 1, "missing"),
                           natural(statement, 2, "missing"), std::string(statement.text(3))});
    return missing;
}

std::vector<Occurrence> Plan::occurrences(std::size_t word) {
    std::vector<Occurrence> occurrences;
    Statement statement(database_,
                        "SELECT row, document.name, sentence, text, start, \"end\" FROM occurrence "
                        "JOIN sentence ON sentence.id = sentence JOIN document ON document.id = document "
                        "WHERE word = ? ORDER BY row");
    statement.bind(1, static_cast<std::uint64_t>(word));
    constexpr std::string_view table = "occurrence";
    while (statement.step()) {
        Occurrence found;
        found.row = natural(statement, 0, table, {occurrences.size(), occurrences.size()});
        found.document = statement.text(1);
        found.sentence = natural(statement, 2, table);
        found.text = statement.text(3);
        const std::uint64_t characters = base::count_characters(found.text);
        found.start = natural(statement, 4, table, {0, characters});
        found.end = natural(statement, 5, table, {found.start, characters});
        occurrences.push_back(std::move(found));
    }
    if (occurrences.size() != words_.at(word).rows) fail_rows(word, occurrences.size());
    return occurrences;
}

ShardWork Plan::work_of(std::size_t shard) {
    const PlannedShard& planned = shards_.at(shard);
    Statement sentences(database_, "SELECT id, text, tokens FROM sentence WHERE id BETWEEN ? AND ? ORDER BY id");
    Statement rows(database_,
                   "SELECT word, row, start, \"end\", token, tokens FROM occurrence WHERE sentence = ? ORDER BY start");
    sentences.bind(1, planned.first_sentence).bind(2, planned.last_sentence);
    ShardWork work;
    std::uint64_t tokens = 0, found_rows = 0;
    while (sentences.step()) {
        ShardWork::Sentence sentence{ids_in(sentences, 2), {}};
        const SentenceRow place{sentences.whole(0), base::count_characters(sentences.text(1)), sentence.tokens.size()};
        rows.bind(1, place.id);
        while (rows.step()) sentence.rows.push_back(occurrence_in(rows, place, words_.size()));
        rows.reset();
        tokens += sentence.tokens.size();
        found_rows += sentence.rows.size();
        work.sentences.push_back(std::move(sentence));
    }
    require_sum(shard, "tokens", planned.tokens, tokens);
    require_sum(shard, "rows", planned.rows, found_rows);
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
