#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/failure.h"
#include "store/layout.h"
#include "store/plan.h"

namespace wordbreadth::store {

namespace {

// The plan is written from front to back into a file that nobody else sees: neither a journal nor waiting for the disk
// is needed before the end.
constexpr const char* settings = R"sql(
    PRAGMA page_size = 4096;
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    PRAGMA locking_mode = EXCLUSIVE;
    PRAGMA cache_size = -262144;  -- at most 256 MiB: occurrences come in no order of theirs, and touch all their pages
)sql";

constexpr const char* schema = R"sql(
    CREATE TABLE setting (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, value TEXT NOT NULL);
    CREATE TABLE source (id INTEGER PRIMARY KEY, path TEXT NOT NULL, format TEXT NOT NULL, bytes INTEGER NOT NULL);
    CREATE TABLE skipped (reason TEXT PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE document (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE word (id INTEGER PRIMARY KEY, word TEXT NOT NULL, frequency INTEGER NOT NULL, usable INTEGER NOT NULL,
                       rows INTEGER NOT NULL);
    CREATE TABLE sentence (id INTEGER PRIMARY KEY, document INTEGER NOT NULL REFERENCES document, text TEXT NOT NULL,
                           tokens BLOB NOT NULL);
    CREATE TABLE occurrence (word INTEGER NOT NULL REFERENCES word, row INTEGER NOT NULL,
                             sentence INTEGER NOT NULL REFERENCES sentence, start INTEGER NOT NULL,
                             "end" INTEGER NOT NULL, token INTEGER NOT NULL, tokens INTEGER NOT NULL,
                             PRIMARY KEY (word, row)) WITHOUT ROWID;
    CREATE TABLE shard (id INTEGER PRIMARY KEY, first_sentence INTEGER NOT NULL, last_sentence INTEGER NOT NULL,
                        tokens INTEGER NOT NULL, rows INTEGER NOT NULL);
    BEGIN;
)sql";

// Only in plans that need it: so those that do not are the same to the last byte as before there was one.
constexpr const char* missing_schema = R"sql(
    CREATE TABLE missing (word TEXT PRIMARY KEY, frequency INTEGER NOT NULL, usable INTEGER NOT NULL,
                          reason TEXT NOT NULL) WITHOUT ROWID;
)sql";

// Likewise; of words that have any.
constexpr const char* copies_schema = R"sql(
    CREATE TABLE copies (word INTEGER PRIMARY KEY REFERENCES word, exact INTEGER NOT NULL, near INTEGER NOT NULL);
)sql";

constexpr int sentence_columns = 4, occurrence_columns = 7;

// "(?, ?, ?)"
std::string parameters(int columns) {
    std::string list = "(?";
    for (int i = 1; i < columns; ++i) list += ", ?";
    return list + ")";
}

std::string plan_in_new_folder(const std::string& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) base::fail(folder, "cannot be made into a store: " + error.message());
    return plan_path(folder);
}

}  // namespace

Statement PlanWriter::insert(const std::string& table, int columns) {
    return {database_, "INSERT INTO " + table + " VALUES " + parameters(columns)};
}

PlanWriter::PlanWriter(const std::string& folder, bool several_layers)
    : file_(plan_in_new_folder(folder)),
      version_(several_layers ? version_of_several_layers : store_version),
      database_(file_.temporary(), Database::Mode::create, settings + std::string(schema)),
      settings_(insert("setting", 3)),
      sources_(insert("source", 4)),
      skipped_(insert("skipped", 2)),
      documents_(insert("document", 2)),
      words_(insert("word", 5)),
      shards_(insert("shard", 5)) {}

void PlanWriter::add_setting(std::string_view name, std::string_view value) {
    settings_.run(next_setting_++, name, value);
}

// SQLite writes a value of the same length where the old one was.
void PlanWriter::replace_setting(std::string_view name, std::string_view value) {
    Statement(database_, "UPDATE setting SET value = ? WHERE name = ?").run(value, name);
}

void PlanWriter::add_source(std::string_view path, std::string_view format, std::uint64_t bytes) {
    sources_.run(next_source_++, path, format, bytes);
}

void PlanWriter::add_skipped(const SkippedOccurrences& skipped) {
    skipped_.run(skipped.reason, skipped.count);
}

void PlanWriter::add_document(std::uint64_t number, std::string_view name) {
    documents_.run(number, name);
}

void PlanWriter::add_word(const StoredWord& word) {
    words_.run(next_word_, word.word, word.frequency, word.usable, word.rows);
    if (word.exact_copies + word.near_copies > 0) add_copies(next_word_, word);
    ++next_word_;
}

void PlanWriter::add_copies(std::int64_t number, const StoredWord& word) {
    if (!copies_) {
        database_.execute(copies_schema);
        copies_.emplace(insert("copies", 3));
    }
    copies_->run(number, word.exact_copies, word.near_copies);
}

void PlanWriter::add_missing(const MissingWord& word) {
    if (!missing_) {
        database_.execute(missing_schema);
        missing_.emplace(insert("missing", 4));
    }
    missing_->run(word.word, word.frequency, word.usable, word.reason);
}

void PlanWriter::add_sentences(std::span<const PlannedSentence> sentences) {
    while (!sentences.empty()) {
        const auto rows = sentences.first(std::min(sentences.size(), most_rows));
        Statement& statement = insert_several(sentences_, "sentence", sentence_columns, rows.size());
        int parameter = 1;
        for (const auto& [number, document, text, tokens] : rows) {
            statement.bind_from(parameter, number, document, text, std::as_bytes(tokens));
            parameter += sentence_columns;
        }
        statement.step();
        statement.reset();
        sentences = sentences.subspan(rows.size());
    }
}

void PlanWriter::add_occurrences(std::span<const PlannedOccurrence> occurrences) {
    while (!occurrences.empty()) {
        const auto rows = occurrences.first(std::min(occurrences.size(), most_rows));
        Statement& statement = insert_several(occurrences_, "occurrence", occurrence_columns, rows.size());
        int parameter = 1;
        for (const auto& [word, row, sentence, start, end, token, tokens] : rows) {
            statement.bind_from(parameter, word, row, sentence, start, end, token, tokens);
            parameter += occurrence_columns;
        }
        statement.step();
        statement.reset();
        occurrences = occurrences.subspan(rows.size());
    }
}

// To SQLite a statement is as much work as a row. "OR FAIL": nothing need be undone where one of the rows is refused.
Statement& PlanWriter::insert_several(SeveralRows& statements, const std::string& table, int columns,
                                      std::size_t rows) {
    std::optional<Statement>& statement = statements[rows - 1];
    if (statement) return *statement;
    std::string sql = "INSERT OR FAIL INTO " + table + " VALUES ";
    for (std::size_t i = 0; i < rows; ++i) sql += (i > 0 ? ", " : "") + parameters(columns);
    return statement.emplace(database_, sql);
}

void PlanWriter::add_shard(const PlannedShard& shard) {
    shards_.run(next_shard_++, shard.first_sentence, shard.last_sentence, shard.tokens, shard.rows);
}

void PlanWriter::keep(bool on_disk) {
    database_.execute(
        "CREATE INDEX occurrence_by_sentence ON occurrence (sentence, start); COMMIT;"
        "PRAGMA application_id = " +
        std::to_string(store_application_id) + "; PRAGMA user_version = " + std::to_string(version_));
    file_.keep(on_disk);
}

}  // namespace wordbreadth::store
