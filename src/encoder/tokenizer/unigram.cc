#include <algorithm>
#include <limits>

#include "base/failure.h"
#include "encoder/tokenizer/parts.h"
#include "wordbreadth/error.h"

namespace wordbreadth::encoder::tokenizer {

namespace {

using Text = std::span<const Character>;

class Unigram {
  public:
    Unigram(const Vocabulary& vocabulary, const UnigramOptions& options) : unknown_(options.unknown.value_or(nothing)) {
        double least = std::numeric_limits<double>::infinity();
        for (const auto& [token, score] : options.scores) {
            least = std::min(least, score);
            scores_.push_back(score);
        }
        for (const auto& [token, id] : vocabulary.ids()) tokens_.add(to_utf32(token), id);
        if (options.byte_fallback) bytes_ = ids_of_bytes(vocabulary);
        constexpr double penalty = 10;  // sentencepiece's
        unknown_score_ = least - penalty;
    }

    void operator()(Text word, std::vector<Piece>& to) const {
        std::vector<Best> best(word.size() + 1);
        for (std::size_t at = 0; at < word.size(); ++at) extend(word, at, best);
        // Backwards, and then the pieces are turned round.
        const auto before = static_cast<std::ptrdiff_t>(to.size());
        for (std::size_t end = word.size(); end > 0;) {
            std::size_t begin = best[end].begin;
            if (best[end].id != unknown_) {
                to.push_back(piece_over(best[end].id, word.subspan(begin, end - begin)));
            } else {
                while (begin > 0 && best[begin].id == unknown_) begin = best[begin].begin;
                append_unknown(word.subspan(begin, end - begin), to);
            }
            end = begin;
        }
        std::reverse(to.begin() + before, to.end());
    }

  private:
    static constexpr std::int32_t nothing = -1;

    // The best way to cut what is before a place: its last token, and all scores.
    struct Best {
        double score = 0;
        std::uint32_t begin = 0;
        std::int32_t id = nothing;  // none found yet
        bool found = false;
    };

    // With the tokens that begin at `at`.
    void extend(Text word, std::size_t at, std::vector<Best>& best) const {
        const double before = best[at].score;
        const auto offer = [&](std::size_t length, std::int32_t id, double score) {
            Best& target = best[at + length];
            const double sum = score + before;
            if (target.found && sum <= target.score) return;
            target = {sum, static_cast<std::uint32_t>(at), id, true};
        };
        bool one = false;
        tokens_.each(word.subspan(at), [&](std::size_t length, std::int32_t id) {
            offer(length, id, scores_[static_cast<std::size_t>(id)]);
            one = one || length == 1;
        });
        if (one) return;
        if (unknown_ == nothing) fail_unknown(word[at].value);
        offer(1, unknown_, unknown_score_);
    }

    [[noreturn]] static void fail_unknown(char32_t c) {
        std::string text;
        append_utf8(text, c);
        throw InputError("the vocabulary of the model has neither the character " + base::in_quotes(text) +
                         " nor a token for what is unknown; use a model that has");
    }

    // What is unknown together can be a token all the same, or bytes. Backwards.
    void append_unknown(Text text, std::vector<Piece>& to) const {
        const auto match = tokens_.longest(text);
        if (match && match->length == text.size()) return to.push_back(piece_over(match->value, text));
        auto ids = bytes_ ? spelled_in(*bytes_, text) : std::vector<std::int32_t>();
        std::ranges::reverse(ids);
        for (const std::int32_t id : ids) to.push_back(piece_over(id, text));
        if (ids.empty()) to.push_back(piece_over(unknown_, text));
    }

    Trie tokens_;
    std::vector<double> scores_;  // by id
    std::int32_t unknown_;
    double unknown_score_ = 0;
    std::optional<ByteTokens> bytes_;
};

}  // namespace

Model unigram(const Vocabulary& vocabulary, const UnigramOptions& options) {
    return Unigram(vocabulary, options);
}

}  // namespace wordbreadth::encoder::tokenizer
