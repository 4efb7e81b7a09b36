#include "wordbreadth/lexicon.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include "base/failure.h"
#include "lexicon/dictionary.h"
#include "lexicon/morphology.h"

namespace wordbreadth {

namespace {

const std::string& existing(const std::string& folder) {
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

struct WordNet::Files {
    explicit Files(const std::string& folder)
        : parts{lexicon::Dictionary(existing(folder), lexicon::PartOfSpeech::noun),
                lexicon::Dictionary(folder, lexicon::PartOfSpeech::verb),
                lexicon::Dictionary(folder, lexicon::PartOfSpeech::adjective),
                lexicon::Dictionary(folder, lexicon::PartOfSpeech::adverb)} {}

    std::array<lexicon::Dictionary, 4> parts;  // in the order of PartOfSpeech

    [[nodiscard]] std::size_t count(const lexicon::Dictionary& part, std::string_view form) const {
        std::size_t senses = part.count(form);
        for (const std::string& base : lexicon::base_forms(part, parts[0], form)) senses += part.count(base);
        return senses;
    }
};

WordNet::WordNet(const std::string& folder) : files_(std::make_unique<Files>(folder)) {}
WordNet::WordNet(WordNet&&) noexcept = default;
WordNet& WordNet::operator=(WordNet&&) noexcept = default;
WordNet::~WordNet() = default;

Senses WordNet::senses(std::string_view word) const {
    const std::string form = folded(word);
    const auto count = [&](std::size_t part) { return files_->count(files_->parts[part], form); };
    return {.noun = count(0), .verb = count(1), .adjective = count(2), .adverb = count(3)};
}

}  // namespace wordbreadth
