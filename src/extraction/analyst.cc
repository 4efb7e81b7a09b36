#include "extraction/analyst.h"

#include <unicode/bytestream.h>
#include <unicode/casemap.h>
#include <unicode/locid.h>
#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/utext.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "base/strings.h"
#include "base/utf8.h"

namespace wordbreadth::extraction {

namespace {

void require(UErrorCode status, const char* what) {
    if (U_FAILURE(status)) throw std::runtime_error(std::string("ICU cannot ") + what + ": " + u_errorName(status));
}

encoder::tokenizer::EncodeOptions at_most(std::size_t tokens) {
    encoder::tokenizer::EncodeOptions options;
    options.max_tokens = tokens;
    return options;
}

// The names that BERT's and other tokenizers have for what their vocabulary lacks.
std::int32_t unknown_id(const encoder::tokenizer::Tokenizer& tokenizer) {
    for (const std::string_view name : {"[UNK]", "<unk>"}) {
        if (const auto id = tokenizer.id_of(name)) return *id;
    }
    return -1;
}

// What most of most texts is made of, to the rules of words: ICU takes ten times as long for it. Digits, "_", "@" and
// ":" are left to ICU, whose rules for them are intricate, as is all that is not ASCII.
enum class Sign : std::uint8_t { apart, letter, joint, hard };

constexpr std::array<Sign, 256> signs = [] {
    std::array<Sign, 256> table{};
    for (std::size_t c = 0; c < table.size(); ++c) {
        const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        const bool is_joint = c == '.' || c == '\'';
        const bool is_hard = c >= 0x80 || (c >= '0' && c <= '9') || c == '_' || c == '@' || c == ':';
        table[c] = is_letter ? Sign::letter : is_joint ? Sign::joint : is_hard ? Sign::hard : Sign::apart;
    }
    return table;
}();

Sign sign_of(char c) {
    return signs[static_cast<unsigned char>(c)];
}

bool is_plain(std::string_view text) {
    if (text.ends_with(':')) text.remove_suffix(1);  // it joins nothing
    return std::ranges::none_of(text, [](char c) { return sign_of(c) == Sign::hard; });
}

// Tokens may begin with the space before a word, whatever space it is: a normalizer may have made it one.
std::uint32_t without_space(std::string_view text, encoder::tokenizer::Span span) {
    for (std::size_t at = span.begin; at < span.end;) {
        const auto start = static_cast<std::uint32_t>(at);
        if (u_isUWhiteSpace(base::next_character(text, at)) == 0) return start;
    }
    return span.end;
}

// Marks of direction, soft hyphens and the like, which Unicode leaves to the word before them and nobody sees. A joiner
// may be part of its last letter, as in Malayalam.
std::string_view without_marks_at_end(std::string_view word) {
    constexpr std::int32_t joiner = 0x200D;
    while (!word.empty() && !base::is_ascii(word.back())) {
        const std::int32_t last = base::last_character(word);
        if (u_charType(last) != U_FORMAT_CHAR || last == joiner) break;
        word.remove_suffix(static_cast<std::size_t>(U8_LENGTH(last)));
    }
    return word;
}

}  // namespace

bool has_letter(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        if (u_hasBinaryProperty(base::next_character(text, at), UCHAR_ALPHABETIC) != 0) return true;
    }
    return false;
}

WordFinder::WordFinder() {
    UErrorCode status = U_ZERO_ERROR;
    iterator_.reset(icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), status));
    require(status, "find words");
}

const std::vector<TextRange>& WordFinder::find(std::string_view text) {
    words_.clear();
    const auto size = static_cast<std::uint32_t>(text.size());
    std::uint32_t hard = size;  // where begins what is left to ICU
    // No rule looks across a space, so what stands between two may be split by itself.
    for (std::uint32_t begin = 0; begin < size;) {
        const auto end = static_cast<std::uint32_t>(std::min(text.find(' ', begin), text.size()));
        if (!is_plain(text.substr(begin, end - begin))) {
            hard = std::min(hard, begin);
        } else {
            if (hard < begin) add_by_icu(text, {std::exchange(hard, size), begin});
            add_plain(text, {begin, end});
        }
        begin = end + 1;
    }
    if (hard < size) add_by_icu(text, {hard, size});
    return words_;
}

// Letters are a word together, and an apostrophe or full stop between two of them is part of it.
void WordFinder::add_plain(std::string_view text, TextRange place) {
    const auto is_letter = [&](std::uint32_t at) { return at < place.end && sign_of(text[at]) == Sign::letter; };
    for (std::uint32_t at = place.begin; at < place.end; ++at) {
        if (!is_letter(at)) continue;
        const std::uint32_t begin = at;
        while (is_letter(at) || (at < place.end && sign_of(text[at]) == Sign::joint && is_letter(at + 1))) ++at;
        words_.push_back({begin, at});
    }
}

void WordFinder::add_by_icu(std::string_view text, TextRange place) {
    text = text.substr(place.begin, place.end - place.begin);
    UErrorCode status = U_ZERO_ERROR;
    UText utf8 = UTEXT_INITIALIZER;
    const icu::LocalUTextPointer closing(
        utext_openUTF8(&utf8, text.data(), static_cast<std::int64_t>(text.size()), &status));
    iterator_->setText(&utf8, status);  // it keeps a copy of its own
    require(status, "find words");
    std::int32_t begin = iterator_->first();
    for (std::int32_t end = iterator_->next(); end != icu::BreakIterator::DONE; end = iterator_->next()) {
        const auto length = static_cast<std::size_t>(end - begin);
        const std::string_view word = without_marks_at_end(text.substr(static_cast<std::size_t>(begin), length));
        const std::uint32_t start = place.begin + static_cast<std::uint32_t>(begin);
        // Both are asked: ICU takes "@" for a letter, since addresses have it inside.
        if (iterator_->getRuleStatus() >= UBRK_WORD_LETTER && has_letter(word))
            words_.push_back({start, start + static_cast<std::uint32_t>(word.size())});
        begin = end;
    }
}

void append_lowercase(std::string& to, std::string_view text) {
    if (base::is_ascii(text)) {
        const std::size_t before = to.size();
        to += text;
        for (std::size_t i = before; i < to.size(); ++i) to[i] = base::ascii_lower(to[i]);
        return;
    }
    UErrorCode status = U_ZERO_ERROR;
    icu::StringByteSink<std::string> sink(&to);
    icu::CaseMap::utf8ToLower("", 0, icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size())), sink,
                              nullptr, status);
    require(status, "make lower case");
}

std::string lowercase(std::string_view text) {
    std::string lower;
    append_lowercase(lower, text);
    return lower;
}

void KeptSentence::assign(const corpus::Sentence& sentence, const corpus::Selection& selection) {
    number = sentence.number;
    document = sentence.document;
    file = sentence.file;
    document_name = sentence.document_name;
    text = sentence.text;
    label = sentence.label;
    words.clear();
    words_are_all = !sentence.usage.has_value();
    if (const auto& usage = sentence.usage) {
        corpus::Selection by_lemma = selection;
        by_lemma.by_lemma = true;  // a list of usages is one of lemmas
        words.push_back({usage->begin, usage->end, std::string(type_of(sentence, *usage, by_lemma).value_or(""))});
        return;
    }
    for (const corpus::Word& word : sentence.words) {
        words.push_back({word.begin, word.end, std::string(type_of(sentence, word, selection).value_or(""))});
    }
}

Reason reason_of(Use use) {
    constexpr std::array<Reason, uses> reasons{{
        {"usable", "usable"},
        {"is truncated (max tokens)", "truncated"},
        {"is several tokens to the model (subwords single)", "several tokens"},
        {"is not in the model's vocabulary", "not in the model's vocabulary"},
        {"shares a token with its neighbour", "shares a token with its neighbour"},
        {"is nothing to the model", "no token"},
        {"is in an exact copy of an earlier sentence or text (deduplicate)", "in exact copies"},
        {"is in a near copy of an earlier sentence or text (deduplicate near)", "in near copies"},
    }};
    return reasons[static_cast<std::size_t>(use)];
}

std::uint8_t part_of(std::string_view type) {
    return static_cast<std::uint8_t>(base::TextHash()(type) % counted_parts);
}

Analyst::Analyst(const encoder::tokenizer::Tokenizer& tokenizer, const AnalystOptions& options)
    : tokenizer_(tokenizer),
      options_(options),
      unknown_(unknown_id(tokenizer)),
      blanks_{tokenizer.id_of("\u2581").value_or(-1), tokenizer.id_of("\u0120").value_or(-1)},
      tokenizer_finds_words_(tokenizer.finds_words()) {}

// Words of running text. Where the tokenizer finds them itself (MeCab), they are its own: other rules cut Japanese in
// other places, and a word that shares a token with its neighbour is lost.
const std::vector<TextRange>& Analyst::find_words(std::string_view text) {
    if (!tokenizer_finds_words_) return finder_.find(text);
    found_.clear();
    for (const auto& [begin, end] : tokenizer_.words(text))
        if (has_letter(text.substr(begin, end - begin))) found_.push_back({begin, end});
    return found_;
}

// A token of its own for the space before a word. Where the text has none, it stands at the word's first letter.
bool Analyst::is_blank(std::uint32_t token) const {
    return std::ranges::find(blanks_, encoding_->ids[token]) != blanks_.end();
}

void Analyst::analyse(const KeptSentence& sentence, Analysis& analysis) {
    analysis.words.clear();
    analysis.types.clear();
    if (options_.unit == ExtractUnit::text) {
        take_text(sentence, analysis);
    } else if (!sentence.words.empty() && sentence.words_are_all) {
        take_marked_words(sentence, analysis);
    } else {
        take_words(sentence, analysis);
    }
    analysis.ids.assign(encoding_->ids.begin(), encoding_->ids.end());
}

const std::vector<TextRange>& Analyst::words_of(const KeptSentence& sentence, const Analysis& analysis) {
    if (options_.unit == ExtractUnit::text || !sentence.words_are_all) return find_words(sentence.text);
    words_.clear();
    if (sentence.words.empty())
        for (const FoundWord& word : analysis.words) words_.push_back({word.begin, word.end});
    for (const auto& [begin, end, type] : sentence.words)
        if (has_letter(std::string_view(sentence.text).substr(begin, end - begin))) words_.push_back({begin, end});
    return words_;
}

// All tokens, the special ones among them: what sentence-transformers take the mean of.
void Analyst::take_text(const KeptSentence& sentence, Analysis& analysis) {
    encoding_ = &tokenizer_.encode(sentence.text, at_most(options_.max_tokens));
    FoundWord text;
    text.end = static_cast<std::uint32_t>(sentence.text.size());
    text.tokens = static_cast<std::uint32_t>(encoding_->size());
    analysis.types = sentence.label;
    text.type_end = static_cast<std::uint32_t>(analysis.types.size());
    text.part = part_of(analysis.types);
    if (text.tokens == 0) text.use = Use::no_token;
    analysis.words.push_back(text);
}

void Analyst::take_words(const KeptSentence& sentence, Analysis& analysis) {
    encoding_ = &tokenizer_.encode(sentence.text, at_most(options_.max_tokens));  // finding words leaves it alone
    std::uint32_t first = 0;
    if (!sentence.words_are_all) {
        for (const auto& [begin, end, type] : sentence.words)
            add_word(analysis, {begin, end}, type, tokens_at(sentence.text, {begin, end}, first));
        return;
    }
    for (const TextRange place : find_words(sentence.text)) {
        const std::string_view type = std::string_view(sentence.text).substr(place.begin, place.end - place.begin);
        add_word(analysis, place, type, tokens_at(sentence.text, place, first));
    }
}

// Words that the corpus has marked are tokenized one by one, so that no token spans two of them. The space before a
// word goes with it, since byte-level tokens have it, and what lies between words is a segment of its own.
void Analyst::cut_into_segments(const KeptSentence& sentence) {
    segments_.clear();
    segment_of_word_.clear();
    const std::string_view text = sentence.text;
    std::size_t at = 0;
    for (const auto& [begin, end, type] : sentence.words) {
        const std::string_view gap = text.substr(at, begin - at);
        const std::string_view between = base::trimmed(gap);
        std::size_t start = at;
        if (!between.empty()) {
            start = static_cast<std::size_t>(between.data() + between.size() - text.data());
            segments_.push_back(text.substr(at, start - at));
        }
        segment_of_word_.push_back(static_cast<std::int32_t>(segments_.size()));
        segments_.push_back(text.substr(start, end - start));
        at = end;
    }
    if (!base::trimmed(text.substr(at)).empty()) segments_.push_back(text.substr(at));
}

void Analyst::take_marked_words(const KeptSentence& sentence, Analysis& analysis) {
    cut_into_segments(sentence);
    encoding_ = &tokenizer_.encode(segments_, at_most(options_.max_tokens));
    std::uint32_t first = 0;
    for (std::size_t i = 0; i < sentence.words.size(); ++i) {
        const auto& [begin, end, type] = sentence.words[i];
        if (!has_letter(type)) continue;
        add_word(analysis, {begin, end}, type, tokens_of_segment(segment_of_word_[i], first));
    }
}

Analyst::Tokens Analyst::tokens_of_segment(std::int32_t segment, std::uint32_t& first) const {
    const auto size = static_cast<std::uint32_t>(encoding_->size());
    while (first < size && encoding_->words[first] < segment) ++first;  // no_word is below all
    Tokens tokens{first, first, Use::usable};
    while (tokens.end < size && encoding_->words[tokens.end] == segment) ++tokens.end;
    while (tokens.begin + 1 < tokens.end && is_blank(tokens.begin)) ++tokens.begin;
    // The last segment that is seen may be cut in the middle: then it is not this word that the model reads.
    const bool is_last = tokens.end == size || encoding_->words[tokens.end] == encoder::tokenizer::no_word;
    const std::size_t seen = tokens.begin == tokens.end ? 0 : encoding_->bytes[tokens.end - 1].end;
    if (encoding_->truncated && is_last && seen < segments_[static_cast<std::size_t>(segment)].size())
        tokens.use = Use::truncated;
    return tokens;
}

// `first` is where to start looking; it advances with the words.
Analyst::Tokens Analyst::tokens_at(std::string_view text, TextRange place, std::uint32_t& first) const {
    const auto size = static_cast<std::uint32_t>(encoding_->size());
    const auto& spans = encoding_->bytes;
    const auto is_special = [&](std::uint32_t i) { return encoding_->words[i] == encoder::tokenizer::no_word; };
    while (first < size && (is_special(first) || is_blank(first) || spans[first].end <= place.begin)) ++first;
    Tokens tokens{first, first, Use::usable};
    std::uint32_t covered = place.begin;
    while (tokens.end < size && !is_special(tokens.end) && spans[tokens.end].begin < place.end) {
        const encoder::tokenizer::Span span = spans[tokens.end++];
        if (without_space(text, span) < place.begin || span.end > place.end) tokens.use = Use::shared_token;
        covered = std::max(covered, span.end);
    }
    const bool is_last = tokens.end == size || is_special(tokens.end);
    if (encoding_->truncated && is_last && covered < place.end) tokens.use = Use::truncated;
    return tokens;
}

void Analyst::add_word(Analysis& analysis, TextRange place, std::string_view type, Tokens tokens) const {
    if (type.empty()) return;
    FoundWord word{place.begin,
                   place.end,
                   static_cast<std::uint32_t>(analysis.types.size()),
                   0,
                   tokens.begin,
                   tokens.end - tokens.begin,
                   tokens.use,
                   0};
    if (options_.letter_case == LetterCase::lower) {
        append_lowercase(analysis.types, type);
    } else {
        analysis.types += type;
    }
    word.type_end = static_cast<std::uint32_t>(analysis.types.size());
    word.part = part_of(analysis.type_of(word));
    if (word.use == Use::usable && word.tokens == 0) word.use = Use::no_token;
    const auto ids = std::span(encoding_->ids).subspan(word.token, word.tokens);
    if (word.use == Use::usable && std::ranges::count(ids, unknown_) > 0) word.use = Use::unknown;
    if (word.use == Use::usable && word.tokens > 1 && options_.subwords == Subwords::single)
        word.use = Use::several_tokens;
    if (options_.subwords == Subwords::last && word.tokens > 0) word.token += word.tokens - 1;
    if (options_.subwords != Subwords::mean && word.tokens > 0) word.tokens = 1;
    analysis.words.push_back(word);
}

}  // namespace wordbreadth::extraction
