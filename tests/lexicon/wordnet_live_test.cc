// The same counts as the wn program, running beside us, for 1,000 words of every kind. Seeded, so that a failure comes
// back.
#include <algorithm>
#include <random>
#include <set>

#include "lexicon/wn.h"

namespace wordbreadth::lexicon {
namespace {

const std::string folder = WordNet::debian_folder;

// The first fields of a file, but for WordNet's licence.
void append_entries(const std::string& name, std::vector<std::string>& entries) {
    std::ifstream stream(folder + "/" + name);
    for (std::string line; std::getline(stream, line);) {
        if (!line.starts_with(' ')) entries.push_back(line.substr(0, line.find(' ')));
    }
}

std::vector<std::string> entries_of(const std::vector<std::string>& names) {
    std::vector<std::string> entries;
    for (const std::string& name : names) append_entries(name, entries);
    return entries;
}

class Sample {
  public:
    std::vector<std::string> draw(std::size_t count) {
        std::set<std::string> words;
        while (words.size() < count) words.insert(word());
        words.erase("involucra");  // has two lines in noun.exc, of which wn happens to see the second
        return {words.begin(), words.end()};
    }

  private:
    std::size_t below(std::size_t bound) { return random_() % bound; }

    template <typename List>
    const auto& one_of(const List& list) {
        return list[below(std::size(list))];
    }

    std::string word() {
        switch (below(8)) {
            case 0:
                return one_of(irregular_);
            case 1:
                return inflected(one_of(lemmas_));
            case 2:
                return inflected_verb(one_of(phrases_));
            case 3:
                return respelled(one_of(lemmas_));
            case 4:
                return respelled(inflected(one_of(lemmas_)));
            case 5:
                return capitals(one_of(lemmas_));
            case 6:
                return nonsense();
            default:
                return one_of(lemmas_);
        }
    }

    std::string inflected(std::string lemma) {
        constexpr std::string_view suffixes[] = {"s", "es", "ies", "ed", "ing", "er", "est", "ful", "sful", "men"};
        const std::string_view suffix = one_of(suffixes);
        const bool drops_last = (lemma.back() == 'e' && suffix[0] == 'e') || (lemma.back() == 'y' && suffix == "ies") ||
                                (lemma.back() == 'e' && suffix == "ing");
        if (drops_last) lemma.pop_back();
        return lemma.append(suffix);
    }

    std::string inflected_verb(const std::string& phrase) {
        const std::size_t space = phrase.find('_');
        return inflected(phrase.substr(0, space)) + phrase.substr(space) + (below(3) == 0 ? "s" : "");
    }

    std::string respelled(std::string text) {
        for (char& c : text) {
            if (c == '_' || c == '-') c = one_of(std::string_view("_- "));
        }
        return text;
    }

    std::string capitals(std::string text) {
        const bool all = below(2) == 0;
        for (std::size_t i = 0; i < (all ? text.size() : 1); ++i) {
            if (text[i] >= 'a' && text[i] <= 'z') text[i] = static_cast<char>(text[i] - 'a' + 'A');
        }
        return text;
    }

    std::string nonsense() {
        std::string text(1, one_of(std::string_view("abcdefghijklmnopqrstuvwxyz")));
        for (std::size_t i = below(7); i > 0; --i) text += one_of(std::string_view("abcdefghijklmnopqrstuvwxyz-.'"));
        return text;
    }

    std::mt19937 random_{6};
    std::vector<std::string> lemmas_ = entries_of({"index.noun", "index.verb", "index.verb", "index.adj", "index.adv"});
    std::vector<std::string> irregular_ = entries_of({"noun.exc", "verb.exc", "adj.exc", "adv.exc"});
    std::vector<std::string> phrases_ = phrases();

    static std::vector<std::string> phrases() {
        auto verbs = entries_of({"index.verb"});
        std::erase_if(verbs, [](const std::string& verb) { return verb.find('_') == std::string::npos; });
        return verbs;
    }
};

TEST(WordNetLive, CountsAreThoseOfTheWnProgramForAThousandWords) {
    const auto words = Sample().draw(1001);
    const auto answers = ask_wn(words);
    ASSERT_EQ(answers.size(), words.size()) << "is Debian's package wordnet installed?";
    ASSERT_GE(words.size(), 1000U);
    const WordNet wordnet;
    std::size_t known = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const Senses senses = wordnet.senses(words[i]);
        EXPECT_EQ(senses, answers[i].senses) << words[i];
        EXPECT_EQ(senses.all() % 256, static_cast<std::size_t>(answers[i].status)) << words[i];
        known += senses.all() > 0 ? 1 : 0;
    }
    EXPECT_GT(known, words.size() / 2);  // else the words do not reach what is compared
}

}  // namespace
}  // namespace wordbreadth::lexicon
