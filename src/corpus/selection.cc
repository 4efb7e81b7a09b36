#include "corpus/selection.h"

#include <algorithm>

#include "corpus/failure.h"

namespace wordbreadth::corpus {

bool is_part_of_speech(std::string_view found, std::string_view wanted) {
    if (wanted.empty() || !found.starts_with(wanted)) return false;
    return found.size() == wanted.size() || found[wanted.size()] == '-';
}

std::optional<std::string_view> type_of(const Sentence& sentence, const Word& word, const Selection& selection) {
    const auto is_it = [&](const std::string& wanted) { return is_part_of_speech(word.part_of_speech, wanted); };
    const auto& wanted = selection.parts_of_speech;
    if (!wanted.empty() && std::ranges::none_of(wanted, is_it)) return std::nullopt;
    if (!selection.by_lemma) return sentence.text.substr(word.begin, word.end - word.begin);
    return word.lemma.empty() ? std::nullopt : std::optional(word.lemma);
}

void require_annotations(const Reader& reader, const Selection& selection) {
    for (const File& file : reader.files()) {
        const Traits& traits = traits_of(file.format);
        const bool lacks_lemmas = selection.by_lemma && !traits.lemmas;
        const bool lacks_parts = !selection.parts_of_speech.empty() && !traits.parts_of_speech;
        if (!lacks_lemmas && !lacks_parts) continue;
        fail(file.path, "is of the format " + std::string(traits.name) + ", which has no " +
                            (lacks_lemmas ? "lemmas" : "parts of speech") +
                            "; expected an annotated corpus (bnc, bccwj, conllu or vertical)");
    }
}

}  // namespace wordbreadth::corpus
