// One part of speech of WordNet, looked up in every spelling of a collocation.
#pragma once

#include <string>
#include <string_view>

#include "lexicon/exceptions.h"
#include "lexicon/index.h"
#include "lexicon/part_of_speech.h"

namespace wordbreadth::lexicon {

class Dictionary {
  public:
    // Throws InputError when a file is missing or bad.
    Dictionary(const std::string& folder, PartOfSpeech part);

    [[nodiscard]] PartOfSpeech part() const { return part_; }
    [[nodiscard]] const Exceptions& exceptions() const { return exceptions_; }

    // How many synsets a form has, written as it is, with - for _, with _ for -, without both, or without full stops:
    // "hot-dog" finds hot_dog, hot-dog and hotdog. A synset that several spellings share counts once.
    [[nodiscard]] std::size_t count(std::string_view form) const;

    [[nodiscard]] bool has(std::string_view form) const { return count(form) > 0; }

  private:
    PartOfSpeech part_;
    Index index_;
    Exceptions exceptions_;
};

}  // namespace wordbreadth::lexicon
