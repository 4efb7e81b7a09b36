// What the readers of the formats have in common: one file, its documents, and where messages say that it is bad.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "corpus/corpus.h"
#include "corpus/decoder.h"
#include "corpus/source.h"
#include "corpus/splitter.h"

namespace wordbreadth::corpus {

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
        : spool_(file.spool), source_(file.path, spool_.get()), text_(source_, file.decoding) {}

    // Fills text and words, and what else the format tells. A label left empty becomes the name of the document.
    virtual bool read(Sentence& sentence) = 0;

    void start_document(std::string_view name);

    // The bytes of the file; the same as UTF-8.
    [[nodiscard]] base::Bytes& source() { return source_; }
    [[nodiscard]] base::Bytes& text() { return text_; }
    [[nodiscard]] const std::string& path() const { return source_.where(); }

  private:
    std::shared_ptr<const Spool> spool_;
    Source source_;
    Decoder text_;
    std::uint64_t documents_ = 0;
    std::string document_name_;
};

// How to read. The splitter is slow to make, and so shared by all files, one after the other.
struct Reading {
    Unit unit;
    Splitter& splitter;
};

// Opens one file in its format. Throws InputError when it cannot be read.
[[nodiscard]] std::unique_ptr<FileReader> read_file(const File& file, const Reading& reading);

// One function a format; the file of that name tells more.
[[nodiscard]] std::unique_ptr<FileReader> read_text(const File& file, const Reading& reading);
[[nodiscard]] std::unique_ptr<FileReader> read_lines(const File& file, const Reading& reading);
[[nodiscard]] std::unique_ptr<FileReader> read_jsonl(const File& file, const Reading& reading);
[[nodiscard]] std::unique_ptr<FileReader> read_bnc(const File& file, const Reading& reading);
[[nodiscard]] std::unique_ptr<FileReader> read_bccwj(const File& file, const Reading& reading);
[[nodiscard]] std::unique_ptr<FileReader> read_conllu(const File& file, const Reading& reading);
[[nodiscard]] std::unique_ptr<FileReader> read_vertical(const File& file, const Reading& reading);
[[nodiscard]] std::unique_ptr<FileReader> read_dwug(const File& file, const Reading& reading);
[[nodiscard]] std::unique_ptr<FileReader> read_brown(const File& file, const Reading& reading);

}  // namespace wordbreadth::corpus
