// What cuts text into the words that a model makes tokens of.
#pragma once

#include <memory>
#include <string>
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

// Japanese words, as MeCab finds them with a dictionary of the user's. White space goes. Reads the dictionary once; the
// words are those of Python's fugashi with the same dictionary.
class MecabSplitter : public Splitter {
  public:
    // `dictionary` is a folder with a compiled UTF-8 dictionary (sys.dic, matrix.bin, char.bin, unk.dic, dicrc), such
    // as the dicdir of unidic-lite. Words are made lower case when `lowercase`. Throws InputError when there is no
    // such dictionary or MeCab refuses it.
    MecabSplitter(const std::string& dictionary, bool lowercase);
    ~MecabSplitter() override;

    void split(Characters& text, std::vector<Range>& words) const override;

  private:
    class Mecab;
    std::unique_ptr<const Mecab> mecab_;
    bool lowercase_;
};

}  // namespace wordbreadth::encoder::tokenizer
