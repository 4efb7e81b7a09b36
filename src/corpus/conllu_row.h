// One word line of a CoNLL-U file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wordbreadth::corpus {

struct ConlluRow {
    enum class Kind { word, range, empty_node };  // 3, 3-4, 3.1

    Kind kind = Kind::word;
    std::uint32_t first = 0;  // its number
    std::uint32_t last = 0;   // of a range; else as `first`
    std::string_view form;
    std::string_view lemma;  // empty where the file has none; likewise the part of speech
    std::string_view part_of_speech;
    bool space_after = true;
};

// Throws InputError, with path and line, when the line does not have ten fields or its first is no ID.
// `fields` is only there to be used again.
[[nodiscard]] ConlluRow parse_conllu_row(const std::string& path, std::uint64_t line, std::string_view text,
                                         std::vector<std::string_view>& fields);

}  // namespace wordbreadth::corpus
