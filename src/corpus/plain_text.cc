#include "corpus/plain_text.h"

#include <unicode/locid.h>
#include <unicode/uchar.h>
#include <unicode/utf16.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <unordered_set>

#include "base/strings.h"
#include "base/utf8.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::corpus {

namespace {

// Of what the rules of UAX 29 are left to ICU for: line ends, and all that is not ASCII.
constexpr std::int32_t not_plain = -1;

// Text is not wrapped to narrower or wider columns than these: lists and verse are narrower, whole paragraphs wider.
constexpr std::size_t narrowest = 40;
constexpr std::size_t widest = 120;

std::string_view first_word(std::string_view line) {
    return line.substr(0, line.find_first_of(" \t"));
}

// Kana, Han and their punctuation; not Hangul, which has spaces between words.
bool is_written_without_spaces(std::int32_t c) {
    return (c >= 0x2E80 && c <= 0x312F) || (c >= 0x3190 && c <= 0xA4CF) || (c >= 0xF900 && c <= 0xFAFF) ||
           (c >= 0xFE30 && c <= 0xFE4F) || (c >= 0xFF01 && c <= 0xFFEF) || (c >= 0x20000 && c <= 0x3FFFF);
}

bool are_written_without_spaces(std::string_view before, std::string_view after) {
    return is_written_without_spaces(base::last_character(before)) &&
           is_written_without_spaces(base::first_character(after));
}

bool divides_a_word(std::string_view before, std::string_view after) {
    if (!before.ends_with('-') || u_islower(base::first_character(after)) == 0) return false;
    return u_isalpha(base::last_character(before.substr(0, before.size() - 1))) != 0;
}

// "'s", "'ll", "n't": written together with the word before.
bool is_clitic(std::string_view word) {
    if (word == "n't" || word == "n’t") return true;
    const std::size_t mark = word.starts_with('\'') ? 1 : word.starts_with("’") ? std::string_view("’").size() : 0;
    return mark > 0 && word.size() > mark && u_isalpha(base::first_character(word.substr(mark))) != 0;
}

bool is_closing(std::string_view word) {
    constexpr std::array<std::string_view, 15> marks{",", ".", ";",  ":", "!", "?",   ")", "]",
                                                     "}", "%", "''", "”", "’", "...", "…"};
    return std::ranges::find(marks, word) != marks.end();
}

bool is_opening(std::string_view word) {
    constexpr std::array<std::string_view, 9> marks{"(", "[", "{", "``", "“", "‘", "$", "£", "€"};
    return std::ranges::find(marks, word) != marks.end();
}

// A name follows, whatever it looks like: Dr. No, Mrs. May.
constexpr std::string_view titles =
    " Mr Mrs Ms Mx Messrs MR MRS MS Dr Drs DR Prof Rev Revd Hon Mme Mlle Mgr Msgr Hr Hrn Frl Sra Srta Dra Dott Sig"
    " проф акад доц тов г-н г-жа ";

// A number follows; without one, a sentence has ended: "He said no. She left."
constexpr std::string_view before_numbers =
    " No Nos no nos Nr nr N° p pp P Pp pg pag pág Vol Vols vol vols Bd Fig Figs fig figs Abb Tab Art Arts art arts"
    " Sec Secs sec Sect sect Ch ch Chap Chaps chap Kap cap Eq Eqs eq Ex ex Par par Abs Ver vers v vv l ll c ca"
    " approx App Bk bk Pt pt Op op § Tel tel Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Okt Nov Dec Dez Mon Tue Tues"
    " Wed Thu Thur Thurs Fri Sat Sun рис Рис табл Табл гл стр ";

// They occur within a sentence, and sometimes at its end: "at Smith & Co. He", but "Smith & Co. Ltd.".
constexpr std::string_view within_sentences =
    " Abp Adm Bp Brig Capt Card Cdr Cllr Cmdr Col Cpl Cpt Dipl Ft Gen Gov Ing Insp Lt Maj Mons Mt Pfc Pres Pvt Rep"
    " Reps Sen Sens Sgt St Sta Ste Sto Supt Ven Fr Sr Jr Esq Inc Ltd Co Corp Bros Cie Ges Dept Univ Assn Ave Blvd"
    " Rd Str Est etc Etc vs al viz Viz cf Cf cp ibid Ibid ed eds Ed Eds trans rev repr resp approx ca incl esp est"
    " dept govt misc co inc ltd bzw usw vgl Vgl evtl ggf inkl geb gest Hrsg hrsg sog Ud Uds av env mr mrs dr prof"
    " med sp spp subsp var Mio Mrd Jh Jhd insb zzgl ул просп пер пл наб св См"
    " см ";

// Words that open sentences and are not names.
constexpr std::string_view openers =
    " The This That These Those There Then Thus Therefore They Their He She It Its His Her We Our You Your I My A"
    " An And As At After Again All Also Although Another Any Are At Be Because Before Both But By Can Could Did Do"
    " Does Each Even Every Few Finally First For From Had Has Have Here How However If In Indeed Instead Is Just"
    " Last Later Let Like Many Maybe Meanwhile More Moreover Most Much Must Neither Never Nevertheless Next Nobody"
    " None Nor Not Nothing Now Of Often On Once One Only Or Other Others Over Perhaps Please Several Should Since"
    " So Some Someone Sometimes Soon Still Such Thanks Though Through To Today Two Under Unfortunately Until Was"
    " Were What When Where Whether Which While Who Why Will With Without Would Yes Yet Der Die Das Ein Eine Er Sie"
    " Es Wir Und Aber In Im Am Le La Les Il Elle Ils On Un Une El Los Las Lo"
    " Auch Auf Bei Damit Dann Daher Dies Diese Dieser Dieses Für Hier Ich Ihr Jedoch Man Mit Nach Ohne Wenn Wie"
    " Ainsi Après Avant Avec Ce Cela Ces Cet Cette Comme Dans Elles En Enfin Ensuite Et Je Lorsque Mais Même"
    " Nous Par Pour Quand Sans Si Son Sur Tous Toutefois Vous"
    " Además Así Como Con Cuando Después Ella Ellos En Es Esta Estas Este Esto Estos Para Pero Por Puede Pueden"
    " Que Se Si Sin Su También Tras Una Unos Y"
    " Anche Che Con Dopo Gli Ma Nel Nella Non Per Quando Questa Questo Se Sono"
    " Без В Вы Для До Его Если Затем И Из Или Как Когда На Не Но Он Она Они Оно От По Поэтому После При С Так Также"
    " То Что Чтобы Эта Эти Это Этот ";

// Words that open a sentence in Japanese, and begin as the particle that ends what somebody says: 「…」と言った。
constexpr std::array<std::string_view, 8> openers_in_to{"ところ",   "とても", "とにかく", "ともかく",
                                                        "とはいえ", "とき",   "とく",     "とりあえず"};

// German writes ordinal numbers with a full stop: 3. Mai, 19. Jahrhundert.
constexpr std::string_view after_ordinals =
    " Januar Jänner Februar Feber März April Mai Juni Juli August September Oktober November Dezember Jahrhundert"
    " Jahrhunderts Jahrhunderte Jahrhunderten Jh Jhd Weltkrieg Weltkriegs Weltkrieges Auflage Kapitel ";

constexpr std::string_view ends_of_words = " \t\n\r,;:!?.()[]\"";

using Words = std::unordered_set<std::string_view>;

Words words_in(std::string_view list) {
    Words words;
    for (std::size_t begin = 0, end = 0; begin < list.size(); begin = end + 1) {
        end = std::min(list.find(' ', begin), list.size());
        if (end > begin) words.insert(list.substr(begin, end - begin));
    }
    return words;
}

// The lists, taken apart once: they are asked at the end of every sentence.
struct KnownWords {
    Words titles = words_in(corpus::titles);
    Words before_numbers = words_in(corpus::before_numbers);
    Words within_sentences = words_in(corpus::within_sentences);
    Words openers = words_in(corpus::openers);
    Words after_ordinals = words_in(corpus::after_ordinals);
};

const KnownWords& known_words() {
    static const KnownWords words;
    return words;
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_one_letter(std::string_view word) {
    std::size_t at = 0;
    return !word.empty() && u_isalpha(base::next_character(word, at)) != 0 && at == word.size();
}

// "U.S", "e.g", "Ph.D", "z.B": short pieces with dots between them.
bool is_dotted(std::string_view word) {
    constexpr std::size_t longest_piece = 3;  // bytes
    if (word.find('.') == std::string_view::npos) return false;
    while (!word.empty()) {
        const std::size_t dot = std::min(word.find('.'), word.size());
        if (dot == 0 || dot > longest_piece || u_isalpha(base::first_character(word)) == 0) return false;
        word.remove_prefix(std::min(dot + 1, word.size()));
    }
    return true;
}

bool is_roman(std::string_view word) {
    return word.size() > 1 && word.find_first_not_of("IVXLC") == std::string_view::npos;
}

std::string letters_and_digits_of(std::string_view text) {
    std::string kept;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = at;
        if (u_isalnum(base::next_character(text, at)) != 0) kept.append(text.substr(begin, at - begin));
    }
    return kept;
}

std::string_view without_opening_quotes(std::string_view text) {
    constexpr std::array<std::string_view, 8> opening{"(", "[", "{", "\"", "'", "“", "‘", "«"};
    for (;;) {
        const auto* mark = std::ranges::find_if(opening, [&](std::string_view each) { return text.starts_with(each); });
        if (mark == opening.end()) return text;
        text.remove_prefix(mark->size());
    }
}

std::string_view without_last_character(std::string_view text) {
    while (!text.empty() && base::continues_a_character(text.back())) text.remove_suffix(1);
    return text.substr(0, text.empty() ? 0 : text.size() - 1);
}

// White space at the end is Unicode's, here and below: what is set after "z." and "Mr." is often a no-break space.
std::string_view without_space_at_end(std::string_view text) {
    while (!text.empty() && u_isUWhiteSpace(base::last_character(text)) != 0) text = without_last_character(text);
    return text;
}

std::string_view last_word(std::string_view text) {
    std::string_view rest = text;
    while (!rest.empty() && u_isUWhiteSpace(base::last_character(rest)) == 0) rest = without_last_character(rest);
    return text.substr(rest.size());
}

bool opens_a_sentence(std::string_view after) {
    after = without_opening_quotes(after);
    const std::size_t end = std::min(after.find_first_of(ends_of_words), after.size());
    const std::string_view word = after.substr(0, end);
    const bool initial = is_one_letter(word) && after.substr(end).starts_with('.');
    return !initial && known_words().openers.contains(word);
}

bool starts_with_number(std::string_view after) {
    const std::size_t end = std::min(after.find_first_of(ends_of_words), after.size());
    return !after.empty() && (is_digit(after[0]) || is_roman(after.substr(0, end)));
}

bool is_ordinal(std::string_view word) {
    return !word.empty() && word.size() <= 2 && std::ranges::all_of(word, is_digit);
}

bool continues_an_ordinal(std::string_view after) {
    const std::size_t end = std::min(after.find_first_of(ends_of_words), after.size());
    return known_words().after_ordinals.contains(after.substr(0, end));
}

// "1.", "• 12.", "(a)", "IV.": what numbers an item of a list and belongs to it.
bool is_enumerator(std::string_view text) {
    constexpr std::size_t longest = 16;  // bytes
    if (text.size() > longest) return false;
    const std::string core = letters_and_digits_of(text);
    if (core.empty()) return false;
    if (is_written_without_spaces(base::first_character(core)) && !text.ends_with('.')) return false;  // "好。"
    return is_one_letter(core) || is_roman(core) || (core.size() < 4 && std::ranges::all_of(core, is_digit));
}

// Whether a sentence ends between `text`, which ends with a full stop, and `after`.
// Knows titles, initials and abbreviations, of English first, and some that other languages of Europe use.
bool full_stop_ends_sentence(std::string_view text, std::string_view after) {
    const std::string_view word = without_opening_quotes(last_word(without_last_character(text)));
    const KnownWords& known = known_words();
    if (known.titles.contains(word)) return false;
    if (known.before_numbers.contains(word)) return !starts_with_number(after);
    if (is_ordinal(word)) return !continues_an_ordinal(after);
    if (is_one_letter(word) || is_dotted(word) || known.within_sentences.contains(word)) return opens_a_sentence(after);
    return true;
}

std::size_t utf8_length(const icu::UnicodeString& text, std::int32_t begin, std::int32_t end) {
    std::size_t length = 0;
    const char16_t* units = text.getBuffer();
    for (std::int32_t at = begin; at < end;) {
        UChar32 c = 0;
        U16_NEXT(units, at, end, c);
        length += static_cast<std::size_t>(U8_LENGTH(c));
    }
    return length;
}

// Where the text up to `at` ends without the brackets and quotes that open what follows: UAX 29 takes them for closing
// ones, and would end "。「" after the bracket. “ closes in German, but opens after a Chinese full stop or a ”.
std::size_t before_what_opens(std::string_view text, std::size_t at) {
    constexpr std::array<std::string_view, 4> stops{"。", "！", "？", "”"};
    for (;;) {
        const std::string_view before = text.substr(0, at);
        const std::int32_t last = base::last_character(before);
        const std::string_view rest = before.substr(0, at - static_cast<std::size_t>(U8_LENGTH(last)));
        const bool is_quote = last == 0x201C || last == 0x2018;
        const bool opens = is_quote ? std::ranges::any_of(stops, [&](auto stop) { return rest.ends_with(stop); })
                                    : u_charType(last) == U_START_PUNCTUATION;
        if (!opens || rest.empty()) return at;
        at = rest.size();
    }
}

bool closes(std::int32_t c) {
    return u_charType(c) == U_FINAL_PUNCTUATION || u_charType(c) == U_END_PUNCTUATION;
}

// Where the text from `at` on stops closing what came before: French sets a space before », with which UAX 29 begins
// the next sentence.
std::size_t after_what_closes(std::string_view text, std::size_t at) {
    constexpr std::string_view marks = ".,;:!?";
    std::size_t next = at;
    const std::int32_t first = base::next_character(text, next);
    if (!closes(first) || (next < text.size() && u_isalnum(base::first_character(text.substr(next))) != 0)) return at;
    next = std::min(text.find_first_not_of(marks, next), text.size());
    while (next < text.size() && u_isUWhiteSpace(base::first_character(text.substr(next))) != 0)
        static_cast<void>(base::next_character(text, next));
    return next;
}

// Stops that no word contains, so that a sentence ends even where the next begins with a small letter: a command.
bool ends_with_plain_stop(std::string_view text) {
    constexpr std::array<std::string_view, 6> stops{"。", "！", "？", "؟", "।", "۔"};
    return std::ranges::any_of(stops, [&](std::string_view stop) { return text.ends_with(stop); });
}

// 「はい。」と答えた: the sentence goes on after what somebody says.
bool is_said(std::string_view text, std::string_view after) {
    if (!text.ends_with("」") && !text.ends_with("』")) return false;
    return after.starts_with("って") || (after.starts_with("と") && std::ranges::none_of(openers_in_to, [&](auto word) {
                                             return after.starts_with(word);
                                         }));
}

// Whether what Unicode takes for the end of a sentence is one. Neither text is empty.
bool is_end(std::string_view before, std::string_view after) {
    const std::string_view text = without_space_at_end(before);
    if (text.empty()) return true;
    const bool space_follows = text.size() < before.size();
    if (!space_follows && base::is_ascii(text.back())) return false;  // "?" in an address
    if (is_enumerator(text) || is_said(text, after)) return false;
    if (text.ends_with('.')) return full_stop_ends_sentence(text, after);
    if (text.ends_with(',') || text.ends_with(';') || text.ends_with(':')) return false;  // « Non ! », dit-il
    return ends_with_plain_stop(text) || u_islower(base::first_character(after)) == 0;    // "Stop!" he said
}

// Whether the line after this one, in a paragraph that `opens` with this character, goes on with its sentence. Lists of
// words in small letters do not.
bool runs_on(std::string_view line, std::string_view next, std::int32_t opens) {
    constexpr std::string_view around = "()[]{}\"'";
    if (u_islower(opens) != 0 || u_islower(base::first_character(next)) == 0) return false;
    while (!line.empty() && around.find(line.back()) != std::string_view::npos) line.remove_suffix(1);
    return line.ends_with(',') || u_isalnum(base::last_character(line)) != 0;
}

}  // namespace

bool lines_want_space(std::string_view before, std::string_view after) {
    return !are_written_without_spaces(before, after) && !divides_a_word(before, after);
}

bool words_want_space(std::string_view before, std::string_view after) {
    return !is_opening(before) && !is_closing(after) && !is_clitic(after) && !are_written_without_spaces(before, after);
}

std::size_t columns_of(std::string_view text) {
    std::size_t columns = 0;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool wide = byte >= 0xE3 && byte <= 0xED;  // U+3000 to U+DFFF
        columns += (base::continues_a_character(c) ? 0 : 1) + (wide ? 1 : 0);
    }
    return columns;
}

bool Paragraphs::next(std::string& text, bool& ends) {
    const std::size_t before = text.size();
    for (;;) {
        const bool has_next = next_ + 1 < in_block_.size();
        if (!has_next && !(closed_ && next_ < in_block_.size())) {
            if (!fill()) return false;
            continue;
        }
        const Line& line = in_block_[next_];
        if (opens_) opening_ = base::first_character(text_of(line));
        text += text_of(line);
        ends = !has_next || !is_wrapped(next_);
        if (!ends && line.whole && lines_want_space(text, first_word(text_of(in_block_[next_ + 1])))) text += ' ';
        ++next_;
        opens_ = ends;
        if (ends || text.size() - before >= limits::sentence_bytes) return true;
    }
}

// Reads lines until the block is full or closed; at least one, so that there is progress.
bool Paragraphs::fill() {
    start_block();
    do {
        if (!lines_.next()) {
            closed_ = true;
        } else if (lines_.ends() && base::trimmed(lines_.line()).empty()) {
            closed_ = !in_block_.empty();
        } else {
            add_line();
        }
    } while (!closed_ && block_.size() < limits::sentence_bytes);
    return !in_block_.empty();
}

// The last line of a block that was full is the first of the next: whether it was wrapped depends on what follows.
void Paragraphs::start_block() {
    if (closed_ || in_block_.empty()) {
        block_.clear();
        in_block_.clear();
        width_ = 0;
    } else {
        const Line last = in_block_.back();
        block_.erase(0, last.begin);
        in_block_.assign(1, {0, last.end - last.begin, last.columns, last.whole});
    }
    next_ = 0;
    closed_ = false;
}

void Paragraphs::add_line() {
    const std::string_view line = lines_.line();
    const std::string_view text = lines_.ends() ? base::trimmed(line) : line;
    const auto indentation = static_cast<std::size_t>(text.data() - line.data());
    const std::size_t columns = indentation + columns_of(text);
    const std::size_t begin = block_.size();
    block_ += text;
    in_block_.push_back({begin, block_.size(), columns, lines_.ends()});
    const bool may_be_wrapped = !base::is_ascii(text) || first_word(text).size() < text.size();  // no address
    if (may_be_wrapped) width_ = std::max(width_, columns);
}

bool Paragraphs::is_wrapped(std::size_t line) const {
    const Line& here = in_block_[line];
    if (!here.whole) return true;
    const std::string_view next = text_of(in_block_[line + 1]);
    const bool has_width = width_ >= narrowest && width_ <= widest;
    const bool may_run_on = has_width || (here.columns >= narrowest && here.columns <= widest);
    if (may_run_on && runs_on(text_of(here), next, opening_)) return true;
    return has_width && here.columns + 1 + columns_of(first_word(next)) > width_;
}

Splitter::Splitter() {
    UErrorCode status = U_ZERO_ERROR;
    iterator_.reset(icu::BreakIterator::createSentenceInstance(icu::Locale::getRoot(), status));
    if (U_FAILURE(status)) {
        throw std::runtime_error(std::string("ICU cannot split sentences: ") + u_errorName(status));
    }
    for (std::size_t c = 0; c < kinds_.size(); ++c)
        kinds_[c] = c < 0x80 ? u_getIntPropertyValue(static_cast<UChar32>(c), UCHAR_SENTENCE_BREAK) : not_plain;
    for (std::int32_t& kind : kinds_)
        if (kind == U_SB_CR || kind == U_SB_LF || kind == U_SB_SEP || kind == U_SB_EXTEND || kind == U_SB_FORMAT ||
            kind == U_SB_OLETTER)
            kind = not_plain;
}

const std::vector<std::size_t>& Splitter::split(std::string_view text) {
    ends_.clear();
    const bool is_plain = std::ranges::none_of(text, [&](char c) { return kind_of(c) == not_plain; });
    is_plain ? split_plain(text) : split_by_icu(text);
    return ends_;
}

// The rules SB6 to SB11 of UAX 29: a sentence ends with a stop, what closes, and white space.
void Splitter::split_plain(std::string_view text) {
    const auto is = [&](std::size_t at, std::int32_t kind) { return at < text.size() && kind_of(text[at]) == kind; };
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t stop = at++;
        if (!is(stop, U_SB_ATERM) && !is(stop, U_SB_STERM)) continue;
        while (is(at, U_SB_CLOSE)) ++at;
        while (is(at, U_SB_SP)) ++at;
        if (at < text.size() && breaks(text, stop, at)) add_break(text, at);
    }
    if (!text.empty()) add_break(text, text.size());
}

// Whether one ends before text[at], after the stop and what goes with it.
bool Splitter::breaks(std::string_view text, std::size_t stop, std::size_t at) const {
    const std::int32_t next = kind_of(text[at]);
    if (next == U_SB_SCONTINUE || next == U_SB_ATERM || next == U_SB_STERM) return false;
    if (kind_of(text[stop]) == U_SB_STERM) return true;
    const std::int32_t last = stop > 0 ? kind_of(text[stop - 1]) : U_SB_OTHER;
    const bool after_letter = last == U_SB_UPPER || last == U_SB_LOWER;
    if (at == stop + 1 && (next == U_SB_NUMERIC || (next == U_SB_UPPER && after_letter))) return false;
    const auto* const decisive = std::ranges::find_if(text.substr(at), [&](char c) {
        const std::int32_t kind = kind_of(c);
        return kind == U_SB_UPPER || kind == U_SB_LOWER || kind == U_SB_ATERM || kind == U_SB_STERM;
    });
    return decisive == text.end() || kind_of(*decisive) != U_SB_LOWER;
}

void Splitter::split_by_icu(std::string_view text) {
    utf16_ = icu::UnicodeString::fromUTF8(icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size())));
    iterator_->setText(utf16_);
    std::int32_t before = 0;
    std::size_t end = 0;
    for (std::int32_t at = iterator_->next(); at != icu::BreakIterator::DONE; at = iterator_->next()) {
        end += utf8_length(utf16_, before, at);
        before = at;
        add_break(text, end);
    }
}

void Splitter::add_break(std::string_view text, std::size_t at) {
    const std::size_t begin = ends_.empty() ? 0 : ends_.back();
    if (at < text.size()) at = begin + before_what_opens(text.substr(begin, at - begin), at - begin);
    if (at < text.size()) at = after_what_closes(text, at);
    if (at <= begin) return;  // it was moved to here before
    if (at == text.size() || is_end(text.substr(begin, at - begin), text.substr(at))) ends_.push_back(at);
}

RawSentences::RawSentences(base::Bytes& source, Splitter& splitter)
    : lines_(source, limits::sentence_bytes, LineReader::Long::in_pieces), paragraphs_(lines_), splitter_(splitter) {}

bool RawSentences::next(std::string_view& sentence) {
    do {
        while (next_end_ < ends_.size()) {
            sentence = base::trimmed(take());
            if (!sentence.empty()) return true;
        }
    } while (refill());
    return false;
}

// Reads the next paragraph, or a piece of it after the unfinished sentence left by the piece before it.
bool RawSentences::refill() {
    text_.erase(0, begin_);
    begin_ = next_end_ = 0;
    ends_.clear();
    bool ends = false;
    if (!paragraphs_.next(text_, ends)) return false;
    ends_ = splitter_.split(text_);
    const bool last_is_unfinished =
        !ends && text_.size() - (ends_.size() > 1 ? ends_.end()[-2] : 0) < limits::sentence_bytes;
    if (last_is_unfinished) ends_.pop_back();
    return true;
}

std::string_view RawSentences::take() {
    std::string_view rest = std::string_view(text_).substr(begin_, ends_[next_end_] - begin_);
    if (rest.size() > limits::sentence_bytes) {
        rest = rest.substr(0, base::place_to_cut(rest, limits::sentence_bytes));
    } else {
        ++next_end_;
    }
    begin_ += rest.size();
    return rest;
}

}  // namespace wordbreadth::corpus
