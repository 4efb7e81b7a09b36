#include "corpus/splitter.h"

#include <unicode/locid.h>
#include <unicode/uchar.h>
#include <unicode/utf16.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <new>
#include <stdexcept>
#include <string>

#include "base/strings.h"
#include "base/utf8.h"

namespace wordbreadth::corpus {

namespace {

// A list is searched once per full stop, which is rare enough for a plain search.
// A name follows, whatever it looks like: Dr. No, Mrs. May.
constexpr std::string_view titles =
    " Mr Mrs Ms Mx Messrs MR MRS MS Dr Drs DR Prof Rev Revd Hon Mme Mlle Mgr Msgr Hr Hrn Frl Sra Srta Dra Dott Sig ";

// A number follows; without one, a sentence has ended: "He said no. She left."
constexpr std::string_view before_numbers =
    " No Nos no nos Nr nr N° p pp P Pp pg pag pág Vol Vols vol vols Bd Fig Figs fig figs Abb Tab Art Arts art arts"
    " Sec Secs sec Sect sect Ch ch Chap Chaps chap Kap cap Eq Eqs eq Ex ex Par par Abs Ver vers v vv l ll c ca"
    " approx App Bk bk Pt pt Op op § Tel tel Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Okt Nov Dec Dez Mon Tue Tues"
    " Wed Thu Thur Thurs Fri Sat Sun ";

// They occur within a sentence, and sometimes at its end: "at Smith & Co. He", but "Smith & Co. Ltd.".
constexpr std::string_view within_sentences =
    " Abp Adm Bp Brig Capt Card Cdr Cllr Cmdr Col Cpl Cpt Dipl Ft Gen Gov Ing Insp Lt Maj Mons Mt Pfc Pres Pvt Rep"
    " Reps Sen Sens Sgt St Sta Ste Sto Supt Ven Fr Sr Jr Esq Inc Ltd Co Corp Bros Cie Ges Dept Univ Assn Ave Blvd"
    " Rd Str Est etc Etc vs al viz Viz cf Cf cp ibid Ibid ed eds Ed Eds trans rev repr resp approx ca incl esp est"
    " dept govt misc co inc ltd bzw usw vgl Vgl evtl ggf inkl geb gest Hrsg hrsg sog Ud Uds av env mr mrs dr prof"
    " med sp spp subsp var ";

// Words that open sentences and are not names.
constexpr std::string_view openers =
    " The This That These Those There Then Thus Therefore They Their He She It Its His Her We Our You Your I My A"
    " An And As At After Again All Also Although Another Any Are At Be Because Before Both But By Can Could Did Do"
    " Does Each Even Every Few Finally First For From Had Has Have Here How However If In Indeed Instead Is Just"
    " Last Later Let Like Many Maybe Meanwhile More Moreover Most Much Must Neither Never Nevertheless Next Nobody"
    " None Nor Not Nothing Now Of Often On Once One Only Or Other Others Over Perhaps Please Several Should Since"
    " So Some Someone Sometimes Soon Still Such Thanks Though Through To Today Two Under Unfortunately Until Was"
    " Were What When Where Whether Which While Who Why Will With Without Would Yes Yet Der Die Das Ein Eine Er Sie"
    " Es Wir Und Aber In Im Am Le La Les Il Elle Ils On Un Une El Los Las Lo ";

constexpr std::string_view white_space = " \t\n\r";
constexpr std::string_view ends_of_words = " \t\n\r,;:!?.()[]\"";

bool is_in(std::string_view list, std::string_view word) {
    return !word.empty() && list.find(std::string(" ").append(word).append(" ")) != std::string_view::npos;
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

// The text up to its last full stop: "said Mr" of "said Mr. ".
std::string_view up_to_full_stop(std::string_view before) {
    const std::size_t last = before.find_last_not_of(white_space);
    return before.substr(0, last == std::string_view::npos ? 0 : last);
}

bool opens_a_sentence(std::string_view after) {
    after = without_opening_quotes(after);
    const std::size_t end = std::min(after.find_first_of(ends_of_words), after.size());
    const std::string_view word = after.substr(0, end);
    const bool initial = is_one_letter(word) && after.substr(end).starts_with('.');
    return !initial && is_in(openers, word);
}

bool starts_with_number(std::string_view after) {
    const std::size_t end = std::min(after.find_first_of(ends_of_words), after.size());
    return !after.empty() && (is_digit(after[0]) || is_roman(after.substr(0, end)));
}

// "1.", "• 12.", "(a)", "IV.": what numbers an item of a list and belongs to it.
bool is_enumerator(std::string_view text) {
    constexpr std::size_t longest = 16;  // bytes
    const std::string core = letters_and_digits_of(text.substr(0, longest + 1));
    if (text.size() > longest || core.empty()) return false;
    return is_one_letter(core) || is_roman(core) || (core.size() < 4 && std::ranges::all_of(core, is_digit));
}

// Whether a sentence ends between `before`, which ends with a full stop and perhaps white space, and `after`.
// Knows titles, initials and abbreviations, of English first, and some that other languages of Europe use.
bool full_stop_ends_sentence(std::string_view before, std::string_view after) {
    const std::string_view text = up_to_full_stop(before);
    const std::size_t space = text.find_last_of(white_space);
    const std::string_view word = without_opening_quotes(text.substr(space == std::string_view::npos ? 0 : space + 1));
    if (is_in(titles, word)) return false;
    if (is_in(before_numbers, word)) return !starts_with_number(after);
    if (is_one_letter(word) || is_dotted(word) || is_in(within_sentences, word)) return opens_a_sentence(after);
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

// Whether what Unicode takes for the end of a sentence is one. Neither text is empty.
bool is_end(std::string_view before, std::string_view after) {
    const std::string_view text = before.substr(0, before.find_last_not_of(" \t\n\r") + 1);
    const bool space_follows = text.size() < before.size();
    if (!space_follows && base::is_ascii(text.back())) return false;  // "?" in an address
    if (is_enumerator(text)) return false;
    if (text.ends_with('.')) return full_stop_ends_sentence(before, after);
    return u_islower(base::first_character(after)) == 0;  // "Stop!" he said
}

}  // namespace

Splitter::Splitter() {
    UErrorCode status = U_ZERO_ERROR;
    iterator_.reset(icu::BreakIterator::createSentenceInstance(icu::Locale::getRoot(), status));
    if (U_FAILURE(status)) {
        throw std::runtime_error(std::string("ICU cannot split sentences: ") + u_errorName(status));
    }
}

const std::vector<std::size_t>& Splitter::split(std::string_view text) {
    ends_.clear();
    utf16_ = icu::UnicodeString::fromUTF8(icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size())));
    iterator_->setText(utf16_);
    std::int32_t before = 0;
    std::size_t begin = 0;
    std::size_t end = 0;
    for (std::int32_t at = iterator_->next(); at != icu::BreakIterator::DONE; at = iterator_->next()) {
        end += utf8_length(utf16_, before, at);
        before = at;
        if (end < text.size() && !is_end(text.substr(begin, end - begin), text.substr(end))) continue;
        ends_.push_back(end);
        begin = end;
    }
    return ends_;
}

}  // namespace wordbreadth::corpus
