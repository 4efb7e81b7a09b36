#include "encoder/tokenizer/tokenizer.h"

#include <algorithm>

#include "base/failure.h"
#include "encoder/tokenizer/parts.h"
#include "wordbreadth/error.h"

namespace wordbreadth::encoder::tokenizer {

namespace {

using Text = std::span<const Character>;

bool stands_alone(Text text, Range match) {
    return (match.begin == 0 || !is(Property::word, text[match.begin - 1].value)) &&
           (match.end == text.size() || !is(Property::word, text[match.end].value));
}

// The part of the text that the token takes, or nothing where its rules forbid it. Before `free_from` all is taken; the
// library looks at that only for tokens with lstrip, of which nothing may be left. Others take white space once more
// that an earlier token took with it.
std::optional<Range> accepted(Text text, Range match, const AddedToken& token, std::size_t free_from) {
    if (token.single_word && !stands_alone(text, match)) return std::nullopt;
    const auto is_space = [&](std::size_t i) { return is(Property::white_space, text[i].value); };
    while (token.lstrip && match.begin > free_from && is_space(match.begin - 1)) --match.begin;
    if (token.lstrip) match.begin = std::max(match.begin, free_from);
    while (token.rstrip && match.end < text.size() && is_space(match.end)) ++match.end;
    return match.begin < match.end ? std::optional(match) : std::nullopt;
}

std::size_t room_for_ordinary(const EncodeOptions& options, std::size_t special) {
    if (!options.special_tokens) return options.max_tokens;
    if (options.max_tokens >= special) return options.max_tokens - special;
    throw InputError("at most " + std::to_string(options.max_tokens) + " tokens per text are asked for, but the " +
                     std::to_string(special) + " special tokens of this model alone are more; ask for at least " +
                     std::to_string(special + 1));
}

// U+0120 stands for the space in GPT-2's alphabet of bytes.
Spaces spaces_of(Text token) {
    const auto is_ink = [](Character c) { return c.value != 0x120 && !is(Property::white_space, c.value); };
    const auto first = std::ranges::find_if(token, is_ink);
    const auto last = std::find_if(token.rbegin(), token.rend(), is_ink);
    return {static_cast<std::uint32_t>(first - token.begin()), static_cast<std::uint32_t>(last - token.rbegin())};
}

std::vector<Spaces> spaces_of(const Vocabulary& vocabulary) {
    std::vector<Spaces> spaces(static_cast<std::size_t>(vocabulary.end()));
    DecodedText text;
    for (const auto& [token, id] : vocabulary.ids()) {
        decode(token, text);
        spaces[static_cast<std::size_t>(id)] = spaces_of(text.characters);
    }
    return spaces;
}

// As the library does it: characters are counted, whatever they stand for.
void trim_offsets(Piece& piece, Spaces spaces, const TrimOffsets& trim, bool first) {
    const bool may_be_added = trim.add_prefix_space && (first || piece.begin == 0) && spaces.leading == 1;
    if (!may_be_added) piece.begin = std::min(piece.begin + spaces.leading, piece.end);
    if (piece.end >= spaces.trailing) piece.end = std::max(piece.end - spaces.trailing, piece.begin);
}

Text part_of(const Characters& text, Range range) {
    return std::span(text).subspan(range.begin, range.end - range.begin);
}

}  // namespace

// Makes the tokens of one text after the other: its buffers, which they share, and the tokens so far.
class EncodingRun {
  public:
    explicit EncodingRun(const Tokenizer::Parts& parts) : parts_(parts) {}

    [[nodiscard]] Encoding& encode(std::string_view text, const EncodeOptions& options) {
        start(options, text.size());
        append(text, std::nullopt);
        return finish();
    }

    [[nodiscard]] Encoding& encode(std::span<const std::string_view> words, const EncodeOptions& options) {
        std::size_t bytes = 0;
        for (const std::string_view word : words) bytes += word.size();
        start(options, bytes);
        for (std::size_t i = 0; i < words.size() && !full(); ++i) {
            try {
                append(words[i], static_cast<std::int32_t>(i));
            } catch (const InputError& error) {
                throw InputError("word " + std::to_string(i) + ": " + error.what());
            }
        }
        return finish();
    }

    [[nodiscard]] const std::vector<Span>& words(std::string_view text) {
        found_.clear();
        const auto note = [this](Text word) {
            const Piece place = piece_over(0, word);
            const Span span{text_.starts[place.begin], text_.starts[place.end]};
            if (found_.empty() || found_.back().end <= span.begin)
                found_.push_back(span);
            else
                found_.back().end = std::max(found_.back().end, span.end);
        };
        each_part(
            text, [](std::int32_t, Text) {}, note);
        return found_;
    }

  private:
    static constexpr std::size_t usual_bytes_of_a_token = 3;

    // `bytes` are to be encoded. Throws InputError when the special tokens alone are too many.
    void start(const EncodeOptions& options, std::size_t bytes) {
        const std::size_t special = parts_.frame.before.size() + parts_.frame.after.size();
        special_tokens_ = options.special_tokens;
        room_ = room_for_ordinary(options, special);
        ordinary_ = 0;
        word_ = 0;
        encoding_.ids.clear();
        encoding_.bytes.clear();
        encoding_.characters.clear();
        encoding_.words.clear();
        encoding_.truncated = false;
        reserve(std::min(room_, bytes / usual_bytes_of_a_token) + special);
        if (special_tokens_) append_special(parts_.frame.before);
    }

    // Appends the tokens of a text, all of them with that word, or each with the word it came from.
    void append(std::string_view text, std::optional<std::int32_t> word) {
        fixed_word_ = word;
        each_part(
            text, [this](std::int32_t id, Text characters) { append_added(id, characters); },
            [this](Text characters) { append_word(characters); });
    }

    // Calls `added(id, characters)` and `word(characters)` for what the text consists of, in order.
    template <class Added, class Word>
    void each_part(std::string_view text, Added added, Word word) {
        decode(text, text_);
        parts_.added_raw.split(text_.characters, raw_segments_);
        for (const Segment& segment : raw_segments_) {
            const auto characters = part_of(text_.characters, segment.range);
            normalized_.assign(characters.begin(), characters.end());
            if (segment.id) {
                added(*segment.id, Text(normalized_));
                continue;
            }
            if (parts_.normalizer) parts_.normalizer(normalized_);
            parts_.added_normalized.split(normalized_, normalized_segments_);
            for (const Segment& inner : normalized_segments_) {
                const Text between = part_of(normalized_, inner.range);
                if (inner.id)
                    added(*inner.id, between);
                else
                    each_word(between, word);
            }
        }
    }

    template <class Word>
    void each_word(Text characters, Word word) {
        between_.assign(characters.begin(), characters.end());
        words_.assign(1, {0, between_.size()});
        if (parts_.splitter) parts_.splitter(between_, words_);
        for (const Range range : words_) word(part_of(between_, range));
    }

    // True once nothing more fits.
    [[nodiscard]] bool full() const { return encoding_.truncated; }

    // With the special tokens.
    [[nodiscard]] Encoding& finish() {
        if (special_tokens_) append_special(parts_.frame.after);
        return encoding_;
    }

    void reserve(std::size_t tokens) {
        encoding_.ids.reserve(tokens);
        encoding_.bytes.reserve(tokens);
        encoding_.characters.reserve(tokens);
        encoding_.words.reserve(tokens);
    }

    void append_added(std::int32_t id, Text characters) {
        append_piece(piece_over(id, characters), parts_.trims.empty() ? Spaces() : spaces_of(characters));
        ++word_;
    }

    void append_word(Text word) {
        if (full()) return;
        pieces_.clear();
        parts_.model(word, pieces_);
        for (const Piece& piece : pieces_)
            append_piece(piece, parts_.trims.empty() ? Spaces() : parts_.spaces[static_cast<std::size_t>(piece.id)]);
        ++word_;
    }

    void append_piece(Piece piece, Spaces spaces) {
        if (ordinary_ == room_) {
            encoding_.truncated = true;
            return;
        }
        for (const TrimOffsets& trim : parts_.trims) trim_offsets(piece, spaces, trim, ordinary_ == 0);
        ++ordinary_;
        encoding_.ids.push_back(piece.id);
        encoding_.bytes.push_back({text_.starts[piece.begin], text_.starts[piece.end]});
        encoding_.characters.push_back({piece.begin, piece.end});
        encoding_.words.push_back(fixed_word_.value_or(word_));
    }

    void append_special(std::span<const std::int32_t> ids) {
        encoding_.ids.insert(encoding_.ids.end(), ids.begin(), ids.end());
        encoding_.bytes.resize(encoding_.ids.size());
        encoding_.characters.resize(encoding_.ids.size());
        encoding_.words.resize(encoding_.ids.size(), no_word);
    }

    const Tokenizer::Parts& parts_;
    bool special_tokens_ = true;
    std::size_t room_ = 0;  // for tokens that are not special
    Encoding encoding_;
    std::size_t ordinary_ = 0;  // of these, so far

    std::optional<std::int32_t> fixed_word_;
    std::int32_t word_ = 0;

    DecodedText text_;
    std::vector<Segment> raw_segments_;
    Characters normalized_;
    std::vector<Segment> normalized_segments_;
    Characters between_;
    std::vector<Range> words_;
    std::vector<Piece> pieces_;
    std::vector<Span> found_;
};

AddedTokens::AddedTokens(const std::string& where, const std::vector<AddedToken>& tokens, bool normalized,
                         const Normalizer& normalizer) {
    DecodedText text;
    for (const AddedToken& token : tokens) {
        if (token.normalized != normalized) continue;
        decode(token.content, text);
        if (normalized && normalizer) normalizer(text.characters);
        std::u32string spelling;
        for (const Character c : text.characters) spelling += c.value;
        const std::string name = "the added token " + base::in_quotes(token.content);
        if (spelling.empty()) base::fail(where, name + " is empty once normalized; remove it");
        if (const auto same = spellings_.longest(text.characters); same && same->length == spelling.size())
            base::fail(where, name + " is spelled like " + base::in_quotes(tokens_[same->value].content) +
                                  "; expected each added token once");
        spellings_.add(spelling, static_cast<std::int32_t>(tokens_.size()));
        tokens_.push_back(token);
        const char32_t first = spelling.front();
        (first < begins_.size() ? begins_[first] : some_begin_beyond_ascii_) = true;
    }
}

void AddedTokens::split(Text text, std::vector<Segment>& segments) const {
    segments.clear();
    std::size_t free_from = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char32_t first = text[at].value;
        if (first < begins_.size() ? !begins_[first] : !some_begin_beyond_ascii_) continue;
        const auto found = spellings_.longest(text.subspan(at));
        if (!found) continue;
        const AddedToken& token = tokens_[found->value];
        const auto range = accepted(text, {at, at + found->length}, token, free_from);
        at += found->length - 1;  // a match that is not accepted is passed over as well
        if (!range) continue;
        if (free_from < range->begin) segments.push_back({{free_from, range->begin}, std::nullopt});
        segments.push_back({*range, token.id});
        free_from = range->end;
    }
    if (free_from < text.size()) segments.push_back({{free_from, text.size()}, std::nullopt});
}

Tokenizer::Tokenizer(const std::string& where, const std::vector<AddedToken>& added, Parts parts) {
    parts.added_raw = AddedTokens(where, added, false, {});
    parts.added_normalized = AddedTokens(where, added, true, parts.normalizer);
    if (!parts.trims.empty()) parts.spaces = spaces_of(parts.vocabulary);
    parts_ = std::make_shared<const Parts>(std::move(parts));
}

Encoding Tokenizer::encode(std::string_view text, const EncodeOptions& options) const {
    return std::move(EncodingRun(*parts_).encode(text, options));
}

Encoding Tokenizer::encode(std::span<const std::string_view> words, const EncodeOptions& options) const {
    return std::move(EncodingRun(*parts_).encode(words, options));
}

BufferedTokenizer::BufferedTokenizer(const Tokenizer& tokenizer)
    : run_(std::make_unique<EncodingRun>(*tokenizer.parts_)),
      finder_(tokenizer.finder_ ? std::make_unique<EncodingRun>(*tokenizer.finder_) : nullptr) {}

BufferedTokenizer::BufferedTokenizer(BufferedTokenizer&&) noexcept = default;
BufferedTokenizer::~BufferedTokenizer() = default;

const Encoding& BufferedTokenizer::encode(std::string_view text, const EncodeOptions& options) {
    return run_->encode(text, options);
}

const Encoding& BufferedTokenizer::encode(std::span<const std::string_view> words, const EncodeOptions& options) {
    return run_->encode(words, options);
}

const std::vector<Span>& BufferedTokenizer::words(std::string_view text) {
    return (finder_ ? *finder_ : *run_).words(text);
}

Tokenizer Tokenizer::with_words_of_mecab(const std::string& dictionary) const {
    Tokenizer other = *this;
    other.finder_ = std::make_shared<const Parts>(Parts{.normalizer = normal_form("NFKC", any_version),
                                                        .splitter = mecab_splitter(dictionary, false),
                                                        .model = {},
                                                        .vocabulary = {}});
    return other;
}

bool Tokenizer::finds_words() const {
    return finder_ || parts_->finds_words;
}

std::int32_t Tokenizer::vocabulary_end() const {
    return parts_->vocabulary.end();
}

std::string_view Tokenizer::spelling(std::int32_t id) const {
    return parts_->vocabulary.text(id);
}

std::optional<std::int32_t> Tokenizer::id_of(std::string_view spelling) const {
    return parts_->vocabulary.find(spelling);
}

}  // namespace wordbreadth::encoder::tokenizer
