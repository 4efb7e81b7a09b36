// sentencepiece's normalizer, as the library `tokenizers` applies it: to user-perceived characters (grapheme clusters)
// that are short, and else to characters. The shortest beginning that the table has decides, and replaces the whole.
#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "base/failure.h"
#include "encoder/tokenizer/parts.h"

namespace wordbreadth::encoder::tokenizer {

namespace {

using Text = std::span<const Character>;

// A unit of a double-array trie (darts-clone).
struct Unit {
    std::uint32_t bits = 0;

    [[nodiscard]] bool has_leaf() const { return (bits >> 8 & 1) != 0; }
    [[nodiscard]] std::uint32_t value() const { return bits & 0x7FFFFFFF; }
    [[nodiscard]] std::uint32_t label() const { return bits & (0x80000000 | 0xFF); }
    [[nodiscard]] std::uint32_t offset() const { return bits >> 10 << ((bits & 1U << 9) >> 6); }
};

class Charsmap {
  public:
    Charsmap(const std::string& where, std::string bytes) {
        std::uint32_t size = 0;
        const auto fail = [&](const std::string& what) {
            base::fail(where, "is not a table of replacements: " + what + "; download the file again");
        };
        if (bytes.size() < sizeof size) fail("it has " + std::to_string(bytes.size()) + " bytes");
        std::memcpy(&size, bytes.data(), sizeof size);
        if (size % sizeof(Unit) != 0 || size == 0 || size > bytes.size() - sizeof size)
            fail("its trie has " + std::to_string(size) + " of " + std::to_string(bytes.size()) + " bytes");
        units_.resize(size / sizeof(Unit));
        std::memcpy(units_.data(), bytes.data() + sizeof size, size);
        replacements_ = bytes.substr(sizeof size + size);
        if (const auto at = find_broken_utf8(replacements_))
            fail("its replacements are not UTF-8 at byte " + std::to_string(*at));
    }

    // What replaces a text that begins so; nothing when it stays.
    [[nodiscard]] std::optional<std::string_view> find(std::string_view text) const {
        std::size_t node = units_[0].offset();
        for (const char c : text) {
            const auto byte = static_cast<unsigned char>(c);
            if (byte == 0) return std::nullopt;
            node ^= byte;
            if (node >= units_.size() || units_[node].label() != byte) return std::nullopt;
            const Unit unit = units_[node];
            node ^= unit.offset();
            if (unit.has_leaf() && node < units_.size()) return replacement(units_[node].value());
        }
        return std::nullopt;
    }

  private:
    [[nodiscard]] std::optional<std::string_view> replacement(std::size_t at) const {
        if (at > replacements_.size()) return std::nullopt;
        const std::string_view rest = std::string_view(replacements_).substr(at);
        if (!rest.empty() && (rest.front() & 0xC0) == 0x80) return std::nullopt;  // inside a character: a broken table
        return rest.substr(0, rest.find('\0'));
    }

    std::vector<Unit> units_;
    std::string replacements_;
};

// ---- grapheme clusters (UAX 29), but for the conjuncts of Indic scripts, which are never short

// Marks of Unicode 15.1 to 17, which the library knows and an older ICU takes for unassigned.
const CharacterSet& newer_marks() {
    static const CharacterSet marks = [] {
        CharacterSet set = set_of_pattern(newer_characters("M"));
        set.add(set_of_pattern(R"([\x{1ACF}-\x{1ADD}\x{1AE0}-\x{1AEB}\x{10EFA}-\x{10EFB}\x{11B60}-\x{11B67}\x{1E6E3})"
                               R"(\x{1E6E6}\x{1E6EE}-\x{1E6EF}\x{1E6F5}])"));
        return set;
    }();
    return marks;
}

UGraphemeClusterBreak kind_of(char32_t c) {
    if (newer_marks().has(c)) return U_GCB_EXTEND;
    return static_cast<UGraphemeClusterBreak>(
        u_getIntPropertyValue(static_cast<UChar32>(c), UCHAR_GRAPHEME_CLUSTER_BREAK));
}

bool is_pictographic(char32_t c) {
    return u_hasBinaryProperty(static_cast<UChar32>(c), UCHAR_EXTENDED_PICTOGRAPHIC) != 0;
}

bool is_control(UGraphemeClusterBreak kind) {
    return kind == U_GCB_CONTROL || kind == U_GCB_CR || kind == U_GCB_LF;
}

bool hangul_goes_on(UGraphemeClusterBreak before, UGraphemeClusterBreak after) {
    switch (before) {
        case U_GCB_L:
            return after == U_GCB_L || after == U_GCB_V || after == U_GCB_LV || after == U_GCB_LVT;
        case U_GCB_LV:
        case U_GCB_V:
            return after == U_GCB_V || after == U_GCB_T;
        case U_GCB_LVT:
        case U_GCB_T:
            return after == U_GCB_T;
        default:
            return false;
    }
}

// How many characters the first cluster has.
std::size_t cluster_length(Text text) {
    UGraphemeClusterBreak before = kind_of(text[0].value);
    bool after_pictograph = is_pictographic(text[0].value);  // and marks; now a joiner joins another
    bool odd_indicators = before == U_GCB_REGIONAL_INDICATOR;
    for (std::size_t length = 1; length < text.size(); ++length) {
        const char32_t c = text[length].value;
        const UGraphemeClusterBreak kind = kind_of(c);
        const bool joined = before == U_GCB_ZWJ && after_pictograph && is_pictographic(c);
        if (before == U_GCB_CR) return kind == U_GCB_LF ? 2 : 1;
        if (is_control(before) || is_control(kind)) return length;
        const bool goes_on = hangul_goes_on(before, kind) || kind == U_GCB_EXTEND || kind == U_GCB_ZWJ ||
                             kind == U_GCB_SPACING_MARK || before == U_GCB_PREPEND || joined ||
                             (kind == U_GCB_REGIONAL_INDICATOR && odd_indicators);
        if (!goes_on) return length;
        if (kind != U_GCB_EXTEND && kind != U_GCB_ZWJ) after_pictograph = is_pictographic(c);
        odd_indicators = kind == U_GCB_REGIONAL_INDICATOR && !(odd_indicators && before == U_GCB_REGIONAL_INDICATOR);
        before = kind;
    }
    return text.size();
}

// ---- replacing

struct Part {
    char32_t value = 0;
    std::int32_t added = 0;  // see replaced_by()
};

// `count` characters become `replacement`. The last ones are new where it is longer, and the last one stands for more
// where it is shorter: the one before it, where it is empty.
void append_replacement(std::vector<Part>& parts, std::size_t count, std::u32string_view replacement) {
    const auto difference = std::ssize(replacement) - static_cast<std::ptrdiff_t>(count);
    for (const char32_t c : replacement) parts.push_back({c, 0});
    if (difference < 0 && !parts.empty()) parts.back().added += static_cast<std::int32_t>(difference);
    for (std::ptrdiff_t i = 1; i <= difference; ++i) (parts.end() - i)->added = 1;
}

class Precompiled {
  public:
    Precompiled(const std::string& where, std::string charsmap)
        : map_(std::make_shared<const Charsmap>(where, std::move(charsmap))) {
        for (char32_t c = 0; c < ascii_stays_.size(); ++c) {
            const char byte = static_cast<char>(c);
            ascii_stays_[c] = !map_->find({&byte, 1});
        }
    }

    void operator()(Characters& text) const {
        if (std::ranges::all_of(text, [this](Character c) { return stays(c.value); })) return;
        std::vector<Part> parts;
        parts.reserve(text.size());
        bool changed = false;
        for (std::size_t at = 0; at < text.size();) {
            const Text rest = Text(text).subspan(at);
            const std::size_t length = next_stays(rest) ? 1 : cluster_length(rest);
            changed = append_cluster(parts, rest.first(length)) || changed;
            at += length;
        }
        if (changed) text = replaced_by(parts, text);
    }

  private:
    [[nodiscard]] bool stays(char32_t c) const { return c < ascii_stays_.size() && ascii_stays_[c]; }

    // Most of most texts: two characters of ASCII, of which the first is a cluster by itself.
    [[nodiscard]] bool next_stays(Text rest) const {
        return stays(rest[0].value) && rest[0].value != '\r' && (rest.size() == 1 || rest[1].value < 0x80);
    }

    // Returns whether anything changed.
    bool append_cluster(std::vector<Part>& parts, Text cluster) const {
        constexpr std::size_t long_from = 6;  // bytes
        std::string utf8;
        for (const Character c : cluster) append_utf8(utf8, c.value);
        if (utf8.size() < long_from && append_found(parts, cluster.size(), utf8)) return true;
        bool changed = false;
        for (const Character c : cluster) {
            utf8.clear();
            append_utf8(utf8, c.value);
            if (append_found(parts, 1, utf8))
                changed = true;
            else
                parts.push_back({c.value, 0});
        }
        return changed;
    }

    bool append_found(std::vector<Part>& parts, std::size_t count, std::string_view utf8) const {
        const auto replacement = map_->find(utf8);
        if (replacement) append_replacement(parts, count, to_utf32(*replacement));
        return replacement.has_value();
    }

    std::shared_ptr<const Charsmap> map_;
    std::array<bool, 128> ascii_stays_{};
};

}  // namespace

Normalizer precompiled(const std::string& where, std::string charsmap) {
    return Precompiled(where, std::move(charsmap));
}

}  // namespace wordbreadth::encoder::tokenizer
