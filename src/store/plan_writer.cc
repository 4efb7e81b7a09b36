#include "store/plan_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "base/failure.h"
#include "store/layout.h"

namespace wordbreadth::store {

namespace {

// The plan is written from front to back into a file that nobody else sees: neither a journal nor waiting for the disk
// is needed before the end.
constexpr const char* settings = R"sql(
    PRAGMA page_size = 4096;
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    PRAGMA locking_mode = EXCLUSIVE;
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

std::string created(const std::string& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) base::fail(folder, "cannot be made into a store: " + error.message());
    std::string path = plan_path(folder) + ".part-" + std::to_string(getpid());
    std::filesystem::remove(path, error);  // of a process that had our number and was killed
    return path;
}

void sync(const std::string& path) {
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const bool done = descriptor >= 0 && fsync(descriptor) == 0;
    const int error = errno;
    if (descriptor >= 0) close(descriptor);
    if (!done) base::fail(path, "writing failed: " + std::generic_category().message(error));
}

}  // namespace

Statement PlanWriter::insert(const std::string& table, int columns) {
    std::string sql = "INSERT INTO " + table + " VALUES (?";
    for (int i = 1; i < columns; ++i) sql += ", ?";
    return {database_, sql + ")"};
}

PlanWriter::PlanWriter(const std::string& folder)
    : folder_(folder),
      temporary_(created(folder)),
      database_(temporary_, Database::Mode::create, settings + std::string(schema)),
      settings_(insert("setting", 3)),
      sources_(insert("source", 4)),
      skipped_(insert("skipped", 2)),
      documents_(insert("document", 2)),
      words_(insert("word", 5)),
      sentences_(insert("sentence", 4)),
      occurrences_(insert("occurrence", 7)),
      shards_(insert("shard", 5)) {}

PlanWriter::~PlanWriter() {
    if (!temporary_.empty()) unlink(temporary_.c_str());
}

void PlanWriter::add_setting(std::string_view name, std::string_view value) {
    settings_.bind(1, next_setting_++).bind(2, name).bind(3, value).run();
}

void PlanWriter::add_source(std::string_view path, std::string_view format, std::uint64_t bytes) {
    sources_.bind(1, next_source_++).bind(2, path).bind(3, format).bind(4, bytes).run();
}

void PlanWriter::add_skipped(const SkippedOccurrences& skipped) {
    skipped_.bind(1, skipped.reason).bind(2, skipped.count).run();
}

void PlanWriter::add_document(std::uint64_t number, std::string_view name) {
    documents_.bind(1, number).bind(2, name).run();
}

void PlanWriter::add_word(const StoredWord& word) {
    words_.bind(1, next_word_++)
        .bind(2, word.word)
        .bind(3, word.frequency)
        .bind(4, word.usable)
        .bind(5, word.rows)
        .run();
}

void PlanWriter::add_missing(const MissingWord& word) {
    if (!missing_) {
        database_.execute(missing_schema);
        missing_.emplace(insert("missing", 4));
    }
    missing_->bind(1, word.word).bind(2, word.frequency).bind(3, word.usable).bind(4, word.reason).run();
}

void PlanWriter::add_sentence(const PlannedSentence& sentence) {
    sentences_.bind(1, sentence.number)
        .bind(2, sentence.document)
        .bind(3, sentence.text)
        .bind(4, std::as_bytes(sentence.tokens))
        .run();
}

void PlanWriter::add_occurrence(const PlannedOccurrence& occurrence) {
    occurrences_.bind(1, occurrence.word)
        .bind(2, occurrence.row)
        .bind(3, occurrence.sentence)
        .bind(4, occurrence.start)
        .bind(5, occurrence.end)
        .bind(6, occurrence.token)
        .bind(7, occurrence.tokens)
        .run();
}

void PlanWriter::add_shard(const PlannedShard& shard) {
    shards_.bind(1, next_shard_++)
        .bind(2, shard.first_sentence)
        .bind(3, shard.last_sentence)
        .bind(4, shard.tokens)
        .bind(5, shard.rows)
        .run();
}

void PlanWriter::keep() {
    database_.execute(
        "CREATE INDEX occurrence_by_sentence ON occurrence (sentence, start); COMMIT;"
        "PRAGMA application_id = " +
        std::to_string(store_application_id) + "; PRAGMA user_version = " + std::to_string(store_version));
    sync(temporary_);
    if (std::rename(temporary_.c_str(), plan_path(folder_).c_str()) != 0)
        base::fail(plan_path(folder_), "writing failed: " + std::generic_category().message(errno));
    temporary_.clear();
}

}  // namespace wordbreadth::store
