// A part of a plan: what is counted and sampled in some of the corpus's files, written so that parts can be merged to
// the plan that one pass over all files would make, to the last byte.
//
// A part is a folder, which appears under its name at one moment and whole:
//
//   facts           of which plan it is a part, and what was counted
//   words           each with its counts and its sample, in byte order
//   sentences       with usable words: text, tokens, and where the words are
//   documents       their names
//   fingerprints    of all sentences, in order; only where copies are looked for, likewise
//   uses-0 .. 7     the places of all usable words
//
// Whether a sentence is a copy depends on the parts before. A part looks for copies among its own sentences, and the
// merge decides again with the fingerprints of all. Where it decides otherwise, the words of that sentence are counted
// and sampled anew from `uses`.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/corpus.h"
#include "extraction/packing.h"
#include "extraction/pipeline.h"
#include "extraction/plan.h"
#include "extraction/settings.h"
#include "wordbreadth/parts.h"

namespace wordbreadth::extraction {

// What all parts of a plan have in common.
struct PlanIdentity {
    ExtractOptions options;  // those that decide what is counted
    Settings settings;       // of the plan
    std::size_t shard_tokens = 0;
    std::vector<corpus::File> files;  // of the whole corpus
    std::vector<corpus::Skipped> skipped;
};

// What differs, naming both values, for a message: `seed is "1"; that of part 2 is "0"`. Empty where nothing does. A
// model whose hash is not known yet is as good as any.
[[nodiscard]] std::string difference(const PlanIdentity& one, const PlanIdentity& other, const std::string& name);

struct PartFacts {
    Part part;
    PlanIdentity plan;
    PartRange files;                          // that were read
    std::vector<std::uint64_t> sentences_of;  // each of them
    std::uint64_t documents = 0;
    std::uint64_t tokens = 0;  // as in Scan, likewise the next
    std::array<std::uint64_t, uses> occurrences{};
    std::uint64_t counted = 0;  // occurrences that the sampler has met
    corpus::InvalidText invalid;
    std::string found;  // WantedWords and TagCounts, packed

    [[nodiscard]] std::uint64_t sentences() const;
};

// Consecutive files, of about as many bytes as the other parts have.
[[nodiscard]] PartRange files_of(const Part& part, std::span<const corpus::File> files);

// "3-of-8"; and back, nothing where it is another name.
[[nodiscard]] std::string part_name(const Part& part);
[[nodiscard]] std::optional<Part> part_named(std::string_view name);

// A word of a part's `words`.
struct PartWord {
    std::string type;
    std::uint8_t log = 0;  // uses-LOG has its places,
    std::uint32_t id = 0;  // under this number
    Sampler::Word counts;  // its sample in any order
};
void pack(const PartWord& word, Packer& to);
[[nodiscard]] PartWord unpack_word(Unpacker& from);

// A sentence as the merge looks for copies of it.
struct PartFingerprint {
    Fingerprint fingerprint;
    Copy copy = Copy::none;    // of an earlier sentence of the part
    std::uint64_t usable = 0;  // words, but for copies
};

// Writes a part while its files are read.
class PartWriter {
  public:
    // Into a folder of a temporary name beside `path`. Throws InputError when it cannot be written; likewise the
    // others.
    PartWriter(std::string path, Deduplicate deduplicate);

    // Removes it, unless it was kept.
    ~PartWriter();
    PartWriter(const PartWriter&) = delete;
    PartWriter& operator=(const PartWriter&) = delete;

    // Blocks in order, once their copies are known.
    void keep(const Block& block);

    // A word of `part` (see part_of) that is usable but for copies; different parts may be added to at the same time.
    void add_use(std::size_t part, const KeptSentence& sentence, std::uint32_t id, std::uint32_t begin);

    void keep_words(std::span<const Sampler> samplers);

    // Puts all in place. Where another process has finished the same part, that one stays. The last call.
    void finish(const PartFacts& facts);

  private:
    struct Uses;

    void add_sentence(const KeptSentence& sentence, const Analysis& analysis);
    void add_fingerprint(const Fingerprint& fingerprint, Copy copy, std::span<const FoundWord> words);

    std::string path_, folder_;
    Deduplicate deduplicate_;
    std::optional<RecordWriter> sentences_;
    std::optional<FrameWriter> documents_, words_, fingerprints_;
    std::vector<std::unique_ptr<Uses>> uses_;
    std::uint64_t next_document_ = 0;
    Packer record_;
};

// The name of each document that has sentences, ascending.
class PartDocuments {
  public:
    explicit PartDocuments(const std::string& folder) : documents_(folder + "/documents") {}

    // Numbers ascend from call to call.
    [[nodiscard]] const std::string& name_of(std::uint64_t document);

  private:
    FrameReader documents_;
    std::optional<std::uint64_t> number_;
    std::string name_;
};

// A sentence of a part, for the plan.
class PartSentences {
  public:
    explicit PartSentences(const std::string& folder) : records_(folder + "/sentences"), documents_(folder) {}

    // Stays until the next call; numbers, of the part, ascend from call to call.
    [[nodiscard]] CompactBlock::Sentence read(std::uint64_t number);

  private:
    RecordReader records_;
    PartDocuments documents_;
    std::vector<std::int32_t> tokens_;
    std::vector<CompactBlock::Word> words_;
};

class PartFingerprints {
  public:
    explicit PartFingerprints(const std::string& folder) : file_(folder + "/fingerprints") {}

    // False at the end.
    [[nodiscard]] bool next(PartFingerprint& sentence);

  private:
    FrameReader file_;
};

// Of one log, sentence by sentence.
class PartUses {
  public:
    PartUses(const std::string& folder, std::size_t log);

    struct Place {
        std::uint32_t id = 0;
        std::uint32_t begin = 0;
    };
    // False at the end.
    [[nodiscard]] bool next();
    [[nodiscard]] std::uint64_t sentence() const { return sentence_; }
    [[nodiscard]] std::uint64_t document() const { return document_; }
    [[nodiscard]] const std::vector<Place>& places() const { return places_; }

  private:
    FrameReader file_;
    std::uint64_t sentence_ = 0, document_ = 0;
    std::vector<Place> places_;
};

// Throws InputError when the folder holds no part, or it is damaged.
[[nodiscard]] PartFacts read_facts(const std::string& folder);

// Whether every byte of the part is as it was written.
[[nodiscard]] bool is_whole(const std::string& folder);

// Reads this part's files, and writes it to the store's folder. Throws InputError when another part that is there
// belongs to another plan, and as make_plan() does; a part that is there already is left as it is.
void make_plan_part(corpus::Reader& reader, OpeningModel& model, const ExtractOptions& options, PartSummary& summary);

}  // namespace wordbreadth::extraction
