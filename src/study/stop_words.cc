#include "wordbreadth/rank.h"

namespace wordbreadth {

std::span<const std::string_view> english_stop_words() {
    static constexpr std::string_view words[] = {
        "a",          "about",   "above",    "across",   "after",     "again",    "against",    "all",
        "along",      "also",    "although", "am",       "among",     "an",       "and",        "another",
        "any",        "anybody", "anyone",   "anything", "are",       "aren't",   "around",     "as",
        "at",         "be",      "because",  "been",     "before",    "behind",   "being",      "below",
        "beneath",    "beside",  "besides",  "between",  "beyond",    "both",     "but",        "by",
        "can",        "can't",   "cannot",   "could",    "couldn't",  "d",        "did",        "didn't",
        "do",         "does",    "doesn't",  "doing",    "don't",     "down",     "during",     "each",
        "either",     "even",    "ever",     "every",    "everybody", "everyone", "everything", "except",
        "few",        "for",     "from",     "had",      "hadn't",    "has",      "hasn't",     "have",
        "haven't",    "having",  "he",       "he'd",     "he'll",     "he's",     "her",        "here",
        "hers",       "herself", "him",      "himself",  "his",       "how",      "i",          "i'd",
        "i'll",       "i'm",     "i've",     "if",       "in",        "inside",   "into",       "is",
        "isn't",      "it",      "it'll",    "it's",     "its",       "itself",   "just",       "let's",
        "like",       "ll",      "m",        "many",     "may",       "me",       "might",      "mine",
        "more",       "most",    "much",     "must",     "mustn't",   "my",       "myself",     "n't",
        "near",       "neither", "never",    "no",       "nobody",    "none",     "nor",        "not",
        "nothing",    "now",     "of",       "off",      "on",        "one",      "ones",       "only",
        "onto",       "or",      "other",    "ought",    "our",       "ours",     "ourselves",  "out",
        "outside",    "over",    "past",     "per",      "quite",     "rather",   "re",         "s",
        "shall",      "she",     "she'd",    "she'll",   "she's",     "should",   "shouldn't",  "since",
        "so",         "some",    "somebody", "someone",  "something", "still",    "such",       "t",
        "than",       "that",    "that's",   "the",      "thee",      "their",    "theirs",     "them",
        "themselves", "then",    "there",    "there's",  "these",     "they",     "they'd",     "they'll",
        "they're",    "they've", "thine",    "this",     "those",     "thou",     "though",     "through",
        "throughout", "thy",     "till",     "to",       "too",       "toward",   "towards",    "under",
        "unless",     "until",   "unto",     "up",       "upon",      "us",       "ve",         "very",
        "via",        "was",     "wasn't",   "we",       "we'd",      "we'll",    "we're",      "we've",
        "were",       "weren't", "what",     "what's",   "when",      "where",    "whereas",    "whether",
        "which",      "while",   "who",      "who's",    "whom",      "whose",    "why",        "will",
        "with",       "within",  "without",  "won't",    "would",     "wouldn't", "ye",         "yet",
        "you",        "you'd",   "you'll",   "you're",   "you've",    "your",     "yours",      "yourself",
        "yourselves",
    };
    return words;
}

}  // namespace wordbreadth
