#include "corpus/file_reader.h"

#include "base/failure.h"

namespace wordbreadth::corpus {

bool FileReader::next(Sentence& sentence) {
    if (!read(sentence)) return false;
    sentence.document = documents_ - 1;
    sentence.document_name = document_name_;
    if (sentence.label.empty()) sentence.label = document_name_;
    return true;
}

void FileReader::start_document(std::string_view name) {
    ++documents_;
    document_name_ = name;
}

std::unique_ptr<FileReader> read_file(const File& file, const Reading& reading) {
    switch (file.format) {
        case Format::text:
            return read_text(file, reading);
        case Format::lines:
            return read_lines(file, reading);
        case Format::jsonl:
            return read_jsonl(file, reading);
        case Format::bnc:
            return read_bnc(file, reading);
        case Format::bccwj:
            return read_bccwj(file, reading);
        case Format::conllu:
            return read_conllu(file, reading);
        case Format::vertical:
            return read_vertical(file, reading);
        case Format::dwug:
            return read_dwug(file, reading);
        case Format::brown:
            return read_brown(file, reading);
        case Format::automatic:
            break;
    }
    base::fail(file.path, "its format was not decided");
}

}  // namespace wordbreadth::corpus
