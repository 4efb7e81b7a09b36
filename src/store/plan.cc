#include "store/plan.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/failure.h"
#include "base/names.h"
#include "base/sha256.h"
#include "base/utf8.h"
#include "store/layout.h"
#include "wordbreadth/layers.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::store {

namespace {

constexpr const char* advice = ": the store is damaged, extract it again";

std::string existing(const std::string& folder) {
    std::string path = plan_path(folder);
    std::error_code error;
    const bool is_there = std::filesystem::is_regular_file(path, error);
    // Of the folder, or of one above it: whether there is a store cannot be known then.
    if (error == std::errc::permission_denied) base::fail_to_open(folder, error.message(), EACCES);
    if (!std::filesystem::exists(folder, error)) base::fail_to_open(folder, "no such folder; expected a store", ENOENT);
    if (!is_there) base::fail(folder, "is not a store: it has no store.sqlite; make one with `wordbreadth extract`");
    return path;
}

std::int64_t number(Database& database, const std::string& sql) {
    Statement statement(database, sql);
    return statement.step() ? statement.whole(0) : 0;
}

std::int64_t version_of(Database& database) {
    if (number(database, "PRAGMA application_id") != store_application_id)
        base::fail(database.path(), "is another program's database, or damaged; expected a store");
    const std::int64_t version = number(database, "PRAGMA user_version");
    if (version == store_version || version == version_of_several_layers) return version;
    base::fail(database.path(), "is a store of version " + std::to_string(version) + "; this program knows versions " +
                                    std::to_string(store_version) + " to " + std::to_string(version_of_several_layers) +
                                    (version > store_version ? ": use a newer wordbreadth" : ": extract it again"));
}

bool has_table(Database& database, std::string_view name) {
    Statement statement(database, "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?");
    return statement.bind(name).step();
}

void take_copies(const Statement& statement, StoredWord& word) {
    word.exact_copies = statement.natural(1, "copies");
    word.near_copies = statement.natural(2, "copies");
}

// Older plans have none.
void read_copies(Database& database, std::vector<StoredWord>& words) {
    constexpr std::string_view table = "copies";
    if (!has_table(database, table)) return;
    Statement statement(database, "SELECT word, exact, near FROM copies ORDER BY word");
    while (statement.step()) {
        take_copies(statement, words[statement.natural(0, table, {0, words.size() - 1})]);
    }
}

// Of a row of id, word, frequency, usable and rows.
StoredWord word_in(const Statement& statement) {
    StoredWord word;
    word.word = statement.text(1);
    word.frequency = statement.natural(2, "word");
    word.usable = statement.natural(3, "word");
    word.rows = statement.natural(4, "word", {1});
    base::require_good_name(statement.where(), word.word);
    return word;
}

// Numbered from 0, in byte order, each once: they are looked for by halving.
std::vector<StoredWord> words_in(Database& database) {
    std::vector<StoredWord> words;
    Statement statement(database, "SELECT id, word, frequency, usable, rows FROM word ORDER BY id");
    while (statement.step()) {
        (void)statement.natural(0, "word", {words.size(), words.size()});
        StoredWord word = word_in(statement);
        if (!words.empty() && word.word <= words.back().word)
            base::fail(database.path(), "word.word is " + base::in_quotes(word.word) + " after " +
                                            base::in_quotes(words.back().word) + "; expected byte order" + advice);
        words.push_back(std::move(word));
        if (words.size() > limits::archive_entries)
            base::fail(database.path(), "lists more than the " + std::to_string(limits::archive_entries) +
                                            " words that a store may have; ask for a higher minimum count");
    }
    if (words.empty()) base::fail(database.path(), "lists no words; extract the store again");
    read_copies(database, words);
    return words;
}

// One after the other, without overlap.
std::vector<PlannedShard> shards_in(Database& database) {
    std::vector<PlannedShard> shards;
    Statement statement(database, "SELECT id, first_sentence, last_sentence, tokens, rows FROM shard ORDER BY id");
    while (statement.step()) {
        (void)statement.natural(0, "shard", {shards.size(), shards.size()});
        PlannedShard shard;
        shard.first_sentence = statement.natural(1, "shard", {shards.empty() ? 0 : shards.back().last_sentence + 1});
        shard.last_sentence = statement.natural(2, "shard", {shard.first_sentence});
        shard.tokens = statement.natural(3, "shard", {1});
        shard.rows = statement.natural(4, "shard", {1});
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
                                         std::to_string(limits::model_positions) + " tokens" + advice);
    std::memcpy(ids.data(), bytes.data(), bytes.size());
    return ids;
}

// Of a statement that gives word, row, start, end, token and tokens. Every sum stays far below what overflows.
PlannedOccurrence occurrence_in(const Statement& statement, const SentenceRow& sentence, std::size_t words) {
    constexpr std::string_view table = "occurrence";
    PlannedOccurrence row;
    row.word = statement.natural(0, table, {0, words - 1});
    row.row = statement.natural(1, table);
    row.sentence = static_cast<std::uint64_t>(sentence.id);
    row.start = statement.natural(2, table, {0, sentence.characters});
    row.end = statement.natural(3, table, {row.start, sentence.characters});
    row.token = statement.natural(4, table, {0, sentence.tokens - 1});
    row.tokens = statement.natural(5, table, {1, sentence.tokens - row.token});
    return row;
}

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

// Copies are never usable.
void require_room_for_copies(const Database& database, const StoredWord& word) {
    if (word.exact_copies + word.near_copies <= word.frequency - word.usable) return;
    base::fail(database.path(), "copies of " + base::in_quotes(word.word) + " are " +
                                    std::to_string(word.exact_copies) + " exact and " +
                                    std::to_string(word.near_copies) +
                                    " near ones; expected at most its occurrences that are not usable, " +
                                    std::to_string(word.frequency - word.usable) + advice);
}

void require_total(Database& database, const std::string& table, std::uint64_t covered) {
    const std::int64_t total = number(database, "SELECT count(*) FROM " + table);
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

std::vector<std::string> spellings(const Plan& plan) {
    std::vector<std::string> names;
    names.reserve(plan.words().size());
    for (const StoredWord& word : plan.words()) names.push_back(word.word);
    return names;
}

// "" where the word was not asked for when the store was made.
std::string recorded(Plan& plan, const std::string& word) {
    const std::vector<MissingWord> missing = plan.missing();
    const auto found = std::ranges::find(missing, word, &MissingWord::word);
    return found == missing.end() ? std::string() : found->reason;
}

// Which words are in the store at all; "" where it has no such settings.
std::string rule(Plan& plan) {
    const std::string fewest = plan.setting("min count"), list = plan.setting("words");
    if (fewest.empty()) return {};
    if (plan.setting("unit") == "text") return "labels with fewer than " + fewest + " usable texts are not in it";
    std::string text = "words with fewer than " + fewest + " usable occurrences are not in it";
    if (plan.setting("subwords") == "single") text += ", nor are words of several tokens";
    if (list.starts_with("a list")) text += "; it was made for " + list.substr(0, list.find(',')) + " words";
    return text;
}

// Words that it may be a misspelling of, and what decides if it is none; "" where nothing is like it.
std::string suggested(Plan& plan, const std::string& word) {
    const std::vector<std::string> close = base::close_names(word, spellings(plan));
    if (close.empty()) return {};
    if (plan.setting("case") == "lower" && base::case_fold(close.front()) == base::case_fold(word))
        return "its words are in lower case: " + base::suggestion(close);
    const std::string decides = rule(plan);
    return base::suggestion(close) + (decides.empty() ? "" : " (" + decides + ")");
}

std::shared_future<std::string> hash_of(const std::string& path, std::launch hashing,
                                        const std::shared_ptr<const Index>& index) {
    if (index) return std::async(std::launch::deferred, [index] { return index->plan_sha256(); }).share();
    return std::async(hashing, [path] { return base::sha256_of_file(path); }).share();
}

}  // namespace

Plan::Plan(const std::string& folder, std::launch hashing, std::shared_ptr<const Index> index)
    : folder_(folder),
      index_(std::move(index)),
      sha256_(hash_of(existing(folder), hashing, index_)),
      database_(index_ ? Database(plan_path(folder), index_->plan())
                       : Database(plan_path(folder), Database::Mode::read)),
      version_(version_of(database_)),
      layers_(read_layers()) {
    if (index_) return;
    (void)words();
    (void)shards();
}

const std::vector<StoredWord>& Plan::words() const {
    if (words_.empty()) words_ = words_in(database_);
    return words_;
}

const std::vector<PlannedShard>& Plan::shards() const {
    if (shards_.empty()) shards_ = shards_in(database_);
    return shards_;
}

std::size_t Plan::word_count() {
    if (!words_.empty()) return words_.size();
    Statement last(database_, "SELECT max(id) FROM word");
    return last.step() ? last.natural(0, "word", {0, limits::archive_entries - 1}) + 1 : 0;
}

StoredWord Plan::word(std::size_t index) {
    if (!words_.empty()) return words_.at(index);
    Statement statement(database_, "SELECT id, word, frequency, usable, rows FROM word WHERE id = ?");
    if (!statement.bind(static_cast<std::uint64_t>(index)).step())
        base::fail(database_.path(), "has no word " + std::to_string(index) + advice);
    StoredWord word = word_in(statement);
    if (!has_table(database_, "copies")) return word;
    Statement copies(database_, "SELECT word, exact, near FROM copies WHERE word = ?");
    if (copies.bind(static_cast<std::uint64_t>(index)).step()) take_copies(copies, word);
    return word;
}

// By halving: their numbers are in the order of their bytes.
std::optional<std::size_t> Plan::find(std::string_view word) {
    Statement name(database_, "SELECT word FROM word WHERE id = ?");
    std::size_t low = 0, high = word_count();
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        name.reset();
        name.bind(static_cast<std::uint64_t>(middle));
        const int order = name.step() ? name.text(0).compare(word) : 0;
        if (order == 0) return middle;
        (order < 0 ? low : high) = order < 0 ? middle + 1 : middle;
    }
    return std::nullopt;
}

std::uint64_t Plan::row_count() {
    Statement sum(database_, "SELECT sum(rows) FROM word");
    return sum.step() ? sum.natural(0, "word") : 0;
}

std::vector<StoredWord> Plan::words_listed(Statement& ids) {
    std::vector<StoredWord> words;
    while (ids.step()) words.push_back(word(ids.natural(0, "word")));
    return words;
}

std::vector<StoredWord> Plan::most_frequent(std::size_t most) {
    Statement ids(database_, "SELECT id FROM word ORDER BY frequency DESC, id LIMIT ?");
    ids.bind(static_cast<std::uint64_t>(most));
    return words_listed(ids);
}

std::vector<StoredWord> Plan::words_with_copies() {
    if (!has_table(database_, "copies")) return {};
    Statement ids(database_, "SELECT word FROM copies ORDER BY word");
    return words_listed(ids);
}

// They are names of files, too: nothing else passes for one.
std::vector<std::string> Plan::read_layers() {
    const std::string text = setting("layers");
    if (version_ == store_version) return {text};
    const auto ranges = layers_in(text);
    if (!ranges || ranges->size() < 2 || ranges->size() > limits::model_layers)
        base::fail(database_.path(), "setting.value of \"layers\" is " + base::in_quotes(text) + "; expected 2 to " +
                                         std::to_string(limits::model_layers) + " layers, as in \"2,4,6\"" + advice);
    std::vector<std::string> layers;
    for (const LayerRange& range : *ranges) layers.push_back(text_of(range));
    return layers;
}

std::string Plan::clouds_path(std::size_t layer, std::size_t file) const {
    return store::clouds_path(folder_, layers_.size() == 1 ? std::string() : layers_.at(layer), file);
}

bool Plan::has_clouds() const {
    std::error_code ignored;
    for (std::size_t layer = 0; layer < layers_.size(); ++layer)
        if (!std::filesystem::exists(clouds_path(layer), ignored)) return false;
    return true;
}

std::vector<std::pair<std::string, std::string>> Plan::settings() {
    std::vector<std::pair<std::string, std::string>> settings;
    Statement statement(database_, "SELECT name, value FROM setting ORDER BY id");
    while (statement.step()) settings.emplace_back(statement.text(0), statement.text(1));
    return settings;
}

std::string Plan::setting(std::string_view name) {
    Statement statement(database_, "SELECT value FROM setting WHERE name = ?");
    statement.bind(name);
    return statement.step() ? std::string(statement.text(0)) : std::string();
}

std::vector<SourceFile> Plan::sources() {
    std::vector<SourceFile> sources;
    Statement statement(database_, "SELECT path, format, bytes FROM source ORDER BY id");
    while (statement.step())
        sources.push_back(
            {std::string(statement.text(0)), std::string(statement.text(1)), statement.natural(2, "source")});
    return sources;
}

std::vector<SkippedOccurrences> Plan::skipped() {
    std::vector<SkippedOccurrences> skipped;
    Statement statement(database_, "SELECT reason, count FROM skipped ORDER BY count DESC, reason");
    while (statement.step()) skipped.push_back({std::string(statement.text(0)), statement.natural(1, "skipped")});
    return skipped;
}

std::vector<MissingWord> Plan::missing() {
    if (!has_table(database_, "missing")) return {};
    std::vector<MissingWord> missing;
    Statement statement(database_, "SELECT word, frequency, usable, reason FROM missing ORDER BY word");
    while (statement.step())
        missing.push_back({std::string(statement.text(0)), statement.natural(1, "missing"),
                           statement.natural(2, "missing"), std::string(statement.text(3))});
    return missing;
}

std::string Plan::why_missing(const std::string& word, bool suggest) {
    std::string reason = recorded(*this, word);
    if (reason.empty() && suggest) reason = suggested(*this, word);
    return reason.empty() ? rule(*this) : reason;
}

void Plan::fail_missing(const std::string& word) {
    const std::string reason = why_missing(word);
    base::fail(folder_, "has no word " + base::in_quotes(word) + "; " +
                            (reason.empty() ? base::holdings(spellings(*this)) : reason));
}

std::vector<Occurrence> Plan::occurrences(std::size_t word) {
    std::vector<Occurrence> occurrences;
    Statement statement(database_,
                        "SELECT row, document.name, sentence, text, start, \"end\" FROM occurrence "
                        "JOIN sentence ON sentence.id = sentence JOIN document ON document.id = document "
                        "WHERE word = ? ORDER BY row");
    statement.bind(static_cast<std::uint64_t>(word));
    constexpr std::string_view table = "occurrence";
    while (statement.step()) {
        Occurrence found;
        found.row = statement.natural(0, table, {occurrences.size(), occurrences.size()});
        found.document = statement.text(1);
        found.sentence = statement.natural(2, table);
        found.text = statement.text(3);
        const std::uint64_t characters = base::count_characters(found.text);
        found.start = statement.natural(4, table, {0, characters});
        found.end = statement.natural(5, table, {found.start, characters});
        occurrences.push_back(std::move(found));
    }
    require_rows(word, occurrences.size());
    return occurrences;
}

std::vector<std::uint64_t> Plan::documents(std::size_t word) {
    if (!several_documents_)
        several_documents_ = number(database_, "SELECT count(*) FROM (SELECT 1 FROM document LIMIT 2)") == 2;
    if (!*several_documents_) return {};
    std::vector<std::uint64_t> documents;
    Statement statement(
        database_,
        "SELECT document FROM occurrence JOIN sentence ON sentence.id = sentence WHERE word = ? ORDER BY row");
    statement.bind(static_cast<std::uint64_t>(word));
    while (statement.step()) documents.push_back(statement.natural(0, "sentence"));
    require_rows(word, documents.size());
    return documents;
}

ShardWork Plan::work_of(std::size_t shard) {
    const PlannedShard& planned = shards().at(shard);
    Statement sentences(database_, "SELECT id, text, tokens FROM sentence WHERE id BETWEEN ? AND ? ORDER BY id");
    Statement rows(database_,
                   "SELECT word, row, start, \"end\", token, tokens FROM occurrence WHERE sentence = ? ORDER BY start");
    sentences.bind(planned.first_sentence, planned.last_sentence);
    ShardWork work;
    std::uint64_t tokens = 0, found_rows = 0;
    while (sentences.step()) {
        ShardWork::Sentence sentence{ids_in(sentences, 2), {}};
        const SentenceRow place{sentences.whole(0), base::count_characters(sentences.text(1)), sentence.tokens.size()};
        rows.bind(place.id);
        while (rows.step()) sentence.rows.push_back(occurrence_in(rows, place, words().size()));
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

void Plan::require_rows(std::size_t word, std::uint64_t found) {
    const StoredWord planned = this->word(word);
    if (planned.rows == found) return;
    base::fail(database_.path(), "word.rows of " + base::in_quotes(planned.word) + " is " +
                                     std::to_string(planned.rows) + ", but it has " + std::to_string(found) +
                                     " occurrences" + advice);
}

void Plan::require_sum(std::size_t shard, std::string_view column, std::uint64_t planned, std::uint64_t found) const {
    if (planned == found) return;
    base::fail(database_.path(), "shard." + std::string(column) + " of shard " + std::to_string(shard) + " is " +
                                     std::to_string(planned) + ", but its sentences have " + std::to_string(found) +
                                     advice);
}

void Plan::check(std::size_t vocabulary) {
    for (const StoredWord& word : words()) {
        require_ordered_counts(database_, word);
        require_room_for_copies(database_, word);
    }
    std::vector<std::uint64_t> next(words().size());
    std::uint64_t sentences = 0, rows = 0;
    for (std::size_t shard = 0; shard < shards().size(); ++shard) {
        const ShardWork work = work_of(shard);
        for (const ShardWork::Sentence& sentence : work.sentences) {
            require_known_tokens(database_, sentence, vocabulary);
            count_rows(database_, sentence, next);
        }
        sentences += work.sentences.size();
        rows += shards_[shard].rows;
    }
    for (std::size_t word = 0; word < next.size(); ++word) require_rows(word, next[word]);
    require_total(database_, "sentence", sentences);
    require_total(database_, "occurrence", rows);
    require_documents(database_);
}

}  // namespace wordbreadth::store
