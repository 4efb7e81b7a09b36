// Runs the program of a regular expression: what can be tried later is put on a stack of its own, so that no text makes
// the program's stack grow.
#include "encoder/tokenizer/expression.h"

#include <algorithm>
#include <optional>

#include "wordbreadth/error.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::encoder::tokenizer {

class ExpressionMatcher {
  public:
    ExpressionMatcher(const Expression& expression, std::span<const Character> text)
        : program_(expression.program_), sets_(expression.sets_), text_(text) {}

    // Where a match that begins at `at` ends.
    std::optional<std::size_t> match(std::size_t at) { return run(0, at); }

  private:
    using Operation = Expression::Operation;
    using Instruction = Expression::Instruction;

    // Where to go on when something fails: at any place from the last to the first.
    struct Alternative {
        std::uint32_t instruction = 0;
        std::size_t first = 0;
        std::size_t last = 0;
    };

    [[nodiscard]] bool has(std::uint32_t set, std::size_t at) const { return sets_[set].has(text_[at].value); }

    [[nodiscard]] bool is_line_feed(std::size_t at) const { return text_[at].value == '\n'; }

    [[nodiscard]] bool holds(const Instruction& instruction, std::size_t at) const {
        const bool begin = at == 0, end = at == text_.size();
        const auto is_word = [&](std::size_t place) { return has(instruction.set, place); };
        switch (instruction.operation) {
            case Operation::text_begin:
                return begin;
            case Operation::text_end:
                return end;
            case Operation::line_begin:
                return begin || (!end && is_line_feed(at - 1));
            case Operation::line_end:
                return end || is_line_feed(at);
            default: {
                const bool edge = (!begin && is_word(at - 1)) != (!end && is_word(at));
                return edge == (instruction.operation == Operation::word_edge);
            }
        }
    }

    std::optional<std::size_t> run(std::uint32_t next, std::size_t at) {
        const std::size_t bottom = alternatives_.size();
        while (true) {
            const Instruction& instruction = program_[next];
            if (instruction.operation == Operation::accept) {
                alternatives_.resize(bottom);
                return at;
            }
            if (step(instruction, next, at)) continue;
            if (alternatives_.size() == bottom) return std::nullopt;
            go_back(next, at);
        }
    }

    void go_back(std::uint32_t& next, std::size_t& at) {
        if (++steps_ > limits::expression_steps)
            throw InputError(
                "a regular expression of the tokenizer takes too long on a text; save the tokenizer with a "
                "simpler one");
        Alternative& alternative = alternatives_.back();
        next = alternative.instruction;
        at = alternative.last;
        if (alternative.first == alternative.last)
            alternatives_.pop_back();
        else
            --alternative.last;
    }

    // False where the text is not what the instruction wants.
    bool step(const Instruction& instruction, std::uint32_t& next, std::size_t& at) {
        switch (instruction.operation) {
            case Operation::one:
                if (at == text_.size() || !has(instruction.set, at)) return false;
                ++at;
                ++next;
                return true;
            case Operation::run:
                return take_run(instruction, next, at);
            case Operation::either:
                alternatives_.push_back({instruction.other, at, at});
                next = instruction.target;
                return true;
            case Operation::jump:
                next = instruction.target;
                return true;
            case Operation::look: {
                const bool there = at >= instruction.back && run(next + 1, at - instruction.back).has_value();
                next = instruction.target;
                return there != instruction.negative;
            }
            case Operation::atomic: {
                const auto end = run(next + 1, at);
                at = end.value_or(at);
                next = instruction.target;
                return end.has_value();
            }
            default:
                return holds(instruction, at) && (++next, true);
        }
    }

    bool take_run(const Instruction& instruction, std::uint32_t& next, std::size_t& at) {
        const std::size_t most = std::min<std::size_t>(instruction.most, text_.size() - at);
        const CharacterSet& set = sets_[instruction.set];
        std::size_t length = 0;
        while (length < most && set.has(text_[at + length].value)) ++length;
        if (length < instruction.least) return false;
        ++next;
        if (!instruction.possessive && length > instruction.least)
            alternatives_.push_back({next, at + instruction.least, at + length - 1});
        at += length;
        return true;
    }

    std::span<const Instruction> program_;
    std::span<const CharacterSet> sets_;
    std::span<const Character> text_;
    std::vector<Alternative> alternatives_;
    std::size_t steps_ = 0;
};

void Expression::find_all(std::span<const Character> text, std::vector<Range>& matches) const {
    ExpressionMatcher matcher(*this, text);
    std::optional<std::size_t> last_end;
    for (std::size_t at = 0; at <= text.size();) {
        if (!can_be_empty_ && (at == text.size() || !beginnings_.has(text[at].value))) {
            ++at;
            continue;
        }
        const auto end = matcher.match(at);
        if (!end || (*end == at && last_end == at)) {
            ++at;
            continue;
        }
        matches.push_back({at, *end});
        last_end = end;
        at = *end;
    }
}

}  // namespace wordbreadth::encoder::tokenizer
