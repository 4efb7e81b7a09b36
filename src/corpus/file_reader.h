// What the readers of the formats have in common.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/failure.h"
#include "corpus/corpus.h"
#include "corpus/decoder.h"
#include "corpus/plain_text.h"
#include "corpus/source.h"

namespace wordbreadth::corpus {

using base::count_of;
using base::fail;
using base::fail_at;
using base::in_quotes;

class FileReader {
  public:
    FileReader(const FileReader&) = delete;
    FileReader& operator=(const FileReader&) = delete;
    virtual ~FileReader() = default;

    // As Reader::next(), for one file: numbers of documents start at 0, sentences are not numbered.
    [[nodiscard]] bool next(Sentence& sentence);

    [[nodiscard]] std::uint64_t documents() const { return documents_; }

    // Bytes of the file on disk that were read so far.
    [[nodiscard]] std::uint64_t consumed() const { return source_.consumed(); }

    // So far.
    [[nodiscard]] const InvalidText& invalid() const { return text_.invalid(); }

  protected:
    explicit FileReader(const File& file)
        : spool_(file.spool), source_(file.path, spool_.get()), text_(source_, file.decoding), label_(file.label) {}

    // Fills text and words, and what else the format has. A label left empty becomes the name of the document.
    virtual bool read(Sentence& sentence) = 0;

    void start_document(std::string_view name);

    // The bytes of the file; the same as UTF-8.
    [[nodiscard]] base::Bytes& source() { return source_; }
    [[nodiscard]] base::Bytes& text() { return text_; }
    [[nodiscard]] const std::string& path() const { return source_.where(); }
    [[nodiscard]] const std::string& file_label() const { return label_; }

  private:
    std::shared_ptr<const Spool> spool_;
    Source source_;
    Decoder text_;
    std::string label_;
    std::uint64_t documents_ = 0;
    std::string document_name_;
};

// Puts a sentence together from the words of an annotated corpus.
class SentenceBuilder {
  public:
    void clear();

    // A space before what comes next, unless nothing stands before it.
    void add_space() { space_ = true; }

    // Text that is no word of its own. White space at its ends becomes a space.
    void add_text(std::string_view text);

    // A word that is not empty; white space at its ends becomes a space beside it.
    void add_word(std::string_view surface, std::string_view lemma, std::string_view part_of_speech);

    [[nodiscard]] std::string_view text() const { return text_; }
    [[nodiscard]] bool empty() const { return text_.empty(); }

    // The text is as long as a sentence may become: finish it, and treat the rest as a new one.
    [[nodiscard]] bool full() const;

    // Points `sentence` at what was put together, which stays until clear().
    void finish(Sentence& sentence);

  private:
    struct Annotation {  // in annotations_
        std::size_t begin;
        std::size_t lemma_end;
        std::size_t end;
    };

    std::string text_;
    std::string annotations_;  // lemmas and parts of speech, one after the other
    std::vector<Annotation> of_words_;
    std::vector<Word> words_;
    bool space_ = false;
};

// What the readers of tables and of tagged text share: lines of at most limits::line_bytes, their fields, and the
// sentence that is put together from them.
class LineFormat : public FileReader {
  protected:
    explicit LineFormat(const File& file);

    // Goes to the next line that is not empty and splits it into fields_; false at the end.
    [[nodiscard]] bool next_row();

    // Throws InputError with path and line.
    [[noreturn]] void fail_here(std::string_view what) const;

    LineReader lines_;
    std::vector<std::string_view> fields_;
    SentenceBuilder builder_;
};

// How to read. The splitter is slow to make, and so shared by all files, one after the other.
struct Reading {
    Unit unit;
    Splitter& splitter;
};

// One function per format, which throws InputError when the file cannot be read: text, lines and jsonl in
// plain_formats.cc, brown and vertical in tagged_formats.cc, tables in table_formats.cc, bnc in a file of its own.
[[nodiscard]] std::unique_ptr<FileReader> read_text(const File& file, const Reading& reading);
[[nodiscard]] std::unique_ptr<FileReader> read_lines(const File& file, const Reading& reading);
[[nodiscard]] std::unique_ptr<FileReader> read_jsonl(const File& file, const Reading& reading);
[[nodiscard]] std::unique_ptr<FileReader> read_bnc(const File& file, const Reading& reading);
[[nodiscard]] std::unique_ptr<FileReader> read_bccwj(const File& file, const Reading& reading);
[[nodiscard]] std::unique_ptr<FileReader> read_conllu(const File& file, const Reading& reading);
[[nodiscard]] std::unique_ptr<FileReader> read_vertical(const File& file, const Reading& reading);
[[nodiscard]] std::unique_ptr<FileReader> read_dwug(const File& file, const Reading& reading);
[[nodiscard]] std::unique_ptr<FileReader> read_brown(const File& file, const Reading& reading);

// A line of jsonl.
struct JsonRecord {
    std::string text;
    std::optional<std::string> label;  // a number or a truth value as it is written
    std::optional<std::string> id;     // likewise
};

// Other fields are checked and forgotten. A NUL in a string becomes U+FFFD, since text has none.
// Throws InputError, with path and line, when the line is no such object.
[[nodiscard]] JsonRecord parse_json_record(const std::string& path, std::uint64_t line, std::string_view json);

// Whether the first lines of a file that are not blank, of which there is one at least, are of the format.
using Lines = std::vector<std::string_view>;
[[nodiscard]] bool looks_like_jsonl(const Lines& lines);
[[nodiscard]] bool looks_like_bccwj(const Lines& lines);
[[nodiscard]] bool looks_like_conllu(const Lines& lines);
[[nodiscard]] bool looks_like_vertical(const Lines& lines);
[[nodiscard]] bool looks_like_dwug(const Lines& lines);
[[nodiscard]] bool looks_like_brown(const Lines& lines);

// What a file is, from its first bytes.
enum class Content { corpus, nothing, markup, binary };  // markup: HTML, and XML or JSON of another kind than ours

struct Detected {
    Content content = Content::corpus;
    Format format = Format::automatic;  // of a corpus
    std::string reason;                 // when it is none: why, for a message ("is a PDF file; ...")
    std::string encoding = {};          // as the byte order mark says; else the one that was expected
};

// `start` is the beginning of the file, unpacked and in UTF-8, `whole` whether it is all of it.
[[nodiscard]] Detected detect_format(std::string_view start, bool whole);

// Looks at the first bytes. Throws InputError when they cannot be read or unpacked.
[[nodiscard]] Detected detect_format_of(Source& source, const Decoding& decoding = {});

}  // namespace wordbreadth::corpus
