// A corpus, sentence after sentence: one or many files of any format, in a fixed order and in constant memory.
//
// A sentence's number is its identity. The same files give the same sentences under the same numbers in every run, so a
// first pass can choose numbers and a second one take them; whole files are skipped through Place.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/decoder.h"
#include "corpus/source.h"

namespace wordbreadth::corpus {

// The formats that a corpus may have, and which annotations each has.
enum class Format { automatic, text, lines, jsonl, bnc, bccwj, conllu, vertical, dwug, brown };

// Whose parts of speech a format has. Unknown: a file may have any, perhaps the universal ones.
enum class TagSet { unknown, bnc, unidic, brown, dwug };

struct File;
struct Reading;
class FileReader;

struct Traits {
    Format format;
    std::string_view name;  // "conllu"
    bool words;             // the corpus says where its words begin and end
    bool lemmas;
    bool parts_of_speech;
    std::string_view endings;  // of file names, usual for the format: ".xml.txt"
    std::unique_ptr<FileReader> (*open)(const File& file, const Reading& reading);
    bool (*looks_like)(const std::vector<std::string_view>& lines);  // null where that is not seen from lines
    TagSet tags = TagSet::unknown;
};

// In the order in which people read them, automatic first.
[[nodiscard]] std::span<const Traits> all_traits();
[[nodiscard]] const Traits& traits_of(Format format);

// Throws InputError, listing the names, when there is no format of that name. "auto" is one.
[[nodiscard]] Format format_named(std::string_view name);

// Whether the file's name, without a final .gz, has an ending that is usual for the format.
[[nodiscard]] bool has_usual_ending(Format format, std::string_view path);

// The file's name without folders, without a final .gz, and without its ending.
[[nodiscard]] std::string stem_of(std::string_view path);

// What next() gives: sentences, whose words are analysed; or texts, one for each line, record, usage or plain-text
// file, and one for each sentence of an annotated corpus.
enum class Unit { sentence, text };

struct Options {
    Format format = Format::automatic;
    Unit unit = Unit::sentence;
    Decoding decoding = {};       // of files without a byte order mark, which overrides it; XML declares its own
    std::string spool_near = {};  // standard input is copied to a file beside this one, or in TMPDIR
    std::stop_token stop = {};    // also noticed while standard input is copied
};

// A word that the corpus itself has marked: text[begin, end), in bytes.
struct Word {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::string_view lemma;  // empty where the corpus has none; likewise the part of speech
    std::string_view part_of_speech;
};

// The start of a file, with the numbers that its first sentence and document have.
struct Place {
    std::uint64_t file = 0;
    std::uint64_t sentence = 0;
    std::uint64_t document = 0;
};

struct Sentence {
    std::uint64_t number = 0;    // 0, 1, 2, ... through the whole corpus
    std::uint64_t document = 0;  // likewise; a document may be without sentences
    std::string_view document_name;
    std::string_view text;        // UTF-8 without NUL, not empty, no white space at its ends
    std::string_view label;       // of Unit::text: which cloud the text belongs to
    std::span<const Word> words;  // in order, not overlapping; none where the corpus is plain text
    std::optional<Word> usage;    // that the corpus points at (dwug): nothing else in the sentence is asked for
    TagSet tags = TagSet::unknown;
    Place file;  // that it comes from
};

struct File {
    std::string path;
    Format format = Format::text;             // never automatic
    std::uint64_t bytes = 0;                  // on disk
    std::string label;                        // for the formats that have no labels of their own
    Decoding decoding = {};                   // as its byte order mark says, if it has one
    std::shared_ptr<const Spool> spool = {};  // of standard input
};

struct Skipped {
    std::string path;
    std::string reason;
};

struct Progress {
    std::uint64_t bytes = 0;  // on disk, so that it grows evenly with compressed files too
    std::uint64_t total = 0;
};

class Splitter;

class Reader {
  public:
    Reader(std::vector<File> files, std::vector<Skipped> skipped, Unit unit);
    Reader(Reader&&) noexcept;
    Reader& operator=(Reader&&) noexcept;
    ~Reader();

    // Puts the next sentence into `sentence`; false at the end of the corpus. What it points at stays until the next
    // call of next() or go_to(). Throws InputError, with file and line, when a file is malformed, truncated or not in
    // its encoding.
    [[nodiscard]] bool next(Sentence& sentence);

    // Of the file that the last sentence came from.
    [[nodiscard]] Place place() const { return place_; }

    // The next sentence is the first of that file. `place` is one that place() gave, for the same files.
    void go_to(const Place& place);

    // Reads only the files from `first` up to `end`, before anything is read. Sentences and documents are numbered from
    // 0; files keep their numbers.
    void limit_to(std::uint64_t first, std::uint64_t end);

    // In the order of reading.
    [[nodiscard]] const std::vector<File>& files() const { return files_; }

    // What was found in the given folders and is not read, and why.
    [[nodiscard]] const std::vector<Skipped>& skipped() const { return skipped_; }

    [[nodiscard]] Progress progress() const;

    // Of the files that were read to their end, each counted once however often that was.
    [[nodiscard]] const InvalidText& invalid() const { return invalid_; }

    // Met so far.
    [[nodiscard]] std::uint64_t sentences() const { return sentences_; }
    [[nodiscard]] std::uint64_t documents() const;

  private:
    void close_file();

    std::vector<File> files_;
    std::vector<Skipped> skipped_;
    Unit unit_;
    std::uint64_t total_bytes_ = 0;
    Place place_;
    std::uint64_t sentences_ = 0;
    std::uint64_t bytes_before_ = 0;  // of the files before place_.file
    InvalidText invalid_;
    std::uint64_t files_counted_ = 0;  // the file that comes after those in invalid_
    std::uint64_t end_ = 0;            // the file that is not read any more
    std::unique_ptr<Splitter> splitter_;
    std::unique_ptr<FileReader> current_;
};

// Opens files, and folders with everything below them, in the order given; a folder's files come sorted by their
// names, byte by byte. Plain or gzip, as each file's first bytes say. "-" is standard input.
//
// Format::automatic looks into every file. A folder then holds one format; plain text beside it (a licence, a README)
// is skipped and reported, as is all that is not text. With a named format, a folder's files are those with the usual
// ending where there are any, else all. Hidden files are skipped.
//
// Throws InputError when a path does not exist, is neither a file nor a folder, is named twice, or holds nothing that
// can be read; when a folder mixes formats; and when XML is to be decoded otherwise than it declares.
[[nodiscard]] Reader open_corpus(std::span<const std::string> paths, const Options& options = {});

// Which words of an annotated corpus are asked for, and what they count as.
struct Selection {
    bool by_lemma = false;                     // a word counts as its lemma, not as it is written
    std::vector<std::string> parts_of_speech;  // any of these, universal or the corpus's own; none: all words
};

// The universal part of speech (UPOS) of a tag; empty where the tag does not tell.
[[nodiscard]] std::string_view universal_tag(TagSet tags, std::string_view tag);
[[nodiscard]] bool is_universal_tag(std::string_view tag);

// Whether `found` is the part of speech `wanted`, or a finer one of it: "nn-tl" is an "nn", "名詞-普通名詞-一般" a
// "名詞". With its tag set, also whether that is its universal part of speech: "SUBST" is a "NOUN".
[[nodiscard]] bool is_part_of_speech(std::string_view found, std::string_view wanted);
[[nodiscard]] bool is_part_of_speech(std::string_view found, std::string_view wanted, TagSet tags);

// What the word counts as; nothing when it is not asked for, or its lemma is not known but needed.
[[nodiscard]] std::optional<std::string_view> type_of(const Sentence& sentence, const Word& word,
                                                      const Selection& selection);

// Throws InputError, naming a file, when the selection asks for annotations that its format lacks.
void require_annotations(const Reader& reader, const Selection& selection);

}  // namespace wordbreadth::corpus
