// What a store knows of its words.
#pragma once

#include <cstdint>
#include <string>

namespace wordbreadth::store {

struct StoredWord {
    std::string word;             // of texts (ExtractUnit::text), their label
    std::uint64_t frequency = 0;  // occurrences in the corpus
    std::uint64_t usable = 0;     // of these, the ones that could have become rows
    std::uint64_t rows = 0;       // of the cloud: a uniform sample of the usable ones
};

// A word that was asked for and has no cloud.
struct MissingWord {
    std::string word;
    std::uint64_t frequency = 0;  // as of a StoredWord
    std::uint64_t usable = 0;
    std::string reason;  // for people: "too rare: 12 usable of 40 needed"

    friend bool operator==(const MissingWord&, const MissingWord&) = default;
};

// Where a row comes from.
struct Occurrence {
    std::uint64_t row = 0;
    std::string document;
    std::uint64_t sentence = 0;  // its number in the corpus
    std::string text;            // of the sentence
    std::uint64_t start = 0;     // in characters of the text
    std::uint64_t end = 0;
};

// A file of the corpus.
struct SourceFile {
    std::string path;
    std::string format;
    std::uint64_t bytes = 0;
};

struct SkippedOccurrences {
    std::string reason;
    std::uint64_t count = 0;
};

}  // namespace wordbreadth::store
