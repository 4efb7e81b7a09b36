#include "extraction/sentence.h"

namespace wordbreadth::extraction {

void KeptSentence::assign(const corpus::Sentence& sentence, const corpus::Selection& selection) {
    number = sentence.number;
    document = sentence.document;
    text = sentence.text;
    label = sentence.label;
    words.clear();
    words_are_all = !sentence.usage.has_value();
    if (sentence.usage) {
        const corpus::ConcordanceLine& usage = *sentence.usage;
        const corpus::Word word{usage.begin, usage.end, usage.lemma, usage.part_of_speech};
        corpus::Selection by_lemma = selection;
        by_lemma.by_lemma = true;  // a list of usages is one of lemmas
        words.push_back({usage.begin, usage.end, std::string(type_of(sentence, word, by_lemma).value_or(""))});
        return;
    }
    for (const corpus::Word& word : sentence.words) {
        words.push_back({word.begin, word.end, std::string(type_of(sentence, word, selection).value_or(""))});
    }
}

}  // namespace wordbreadth::extraction
