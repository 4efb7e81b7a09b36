// From the tags of a corpus to the universal parts of speech (UPOS).
#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "base/strings.h"
#include "corpus/corpus.h"

namespace wordbreadth::corpus {
namespace {

struct Entry {
    std::string_view tag;
    std::string_view universal;
};

// The attribute pos of <w>, and c5 of <c>. Nouns include names, verbs auxiliaries and adjectives numerals; which kind a
// conjunction is, it does not say. What has the same name in both stands for itself.
constexpr std::array bnc = std::to_array<Entry>({{"SUBST", "NOUN"},
                                                 {"VERB", "VERB"},
                                                 {"ADJ", "ADJ"},
                                                 {"ADV", "ADV"},
                                                 {"PRON", "PRON"},
                                                 {"ART", "DET"},
                                                 {"PREP", "ADP"},
                                                 {"INTERJ", "INTJ"},
                                                 {"UNC", "X"},
                                                 {"PUN", "PUNCT"},
                                                 {"PUL", "PUNCT"},
                                                 {"PUR", "PUNCT"},
                                                 {"PUQ", "PUNCT"}});

// UniDic's, from the particular to the general: the first that a tag is, or is a kind of, holds. As in the Japanese
// treebanks of Universal Dependencies, but for what these decide by syntax.
constexpr std::array unidic = std::to_array<Entry>({{"名詞-固有名詞", "PROPN"},
                                                    {"名詞-数詞", "NUM"},
                                                    {"名詞", "NOUN"},
                                                    {"代名詞", "PRON"},
                                                    {"動詞", "VERB"},
                                                    {"形容詞", "ADJ"},
                                                    {"形状詞", "ADJ"},
                                                    {"副詞", "ADV"},
                                                    {"連体詞", "DET"},
                                                    {"接続詞", "CCONJ"},
                                                    {"感動詞", "INTJ"},
                                                    {"助動詞", "AUX"},
                                                    {"助詞-接続助詞", "SCONJ"},
                                                    {"助詞-準体助詞", "SCONJ"},
                                                    {"助詞-終助詞", "PART"},
                                                    {"助詞", "ADP"},
                                                    {"接頭辞", "NOUN"},
                                                    {"接尾辞-動詞的", "VERB"},
                                                    {"接尾辞-形容詞的", "ADJ"},
                                                    {"接尾辞-形状詞的", "ADJ"},
                                                    {"接尾辞", "NOUN"},
                                                    {"補助記号", "PUNCT"},
                                                    {"記号", "SYM"},
                                                    {"空白", "X"}});

// The Brown corpus's, in lower case and without what follows -, + and $. Forms of "do" and "have" count as verbs and
// those of "be" as auxiliaries, whatever they are in their sentence.
constexpr std::array brown = std::to_array<Entry>(
    {{"nn", "NOUN"},  {"nns", "NOUN"}, {"nr", "NOUN"},   {"nrs", "NOUN"}, {"np", "PROPN"}, {"nps", "PROPN"},
     {"vb", "VERB"},  {"vbd", "VERB"}, {"vbg", "VERB"},  {"vbn", "VERB"}, {"vbz", "VERB"}, {"do", "VERB"},
     {"dod", "VERB"}, {"doz", "VERB"}, {"hv", "VERB"},   {"hvd", "VERB"}, {"hvg", "VERB"}, {"hvn", "VERB"},
     {"hvz", "VERB"}, {"be", "AUX"},   {"bed", "AUX"},   {"bedz", "AUX"}, {"beg", "AUX"},  {"bem", "AUX"},
     {"ben", "AUX"},  {"ber", "AUX"},  {"bez", "AUX"},   {"md", "AUX"},   {"jj", "ADJ"},   {"jjr", "ADJ"},
     {"jjs", "ADJ"},  {"jjt", "ADJ"},  {"od", "ADJ"},    {"rb", "ADV"},   {"rbr", "ADV"},  {"rbt", "ADV"},
     {"rn", "ADV"},   {"ql", "ADV"},   {"qlp", "ADV"},   {"wrb", "ADV"},  {"wql", "ADV"},  {"in", "ADP"},
     {"rp", "ADP"},   {"at", "DET"},   {"ap", "DET"},    {"abl", "DET"},  {"abn", "DET"},  {"abx", "DET"},
     {"dt", "DET"},   {"dti", "DET"},  {"dts", "DET"},   {"dtx", "DET"},  {"wdt", "DET"},  {"cc", "CCONJ"},
     {"cs", "SCONJ"}, {"cd", "NUM"},   {"pn", "PRON"},   {"pp", "PRON"},  {"ppl", "PRON"}, {"ppls", "PRON"},
     {"ppo", "PRON"}, {"pps", "PRON"}, {"ppss", "PRON"}, {"wp", "PRON"},  {"wpo", "PRON"}, {"wps", "PRON"},
     {"ex", "PRON"},  {"to", "PART"},  {"*", "PART"},    {"uh", "INTJ"},  {"fw", "X"},     {"nil", "X"},
     {".", "PUNCT"},  {",", "PUNCT"},  {":", "PUNCT"},   {"--", "PUNCT"}, {"(", "PUNCT"},  {")", "PUNCT"},
     {"``", "PUNCT"}, {"''", "PUNCT"}, {"'", "PUNCT"}});

// What the releases of word usage graphs have in their column pos, in lower case.
constexpr std::array dwug = std::to_array<Entry>({{"nn", "NOUN"},
                                                  {"n", "NOUN"},
                                                  {"noun", "NOUN"},
                                                  {"vb", "VERB"},
                                                  {"v", "VERB"},
                                                  {"verb", "VERB"},
                                                  {"jj", "ADJ"},
                                                  {"a", "ADJ"},
                                                  {"adj", "ADJ"},
                                                  {"rb", "ADV"},
                                                  {"adv", "ADV"}});

constexpr std::array<std::string_view, 17> universal_tags{"ADJ",   "ADP",   "ADV", "AUX",  "CCONJ", "DET",
                                                          "INTJ",  "NOUN",  "NUM", "PART", "PRON",  "PROPN",
                                                          "PUNCT", "SCONJ", "SYM", "VERB", "X"};

std::string_view found_in(std::span<const Entry> table, std::string_view tag) {
    const auto is_it = [&](const Entry& entry) { return is_part_of_speech(tag, entry.tag); };
    const auto entry = std::ranges::find_if(table, is_it);
    return entry == table.end() ? std::string_view() : entry->universal;
}

// "NN-TL", "nn$", "pps+bez": the tag of the word, or of the first of those that are written as one.
std::string_view universal_of_brown(std::string_view tag) {
    std::string head = base::ascii_lower(tag);
    if (head != "--") head = head.substr(0, head.find_first_of("-+$", 1));
    if (head.size() > 1 && head.ends_with('*')) head.pop_back();
    return found_in(brown, head);
}

}  // namespace

bool is_universal_tag(std::string_view tag) {
    return std::ranges::find(universal_tags, tag) != universal_tags.end();
}

std::string_view universal_tag(TagSet tags, std::string_view tag) {
    switch (tags) {
        case TagSet::bnc:
            return found_in(bnc, tag);
        case TagSet::unidic:
            return found_in(unidic, tag);
        case TagSet::brown:
            return universal_of_brown(tag);
        case TagSet::dwug:
            return found_in(dwug, base::ascii_lower(tag));
        case TagSet::unknown:
            break;
    }
    return is_universal_tag(tag) ? tag : std::string_view();
}

bool is_part_of_speech(std::string_view found, std::string_view wanted) {
    if (wanted.empty() || !found.starts_with(wanted)) return false;
    return found.size() == wanted.size() || found[wanted.size()] == '-';
}

bool is_part_of_speech(std::string_view found, std::string_view wanted, TagSet tags) {
    return is_part_of_speech(found, wanted) ||
           (!found.empty() && !wanted.empty() && universal_tag(tags, found) == wanted);
}

}  // namespace wordbreadth::corpus
