// What the tests of the corpora share: fixtures, sentences that outlive the reader, errors as text.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "corpus/corpus.h"
#include "support/errors.h"
#include "support/temporary.h"

namespace wordbreadth::corpus {

inline std::string fixture(const std::string& name) {
    return std::string(TESTS_DIR) + "/data/corpora/" + name;
}

inline std::string good(const std::string& name) {
    return fixture("good/" + name);
}

struct Copy {
    std::uint64_t number = 0;
    std::uint64_t document = 0;
    std::string document_name;
    std::string text;
    std::string label;
    std::vector<std::string> words;  // "surface|lemma|part of speech"
    std::string usage;               // the text it points at
};

inline Copy copy_of(const Sentence& sentence) {
    Copy copy{sentence.number,
              sentence.document,
              std::string(sentence.document_name),
              std::string(sentence.text),
              std::string(sentence.label),
              {},
              {}};
    for (const Word& word : sentence.words) {
        copy.words.push_back(std::string(sentence.text.substr(word.begin, word.end - word.begin))
                                 .append("|")
                                 .append(word.lemma)
                                 .append("|")
                                 .append(word.part_of_speech));
    }
    if (sentence.usage)
        copy.usage = sentence.text.substr(sentence.usage->begin, sentence.usage->end - sentence.usage->begin);
    return copy;
}

inline std::vector<Copy> read_all(const std::vector<std::string>& paths, const Options& options = {}) {
    Reader reader = open_corpus(paths, options);
    std::vector<Copy> copies;
    for (Sentence sentence; reader.next(sentence);) copies.push_back(copy_of(sentence));
    return copies;
}

inline std::vector<std::string> texts_of(const std::vector<Copy>& copies) {
    std::vector<std::string> texts;
    for (const Copy& copy : copies) texts.push_back(copy.text);
    return texts;
}

// The sentences of a file with that content.
inline std::vector<Copy> read_content(std::string_view content, Format format, Unit unit = Unit::sentence) {
    const TemporaryFile file(".corpus", content);
    return read_all({file.path()}, {format, unit});
}

}  // namespace wordbreadth::corpus
