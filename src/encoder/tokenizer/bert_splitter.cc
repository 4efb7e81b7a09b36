#include "encoder/tokenizer/splitter.h"
#include "encoder/tokenizer/unicode.h"

namespace wordbreadth::encoder::tokenizer {

void BertSplitter::split(Characters& text, std::vector<Range>& words) const {
    words.clear();
    std::size_t begin = 0;
    const auto end_word = [&](std::size_t end) {
        if (begin < end) words.push_back({begin, end});
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool space = is_whitespace(text[i].value);
        if (!space && !is_punctuation(text[i].value)) continue;
        end_word(i);
        begin = i + 1;
        if (!space) words.push_back({i, i + 1});
    }
    end_word(text.size());
}

}  // namespace wordbreadth::encoder::tokenizer
