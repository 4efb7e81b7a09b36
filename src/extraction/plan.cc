#include "extraction/plan.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "base/failure.h"
#include "base/names.h"
#include "base/utf8.h"
#include "store/plan.h"
#include "wordbreadth/error.h"
#include "wordbreadth/timing.h"

namespace wordbreadth::extraction {

namespace {

using Stage = ExtractProgress::Stage;

// An occurrence that becomes a row, before it is known which tokens it has.
struct Wanted {
    std::uint64_t sentence = 0;
    std::uint32_t begin = 0;
    std::uint32_t word = 0;
};

struct Chosen {
    std::vector<StoredWord> words;  // in byte order
    std::vector<Wanted> wanted;     // in the order of the corpus
};

// A cloud cannot be called that in a .safetensors file.
bool is_reserved(const std::string& word) {
    return word == "__metadata__";
}

bool is_kept(const Sampler::Words::value_type& entry, const Requirement& needed) {
    return entry.second.usable >= needed.usable && !is_reserved(entry.first);
}

// Of a list of words, those that are not kept; in byte order.
std::vector<MissingWord> missing_words(const Sampler::Words& words, const WantedWords& wanted,
                                       const Requirement& needed) {
    std::vector<MissingWord> missing;
    for (const auto& entry : words) {
        if (is_kept(entry, needed)) continue;
        const auto& [type, word] = entry;
        missing.push_back(
            {type, word.frequency, word.usable,
             is_reserved(type) ? "no cloud can have this name" : reason_for(wanted, type, word.usable, needed)});
    }
    std::ranges::sort(missing, {}, &MissingWord::word);
    return missing;
}

// Words that would be kept if copies counted.
std::vector<std::string> lost_to_copies(const Sampler::Words& words, const Requirement& needed) {
    std::vector<std::string> lost;
    for (const auto& entry : words) {
        const auto& [type, word] = entry;
        const std::uint64_t with_copies = word.usable + word.exact_copies + word.near_copies;
        if (!is_kept(entry, needed) && !is_reserved(type) && with_copies >= needed.usable) lost.push_back(type);
    }
    std::ranges::sort(lost);
    return lost;
}

// What a model for other languages does to words, if to most of them: the count and the reason. Else empty.
std::string foreign_words(const Scan& scan, std::uint64_t all) {
    constexpr std::array uses_of_foreign{Use::unknown, Use::shared_token, Use::no_token};
    const auto count = [&](Use use) { return scan.occurrences[static_cast<std::size_t>(use)]; };
    const Use most = *std::ranges::max_element(uses_of_foreign, {}, count);
    if (count(most) <= all / 2) return {};
    return std::to_string(count(most)) + " of " + std::to_string(all) + " words: " + std::string(reason_of(most).brief);
}

[[noreturn]] void fail_without_words(const ExtractOptions& options) {
    throw InputError(std::string("the corpus has no word") + (options.by_lemma ? " with a lemma" : "") +
                     (options.parts_of_speech.empty() ? "" : " of the parts of speech asked for") +
                     "; numbers and punctuation do not count as words");
}

[[noreturn]] void fail_none_frequent(const Counted& counted, const ExtractOptions& options) {
    const Sampler& sampler = counted.sampler;
    const bool texts = options.unit == ExtractUnit::text;
    if (!texts && sampler.occurrences() == 0) fail_without_words(options);
    const bool several_tokens = counted.scan.occurrences[static_cast<std::size_t>(Use::several_tokens)] > 0;
    const std::string foreign = texts ? "" : foreign_words(counted.scan, sampler.occurrences());
    throw InputError(
        std::string("no ") + (texts ? "label" : "word") + " of the corpus has " +
        std::to_string(requirement_of(options).usable) + " usable " + (texts ? "texts" : "occurrences") +
        "; the most frequent has " + std::to_string(sampler.most_usable()) +
        ": lower the minimum count, or give more text" +
        (lost_to_copies(sampler.words(), requirement_of(options)).empty() ? "" : ", or keep copies of sentences") +
        (several_tokens ? ", or take the mean (subwords mean) for words of several tokens" : "") +
        (foreign.empty() ? "" : ", or take a model for this language (" + foreign + ")"));
}

// In the order of the corpus: first into parts of it, which threads then sort.
void sort(std::vector<Wanted>& rows, base::Workers& workers) {
    constexpr std::size_t parts = 64;
    std::uint64_t last = 0;
    for (const Wanted& row : rows) last = std::max(last, row.sentence);
    std::vector<std::vector<Wanted>> in_parts(parts);
    const std::uint64_t of_a_part = last / parts + 1;
    for (const Wanted& row : rows) in_parts[row.sentence / of_a_part].push_back(row);
    workers.run(parts, [&](std::size_t part, std::size_t) {
        std::ranges::sort(in_parts[part], {}, [](const Wanted& row) { return std::pair(row.sentence, row.begin); });
    });
    rows.clear();
    for (const std::vector<Wanted>& part : in_parts) rows.insert(rows.end(), part.begin(), part.end());
}

// Takes the samples out of the sampler, whose memory is then free for the sentences.
Chosen choose(Counted& counted, const ExtractOptions& options, base::Workers& workers) {
    Sampler& sampler = counted.sampler;
    const Requirement needed = requirement_of(options);
    if (std::ranges::none_of(sampler.words(), [&](const auto& entry) { return is_kept(entry, needed); }))
        fail_none_frequent(counted, options);
    const Sampler::Words words = sampler.take_words();
    std::vector<const Sampler::Words::value_type*> kept;
    for (const auto& entry : words)
        if (is_kept(entry, needed)) kept.push_back(&entry);
    std::ranges::sort(kept, {}, [](const auto* entry) -> const std::string& { return entry->first; });
    Chosen chosen;
    for (const auto* entry : kept) {
        const auto& [type, word] = *entry;
        base::require_good_name("the corpus", type);
        const auto number = static_cast<std::uint32_t>(chosen.words.size());
        chosen.words.push_back(
            {type, word.frequency, word.usable, word.sample.size(), word.exact_copies, word.near_copies});
        for (const Sampled& sampled : word.sample) chosen.wanted.push_back({sampled.sentence, sampled.begin, number});
    }
    sort(chosen.wanted, workers);
    return chosen;
}

// Lays out rows, batches and shards, sentence by sentence.
class Layout {
  public:
    Layout(const Chosen& chosen, std::size_t shard_tokens, store::PlanWriter& writer)
        : wanted_(chosen.wanted), shard_tokens_(shard_tokens), writer_(writer), next_row_(chosen.words.size()) {}

    void take(const CompactBlock& block) {
        for (std::size_t i = 0; i < block.size(); ++i) {
            const CompactBlock::Sentence sentence = block[i];
            if (sentence.number == next_sentence()) add(sentence);
        }
    }

    // The number of the next sentence; nothing when all are there.
    [[nodiscard]] std::optional<std::uint64_t> next_sentence() const {
        return next_ < wanted_.size() ? std::optional(wanted_[next_].sentence) : std::nullopt;
    }

    void add(const CompactBlock::Sentence& sentence) {
        if (shard_.tokens > 0 && shard_.tokens + sentence.tokens.size() > shard_tokens_) close_shard();
        if (last_document_ != sentence.document + 1) {
            writer_.add_document(sentence.document, sentence.document_name);
            last_document_ = sentence.document + 1;
        }
        writer_.add_sentence({sentence.number, sentence.document, sentence.text, sentence.tokens});
        if (shard_.tokens == 0) shard_.first_sentence = sentence.number;
        shard_.last_sentence = sentence.number;
        shard_.tokens += sentence.tokens.size();
        add_rows(sentence);
    }

    void finish() {
        close_shard();
        if (next_ != wanted_.size())
            throw InputError("the corpus changed while it was read: sentence " +
                             std::to_string(wanted_[next_].sentence) + " is gone; extract again");
    }

    // Rows that are laid out.
    [[nodiscard]] std::size_t rows() const { return next_; }

  private:
    void add_rows(const CompactBlock::Sentence& sentence) {
        auto from = sentence.words.begin();  // they are in order, and so are the rows
        std::size_t counted = 0, start = 0;  // bytes, and the characters in them
        for (; next_ < wanted_.size() && wanted_[next_].sentence == sentence.number; ++next_) {
            const auto& [number, begin, word] = wanted_[next_];
            const auto found = std::ranges::find(from, sentence.words.end(), begin, &CompactBlock::Word::begin);
            if (found == sentence.words.end())
                throw InputError("the corpus changed while it was read: sentence " + std::to_string(number) +
                                 " is different; extract again");
            from = found;
            start += base::count_characters(sentence.text.substr(counted, begin - counted));
            counted = begin;
            const std::size_t length = base::count_characters(sentence.text.substr(begin, found->end - begin));
            rows_.push_back({word, next_row_[word]++, number, start, start + length, found->token, found->tokens});
        }
        writer_.add_occurrences(rows_);
        shard_.rows += rows_.size();
        rows_.clear();
    }

    void close_shard() {
        if (shard_.tokens == 0) return;
        writer_.add_shard(shard_);
        shard_ = {};
    }

    const std::vector<Wanted>& wanted_;
    std::size_t shard_tokens_;
    store::PlanWriter& writer_;
    std::vector<std::uint64_t> next_row_;         // of each word
    std::vector<store::PlannedOccurrence> rows_;  // of a sentence
    std::size_t next_ = 0;                        // of wanted_
    std::uint64_t last_document_ = 0;             // its number + 1
    store::PlannedShard shard_;
};

// Reads the sentences of a sample again. Files without any are passed over.
class Rereading {
  public:
    Rereading(corpus::Reader& reader, const std::vector<corpus::Place>& places, const std::vector<Wanted>& wanted)
        : reader_(reader), places_(places), wanted_(wanted) {}

    bool next(corpus::Sentence& sentence) {
        if (next_ == wanted_.size()) return false;
        const std::uint64_t number = wanted_[next_].sentence;
        const auto after = std::ranges::upper_bound(places_, number, {}, &corpus::Place::sentence);
        if (after != after_) reader_.go_to(*std::prev(after));
        after_ = after;
        while (reader_.next(sentence))
            if (sentence.number == number) {
                while (next_ < wanted_.size() && wanted_[next_].sentence == number) ++next_;
                return true;
            }
        return false;
    }

  private:
    corpus::Reader& reader_;
    const std::vector<corpus::Place>& places_;
    const std::vector<Wanted>& wanted_;
    std::size_t next_ = 0;  // of wanted_
    // The file after the one that is being read; the first before any is.
    std::vector<corpus::Place>::const_iterator after_ = places_.begin();
};

void fetch(const Chosen& chosen, const Scan& scan, Layout& layout, corpus::Reader& reader, Pipeline& pipeline,
           const ExtractOptions& options) {
    const auto look_up = [&] {
        if (options.stop.stop_requested()) throw Cancelled();
        if (options.progress)
            options.progress({Stage::collecting,
                              static_cast<double>(layout.rows()) / static_cast<double>(chosen.wanted.size()),
                              layout.rows()});
    };
    constexpr std::string_view writing = "writing the plan";
    const Timing::Stage stage(options.timing, writing);
    if (scan.sentences) {
        for (const CompactBlock& block : *scan.sentences) {
            look_up();
            layout.take(block);
        }
    } else {
        Rereading sentences(reader, scan.places, chosen.wanted);
        pipeline.run({writing, [&](corpus::Sentence& sentence) { return sentences.next(sentence); },
                      [&](Block& block) { layout.take(CompactBlock(block)); }, look_up});
    }
}

// Which files were not UTF-8, and what was invalid: nothing where there is nothing to say.
void describe_decoding(store::PlanWriter& writer, const Counted& counted) {
    std::map<std::string, std::size_t> files;
    for (const corpus::File& file : counted.files)
        if (file.decoding.encoding != corpus::utf_8) ++files[file.decoding.encoding];
    const auto text = [](const auto& entry) { return base::count_of(entry.second, "file") + " from " + entry.first; };
    if (!files.empty()) writer.add_setting("decoded", base::joined(files, "\n", text));
    if (counted.invalid.count == 0) return;
    writer.add_setting("invalid found", std::to_string(counted.invalid.count));
    writer.add_setting("invalid places", base::joined(counted.invalid.places, "\n"));
}

// How many sentences were left out; nothing where no copies were looked for.
void describe_copies(store::PlanWriter& writer, Deduplicate deduplicate, const Scan& scan) {
    if (deduplicate == Deduplicate::none) return;
    writer.add_setting("exact copies", std::to_string(scan.exact_copies));
    if (deduplicate == Deduplicate::near) writer.add_setting("near copies", std::to_string(scan.near_copies));
    if (scan.not_remembered > 0) writer.add_setting("not remembered", std::to_string(scan.not_remembered));
}

void describe(store::PlanWriter& writer, const Counted& counted) {
    constexpr std::array optional = {"encoding", "invalid bytes", "deduplicate", "sample"};
    for (const auto& [name, value] : counted.settings) {
        const bool is_new = std::ranges::find(optional, name) != optional.end();  // plans without keep their bytes
        if (!is_new || !value.empty()) writer.add_setting(name, value);
    }
    describe_decoding(writer, counted);
    for (const corpus::File& file : counted.files)
        writer.add_source(file.path, corpus::traits_of(file.format).name, file.bytes);
    for (std::size_t use = 1; use < uses; ++use) {
        const std::uint64_t count = counted.scan.occurrences[use];
        if (count > 0) writer.add_skipped({std::string(reason_of(static_cast<Use>(use)).whole), count});
    }
}

// How large the corpus is. Words and types are those that were asked for: of a part of speech, by their lemmas.
void describe_size(store::PlanWriter& writer, const ExtractOptions& options, const ExtractSummary& summary) {
    if (options.unit != ExtractUnit::word) return;
    if (summary.corpus_tokens > 0) writer.add_setting("corpus tokens", std::to_string(summary.corpus_tokens));
    writer.add_setting("corpus words", std::to_string(summary.occurrences));
    if (options.words.empty()) writer.add_setting("corpus types", std::to_string(summary.types));  // else unknown
}

void count_reading(const Counted& counted, ExtractSummary& summary) {
    summary.planned = true;
    summary.corpus_tokens = counted.scan.tokens;
    summary.files = counted.files.size();
    summary.sentences = counted.sentences;
    summary.documents = counted.documents;
    summary.occurrences = counted.sampler.occurrences();
    summary.types = counted.sampler.types();
    for (const corpus::Skipped& skipped : counted.skipped)
        summary.files_skipped.push_back(skipped.path + ": " + skipped.reason);
}

// A part of speech that no word has is a mistake: without an error, the words of the others would pass for all.
void check_tags(const TagCounts& tags, const ExtractOptions& options) {
    if (options.parts_of_speech.empty()) return;
    const std::vector<std::string> unknown = tags.unknown(options.parts_of_speech);
    if (!unknown.empty()) throw InputError(tags.message(unknown));
}

void check_words(const Sampler& sampler, const WantedWords& wanted, const ExtractOptions& options,
                 ExtractSummary& summary, store::PlanWriter& writer) {
    if (options.words.empty()) return;
    const Requirement needed = requirement_of(options);
    const std::vector<MissingWord> missing = missing_words(sampler.words(), wanted, needed);
    summary.kept_by_mean = kept_by_mean(wanted, missing, needed);
    if (missing.size() == sampler.words().size()) fail_all_missing(missing, summary.kept_by_mean, options.unit);
    for (const MissingWord& word : missing) writer.add_missing(word);
}

// All of a plan but its hash, which is known last. `fetch` adds the sentences to the layout.
template <class Fetch>
void write(Counted& counted, const ExtractOptions& options, ExtractSummary& summary, base::Workers& workers,
           store::PlanWriter& writer, const Fetch& fetch) {
    count_reading(counted, summary);
    check_tags(counted.tags, options);
    describe(writer, counted);
    if (counted.model_layers > 0) writer.add_setting("model layers", std::to_string(counted.model_layers));
    describe_copies(writer, deduplicate_of(options), counted.scan);
    describe_size(writer, options, summary);
    summary.lost_to_copies = lost_to_copies(counted.sampler.words(), requirement_of(options));
    check_words(counted.sampler, counted.wanted, options, summary, writer);
    const Chosen chosen = choose(counted, options, workers);
    for (const StoredWord& word : chosen.words) writer.add_word(word);
    Layout layout(chosen, counted.shard_tokens, writer);
    fetch(chosen, layout);
    layout.finish();
}

}  // namespace

Requirement requirement_of(const ExtractOptions& options) {
    return {std::max<std::uint64_t>(2, min_count_of(options)), options.per_document};  // a cloud has at least 2 rows
}

void report_reading(const corpus::Reader& reader, const Scan& scan, const ExtractOptions& options) {
    if (!options.progress) return;
    const corpus::Progress progress = reader.progress();
    const double total = std::max<double>(1, static_cast<double>(progress.total));
    const std::uint64_t words = std::accumulate(scan.occurrences.begin(), scan.occurrences.end(), std::uint64_t{0});
    options.progress({Stage::reading, static_cast<double>(progress.bytes) / total, words});
}

void make_plan(corpus::Reader& reader, OpeningModel& model, const ExtractOptions& options, ExtractSummary& summary,
               std::size_t kept_bytes) {
    corpus::require_annotations(reader, selection_of(options));
    const bool several_layers = options.layers.size() > 1;
    store::PlanWriter writer(options.out,
                             several_layers);  // first: a folder that cannot be written to is reported at once
    Counters counters(options, requirement_of(options).usable);
    Pipeline pipeline(model.tokenizer(), options);
    const auto look_up = [&](const Scan& so_far) {
        model.check();
        report_reading(reader, so_far, options);
    };
    Scan scan = scan_corpus(reader, pipeline, counters, options, kept_bytes, look_up);
    Counted counted{settings_of(options, model.record()),
                    model.record().shard_tokens,
                    several_layers ? model.record().model_layers : 0,
                    reader.files(),
                    reader.skipped(),
                    reader.invalid(),
                    reader.sentences(),
                    reader.documents(),
                    std::move(scan),
                    std::move(counters.sampler),
                    std::move(counters.wanted),
                    std::move(counters.tags)};
    write(counted, options, summary, pipeline.workers(), writer, [&](const Chosen& chosen, Layout& layout) {
        fetch(chosen, counted.scan, layout, reader, pipeline, options);
    });
    model.require_usable();
    writer.replace_setting("model sha256", model.sha256());  // what takes longest to be known
    writer.keep();
}

void write_merged_plan(Counted& counted, const ExtractOptions& options, ExtractSummary& summary,
                       const std::function<void(const SentenceRequests&)>& fetch) {
    store::PlanWriter writer(options.out, counted.model_layers > 0);
    base::Workers workers(base::thread_count(options.threads));
    write(counted, options, summary, workers, writer, [&](const Chosen&, Layout& layout) {
        const Timing::Stage stage(options.timing, "writing the plan");
        fetch({[&] { return layout.next_sentence(); },
               [&](const CompactBlock::Sentence& sentence) { layout.add(sentence); }});
    });
    writer.keep();
}

}  // namespace wordbreadth::extraction
