// Japanese words, as MeCab finds them with a dictionary of the user's.
#pragma once

#include <memory>
#include <string>

#include "encoder/tokenizer/splitter.h"

namespace wordbreadth::encoder::tokenizer {

// White space goes. Reads the dictionary once; the words are those of Python's fugashi with the same dictionary.
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
