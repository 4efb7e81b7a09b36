// From text to clouds: embeds the occurrences of every word of a corpus with a language model, into a store.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "wordbreadth/layers.h"
#include "wordbreadth/store.h"

namespace wordbreadth {

class Timing;

// The vector of a word that the model reads as several tokens: none (such occurrences are skipped), the mean of the
// tokens' vectors, or the first or last of them.
enum class Subwords { single, mean, first, last };

// What a row of a cloud is: one occurrence of a word; or a whole text (the mean over its tokens), in the cloud of its
// label.
enum class ExtractUnit { word, text };

enum class LetterCase { lower, keep };

// How bytes are treated that are invalid in the encoding of the corpus: they end the run, are left out (the text around
// them is joined), or each such sequence becomes U+FFFD.
enum class InvalidBytes { error, skip, replace };

// Which sentences (or texts) are dropped because they repeat an earlier one: none; exact copies, which the model reads
// as the same tokens; or near copies too, whose Jaccard index is at least 0.7: shingles (three consecutive words, in
// lower case) that both have, as a share of those that either has. Sentences of fewer than three words are no copies.
// Occurrences in copies count in the frequency of their word, but are not usable.
enum class Deduplicate { none, exact, near };

// How the rows of a word are drawn from its usable occurrences: each with the same probability; or spread over
// documents: one from each document in a random order of the documents, then a second from each that has one, and so
// on, until there are enough. Long documents then count for less than they do in the corpus.
enum class SampleBy { rows, documents };

struct ExtractProgress {
    enum class Stage { reading, collecting, embedding, joining };
    Stage stage = Stage::reading;
    double done = 0;  // share of the stage, 0 to 1
    // Done in this stage of this run: words (or texts) read, rows collected, tokens embedded.
    std::uint64_t units = 0;
};

struct ExtractOptions {
    std::string model;                // the folder of a Hugging Face snapshot
    std::vector<std::string> corpus;  // files and folders; "-" is standard input
    std::string out;                  // the folder of the store

    std::string corpus_format = "auto";
    std::string encoding = "utf-8";  // any that ICU knows; a byte order mark overrides it, and XML declares its own
    InvalidBytes invalid = InvalidBytes::error;
    bool by_lemma = false;  // words count as their lemmas; the corpus must have them
    // Only these: universal tags (UPOS), or the corpus's own; empty: all. One that no word has is an error.
    std::vector<std::string> parts_of_speech;
    std::string mecab_dictionary;  // a folder: words of running text are then MeCab's

    std::vector<std::string> words;          // only these; empty: all that are frequent enough
    std::optional<std::uint64_t> min_count;  // of usable occurrences; default 100, of texts 2
    std::optional<std::uint64_t> per_word;   // at most that many rows per cloud; 0: all; default 100, of texts 0
    std::uint64_t per_document = 0;          // at most that many rows of a word per document; 0: no limit
    SampleBy sample = SampleBy::rows;        // only matters where a word has more than `per_word` usable occurrences
    std::optional<Deduplicate> deduplicate;  // default: exact; of texts none
    std::vector<LayerRange> layers;          // a cloud from each; empty: the layer one third up
    Subwords subwords = Subwords::single;
    ExtractUnit unit = ExtractUnit::word;
    LetterCase letter_case = LetterCase::lower;
    std::size_t max_tokens = 128;  // per sentence; the rest of a longer one is truncated
    Precision precision = Precision::automatic;
    std::uint64_t seed = 0;
    std::size_t shard_tokens = 0;  // tokens per shard; 0: a few minutes' work for two cores

    // "auto", "cpu", "cuda" or one GPU: "cuda:0", "cuda:1", ... "cuda" is the first GPU and, where there is work for
    // them, all others of its kind.
    std::string device = "auto";
    unsigned threads = 0;  // 0: OMP_NUM_THREADS, else every core; never changes a result
    bool resume = false;   // the extraction in `out`, where there is one
    // When resuming: the settings that this call states, by their names in the store ("min count"). The plan must have
    // the same values, or extract() throws; all other settings are taken from the plan. A call that names the corpus
    // states every setting, except deduplicate, layers, shard size, device and precision where left to their defaults.
    std::vector<std::string> stated;
    bool plan_only = false;  // stop once the plan is made; a later call resumes from there, without the corpus

    // Called now and then by the thread that called extract(), never by another. What it throws ends the run.
    std::function<void(const ExtractProgress&)> progress;
    // A stop may be requested from any thread, and from `progress`. It is noticed within a batch: extract() then throws
    // Cancelled, which names the store if its plan was made. Finished shards stay, to be resumed.
    std::stop_token stop;
    Timing* timing = nullptr;  // where the stages of the run are recorded; null: nowhere
};

struct ExtractSummary {
    struct Format {
        std::string name;
        std::uint64_t files = 0;
    };
    ExtractUnit unit = ExtractUnit::word;
    std::uint64_t files = 0, documents = 0, sentences = 0;  // read; 0 when the plan was there already
    std::uint64_t corpus_tokens = 0;                        // that the corpus has marked, punctuation too; 0: none
    std::uint64_t occurrences = 0;                          // met in the corpus
    std::uint64_t types = 0;                                // distinct words met; of a list, those of the list
    std::uint64_t asked = 0;                                // words of the list; 0: no list was given
    std::uint64_t words = 0;                                // in the store
    std::uint64_t rows = 0;
    std::uint64_t embedded_sentences = 0, embedded_tokens = 0;  // in all shards
    std::uint64_t shards = 0, shards_found = 0, shards_damaged = 0;
    std::size_t dimension = 0;
    std::string device;              // "cpu, f32"
    std::vector<Format> formats;     // of the files
    bool format_detected = false;    // file by file; else it was named
    std::vector<LayerRange> layers;  // that the vectors come from, ascending
    std::size_t model_layers = 0;    // that the model has
    std::string layers_reason;       // "one third up, the default"
    std::vector<SkippedOccurrences> skipped;
    std::vector<MissingWord> missing;        // in byte order
    std::uint64_t kept_by_mean = 0;          // of these: how many Subwords::mean could keep; only where planned
    std::vector<std::string> warnings;       // about options that had no effect
    std::vector<std::string> files_skipped;  // found in the folders and not read: "path: reason"
    bool finished = false;                   // there are clouds
    bool planned = false;                    // in this run; else the plan was there
    double plan_seconds = 0, embed_seconds = 0;
    std::uint64_t tokens_now = 0;  // embedded in this run

    std::vector<std::string> decoded;         // files of the corpus that are not UTF-8: "2 files from UTF-16LE"
    std::uint64_t invalid = 0;                // byte sequences of the corpus that were left out or replaced
    std::vector<std::string> invalid_places;  // the first of them: "file:line, byte N"
    std::string invalid_treatment;            // of them: "skip", "replace"; empty: they are an error

    std::string deduplicated;  // "exact", "near (Jaccard 0.7)"; empty: copies were not looked for
    std::uint64_t exact_copies = 0, near_copies = 0;  // sentences (or texts) that were dropped
    std::uint64_t not_remembered = 0;         // sentences beyond limits::compared_sentences: copies of them stay
    std::vector<std::string> lost_to_copies;  // words too rare without copies, in byte order; only where planned
};

// Makes the store, or resumes one. The same options give the same bytes on any number of threads, however often the
// extraction was stopped. Throws InputError for whatever is wrong with model, corpus, options or disk (Resumable once
// there is a plan and the disk refuses), Cancelled when stopped. Several calls may run at a time, each with its own
// store.
ExtractSummary extract(const ExtractOptions& options);

}  // namespace wordbreadth
