#include "corpus/abbreviations.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <string>

#include "base/utf8.h"

namespace wordbreadth::corpus {

namespace {

// Lists are read once for a full stop, which is seldom enough to search them as they stand.
// A name follows, whatever it looks like: Dr. No, Mrs. May.
constexpr std::string_view titles =
    " Mr Mrs Ms Mx Messrs MR MRS MS Dr Drs DR Prof Rev Revd Hon Mme Mlle Mgr Msgr Hr Hrn Frl Sra Srta Dra Dott Sig ";

// A number follows; without one, a sentence has ended: "He said no. She left."
constexpr std::string_view before_numbers =
    " No Nos no nos Nr nr N° p pp P Pp pg pag pág Vol Vols vol vols Bd Fig Figs fig figs Abb Tab Art Arts art arts Sec "
    "Secs"
    " sec Sect sect Ch ch Chap Chaps chap Kap cap Eq Eqs eq Ex ex Par par Abs Ver vers v vv l ll c ca approx App Bk bk "
    "Pt pt"
    " Op op § Tel tel Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Okt Nov Dec Dez Mon Tue Tues Wed Thu Thur Thurs Fri Sat "
    "Sun ";

// They stand within a sentence, and now and then at its end: "at Smith & Co. He", but "Smith & Co. Ltd.".
constexpr std::string_view within_sentences =
    " Abp Adm Bp Brig Capt Card Cdr Cllr Cmdr Col Cpl Cpt Dipl Ft Gen Gov Ing Insp Lt Maj Mons Mt Pfc Pres Pvt Rep "
    "Reps Sen"
    " Sens Sgt St Sta Ste Sto Supt Ven Fr Sr Jr Esq Inc Ltd Co Corp Bros Cie Ges Dept Univ Assn Ave Blvd Rd Str Est "
    "etc Etc"
    " vs al viz Viz cf Cf cp ibid Ibid ed eds Ed Eds trans rev repr resp approx ca incl esp est dept govt misc co inc "
    "ltd"
    " bzw usw vgl Vgl evtl ggf inkl geb gest Hrsg hrsg sog Ud Uds av env mr mrs dr prof med sp spp subsp var ";

// Words that open sentences and are not names.
constexpr std::string_view openers =
    " The This That These Those There Then Thus Therefore They Their He She It Its His Her We Our You Your I My A An "
    "And As"
    " At After Again All Also Although Another Any Are At Be Because Before Both But By Can Could Did Do Does Each "
    "Even Every"
    " Few Finally First For From Had Has Have Here How However If In Indeed Instead Is Just Last Later Let Like Many "
    "Maybe Meanwhile "
    "More"
    " Moreover Most Much Must Neither Never Nevertheless Next Nobody None Nor Not Nothing Now Of Often On Once One "
    "Only Or"
    " Other Others Over Perhaps Please Several Should Since So Some Someone Sometimes Soon Still Such Thanks Though "
    "Through"
    " To Today Two Under Unfortunately Until Was Were What When Where Whether Which While Who Why Will With Without "
    "Would"
    " Yes Yet Der Die Das Ein Eine Er Sie Es Wir Und Aber In Im Am Le La Les Il Elle Ils On Un Une El Los Las Lo ";

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
    constexpr std::string_view opening = "([{\"'";
    for (;;) {
        if (!text.empty() && opening.find(text[0]) != std::string_view::npos) {
            text.remove_prefix(1);
        } else if (text.starts_with("“") || text.starts_with("‘")) {
            text.remove_prefix(std::string_view("“").size());
        } else if (text.starts_with("«")) {
            text.remove_prefix(std::string_view("«").size());
        } else {
            return text;
        }
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

}  // namespace

bool is_enumerator(std::string_view text) {
    constexpr std::size_t longest = 16;  // bytes
    const std::string core = letters_and_digits_of(text.substr(0, longest + 1));
    if (text.size() > longest || core.empty()) return false;
    return is_one_letter(core) || is_roman(core) || (core.size() < 4 && std::ranges::all_of(core, is_digit));
}

bool full_stop_ends_sentence(std::string_view before, std::string_view after) {
    const std::string_view text = up_to_full_stop(before);
    const std::size_t space = text.find_last_of(white_space);
    const std::string_view word = without_opening_quotes(text.substr(space == std::string_view::npos ? 0 : space + 1));
    if (is_in(titles, word)) return false;
    if (is_in(before_numbers, word)) return !starts_with_number(after);
    if (is_one_letter(word) || is_dotted(word) || is_in(within_sentences, word)) return opens_a_sentence(after);
    return true;
}

}  // namespace wordbreadth::corpus
