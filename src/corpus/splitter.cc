#include "corpus/splitter.h"

#include <unicode/locid.h>
#include <unicode/uchar.h>
#include <unicode/utf16.h>
#include <unicode/utf8.h>

#include <new>
#include <stdexcept>
#include <string>

#include "base/strings.h"
#include "base/utf8.h"
#include "corpus/abbreviations.h"

namespace wordbreadth::corpus {

namespace {

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
