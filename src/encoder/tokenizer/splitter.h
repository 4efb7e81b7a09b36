// What cuts text into the words that a model makes tokens of.
#pragma once

#include <vector>

#include "encoder/tokenizer/characters.h"

namespace wordbreadth::encoder::tokenizer {

class Splitter {
  public:
    Splitter() = default;
    Splitter(const Splitter&) = delete;
    Splitter& operator=(const Splitter&) = delete;
    virtual ~Splitter() = default;

    // Writes the words of `text` into `words`, in order, none empty. May change the text first; the words are parts of
    // what it leaves. Any number of threads may call it.
    virtual void split(Characters& text, std::vector<Range>& words) const = 0;
};

// At white space, which goes, and around every punctuation character.
class BertSplitter : public Splitter {
  public:
    void split(Characters& text, std::vector<Range>& words) const override;
};

struct ByteLevelOptions {
    bool add_prefix_space = false;  // where the text does not begin with one
    bool use_regex = true;          // else a text is one word
};

// GPT-2's: the words keep the space before them.
class ByteLevelSplitter : public Splitter {
  public:
    explicit ByteLevelSplitter(ByteLevelOptions options) : options_(options) {}
    void split(Characters& text, std::vector<Range>& words) const override;

  private:
    ByteLevelOptions options_;
};

}  // namespace wordbreadth::encoder::tokenizer
