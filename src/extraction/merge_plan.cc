#include "extraction/merge_plan.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <optional>
#include <queue>
#include <set>
#include <span>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/failure.h"
#include "base/temporary.h"
#include "base/workers.h"
#include "extraction/plan_part.h"
#include "store/layout.h"
#include "wordbreadth/error.h"
#include "wordbreadth/timing.h"

namespace wordbreadth::extraction {

namespace {

namespace fs = std::filesystem;

// A part, and where it stands in the corpus.
struct FoundPart {
    std::string folder;
    std::string words;  // the file of its words, or one in its place
    PartFacts facts;
    std::uint64_t first_sentence = 0, first_document = 0;
};

std::string called(const Part& part) {
    return "part " + std::to_string(part.number) + " of " + std::to_string(part.of);
}

// "3, 5 and 7".
std::string numbers_text(const std::vector<std::uint64_t>& numbers) {
    constexpr std::size_t most = 10;
    std::string text;
    for (std::size_t i = 0; i < std::min(most, numbers.size()); ++i)
        text += (i > 0 ? ", " : "") + std::to_string(numbers[i]);
    return numbers.size() <= most ? text : text + " and " + std::to_string(numbers.size() - most) + " more";
}

std::vector<Part> parts_in(const std::string& folder) {
    std::set<std::pair<std::uint64_t, std::uint64_t>> found;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored))
        if (const auto part = part_named(entry.path().filename().string()); part && entry.is_directory(ignored))
            found.insert({part->of, part->number});
    std::vector<Part> parts;
    for (const auto& [of, number] : found) parts.push_back({number, of});
    return parts;
}

void require_all(const std::string& folder, const std::vector<Part>& found) {
    if (found.empty()) base::fail(folder, "holds no finished part of a plan; plan the parts first");
    if (found.front().of != found.back().of)
        base::fail(folder, "holds " + called(found.front()) + " and " + called(found.back()) +
                               "; expected parts of one plan: remove the others");
    std::vector<std::uint64_t> missing;
    for (std::uint64_t number = 1; number <= found.front().of; ++number)
        if (!std::ranges::binary_search(found, number, {}, &Part::number)) missing.push_back(number);
    if (missing.empty()) return;
    base::fail(folder, base::count_of(missing.size(), "part") + " of " + std::to_string(found.front().of) +
                           (missing.size() == 1 ? " is" : " are") + " missing: " + numbers_text(missing) + "; plan " +
                           (missing.size() == 1 ? "it" : "them") + " first: finished ones are kept");
}

std::vector<FoundPart> open_parts(const std::string& folder) {
    const std::vector<Part> names = parts_in(folder);
    require_all(folder, names);
    std::vector<FoundPart> parts;
    for (const Part& name : names) {
        FoundPart part;
        part.folder = folder + "/" + part_name(name);
        part.words = part.folder + "/words";
        part.facts = read_facts(part.folder);
        if (part.facts.part != name) base::fail(part.folder, "is " + called(part.facts.part) + "; plan it again");
        if (!parts.empty()) {
            const FoundPart& last = parts.back();
            const std::string other = difference(part.facts.plan, parts.front().facts.plan, called(names.front()));
            if (!other.empty())
                base::fail(part.folder, "is a part of another plan: its " + other +
                                            "; remove the one that is wrong, and plan that part again");
            part.first_sentence = last.first_sentence + last.facts.sentences();
            part.first_document = last.first_document + last.facts.documents;
        }
        parts.push_back(std::move(part));
    }
    return parts;
}

// For files in place of those of the parts; gone at the end.
class Scratch {
  public:
    explicit Scratch(const std::string& folder) : path_(base::temporary_name(folder + "/merge")) {
        fs::create_directory(path_);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    ~Scratch() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }

    [[nodiscard]] std::string next() { return path_ + "/words-" + std::to_string(made_++); }

  private:
    std::string path_;
    std::size_t made_ = 0;
};

SamplerOptions sampler_options(const ExtractOptions& options) {
    return {options.seed, per_word_of(options), options.per_document, options.sample, requirement_of(options).usable};
}

// ---- Copies: decided again in the order of the corpus

// Of the sentences of a part.
struct Decisions {
    std::vector<Copy> before, now;  // in the part by itself; in the corpus
    std::uint64_t anew = 0;         // that differ
};

Decisions decide(const FoundPart& part, Copies& copies, Scan& scan) {
    Decisions decisions;
    PartFingerprints sentences(part.folder);
    for (PartFingerprint sentence; sentences.next(sentence);) {
        const Copy now = copies.add(sentence.fingerprint);
        decisions.before.push_back(sentence.copy);
        decisions.now.push_back(now);
        if (now == sentence.copy) continue;
        ++decisions.anew;
        scan.occurrences[static_cast<std::size_t>(use_in(sentence.copy))] -= sentence.usable;
        scan.occurrences[static_cast<std::size_t>(use_in(now))] += sentence.usable;
    }
    if (decisions.now.size() != part.facts.sentences()) fail_damaged(part.folder);
    return decisions;
}

// A word with occurrences in sentences that were decided again.
struct Recounted {
    Sampler::Word word;
    std::array<std::array<std::uint64_t, 3>, 3> moved{};  // occurrences, by what their sentence was and is
};
using RecountedWords = std::unordered_map<std::uint32_t, Recounted>;  // by their id

std::size_t checked(std::uint64_t sentence, const Decisions& decisions, const FoundPart& part) {
    if (sentence >= decisions.now.size()) fail_damaged(part.folder);
    return sentence;
}

RecountedWords recount(const FoundPart& part, std::size_t log, const Decisions& decisions, const Sampler& sampler) {
    RecountedWords words;
    for (PartUses uses(part.folder, log); uses.next();) {
        const std::size_t sentence = checked(uses.sentence(), decisions, part);
        const Copy before = decisions.before[sentence], now = decisions.now[sentence];
        if (before == now) continue;
        for (const PartUses::Place& place : uses.places())
            ++words[place.id].moved[static_cast<std::size_t>(before)][static_cast<std::size_t>(now)];
    }
    if (words.empty()) return words;
    corpus::Place file{part.facts.files.begin, 0, 0};
    std::size_t next_file = 0;  // of the part
    std::uint64_t file_end = 0;
    for (PartUses uses(part.folder, log); uses.next();) {
        const std::size_t sentence = checked(uses.sentence(), decisions, part);
        while (sentence >= file_end) {
            file = {part.facts.files.begin + next_file, file_end, 0};
            file_end += part.facts.sentences_of[next_file++];
        }
        for (const PartUses::Place& place : uses.places())
            if (const auto found = words.find(place.id); found != words.end())
                sampler.add(found->second.word, use_in(decisions.now[sentence]), uses.document(), sentence, place.begin,
                            file);
    }
    for (auto& [id, recounted] : words) sampler.finish(recounted.word);
    return words;
}

// The frequency stays: it also counts occurrences that are not usable.
void correct(PartWord& word, const Recounted& recounted, WantedWords& wanted) {
    const std::uint64_t frequency = word.counts.frequency;
    word.counts = recounted.word;
    word.counts.frequency = frequency;
    for (const Copy from : {Copy::none, Copy::exact, Copy::near})
        for (const Copy to : {Copy::none, Copy::exact, Copy::near})
            wanted.move(word.type, use_in(from), use_in(to),
                        recounted.moved[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)]);
}

// Writes the words of the part once more.
void count_anew(FoundPart& part, const Decisions& decisions, const Sampler& sampler, WantedWords& wanted,
                base::Workers& workers, const std::string& path) {
    std::vector<RecountedWords> by_log(counted_parts);
    workers.run(counted_parts,
                [&](std::size_t log, std::size_t) { by_log[log] = recount(part, log, decisions, sampler); });
    FrameReader words(part.words);
    FrameWriter corrected(path);
    while (words.more()) {
        PartWord word = unpack_word(words.item());
        const RecountedWords& recounted = by_log[word.log % counted_parts];
        if (const auto found = recounted.find(word.id); found != recounted.end()) correct(word, found->second, wanted);
        pack(word, corrected.item());
        corrected.end_item();
    }
    corrected.keep();
    part.words = path;
}

// ---- Words: all parts' in byte order, each once

// A file of words, and what is added to the numbers of its sentences.
struct WordsFile {
    std::string path;
    std::uint64_t first_sentence = 0;
};

class WordStream {
  public:
    explicit WordStream(const WordsFile& file) : file_(file.path), first_sentence_(file.first_sentence) {}

    // False at the end.
    bool next() {
        if (!file_.more()) return false;
        word_ = unpack_word(file_.item());
        for (Sampled& sampled : word_.counts.sample) sampled.sentence += first_sentence_;
        return true;
    }
    [[nodiscard]] PartWord& word() { return word_; }

  private:
    FrameReader file_;
    std::uint64_t first_sentence_;
    PartWord word_;
};

void merge_words(std::span<const WordsFile> files, const Sampler& sampler, const std::function<void(PartWord&)>& take) {
    std::vector<std::unique_ptr<WordStream>> streams;
    const auto is_later = [&](std::size_t a, std::size_t b) {
        return std::pair(std::string_view(streams[a]->word().type), a) >
               std::pair(std::string_view(streams[b]->word().type), b);
    };
    std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(is_later)> next(is_later);
    for (const WordsFile& file : files) {
        streams.push_back(std::make_unique<WordStream>(file));
        if (streams.back()->next()) next.push(streams.size() - 1);
    }
    std::optional<PartWord> word;
    while (!next.empty()) {
        const std::size_t first = next.top();
        next.pop();
        WordStream& stream = *streams[first];
        if (word && word->type == stream.word().type) {
            sampler.join(word->counts, stream.word().counts);
        } else {
            if (word) take(*word);
            word = std::move(stream.word());
        }
        if (stream.next()) next.push(first);
    }
    if (word) take(*word);
}

// No more files than that are open at a time.
constexpr std::size_t most_streams = 128;

void take_words(std::vector<WordsFile> files, Sampler& sampler, Scratch& scratch) {
    while (files.size() > most_streams) {
        std::vector<WordsFile> merged;
        for (std::size_t i = 0; i < files.size(); i += most_streams) {
            const auto some = std::span(files).subspan(i, std::min(most_streams, files.size() - i));
            merged.push_back({scratch.next(), 0});
            FrameWriter writer(merged.back().path);
            merge_words(some, sampler, [&](const PartWord& word) {
                pack(word, writer.item());
                writer.end_item();
            });
            writer.keep();
        }
        files = std::move(merged);
    }
    merge_words(files, sampler, [&](PartWord& word) { sampler.take(word.type, std::move(word.counts)); });
}

// ---- All together

Counted add_up(const std::vector<FoundPart>& parts) {
    const PlanIdentity& plan = parts.front().facts.plan;
    const std::vector<std::string> list = wanted_words(plan.options);
    Counted counted{plan.settings,
                    plan.shard_tokens,
                    plan.model_layers,
                    plan.files,
                    plan.skipped,
                    {},
                    0,
                    0,
                    {},
                    Sampler(sampler_options(plan.options)),
                    WantedWords(list, cases_differ(plan.options)),
                    {}};
    if (!list.empty()) counted.sampler.restrict_to(list);
    for (const FoundPart& part : parts) {
        const PartFacts& facts = part.facts;
        counted.sentences += facts.sentences();
        counted.documents += facts.documents;
        counted.invalid.add(facts.invalid);
        counted.scan.tokens += facts.tokens;
        for (std::size_t use = 0; use < uses; ++use) counted.scan.occurrences[use] += facts.occurrences[use];
        counted.sampler.count(facts.counted);
        Unpacker found(facts.found, part.folder);
        counted.wanted.add(found);
        counted.tags.add(found);
    }
    return counted;
}

void require_going_on(const Execution& execution) {
    if (execution.stop.stop_requested()) throw Cancelled();
}

std::uint64_t decide_all(std::vector<FoundPart>& parts, Counted& counted, Deduplicate deduplicate, Scratch& scratch,
                         const Execution& execution) {
    if (deduplicate == Deduplicate::none) return 0;
    const Timing::Stage stage(execution.timing, "looking for copies");
    base::Workers workers(base::thread_count(execution.threads));
    Copies copies(deduplicate);
    std::uint64_t anew = 0;
    for (FoundPart& part : parts) {
        require_going_on(execution);
        const Decisions decisions = decide(part, copies, counted.scan);
        anew += decisions.anew;
        if (decisions.anew > 0) count_anew(part, decisions, counted.sampler, counted.wanted, workers, scratch.next());
    }
    counted.scan.exact_copies = copies.exact();
    counted.scan.near_copies = copies.near();
    counted.scan.not_remembered = copies.not_remembered();
    return anew;
}

void fetch(const std::vector<FoundPart>& parts, const SentenceRequests& requests, const Execution& execution) {
    std::size_t at = 0;
    std::optional<PartSentences> sentences;
    while (const auto number = requests.next()) {
        require_going_on(execution);
        while (*number >= parts[at].first_sentence + parts[at].facts.sentences()) {
            if (++at == parts.size()) fail_damaged(parts.back().folder);
            sentences.reset();
        }
        const FoundPart& part = parts[at];
        if (!sentences) sentences.emplace(part.folder);
        CompactBlock::Sentence sentence = sentences->read(*number - part.first_sentence);
        sentence.number += part.first_sentence;
        sentence.document += part.first_document;
        requests.add(sentence);
    }
}

}  // namespace

MergedPlan merge_plan(const std::string& folder, const Execution& execution) {
    std::vector<FoundPart> parts = open_parts(store::parts_folder(folder));
    ExtractOptions options = parts.front().facts.plan.options;
    options.out = folder;
    options.threads = execution.threads;
    options.timing = execution.timing;
    Counted counted = add_up(parts);
    Scratch scratch(store::parts_folder(folder));
    MergedPlan merged;
    merged.parts = parts.size();
    merged.decided_anew = decide_all(parts, counted, deduplicate_of(options), scratch, execution);
    {
        const Timing::Stage stage(execution.timing, "merging words");
        std::vector<WordsFile> files;
        for (const FoundPart& part : parts) files.push_back({part.words, part.first_sentence});
        take_words(std::move(files), counted.sampler, scratch);
    }
    write_merged_plan(counted, options, merged.summary,
                      [&](const SentenceRequests& requests) { fetch(parts, requests, execution); });
    return merged;
}

}  // namespace wordbreadth::extraction
