// The formats that a corpus may have, and which annotations each has.
#pragma once

#include <string>
#include <string_view>

namespace wordbreadth::corpus {

enum class Format { automatic, text, lines, jsonl, bnc, bccwj, conllu, vertical, dwug, brown };

struct Traits {
    Format format;
    std::string_view name;  // as on the command line
    bool words;             // the corpus says where its words begin and end
    bool lemmas;
    bool parts_of_speech;
    std::string_view endings;  // of file names, usual for the format: ".xml.txt"
};

[[nodiscard]] const Traits& traits_of(Format format);

// Throws InputError, listing the names, when there is no format of that name. "auto" is one.
[[nodiscard]] Format format_named(std::string_view name);

// Whether the file's name, without a final .gz, has an ending that is usual for the format.
[[nodiscard]] bool has_usual_ending(Format format, std::string_view path);

// The file's name without folders, without a final .gz, and without its ending.
[[nodiscard]] std::string stem_of(std::string_view path);

}  // namespace wordbreadth::corpus
