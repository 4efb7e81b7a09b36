// What a tokenizer is put together from. Text goes through the parts from top to bottom; any number of threads may call
// them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "encoder/tokenizer/characters.h"
#include "encoder/tokenizer/expression.h"
#include "encoder/tokenizer/tokenizer.h"
#include "encoder/tokenizer/trie.h"

namespace wordbreadth::encoder::tokenizer {

// The tokens of a model and their numbers.
class Vocabulary {
  public:
    Vocabulary() = default;
    Vocabulary(Vocabulary&&) = default;  // a copy's views would be of the original
    Vocabulary& operator=(Vocabulary&&) = default;

    // `where` is what messages call the source: a file, and a place in it. Throws InputError when the token is not
    // UTF-8, is longer than limits::token_bytes, when the id is not within limits::vocabulary or belongs to another
    // token. A token that is already there gets the new id, as in the library `tokenizers`.
    void add(const std::string& where, const std::string& token, std::int64_t id);

    // Makes room for that many.
    void reserve(std::size_t tokens);

    [[nodiscard]] std::optional<std::int32_t> find(std::string_view token) const;

    // Throws InputError, saying what the token is for, when it is not there.
    [[nodiscard]] std::int32_t require(const std::string& where, const std::string& what,
                                       const std::string& token) const;

    // "" when no token has the id.
    [[nodiscard]] std::string_view text(std::int32_t id) const;

    // All ids are below it.
    [[nodiscard]] std::int32_t end() const { return end_; }

    [[nodiscard]] const auto& ids() const { return ids_; }

  private:
    std::unordered_map<std::string, std::int32_t> ids_;
    std::unordered_map<std::int32_t, std::string_view> texts_;  // the views are of the keys above
    std::int32_t end_ = 0;
};

// What happens to text before it is split into words.
using Normalizer = std::function<void(Characters& text)>;

// NFC, NFD, NFKC or NFKD. Characters that Unicode does not have in version `newest`.0 are left as they are; the normal
// forms of the library `tokenizers` know version 9. Origins are as in that library: a character that came apart gives
// its origin to all its parts, one that was composed has that of its first part, and where marks change places their
// origins stay. Throws std::runtime_error when ICU cannot find its own data.
inline constexpr std::uint8_t any_version = 255;
[[nodiscard]] Normalizer normal_form(std::string_view name, std::uint8_t newest = 9);

struct BertCleaning {
    bool clean_text = true;            // controls go, white space becomes a space
    bool handle_chinese_chars = true;  // spaces around ideographs
    bool strip_accents = true;
    bool lowercase = true;
};
[[nodiscard]] Normalizer bert_normalizer(const BertCleaning& cleaning);

void make_lowercase(Characters& text);  // a Normalizer

// Every match becomes `content`, whose characters have the origin of the last one that was replaced.
[[nodiscard]] Normalizer replacing(Expression pattern, std::string_view content);

// Puts `text` in front, unless there is nothing; with the origin of the first character.
[[nodiscard]] Normalizer prepending(std::string_view text);

// Takes white space from the ends.
[[nodiscard]] Normalizer stripping(bool left, bool right);

void strip_marks(Characters& text);     // a Normalizer: combining marks go
void clean_as_nmt(Characters& text);    // a Normalizer: as sentencepiece's for machine translation
void spell_in_bytes(Characters& text);  // a Normalizer: each byte a character of GPT-2's alphabet

// sentencepiece's table of replacements ("precompiled_charsmap", decoded): a trie of 32-bit units with its size in
// bytes in front, followed by the replacements, each ended by a NUL. Throws InputError, naming `where`, when it is
// not that.
[[nodiscard]] Normalizer precompiled(const std::string& where, std::string charsmap);

// One after the other.
[[nodiscard]] Normalizer in_order(std::vector<Normalizer> steps);

// A token that is found in the text before anything splits it: [MASK], or a run of spaces.
struct AddedToken {
    std::string content;
    std::int32_t id = 0;
    bool single_word = false;  // not inside a longer word
    bool lstrip = false;       // takes the white space before it
    bool rstrip = false;       // takes the white space after it
    bool normalized = false;   // is looked for in normalized text, itself normalized
};

// A part of the text: an added token, or what is between them.
struct Segment {
    Range range;
    std::optional<std::int32_t> id;
};

class AddedTokens {
  public:
    AddedTokens() = default;  // finds none

    // Finds those of `tokens` whose `normalized` equals the argument. `normalizer` may be empty. Throws InputError,
    // naming `where`, when a token is empty once normalized, or the same as another.
    AddedTokens(const std::string& where, const std::vector<AddedToken>& tokens, bool normalized,
                const Normalizer& normalizer);

    // Cuts the text at the added tokens, from left to right, the longest where several begin. Nothing is left out and
    // no segment is empty.
    void split(std::span<const Character> text, std::vector<Segment>& segments) const;

  private:
    std::vector<AddedToken> tokens_;
    Trie spellings_;  // to an index of the list above
    std::array<bool, 128> begins_{};
    bool some_begin_beyond_ascii_ = false;
};

// Cuts `words`, parts of `text`, into smaller ones, in order, none empty; at first there is one, the whole text. May
// change the text; the words are parts of what it leaves.
using Splitter = std::function<void(Characters& text, std::vector<Range>& words)>;

// A Splitter: at white space, which goes, and around every punctuation character.
void split_as_bert(Characters& text, std::vector<Range>& words);

void split_at_white_space(Characters& text, std::vector<Range>& words);   // a Splitter: just that
void split_words_and_signs(Characters& text, std::vector<Range>& words);  // a Splitter: \w+ or [^\w\s]+

// A Splitter: where the script changes. Characters of any script belong to the word before them, and go where there is
// none.
void split_between_scripts(Characters& text, std::vector<Range>& words);

// What becomes of a delimiter: it goes, is a word, belongs to its neighbour, or is a word together with the delimiters
// beside it.
enum class Delimiter : std::uint8_t { removed, isolated, merged_with_previous, merged_with_next, contiguous };

// Matches are the delimiters, or what is between them when `inverted`.
[[nodiscard]] Splitter splitting_at(Expression pattern, Delimiter delimiter, bool inverted);

[[nodiscard]] Splitter splitting_at_character(char32_t character);  // which goes
[[nodiscard]] Splitter splitting_at_punctuation(Delimiter delimiter);
[[nodiscard]] Splitter splitting_at_digits(bool individual);  // each, or runs of them
[[nodiscard]] Splitter splitting_by_length(std::size_t characters);

struct ByteLevelOptions {
    bool add_prefix_space = false;  // where the text does not begin with one
    bool use_regex = true;          // else a text is one word
};

// GPT-2's: the words keep the space before them. The text is spelled in bytes (see above) afterwards.
[[nodiscard]] Splitter byte_level_splitter(ByteLevelOptions options);

// sentencepiece's: a space becomes `replacement`, and begins a word.
struct MetaspaceOptions {
    enum class Prepend : std::uint8_t { always, first, never };

    char32_t replacement = U'\u2581';
    Prepend prepend = Prepend::always;  // a space where there is none: to each word, or to the one the text begins with
    bool split = true;                  // else words stay whole
};
[[nodiscard]] Splitter metaspace_splitter(MetaspaceOptions options);

[[nodiscard]] Splitter in_order(std::vector<Splitter> steps);

// Japanese words, as MeCab finds them with a dictionary of the user's; those of Python's fugashi with the same one.
// White space goes, and words are made lower case when `lowercase`. `dictionary` is a folder with a compiled UTF-8
// dictionary (sys.dic, matrix.bin, char.bin, unk.dic, dicrc), such as the dicdir of unidic-lite. Throws InputError when
// there is no such dictionary or MeCab refuses it.
[[nodiscard]] Splitter mecab_splitter(const std::string& dictionary, bool lowercase);

struct Piece {
    std::int32_t id = 0;
    std::uint32_t begin = 0;  // characters of the original text, half-open
    std::uint32_t end = 0;
};

// The piece that covers all the characters, of which there is at least one.
inline Piece piece_over(std::int32_t id, std::span<const Character> characters) {
    return {id, characters.front().origin, characters.back().origin + 1};
}

// Appends the pieces of a word, which is not empty.
using Model = std::function<void(std::span<const Character> word, std::vector<Piece>& to)>;

// The tokens of the 256 bytes, <0x00> to <0xFF>; negative where the vocabulary lacks one.
using ByteTokens = std::array<std::int32_t, 256>;
[[nodiscard]] ByteTokens ids_of_bytes(const Vocabulary& vocabulary);

// The tokens of all bytes of the characters, or nothing where one is lacking.
[[nodiscard]] std::vector<std::int32_t> spelled_in(const ByteTokens& bytes, std::span<const Character> characters);

// WordPiece: a word is cut into the longest tokens that the vocabulary has, from its front to its end. Throws
// InputError, naming `where`, when the vocabulary lacks the unknown token.
struct WordPieceOptions {
    std::string unknown = "[UNK]";
    std::string continuing_prefix = "##";        // of tokens that do not begin a word
    std::size_t max_input_chars_per_word = 100;  // longer words are unknown
};
[[nodiscard]] Model word_piece(const std::string& where, const Vocabulary& vocabulary, const WordPieceOptions& options);

// BPE: a word is its characters (GPT-2's alphabet of bytes, or any), and pairs of neighbours are merged as long as the
// list of merges has one, the earliest of the list first. Throws InputError, naming `where`, when a merge is of tokens,
// or makes a token, that the vocabulary lacks.
struct BytePairOptions {
    std::vector<std::pair<std::string, std::string>> merges = {};
    std::optional<std::string> unknown = {};  // for characters that the vocabulary lacks, which else leave no trace
    bool fuse_unknown = false;                // neighbouring unknown characters make one token
    bool ignore_merges = false;               // a word that is a token is that token, whatever the merges say
    bool byte_fallback = false;               // before a character is unknown, its bytes are looked for: <0x0A>
    std::string continuing_prefix = {};       // of tokens that do not begin a word
    std::string end_suffix = {};              // of tokens that end one
};
[[nodiscard]] Model byte_pair(const std::string& where, const Vocabulary& vocabulary, const BytePairOptions& options);

// Unigram: of all ways to cut a word into tokens, the one with the largest sum of scores. Characters that are no token
// are unknown, and neighbouring ones make one token. A text that has one throws InputError when there is no `unknown`.
struct UnigramOptions {
    std::vector<std::pair<std::string, double>> scores = {};  // of all tokens, by id
    std::optional<std::int32_t> unknown = {};                 // an id
    bool byte_fallback = false;                               // as above
};
[[nodiscard]] Model unigram(const Vocabulary& vocabulary, const UnigramOptions& options);

// The special tokens around the tokens of a text.
struct Frame {
    std::vector<std::int32_t> before;
    std::vector<std::int32_t> after;
};

// After GPT-2's tokens are made, the spaces in them can be left out of their places.
struct TrimOffsets {
    bool add_prefix_space = false;  // the one at the beginning may not have been in the text, and stays
};

// How many characters of a token are white space, at its two ends.
struct Spaces {
    std::uint32_t leading = 0;
    std::uint32_t trailing = 0;
};

struct Tokenizer::Parts {
    AddedTokens added_raw = {};         // looked for in the text as it is
    Normalizer normalizer;              // may be empty
    AddedTokens added_normalized = {};  // looked for in the normalized text
    Splitter splitter;                  // may be empty
    Model model;
    Frame frame = {};
    bool finds_words = false;             // the splitter does, to people as well
    std::vector<TrimOffsets> trims = {};  // as many times
    std::vector<Spaces> spaces = {};      // by id, when there are trims
    Vocabulary vocabulary;                // with the added tokens
};

}  // namespace wordbreadth::encoder::tokenizer
