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

    // Makes room for so many.
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
[[nodiscard]] Normalizer normal_form(std::string_view name, std::uint8_t newest = 9);

struct BertCleaning {
    bool clean_text = true;            // controls go, white space becomes a space
    bool handle_chinese_chars = true;  // spaces around ideographs
    bool strip_accents = true;
    bool lowercase = true;
};
[[nodiscard]] Normalizer bert_normalizer(const BertCleaning& cleaning);

void make_lowercase(Characters& text);  // a Normalizer

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

// Writes the words of `text` into `words`, in order, none empty. May change the text first; the words are parts of what
// it leaves.
using Splitter = std::function<void(Characters& text, std::vector<Range>& words)>;

// A Splitter: at white space, which goes, and around every punctuation character.
void split_as_bert(Characters& text, std::vector<Range>& words);

struct ByteLevelOptions {
    bool add_prefix_space = false;  // where the text does not begin with one
    bool use_regex = true;          // else a text is one word
};

// GPT-2's: the words keep the space before them.
[[nodiscard]] Splitter byte_level_splitter(ByteLevelOptions options);

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

// WordPiece: a word is cut into the longest tokens that the vocabulary has, from its front to its end. Throws
// InputError, naming `where`, when the vocabulary lacks the unknown token.
struct WordPieceOptions {
    std::string unknown = "[UNK]";
    std::string continuing_prefix = "##";        // of tokens that do not begin a word
    std::size_t max_input_chars_per_word = 100;  // longer words are unknown
};
[[nodiscard]] Model word_piece(const std::string& where, const Vocabulary& vocabulary, const WordPieceOptions& options);

// Byte-level BPE: a word is its bytes, and pairs of neighbours are merged as long as the list of merges has one, the
// earliest of the list first. Throws InputError, naming `where`, when a merge is of tokens, or makes a token, that the
// vocabulary lacks.
struct BytePairOptions {
    std::vector<std::pair<std::string, std::string>> merges = {};
    std::optional<std::string> unknown = {};  // for bytes that the vocabulary lacks, which else leave no trace
    bool fuse_unknown = false;                // neighbouring unknown bytes make one token
    bool ignore_merges = false;               // a word that is a token is that token, whatever the merges say
};
[[nodiscard]] Model byte_pair(const std::string& where, const Vocabulary& vocabulary, const BytePairOptions& options);

// The special tokens around the tokens of a text.
struct Frame {
    std::vector<std::int32_t> before;
    std::vector<std::int32_t> after;
};

struct Tokenizer::Parts {
    AddedTokens added_raw = {};         // looked for in the text as it is
    Normalizer normalizer;              // may be empty
    AddedTokens added_normalized = {};  // looked for in the normalized text
    Splitter splitter;
    Model model;
    Frame frame;
    Vocabulary vocabulary;  // with the added tokens
};

}  // namespace wordbreadth::encoder::tokenizer
