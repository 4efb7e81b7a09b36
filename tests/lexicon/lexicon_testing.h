// What the tests of the lexicon share: a little WordNet of made-up entries, and folders to change it in.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "support/errors.h"
#include "support/temporary.h"
#include "wordbreadth/lexicon.h"

namespace wordbreadth::lexicon {

inline const std::string little_wordnet = std::string(TESTS_DIR) + "/data/wordnet";

// A copy of the little WordNet, gone when the test is over.
class TemporaryWordNet {
  public:
    TemporaryWordNet() { std::filesystem::copy(little_wordnet, folder()); }

    [[nodiscard]] const std::string& folder() const { return place_.path(); }
    [[nodiscard]] std::string path(const std::string& name) const { return folder() + "/" + name; }

    void write(const std::string& name, std::string_view content) const { place_.add(name, content); }

    // The message of the InputError that reading it throws, or "no error".
    [[nodiscard]] std::string error() const {
        return error_of([&] { const WordNet wordnet(folder()); });
    }

  private:
    TemporaryFolder place_;
};

inline void PrintTo(const Senses& senses, std::ostream* out) {
    *out << senses.noun << " noun, " << senses.verb << " verb, " << senses.adjective << " adj, " << senses.adverb
         << " adv";
}

}  // namespace wordbreadth::lexicon
