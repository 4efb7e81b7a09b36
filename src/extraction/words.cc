#include "extraction/words.h"

#include <unicode/bytestream.h>
#include <unicode/casemap.h>
#include <unicode/locid.h>
#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/utext.h>

#include <algorithm>
#include <stdexcept>

#include "base/strings.h"
#include "base/utf8.h"

namespace wordbreadth::extraction {

namespace {

void require(UErrorCode status, const char* what) {
    if (U_FAILURE(status)) throw std::runtime_error(std::string("ICU cannot ") + what + ": " + u_errorName(status));
}

class Utf8Text {
  public:
    explicit Utf8Text(std::string_view text) {
        UErrorCode status = U_ZERO_ERROR;
        utext_openUTF8(&text_, text.data(), static_cast<std::int64_t>(text.size()), &status);
        require(status, "read UTF-8");
    }
    Utf8Text(const Utf8Text&) = delete;
    Utf8Text& operator=(const Utf8Text&) = delete;
    ~Utf8Text() { utext_close(&text_); }
    [[nodiscard]] UText* get() { return &text_; }

  private:
    UText text_ = UTEXT_INITIALIZER;
};

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
    Utf8Text utf8(text);
    UErrorCode status = U_ZERO_ERROR;
    iterator_->setText(utf8.get(), status);  // it keeps a copy of its own
    require(status, "find words");
    std::int32_t begin = iterator_->first();
    for (std::int32_t end = iterator_->next(); end != icu::BreakIterator::DONE; end = iterator_->next()) {
        const auto length = static_cast<std::size_t>(end - begin);
        // Both are asked: ICU takes "@" for a letter, since addresses have it inside.
        if (iterator_->getRuleStatus() >= UBRK_WORD_LETTER &&
            has_letter(text.substr(static_cast<std::size_t>(begin), length)))
            words_.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
        begin = end;
    }
    return words_;
}

void append_lowercase(std::string& to, std::string_view text) {
    if (base::is_ascii(text)) {
        std::ranges::transform(text, std::back_inserter(to), [](char c) { return base::ascii_lower(c); });
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

}  // namespace wordbreadth::extraction
