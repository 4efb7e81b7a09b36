// How many senses a word has in WordNet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace wordbreadth {

// Synsets by part of speech.
struct Senses {
    std::size_t noun = 0;
    std::size_t verb = 0;
    std::size_t adjective = 0;
    std::size_t adverb = 0;

    [[nodiscard]] std::size_t all() const { return noun + verb + adjective + adverb; }
    bool operator==(const Senses&) const = default;
};

// WordNet 3.0, another version in the same files, or a wordnet of another language. Immutable: threads may share it.
class WordNet {
  public:
    // Where Debian's wordnet-base puts it.
    static constexpr const char* debian_folder = "/usr/share/wordnet";

    // Of a folder, reads index.{noun,verb,adj,adv}, {noun,verb,adj,adv}.exc and, if it is there, cntlist.rev. A file is
    // a wordnet of another language: LMF (XML), or a table of synsets and words with tabs between them, such as the
    // Japanese WordNet's or one of the Open Multilingual Wordnet; plain or gzip. Throws InputError when a file is
    // missing or malformed.
    explicit WordNet(const std::string& path = debian_folder);
    WordNet(WordNet&&) noexcept;
    WordNet& operator=(WordNet&&) noexcept;
    ~WordNet();

    // The senses that `wn WORD -over` counts. In each part of speech those of the word itself and those of its base
    // forms, added up: "saw" has the senses of the noun and the verb saw, and of the verb see. A synset that belongs to
    // two of them counts twice, as in wn ("installed" is a form of both install and instal); one that belongs to two
    // spellings of the same collocation once.
    //
    // In a wordnet of another language words are looked up as they are written, and no base forms are known.
    //
    // Capitals (of ASCII) equal small letters, spaces underscores, and text from a "(" on, WordNet's mark of some
    // adjectives, is ignored. A word that is not in WordNet has no senses.
    [[nodiscard]] Senses senses(std::string_view word) const;

    // Whether the word itself has senses, and not only its base forms.
    [[nodiscard]] bool has_lemma(std::string_view word) const;

    // How often senses() of the word are tagged in the texts that WordNet comes with (cntlist.rev), those that are, in
    // no particular order. Empty where the wordnet has no such file.
    [[nodiscard]] std::vector<std::uint64_t> tagged(std::string_view word) const;

  private:
    struct Contents;
    std::unique_ptr<Contents> contents_;
};

}  // namespace wordbreadth
