// From the text of a regular expression to a program: parsed into a tree, and the tree written out.
#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <utility>

#include "base/failure.h"
#include "encoder/tokenizer/expression.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::encoder::tokenizer {

namespace {

constexpr std::uint32_t no_limit = std::numeric_limits<std::uint32_t>::max();

constexpr bool is_digit(char32_t c) {
    return c >= '0' && c <= '9';
}

constexpr bool is_ascii_letter(char32_t c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

}  // namespace

class ExpressionCompiler {
  public:
    ExpressionCompiler(std::string where, std::string_view pattern, Expression& to)
        : where_(std::move(where)), spelled_(pattern), pattern_(to_utf32(pattern)), to_(to) {}

    void compile() {
        const Node tree = choice(0);
        if (at_ != pattern_.size()) fail("a \")\" without a \"(\"");
        write(tree);
        emit({.operation = Expression::Operation::accept});
        to_.can_be_empty_ = width(tree).least == 0;
        if (!to_.can_be_empty_) (void)add_beginnings(tree);
    }

    static void compile_literal(std::u32string_view text, Expression& to) {
        for (const char32_t c : text) {
            CharacterSet set;
            set.add(c, c);
            to.program_.push_back(
                {.operation = Expression::Operation::one, .set = static_cast<std::uint32_t>(to.sets_.size())});
            to.sets_.push_back(std::move(set));
        }
        to.program_.push_back({.operation = Expression::Operation::accept});
        to.beginnings_.add(text.front(), text.front());
    }

  private:
    using Operation = Expression::Operation;

    enum class Kind : std::uint8_t { set, sequence, choice, repeat, look, atomic, assertion };
    enum class Taking : std::uint8_t { greedy, lazy, possessive };

    struct Node {
        Kind kind = Kind::sequence;
        std::vector<Node> parts = {};
        std::uint32_t set = 0;
        std::uint32_t least = 0, most = 0;      // of repeat
        Taking taking = Taking::greedy;         // of repeat
        bool negative = false, behind = false;  // of look
        Operation assertion = Operation::accept;
    };

    struct Width {
        std::uint32_t least = 0;
        std::uint32_t most = 0;
    };

    [[noreturn]] void fail(const std::string& what) const {
        base::fail(where_, "the regular expression " + base::in_quotes(spelled_) + " has " + what);
    }
    [[noreturn]] void fail_unknown(std::size_t from) const {
        std::string part;
        for (std::size_t i = from; i < std::min(at_, pattern_.size()); ++i) append_utf8(part, pattern_[i]);
        fail(base::in_quotes(part) + ", which is not supported");
    }

    [[nodiscard]] bool ended() const { return at_ == pattern_.size(); }
    [[nodiscard]] char32_t peek(std::size_t ahead = 0) const {
        return at_ + ahead < pattern_.size() ? pattern_[at_ + ahead] : 0;
    }
    char32_t take() {
        if (ended()) fail("no end: something is missing after it");
        return pattern_[at_++];
    }
    bool take_if(std::u32string_view text) {
        if (!std::u32string_view(pattern_).substr(at_).starts_with(text)) return false;
        at_ += text.size();
        return true;
    }

    // ---- parsing

    Node choice(std::size_t depth) {
        if (depth > limits::json_depth) fail("groups that are nested too deeply");
        Node node{.kind = Kind::choice};
        do node.parts.push_back(sequence(depth));
        while (take_if(U"|"));
        return node.parts.size() == 1 ? std::move(node.parts.front()) : std::move(node);
    }

    Node sequence(std::size_t depth) {
        Node node{.kind = Kind::sequence};
        while (!ended() && peek() != '|' && peek() != ')') {
            if (take_if(U"(?i)")) {
                ignore_case_ = true;
                continue;
            }
            node.parts.push_back(repeated(item(depth)));
        }
        return node;
    }

    Node repeated(Node node) {
        while (true) {
            const std::size_t from = at_;
            const auto times = repetition();
            if (!times) return node;
            if (width(node).most == 0) fail("a repetition of nothing");
            if (width(node).least == 0) {
                ++at_;
                fail_unknown(from);  // could be repeated for ever without moving
            }
            Node outer{.kind = Kind::repeat, .least = times->least, .most = times->most};
            const bool counted = pattern_[at_ - 1] == '}';
            if (counted && (peek() == '+' || (peek() == '?' && times->least == times->most))) {
                ++at_;
                fail_unknown(from);  // means something else to Oniguruma than elsewhere
            }
            if (take_if(U"?"))
                outer.taking = Taking::lazy;
            else if (take_if(U"+"))
                outer.taking = Taking::possessive;
            outer.parts.push_back(std::move(node));
            node = std::move(outer);
        }
    }

    // ?, *, +, {2}, {2,}, {2,3} or {,3}. A brace that is none of them is a character.
    std::optional<Width> repetition() {
        if (take_if(U"?")) return Width{0, 1};
        if (take_if(U"*")) return Width{0, no_limit};
        if (take_if(U"+")) return Width{1, no_limit};
        if (peek() != '{') return std::nullopt;
        const std::size_t from = at_++;
        const auto least = number();
        const bool range = take_if(U",");
        const auto most = range ? number() : least;
        if (!take_if(U"}") || (!least && !most)) {
            at_ = from;
            return std::nullopt;
        }
        const Width times{least.value_or(0), most.value_or(no_limit)};
        if (times.least > times.most) fail_unknown(from);
        return times;
    }

    std::optional<std::uint32_t> number() {
        if (!is_digit(peek())) return std::nullopt;
        std::uint32_t value = 0;
        while (is_digit(peek())) {
            value = 10 * value + (take() - U'0');
            if (value > limits::expression_instructions) fail("a number that is too large");
        }
        return value;
    }

    Node item(std::size_t depth) {
        const std::size_t from = at_;
        const char32_t c = take();
        switch (c) {
            case '(':
                return group(depth, from);
            case '[':
                return of_set(set_in_brackets(depth));
            case '.':
                return of_set(all_but_line_feed());
            case '^':
                return {.kind = Kind::assertion, .assertion = Operation::line_begin};
            case '$':
                return {.kind = Kind::assertion, .assertion = Operation::line_end};
            case '\\':
                return escaped_item(from);
            case '?':
            case '*':
            case '+':
                fail("a repetition of nothing");
            default:
                return of_character(c);
        }
    }

    Node group(std::size_t depth, std::size_t from) {
        const bool case_before = ignore_case_;
        Node outer{.kind = Kind::sequence};
        if (take_if(U"?i:")) {
            ignore_case_ = true;
        } else if (take_if(U"?>")) {
            outer.kind = Kind::atomic;
        } else if (take_if(U"?=") || take_if(U"?!") || take_if(U"?<=") || take_if(U"?<!")) {
            outer.kind = Kind::look;
            outer.negative = pattern_[at_ - 1] == '!';
            outer.behind = pattern_[at_ - 2] == '<';
        } else if (peek() == '?' && !take_if(U"?:")) {
            at_ += 2;
            fail_unknown(from);
        }
        outer.parts.push_back(choice(depth + 1));
        if (!take_if(U")")) fail("a \"(\" without a \")\"");
        ignore_case_ = case_before;
        const Width inner = width(outer.parts.front());
        if (outer.behind && inner.least != inner.most) fail_unknown(from);
        return outer;
    }

    Node escaped_item(std::size_t from) {
        switch (peek()) {
            case 'b':
                ++at_;
                return {.kind = Kind::assertion, .assertion = word_assertion(Operation::word_edge)};
            case 'B':
                ++at_;
                return {.kind = Kind::assertion, .assertion = word_assertion(Operation::no_word_edge)};
            case 'A':
                ++at_;
                return {.kind = Kind::assertion, .assertion = Operation::text_begin};
            case 'z':
                ++at_;
                return {.kind = Kind::assertion, .assertion = Operation::text_end};
            default:
                break;
        }
        if (auto set = escaped_set(from, Place::alone)) return of_set(std::move(*set));
        return of_character(escaped_character(from));
    }

    Operation word_assertion(Operation operation) {
        if (word_set_ == no_limit) word_set_ = keep(set_of_word_characters());
        return operation;
    }

    enum class Place : std::uint8_t { alone, in_brackets };

    // Behind a backslash: \s, \p{L} and their like; nothing where it is a character.
    std::optional<CharacterSet> escaped_set(std::size_t from, Place place) {
        const char32_t c = peek();
        std::optional<CharacterSet> set;
        switch (c) {
            case 's':
            case 'S':
                set = set_of_pattern("[:White_Space:]");
                break;
            case 'd':
            case 'D':
                set = set_of_property("Nd");
                break;
            case 'w':
            case 'W':
                set = place == Place::alone ? set_of_word_characters() : set_of_word_characters_in_brackets();
                break;
            case 'p':
            case 'P':
                return property(from);
            default:
                return std::nullopt;
        }
        ++at_;
        if (c == 'S' || c == 'D' || c == 'W') set->invert();
        return set;
    }

    // \p{L}, \P{L}, \p{^L}
    CharacterSet property(std::size_t from) {
        bool outside = take() == 'P';
        if (!take_if(U"{")) fail_unknown(from);
        if (take_if(U"^")) outside = !outside;
        std::string name;
        while (!ended() && peek() != '}') append_utf8(name, take());
        if (!take_if(U"}")) fail("a \"{\" without a \"}\"");
        auto set = set_of_property(name);
        if (!set) fail_unknown(from);
        if (outside) set->invert();
        return std::move(*set);
    }

    char32_t escaped_character(std::size_t from) {
        constexpr std::u32string_view letters = U"nrtfvae";
        constexpr std::u32string_view meanings = U"\n\r\t\f\v\a\x1B";
        const char32_t c = take();
        if (const std::size_t found = letters.find(c); found != std::u32string_view::npos) return meanings[found];
        if (c == 'u') return hexadecimal(from, 4, 4);
        if (c == 'x' && !take_if(U"{")) return hexadecimal(from, 1, 2);
        if (c == 'x') {
            const char32_t value = hexadecimal(from, 1, 8);
            if (!take_if(U"}")) fail_unknown(from);
            return value;
        }
        if (is_digit(c) || is_ascii_letter(c) || c >= 0x80) fail_unknown(from);
        return c;
    }

    char32_t hexadecimal(std::size_t from, std::size_t least, std::size_t most) {
        std::string digits;
        while (digits.size() < most && (is_digit(peek()) || (peek() | 0x20) - U'a' < 6)) {
            digits += static_cast<char>(take());
        }
        std::uint32_t value = 0;
        std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
        if (digits.size() < least || value > 0x10FFFF) fail_unknown(from);
        return value;
    }

    // Behind "[".
    CharacterSet set_in_brackets(std::size_t depth) {
        if (depth > limits::json_depth) fail("sets that are nested too deeply");
        const bool outside = take_if(U"^");
        CharacterSet set;
        std::optional<CharacterSet> before;  // an "&&"
        if (peek() == ']' || peek() == ':') fail("a set that begins with \"]\" or \":\", which is not supported");
        while (!take_if(U"]")) {
            if (take_if(U"&&")) {
                if (before) set.keep(*before);
                before = std::exchange(set, CharacterSet());
                continue;
            }
            add_member(set, depth);
        }
        if (before) set.keep(*before);
        if (ignore_case_) set.ignore_case();
        if (outside) set.invert();
        return set;
    }

    // A character, a range of them, or a set in the set.
    void add_member(CharacterSet& set, std::size_t depth) {
        const std::size_t from = at_;
        char32_t first = take();
        if (first == '[') return set.add(set_in_brackets(depth + 1));
        if (first == '\\') {
            if (const auto inner = escaped_set(from, Place::in_brackets)) return set.add(*inner);
            first = escaped_character(from);
        }
        if (peek() != '-' || peek(1) == ']' || peek(1) == '[') return set.add(first, first);
        ++at_;
        const std::size_t second_from = at_;
        char32_t last = take();
        if (last == '\\') {
            if (escaped_set(second_from, Place::in_brackets)) fail_unknown(from);
            last = escaped_character(second_from);
        }
        if (last < first) fail_unknown(from);
        set.add(first, last);
    }

    static CharacterSet all_but_line_feed() {
        CharacterSet set;
        set.add('\n', '\n');
        set.invert();
        return set;
    }

    Node of_character(char32_t c) {
        CharacterSet set;
        set.add(c, c);
        if (ignore_case_) set.ignore_case();
        return of_set(std::move(set));
    }

    Node of_set(CharacterSet set) { return {.kind = Kind::set, .set = keep(std::move(set))}; }

    std::uint32_t keep(CharacterSet set) {
        if (to_.sets_.size() >= limits::expression_sets) fail("too many characters and sets");
        to_.sets_.push_back(std::move(set));
        return static_cast<std::uint32_t>(to_.sets_.size() - 1);
    }

    // ---- the tree

    static std::uint32_t sum(std::uint32_t a, std::uint32_t b) { return a > no_limit - b ? no_limit : a + b; }
    static std::uint32_t product(std::uint32_t a, std::uint32_t b) {
        return a == 0 || b == 0 ? 0 : a > no_limit / b ? no_limit : a * b;
    }

    static Width width(const Node& node) {
        Width total;
        switch (node.kind) {
            case Kind::set:
                return {1, 1};
            case Kind::look:
            case Kind::assertion:
                return {0, 0};
            case Kind::repeat: {
                const Width inner = width(node.parts.front());
                return {product(inner.least, node.least), product(inner.most, node.most)};
            }
            case Kind::choice:
                total.least = no_limit;
                for (const Node& part : node.parts) {
                    const Width inner = width(part);
                    total = {std::min(total.least, inner.least), std::max(total.most, inner.most)};
                }
                return total;
            default:
                for (const Node& part : node.parts) {
                    const Width inner = width(part);
                    total = {sum(total.least, inner.least), sum(total.most, inner.most)};
                }
                return total;
        }
    }

    // Returns whether what follows the node can begin a match as well.
    bool add_beginnings(const Node& node) {
        switch (node.kind) {
            case Kind::set:
                to_.beginnings_.add(to_.sets_[node.set]);
                return false;
            case Kind::look:
            case Kind::assertion:
                return true;
            case Kind::repeat:
                return add_beginnings(node.parts.front()) || node.least == 0;
            case Kind::choice: {
                bool passes = false;
                for (const Node& part : node.parts) passes = add_beginnings(part) || passes;
                return passes;
            }
            default:
                return std::ranges::all_of(node.parts, [this](const Node& part) { return add_beginnings(part); });
        }
    }

    // ---- writing

    std::uint32_t here() const { return static_cast<std::uint32_t>(to_.program_.size()); }

    std::uint32_t emit(const Expression::Instruction& instruction) {
        if (to_.program_.size() >= limits::expression_instructions) fail("more in it than is accepted");
        to_.program_.push_back(instruction);
        return here() - 1;
    }

    void write(const Node& node) {
        switch (node.kind) {
            case Kind::set:
                emit({.operation = Operation::one, .set = node.set});
                return;
            case Kind::assertion:
                emit({.operation = node.assertion, .set = word_set_ == no_limit ? 0 : word_set_});
                return;
            case Kind::sequence:
                for (const Node& part : node.parts) write(part);
                return;
            case Kind::choice:
                return write_choice(node);
            case Kind::repeat:
                return write_repeat(node);
            case Kind::atomic:
                return write_inside({.operation = Operation::atomic}, node.parts.front());
            case Kind::look:
                const std::uint32_t back = node.behind ? width(node.parts.front()).least : 0;
                return write_inside({.operation = Operation::look, .negative = node.negative, .back = back},
                                    node.parts.front());
        }
    }

    void write_choice(const Node& node) {
        std::vector<std::uint32_t> jumps;
        for (std::size_t i = 0; i + 1 < node.parts.size(); ++i) {
            const std::uint32_t either = emit({.operation = Operation::either});
            to_.program_[either].target = here();
            write(node.parts[i]);
            jumps.push_back(emit({.operation = Operation::jump}));
            to_.program_[either].other = here();
        }
        write(node.parts.back());
        for (const std::uint32_t jump : jumps) to_.program_[jump].target = here();
    }

    void write_repeat(const Node& node) {
        const Node& inner = node.parts.front();
        if (inner.kind == Kind::set && node.taking != Taking::lazy) {
            emit({.operation = Operation::run,
                  .possessive = node.taking == Taking::possessive,
                  .set = inner.set,
                  .least = node.least,
                  .most = node.most});
        } else if (node.taking == Taking::possessive) {
            Node greedy = node;
            greedy.taking = Taking::greedy;
            write_inside({.operation = Operation::atomic}, greedy);
        } else {
            write_loop(node, inner);
        }
    }

    void write_inside(const Expression::Instruction& outer, const Node& inner) {
        const std::uint32_t at = emit(outer);
        write(inner);
        emit({.operation = Operation::accept});
        to_.program_[at].target = here();
    }

    void write_loop(const Node& node, const Node& inner) {
        for (std::uint32_t i = 0; i < node.least; ++i) write(inner);
        std::vector<std::uint32_t> exits;
        const auto write_exit = [&] {
            const std::uint32_t either = emit({.operation = Operation::either});
            exits.push_back(either);
            return either;
        };
        if (node.most == no_limit) {
            const std::uint32_t top = write_exit();
            write(inner);
            emit({.operation = Operation::jump, .target = top});
        } else {
            for (std::uint32_t i = node.least; i < node.most; ++i) {
                write_exit();
                write(inner);
            }
        }
        for (const std::uint32_t at : exits) {
            const bool lazy = node.taking == Taking::lazy;
            to_.program_[at].target = lazy ? here() : at + 1;
            to_.program_[at].other = lazy ? at + 1 : here();
        }
    }

    std::string where_;
    std::string spelled_;
    std::u32string pattern_;
    std::size_t at_ = 0;
    bool ignore_case_ = false;
    std::uint32_t word_set_ = no_limit;
    Expression& to_;
};

Expression::Expression(const std::string& where, std::string_view pattern) {
    ExpressionCompiler(where, pattern, *this).compile();
}

Expression Expression::of_literal(std::string_view text) {
    Expression expression;
    ExpressionCompiler::compile_literal(to_utf32(text), expression);
    return expression;
}

}  // namespace wordbreadth::encoder::tokenizer
