// What the tests of the lexicon share: a little WordNet of made-up entries, and folders to change it in.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "lexicon/wordnet.h"
#include "store/temporary_file.h"
#include "wordbreadth/error.h"

namespace wordbreadth::lexicon {

inline const std::string little_wordnet = std::string(TESTS_DIR) + "/data/wordnet";

inline std::string content_of(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

// A copy of the little WordNet, gone when the test is over.
class TemporaryWordNet {
  public:
    TemporaryWordNet() : place_(".wordnet", {}) {
        std::filesystem::remove(place_.path());
        std::filesystem::copy(little_wordnet, folder());
    }
    TemporaryWordNet(const TemporaryWordNet&) = delete;
    TemporaryWordNet& operator=(const TemporaryWordNet&) = delete;
    ~TemporaryWordNet() {
        std::error_code ignored;
        std::filesystem::remove_all(folder(), ignored);
    }

    [[nodiscard]] const std::string& folder() const { return place_.path(); }
    [[nodiscard]] std::string path(const std::string& name) const { return folder() + "/" + name; }

    void write(const std::string& name, std::string_view content) const {
        std::filesystem::remove(path(name));
        std::ofstream(path(name), std::ios::binary).write(content.data(), std::ssize(content));
    }

    // The message of the InputError that reading it throws, or "no error".
    [[nodiscard]] std::string error() const {
        try {
            const WordNet wordnet(folder());
        } catch (const InputError& error) {
            return error.what();
        }
        return "no error";
    }

  private:
    TemporaryFile place_;  // for its name
};

inline void PrintTo(const Senses& senses, std::ostream* out) {
    *out << senses.noun << " noun, " << senses.verb << " verb, " << senses.adjective << " adj, " << senses.adverb
         << " adv";
}

}  // namespace wordbreadth::lexicon
