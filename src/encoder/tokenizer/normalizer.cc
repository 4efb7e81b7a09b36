#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/utf16.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "encoder/tokenizer/parts.h"

namespace wordbreadth::encoder::tokenizer {

namespace {

// Unicode's normal forms, keeping track of where every character came from.
class NormalForm {
  public:
    NormalForm(bool compatible, bool composed, std::uint8_t newest)
        : decompositions_(icu_normalizer(compatible)),
          compositions_(icu_normalizer(false)),
          composed_(composed),
          newest_(newest),
          first_decomposing_(compatible ? 0xA0 : 0xC0),
          first_affected_(composed && !compatible ? 0x300 : first_decomposing_) {}

    void operator()(Characters& text) const {
        if (std::ranges::all_of(text, [this](Character c) { return c.value < first_affected_; })) return;
        Parts parts = decomposed(text);
        if (composed_) parts = recomposed(parts);
        text = replaced_by(parts, text);
    }

  private:
    // See replaced_by().
    struct Part {
        char32_t value = 0;
        std::int32_t added = 0;
        std::uint8_t combining_class = 0;
    };
    using Parts = std::vector<Part>;

    static const UNormalizer2* icu_normalizer(bool compatible) {
        UErrorCode error = U_ZERO_ERROR;
        const UNormalizer2* normalizer = (compatible ? unorm2_getNFKCInstance : unorm2_getNFCInstance)(&error);
        if (U_SUCCESS(error) != 0) return normalizer;
        throw std::runtime_error(std::string("ICU cannot load its data for normal forms: ") + u_errorName(error));
    }

    [[nodiscard]] std::uint8_t combining_class(char32_t c) const {
        if (c < 0x300) return 0;
        const std::uint8_t found = u_getCombiningClass(static_cast<UChar32>(c));
        return found != 0 && assigned_by(c, newest_) ? found : 0;
    }

    void append_decomposition(Parts& parts, char32_t c) const {
        std::array<char16_t, 32> utf16;  // the longest decomposition, that of U+FDFA, has 18
        UErrorCode error = U_ZERO_ERROR;
        const std::int32_t length =
            c < first_decomposing_ ? -1
                                   : unorm2_getDecomposition(decompositions_, static_cast<UChar32>(c), utf16.data(),
                                                             static_cast<std::int32_t>(utf16.size()), &error);
        if (length < 0 || U_FAILURE(error) != 0 || !assigned_by(c, newest_)) {
            parts.push_back({c, 0, combining_class(c)});
            return;
        }
        for (std::int32_t at = 0; at < length;) {
            const std::int32_t added = at > 0 ? 1 : 0;
            UChar32 part = 0;
            U16_NEXT_UNSAFE(utf16.data(), at, part);
            const auto value = static_cast<char32_t>(part);
            parts.push_back({value, added, combining_class(value)});
        }
    }

    // Canonical order: marks between two starters are sorted by their class, and equals keep their order.
    [[nodiscard]] Parts decomposed(const Characters& text) const {
        Parts parts;
        parts.reserve(text.size() + text.size() / 2);
        for (const Character c : text) append_decomposition(parts, c.value);
        for (auto run = parts.begin(); run != parts.end();) {
            const auto is_starter = [](const Part& part) { return part.combining_class == 0; };
            run = std::find_if_not(run, parts.end(), is_starter);
            const auto end = std::find_if(run, parts.end(), is_starter);
            std::ranges::stable_sort(run, end, {}, &Part::combining_class);
            run = end;
        }
        return parts;
    }

    // Nothing where the two do not become one.
    [[nodiscard]] std::optional<char32_t> composite(char32_t first, char32_t second) const {
        if (second < 0x300) return std::nullopt;
        const UChar32 found =
            unorm2_composePair(compositions_, static_cast<UChar32>(first), static_cast<UChar32>(second));
        const auto value = static_cast<char32_t>(found);
        return found >= 0 && assigned_by(value, newest_) ? std::optional(value) : std::nullopt;
    }

    // A part joins the last starter unless a mark of its class or a higher one (or another starter) stands between
    // them.
    [[nodiscard]] Parts recomposed(const Parts& parts) const {
        Parts result;
        result.reserve(parts.size());
        std::optional<std::size_t> starter;
        for (const Part& part : parts) {
            const bool reachable =
                starter && (*starter + 1 == result.size() || result.back().combining_class < part.combining_class);
            const auto value = reachable ? composite(result[*starter].value, part.value) : std::nullopt;
            if (value) {
                result[*starter].value = *value;
                result[*starter].added += part.added - 1;
                continue;
            }
            if (part.combining_class == 0) starter = result.size();
            result.push_back(part);
        }
        return result;
    }

    const UNormalizer2* decompositions_;  // ICU's, which lives as long as the program
    const UNormalizer2* compositions_;
    bool composed_;
    std::uint8_t newest_;
    char32_t first_decomposing_;  // no smaller character comes apart
    char32_t first_affected_;     // no text of smaller characters changes
};

// Replacement characters go like controls.
void clean(Characters& text) {
    std::erase_if(text, [](Character c) { return c.value == U'\uFFFD' || is(Property::control, c.value); });
    for (Character& c : text)
        if (is(Property::white_space, c.value)) c.value = ' ';
}

void set_ideographs_apart(Characters& text) {
    const auto apart = [](Character c) { return is(Property::ideograph, c.value); };
    if (std::ranges::none_of(text, apart)) return;
    Characters spaced;
    spaced.reserve(3 * text.size());
    for (const Character c : text) {
        if (apart(c)) spaced.push_back({' ', c.origin});
        spaced.push_back(c);
        if (apart(c)) spaced.push_back({' ', c.origin});
    }
    text = std::move(spaced);
}

// What all of it comes to for ASCII, most of most texts: a character for each, or none.
class CleanedAscii {
  public:
    explicit CleanedAscii(const BertCleaning& cleaning) {
        for (std::size_t c = 0; c < table_.size(); ++c) {
            Characters text{{static_cast<char32_t>(c), 0}};
            if (cleaning.clean_text) clean(text);
            if (cleaning.lowercase) make_lowercase(text);
            table_[c] = text.empty() ? gone : text.front().value;
        }
    }

    void operator()(Characters& text) const {
        std::size_t kept = 0;
        for (const Character c : text) {
            text[kept] = {table_[c.value], c.origin};
            kept += table_[c.value] == gone ? 0 : 1;
        }
        text.resize(kept);
    }

  private:
    static constexpr char32_t gone = 0x110000;  // no character

    std::array<char32_t, 128> table_{};
};

}  // namespace

Normalizer normal_form(std::string_view name, std::uint8_t newest) {
    return NormalForm(name.starts_with("NFK"), name.ends_with("C"), newest);
}

Normalizer bert_normalizer(const BertCleaning& cleaning) {
    return [cleaning, cleaned = CleanedAscii(cleaning), decompose = normal_form("NFD")](Characters& text) {
        if (std::ranges::all_of(text, [](Character c) { return c.value < 128; })) return cleaned(text);
        if (cleaning.clean_text) clean(text);
        if (cleaning.handle_chinese_chars) set_ideographs_apart(text);
        if (cleaning.strip_accents) {
            decompose(text);
            std::erase_if(text, [](Character c) { return is(Property::accent, c.value); });
        }
        if (cleaning.lowercase) make_lowercase(text);
    };
}

Normalizer in_order(std::vector<Normalizer> steps) {
    return [steps = std::move(steps)](Characters& text) {
        for (const Normalizer& step : steps) step(text);
    };
}

void make_lowercase(Characters& text) {
    const auto becomes_two = [](Character c) { return c.value == dotted_capital_i; };
    if (std::ranges::any_of(text, becomes_two)) {
        Characters longer;
        longer.reserve(2 * text.size());
        for (const Character c : text) {
            longer.push_back(c);
            if (becomes_two(c)) longer.push_back({dot_above, c.origin});
        }
        text = std::move(longer);
    }
    for (Character& c : text) c.value = lowercase_of(c.value);
}

}  // namespace wordbreadth::encoder::tokenizer
