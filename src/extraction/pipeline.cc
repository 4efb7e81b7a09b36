#include "extraction/pipeline.h"

#include <algorithm>
#include <string>
#include <utility>

#include "wordbreadth/error.h"
#include "wordbreadth/timing.h"

namespace wordbreadth::extraction {

namespace {

// A block is cut into pieces, so that threads which finish early find more to do.
constexpr std::size_t block_sentences = 4096;
constexpr std::size_t block_bytes = 4 * 1024 * 1024;
constexpr std::size_t piece_sentences = 64;

std::size_t pieces_of(const Block& block) {
    return (block.size + piece_sentences - 1) / piece_sentences;
}

bool is_usable(const FoundWord& word) {
    return word.use == Use::usable;
}

}  // namespace

CompactBlock::CompactBlock(const Block& block) {
    Entry sizes;
    for (std::size_t i = 0; i < block.size; ++i) {
        sizes.text_end += block.sentences[i].text.size();
        sizes.tokens_end += block.analyses[i].ids.size();
        sizes.words_end += block.analyses[i].words.size();
    }
    entries_.reserve(block.size);
    texts_.reserve(sizes.text_end);
    tokens_.reserve(sizes.tokens_end);
    words_.reserve(sizes.words_end);
    for (std::size_t i = 0; i < block.size; ++i)
        if (std::ranges::any_of(block.analyses[i].words, is_usable)) add(block.sentences[i], block.analyses[i]);
}

void CompactBlock::add(const KeptSentence& sentence, const Analysis& analysis) {
    if (entries_.empty() || entries_.back().document != sentence.document) names_.push_back(sentence.document_name);
    texts_ += sentence.text;
    tokens_.insert(tokens_.end(), analysis.ids.begin(), analysis.ids.end());
    for (const FoundWord& word : analysis.words)
        if (is_usable(word)) words_.push_back({word.begin, word.end, word.token, word.tokens});
    entries_.push_back(
        {sentence.number, sentence.document, names_.size() - 1, texts_.size(), tokens_.size(), words_.size()});
}

CompactBlock::Sentence CompactBlock::operator[](std::size_t i) const {
    const Entry& end = entries_[i];
    const Entry begin = i == 0 ? Entry{} : entries_[i - 1];
    return {end.number,
            end.document,
            names_[end.name],
            std::string_view(texts_).substr(begin.text_end, end.text_end - begin.text_end),
            std::span(tokens_).subspan(begin.tokens_end, end.tokens_end - begin.tokens_end),
            std::span(words_).subspan(begin.words_end, end.words_end - begin.words_end)};
}

std::size_t CompactBlock::bytes() const {
    return entries_.capacity() * sizeof(Entry) + texts_.capacity() + tokens_.capacity() * sizeof(std::int32_t) +
           words_.capacity() * sizeof(Word);
}

Pipeline::Pipeline(const encoder::tokenizer::Tokenizer& tokenizer, const ExtractOptions& options)
    : options_(options), selection_(selection_of(options)), workers_(base::thread_count(options.threads)) {
    for (std::size_t i = 0; i < workers_.size(); ++i) analysts_.emplace_back(tokenizer, analyst_options(options));
}

// What has to go in order is begun first, and delays nothing as long as it is less than a thread's share of the work.
void Pipeline::run(const Stages& stages) {
    Block next, analysed, taken, counted;
    const std::size_t in_order = 2 + stages.parts;
    for (bool more = true; more;) {
        if (options_.stop.stop_requested()) throw Cancelled();
        const Timing::Stage waiting(options_.timing, "");
        workers_.run(in_order + pieces_of(analysed), [&](std::size_t piece, std::size_t worker) {
            if (piece == 0) {
                const Timing::Stage stage(options_.timing, "reading the corpus");
                read(stages, next);
            } else if (piece == 1) {
                const Timing::Stage stage(options_.timing, stages.name);
                stages.take(taken);
            } else if (piece < in_order) {
                const Timing::Stage stage(options_.timing, stages.name);
                stages.count(counted, piece - 2);
            } else {
                const Timing::Stage stage(options_.timing, "finding words and tokens");
                analyse(stages, analysed, piece - in_order, analysts_[worker]);
            }
        });
        more = next.size + analysed.size + taken.size > 0;
        std::swap(counted, taken);
        std::swap(taken, analysed);
        std::swap(analysed, next);
        stages.look_up();
    }
}

void Pipeline::read(const Stages& stages, Block& block) const {
    block.size = 0;
    std::size_t bytes = 0;
    corpus::Sentence sentence;
    while (block.size < block_sentences && bytes < block_bytes && stages.next(sentence)) {
        if (block.sentences.size() == block.size) block.sentences.emplace_back();
        block.sentences[block.size++].assign(sentence, selection_);
        bytes += sentence.text.size();
    }
    if (block.analyses.size() >= block.size) return;
    block.analyses.resize(block.size);
    block.fingerprints.resize(stages.deduplicate == Deduplicate::none ? 0 : block.size);
    block.copies.resize(block.fingerprints.size());
}

void Pipeline::analyse(const Stages& stages, Block& block, std::size_t piece, Analyst& analyst) const {
    const std::size_t end = std::min(block.size, (piece + 1) * piece_sentences);
    for (std::size_t i = piece * piece_sentences; i < end; ++i) {
        const KeptSentence& sentence = block.sentences[i];
        Analysis& analysis = block.analyses[i];
        analyse(sentence, analysis, analyst);
        if (stages.deduplicate != Deduplicate::none)
            take_fingerprint(sentence, analysis, analyst.words_of(sentence, analysis), stages.deduplicate,
                             block.fingerprints[i]);
    }
}

void Pipeline::analyse(const KeptSentence& sentence, Analysis& analysis, Analyst& analyst) const try {
    analyst.analyse(sentence, analysis);
} catch (const InputError& error) {
    throw InputError(std::string(options_.unit == ExtractUnit::text ? "text " : "sentence ") +
                     std::to_string(sentence.number) + " of the corpus: " + error.what());
}

}  // namespace wordbreadth::extraction
