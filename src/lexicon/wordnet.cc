#include "lexicon/wordnet.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/failure.h"
#include "lexicon/morphology.h"

namespace wordbreadth::lexicon {

namespace {

const std::string& require_folder(const std::string& folder) {
    std::error_code error;
    if (std::filesystem::is_directory(folder, error)) return folder;
    base::fail(folder,
               std::filesystem::exists(folder, error)
                   ? "is not a folder; expected the one of WordNet's files, such as index.noun"
                   : "no such folder; install Debian's package wordnet-base, or name the folder of WordNet's files");
}

// As WordNet writes its lemmas.
std::string folded(std::string_view word) {
    std::string form = base::ascii_lower(word.substr(0, word.find('(')));
    std::ranges::replace(form, ' ', '_');
    return form;
}

}  // namespace

WordNet::WordNet(const std::string& folder)
    : parts_{Dictionary(require_folder(folder), PartOfSpeech::noun), Dictionary(folder, PartOfSpeech::verb),
             Dictionary(folder, PartOfSpeech::adjective), Dictionary(folder, PartOfSpeech::adverb)} {}

Senses WordNet::senses(std::string_view word) const {
    const std::string form = folded(word);
    return {.noun = count(parts_[0], form),
            .verb = count(parts_[1], form),
            .adjective = count(parts_[2], form),
            .adverb = count(parts_[3], form)};
}

std::size_t WordNet::count(const Dictionary& part, std::string_view form) const {
    std::size_t senses = part.count(form);
    for (const std::string& base : base_forms(part, nouns(), form)) senses += part.count(base);
    return senses;
}

}  // namespace wordbreadth::lexicon
