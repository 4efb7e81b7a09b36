#include "extraction/plan.h"

#include <algorithm>
#include <map>
#include <span>
#include <tuple>

#include "corpus/utf8.h"
#include "extraction/defaults.h"
#include "extraction/scan.h"
#include "store/failure.h"
#include "store/names.h"
#include "store/plan_writer.h"
#include "wordbreadth/error.h"

namespace wordbreadth::extraction {

namespace {

using Stage = ExtractProgress::Stage;

// An occurrence that becomes a row, before it is known which tokens it has.
struct Wanted {
    std::uint64_t sentence = 0;
    std::uint32_t begin = 0;
    std::uint32_t word = 0;

    friend bool operator<(const Wanted& a, const Wanted& b) {
        return std::tie(a.sentence, a.begin) < std::tie(b.sentence, b.begin);
    }
};

struct Chosen {
    std::vector<store::StoredWord> words;  // in byte order
    std::vector<Wanted> wanted;            // in the order of the corpus
};

corpus::Selection selection_of(const ExtractOptions& options) {
    return {options.by_lemma, options.parts_of_speech};
}

AnalystOptions analyst_options(const ExtractOptions& options) {
    return {options.unit, options.letter_case, options.subwords, options.max_tokens};
}

// A cloud cannot be called that in a .safetensors file.
bool is_reserved(const std::string& word) {
    return word == "__metadata__";
}

[[noreturn]] void fail_rare(const std::vector<const Sampler::Words::value_type*>& rare, std::uint64_t needed) {
    std::string list;
    for (const auto* entry : std::span(rare).first(std::min<std::size_t>(rare.size(), 10)))
        list += (list.empty() ? "" : ", ") + store::in_quotes(entry->first) + " (" +
                std::to_string(entry->second.usable) + " usable of " + std::to_string(entry->second.frequency) + ")";
    if (rare.size() > 10) list += " and " + std::to_string(rare.size() - 10) + " more";
    throw InputError("not often enough in the corpus: " + list + "; expected at least " + std::to_string(needed) +
                     " usable occurrences: leave these words out, or lower --min-count");
}

void require_frequent(Sampler::Words& words, std::uint64_t needed) {
    std::vector<const Sampler::Words::value_type*> rare;
    for (const auto& entry : words)
        if (entry.second.usable < needed) rare.push_back(&entry);
    std::ranges::sort(rare, {}, [](const auto* entry) { return entry->first; });
    if (!rare.empty()) fail_rare(rare, needed);
}

std::uint64_t most_usable(const Sampler::Words& words) {
    std::uint64_t most = 0;
    for (const auto& [type, word] : words) most = std::max(most, word.usable);
    return most;
}

// Takes the samples out of the sampler, whose memory is then free for the sentences.
Chosen choose(Sampler& sampler, const ExtractOptions& options) {
    const std::uint64_t needed = std::max<std::uint64_t>(2, min_count_of(options));  // a cloud has at least 2 rows
    if (!options.words.empty()) require_frequent(sampler.words(), needed);
    std::map<std::string, Sampler::Word> kept;
    for (auto& [type, word] : sampler.words())
        if (word.usable >= needed && !is_reserved(type)) kept.emplace(type, std::move(word));
    if (kept.empty())
        throw InputError("no word of the corpus has " + std::to_string(needed) +
                         " usable occurrences; the most frequent has " + std::to_string(most_usable(sampler.words())) +
                         ": lower --min-count, or give more text");
    sampler.words().clear();
    Chosen chosen;
    for (auto& [type, word] : kept) {
        store::require_good_name("the corpus", type);
        const auto number = static_cast<std::uint32_t>(chosen.words.size());
        chosen.words.push_back({type, word.frequency, word.usable, word.sample.size()});
        for (const Sampled& sampled : word.sample) chosen.wanted.push_back({sampled.sentence, sampled.begin, number});
        word.sample = {};
    }
    std::sort(chosen.wanted.begin(), chosen.wanted.end());
    return chosen;
}

// The second pass: fetches the sentences that are needed, and lays out rows, batches and shards.
class Layout {
  public:
    Layout(const Chosen& chosen, const Model& model, const ExtractOptions& options, store::PlanWriter& writer)
        : wanted_(chosen.wanted),
          options_(options),
          selection_(selection_of(options)),
          shard_tokens_(model.shard_tokens),
          analyst_(model.tokenizer, analyst_options(options)),
          writer_(writer),
          next_row_(chosen.words.size()) {}

    void read(corpus::Reader& reader, const std::vector<corpus::Place>& places) {
        for (std::size_t file = 0; file < places.size() && next_ < wanted_.size(); ++file) {
            const bool is_last = file + 1 == places.size();
            if (!is_last && wanted_[next_].sentence >= places[file + 1].sentence) continue;
            reader.go_to(places[file]);
            read_file(reader, is_last ? UINT64_MAX : places[file + 1].sentence);
        }
        close_shard();
        if (next_ != wanted_.size())
            throw InputError("the corpus changed while it was read: sentence " +
                             std::to_string(wanted_[next_].sentence) + " is gone; extract again");
    }

  private:
    void read_file(corpus::Reader& reader, std::uint64_t end) {
        corpus::Sentence sentence;
        while (next_ < wanted_.size() && wanted_[next_].sentence < end && reader.next(sentence)) {
            if (sentence.number != wanted_[next_].sentence) continue;
            if (sentences_ % 1024 == 0) look_up();
            add(sentence);
        }
    }

    void look_up() const {
        if (options_.stop.stop_requested()) throw Cancelled();
        if (options_.progress)
            options_.progress(
                {Stage::collecting, static_cast<double>(next_) / static_cast<double>(wanted_.size()), next_});
    }

    void add(const corpus::Sentence& sentence) {
        kept_.assign(sentence, selection_);
        analyst_.analyse(kept_, analysis_);
        if (shard_.tokens > 0 && shard_.tokens + analysis_.ids.size() > shard_tokens_) close_shard();
        if (last_document_ != sentence.document + 1) {
            writer_.add_document(sentence.document, sentence.document_name);
            last_document_ = sentence.document + 1;
        }
        writer_.add_sentence({sentence.number, sentence.document, sentence.text, analysis_.ids});
        if (shard_.tokens == 0) shard_.first_sentence = sentence.number;
        shard_.last_sentence = sentence.number;
        shard_.tokens += analysis_.ids.size();
        ++sentences_;
        add_rows(sentence);
    }

    void add_rows(const corpus::Sentence& sentence) {
        for (; next_ < wanted_.size() && wanted_[next_].sentence == sentence.number; ++next_) {
            const auto& [number, begin, word] = wanted_[next_];
            const auto found = std::ranges::find(analysis_.words, begin, &FoundWord::begin);
            if (found == analysis_.words.end() || found->use != Use::usable)
                throw InputError("the corpus changed while it was read: sentence " + std::to_string(number) +
                                 " is another; extract again");
            const std::size_t start = corpus::count_characters(sentence.text.substr(0, begin));
            const std::size_t length = corpus::count_characters(sentence.text.substr(begin, found->end - begin));
            writer_.add_occurrence(
                {word, next_row_[word]++, number, start, start + length, found->token, found->tokens});
            ++shard_.rows;
        }
    }

    void close_shard() {
        if (shard_.tokens == 0) return;
        writer_.add_shard(shard_);
        shard_ = {};
    }

    const std::vector<Wanted>& wanted_;
    const ExtractOptions& options_;
    corpus::Selection selection_;
    std::size_t shard_tokens_;
    Analyst analyst_;
    store::PlanWriter& writer_;
    std::vector<std::uint64_t> next_row_;  // of each word
    std::size_t next_ = 0;                 // of wanted_
    std::uint64_t last_document_ = 0;      // its number + 1
    store::PlannedShard shard_;
    KeptSentence kept_;
    Analysis analysis_;
    std::uint64_t sentences_ = 0;
};

ScanOptions scan_options(const ExtractOptions& options) {
    ScanOptions scan;
    scan.selection = selection_of(options);
    scan.analyst = analyst_options(options);
    scan.threads = threads_of(options);
    scan.stop = options.stop;
    if (options.progress)
        scan.progress = [&options](double done, std::uint64_t occurrences) {
            options.progress({Stage::reading, done, occurrences});
        };
    return scan;
}

// Which files were not UTF-8, and what was invalid: nothing where there is nothing to say.
void describe_decoding(store::PlanWriter& writer, const corpus::Reader& reader) {
    std::map<std::string, std::uint64_t> files;
    for (const corpus::File& file : reader.files())
        if (file.decoding.encoding != corpus::utf_8) ++files[file.decoding.encoding];
    std::string decoded;
    for (const auto& [encoding, count] : files)
        decoded += (decoded.empty() ? "" : "\n") + std::to_string(count) + (count == 1 ? " file" : " files") +
                   " from " + encoding;
    if (!decoded.empty()) writer.add_setting("decoded", decoded);
    if (reader.invalid().count == 0) return;
    std::string places;
    for (const std::string& place : reader.invalid().places) places += (places.empty() ? "" : "\n") + place;
    writer.add_setting("invalid found", std::to_string(reader.invalid().count));
    writer.add_setting("invalid places", places);
}

void describe(store::PlanWriter& writer, const corpus::Reader& reader, const Settings& settings, const Scan& scan) {
    for (const auto& [name, value] : settings) writer.add_setting(name, value);
    describe_decoding(writer, reader);
    for (const corpus::File& file : reader.files())
        writer.add_source(file.path, corpus::traits_of(file.format).name, file.bytes);
    for (std::size_t use = 1; use < uses; ++use) {
        if (scan.occurrences[use] == 0) continue;
        writer.add_skipped({std::string(reason_of(static_cast<Use>(use))), scan.occurrences[use]});
    }
}

void count_reading(const corpus::Reader& reader, const Sampler& sampler, ExtractSummary& summary) {
    summary.planned = true;
    summary.files = reader.files().size();
    summary.sentences = reader.sentences();
    summary.documents = reader.documents();
    summary.occurrences = sampler.occurrences();
    for (const corpus::Skipped& skipped : reader.skipped())
        summary.files_skipped.push_back(skipped.path + ": " + skipped.reason);
}

}  // namespace

std::vector<std::string> wanted_words(const ExtractOptions& options) {
    std::vector<std::string> words;
    for (const std::string& word : options.words) {
        std::string type;
        if (options.letter_case == LetterCase::lower) {
            append_lowercase(type, word);
        } else {
            type = word;
        }
        words.push_back(std::move(type));
    }
    std::ranges::sort(words);
    words.erase(std::unique(words.begin(), words.end()), words.end());
    return words;
}

void make_plan(corpus::Reader& reader, const Model& model, const ExtractOptions& options, ExtractSummary& summary) {
    corpus::require_annotations(reader, selection_of(options));
    store::PlanWriter writer(options.out);  // first: a folder that cannot be written to is found out at once
    Sampler sampler({options.seed, per_word_of(options), options.per_document});
    if (!options.words.empty()) sampler.restrict_to(wanted_words(options));
    const Scan scan = scan_corpus(reader, model.tokenizer, sampler, scan_options(options));
    count_reading(reader, sampler, summary);
    summary.types = sampler.words().size();
    describe(writer, reader, settings_of(options, model), scan);
    const Chosen chosen = choose(sampler, options);
    for (const store::StoredWord& word : chosen.words) writer.add_word(word);
    Layout layout(chosen, model, options, writer);
    layout.read(reader, scan.places);
    writer.keep();
}

}  // namespace wordbreadth::extraction
