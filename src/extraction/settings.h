// The settings of an extraction: options settled, as a store has them, and compared with those of a plan when it is
// resumed; and what of it is not in the corpus: words of a list that get no cloud, parts of speech that no word has.
// Nothing that a call says may be ignored.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "corpus/corpus.h"
#include "extraction/analyst.h"
#include "extraction/model.h"
#include "extraction/packing.h"
#include "store/plan.h"
#include "wordbreadth/extract.h"
#include "wordbreadth/store.h"

namespace wordbreadth::extraction {

[[nodiscard]] inline corpus::Selection selection_of(const ExtractOptions& options) {
    return {options.by_lemma, options.parts_of_speech};
}

[[nodiscard]] inline AnalystOptions analyst_options(const ExtractOptions& options) {
    return {options.unit, options.letter_case, options.subwords, options.max_tokens};
}

[[nodiscard]] inline std::uint64_t min_count_of(const ExtractOptions& options) {
    return options.min_count.value_or(options.unit == ExtractUnit::word ? 100 : 2);
}

[[nodiscard]] inline std::uint64_t per_word_of(const ExtractOptions& options) {
    return options.per_word.value_or(options.unit == ExtractUnit::word ? 100 : 0);
}

// Texts may be equal for good reasons: what is compared may be how often they are.
[[nodiscard]] inline Deduplicate deduplicate_of(const ExtractOptions& options) {
    return options.deduplicate.value_or(options.unit == ExtractUnit::word ? Deduplicate::exact : Deduplicate::none);
}

// Whether Bank and bank are two words. Labels are taken as they are.
[[nodiscard]] bool cases_differ(const ExtractOptions& options);

// The words that were asked for, in the case that is counted, each once, in byte order.
[[nodiscard]] std::vector<std::string> wanted_words(const ExtractOptions& options);

using Settings = std::vector<std::pair<std::string, std::string>>;

// What decides the contents of a store, as it is written into it.
[[nodiscard]] Settings settings_of(const ExtractOptions& options, const ModelRecord& model);

// A path that means the same whatever the working folder: absolute, without "..", links left as they are. A user
// knows the model by the link; its hash says what it is.
[[nodiscard]] std::string resolved(const std::string& path);

// Throws InputError, naming both values, when the call states a setting that is not the plan's: see
// ExtractOptions::stated. The model is compared by require_same_model.
void require_same(store::Plan& plan, const ExtractOptions& options);

// The folder of the plan's model. Throws InputError, saying how to name another, when it is no longer there.
[[nodiscard]] std::string planned_model(store::Plan& plan);

// Throws InputError, naming both, unless `sha256`, of the model in `folder`, is that of the plan's model.
void require_same_model(store::Plan& plan, const std::string& folder, const std::string& sha256);

// Throws InputError unless the model computes in the plan's precision here: the rows of one store are alike.
void require_same_precision(store::Plan& plan, const ModelRecord& model);

// What a pass over the corpus finds of the words that were asked for.
class WantedWords {
  public:
    // `cases_differ`: whether Bank and bank are two words; then other spellings of the wanted ones are counted too.
    WantedWords(std::span<const std::string> words, bool cases_differ);

    void add(std::string_view type, Use use);

    using Uses = std::array<std::uint64_t, uses>;
    [[nodiscard]] const Uses& uses_of(std::string_view word) const;

    // The most frequent spelling of `word` that was not asked for and differs from it in case only; or nothing.
    [[nodiscard]] std::string other_case_of(std::string_view word) const;

    // That many of its occurrences that counted as `from` count as `to`.
    void move(std::string_view word, Use from, Use to, std::uint64_t count);

    void pack(Packer& to) const;
    void add(Unpacker& from);  // to what is there

  private:
    bool cases_differ_;
    base::TextMap<Uses> words_;
    base::TextMap<base::TextMap<std::uint64_t>> spellings_;  // of each wanted word in lower case: other spellings met
};

struct Requirement {
    std::uint64_t usable = 0;        // occurrences that a word needs
    std::uint64_t per_document = 0;  // at most that many of them from one document; 0: any number
};

// Why `word` has fewer usable occurrences than needed.
[[nodiscard]] std::string reason_for(const WantedWords& wanted, std::string_view word, std::uint64_t usable,
                                     const Requirement& needed);

// How many of the missing words have enough occurrences once those of several tokens count (Subwords::mean).
[[nodiscard]] std::uint64_t kept_by_mean(const WantedWords& wanted, std::span<const MissingWord> missing,
                                         const Requirement& needed);

// Throws InputError: no word (or label) of the list is left.
[[noreturn]] void fail_all_missing(std::span<const MissingWord> missing, std::uint64_t kept_by_mean, ExtractUnit unit);

// The parts of speech that a corpus has.
class TagCounts {
  public:
    // Of all words that the corpus has marked in the sentence.
    void add(const corpus::Sentence& sentence);

    // Those of the wanted ones that no word has: see corpus::is_part_of_speech.
    [[nodiscard]] std::vector<std::string> unknown(std::span<const std::string> wanted) const;

    // That no word has these, and which the corpus has, the most frequent first.
    [[nodiscard]] std::string message(const std::vector<std::string>& unknown) const;

    void pack(Packer& to) const;
    void add(Unpacker& from);  // to what is there

  private:
    struct Count {
        std::uint64_t words = 0;
        corpus::TagSet tags = corpus::TagSet::unknown;
    };

    void add(std::string_view tag, const Count& more);
    [[nodiscard]] std::vector<std::string> most_frequent_first() const;

    base::TextMap<Count> counts_;
};

}  // namespace wordbreadth::extraction
