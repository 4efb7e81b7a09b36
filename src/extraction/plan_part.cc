#include "extraction/plan_part.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <numeric>
#include <set>
#include <system_error>
#include <utility>

#include "base/failure.h"
#include "base/temporary.h"

namespace wordbreadth::extraction {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t part_version = 1;

template <class Value>
void pack_optional(const std::optional<Value>& value, Packer& to) {
    to.number(value ? 1 + static_cast<std::uint64_t>(*value) : 0);
}

template <class Value>
std::optional<Value> unpack_optional(Unpacker& from) {
    const std::uint64_t value = from.number();
    return value == 0 ? std::nullopt : std::optional(static_cast<Value>(value - 1));
}

void pack(const std::vector<std::string>& texts, Packer& to) {
    to.number(texts.size());
    for (const std::string& text : texts) to.text(text);
}

std::vector<std::string> unpack_texts(Unpacker& from) {
    std::vector<std::string> texts;
    for (std::uint64_t left = from.number(); left > 0; --left) texts.emplace_back(from.text());
    return texts;
}

void pack(const ExtractOptions& options, Packer& to) {
    pack(options.parts_of_speech, to);
    pack(options.words, to);
    pack_optional(options.min_count, to);
    pack_optional(options.per_word, to);
    to.number(options.per_document);
    to.number(static_cast<std::uint64_t>(options.sample));
    pack_optional(options.deduplicate, to);
    to.number(static_cast<std::uint64_t>(options.unit));
    to.number(static_cast<std::uint64_t>(options.letter_case));
    to.number(options.seed);
}

ExtractOptions unpack_options(Unpacker& from) {
    ExtractOptions options;
    options.parts_of_speech = unpack_texts(from);
    options.words = unpack_texts(from);
    options.min_count = unpack_optional<std::uint64_t>(from);
    options.per_word = unpack_optional<std::uint64_t>(from);
    options.per_document = from.number();
    options.sample = static_cast<SampleBy>(from.number());
    options.deduplicate = unpack_optional<Deduplicate>(from);
    options.unit = static_cast<ExtractUnit>(from.number());
    options.letter_case = static_cast<LetterCase>(from.number());
    options.seed = from.number();
    return options;
}

void pack(const PlanIdentity& plan, Packer& to) {
    pack(plan.options, to);
    to.number(plan.settings.size());
    for (const auto& [name, value] : plan.settings) {
        to.text(name);
        to.text(value);
    }
    to.number(plan.shard_tokens);
    to.number(plan.files.size());
    for (const corpus::File& file : plan.files) {
        to.text(file.path);
        to.number(static_cast<std::uint64_t>(file.format));
        to.number(file.bytes);
        to.text(file.label);
        to.text(file.decoding.encoding);
        to.number(static_cast<std::uint64_t>(file.decoding.invalid));
    }
    to.number(plan.skipped.size());
    for (const corpus::Skipped& skipped : plan.skipped) {
        to.text(skipped.path);
        to.text(skipped.reason);
    }
}

PlanIdentity unpack_identity(Unpacker& from) {
    PlanIdentity plan;
    plan.options = unpack_options(from);
    for (std::uint64_t left = from.number(); left > 0; --left) {
        const std::string name(from.text());
        plan.settings.emplace_back(name, from.text());
    }
    plan.shard_tokens = from.number();
    for (std::uint64_t left = from.number(); left > 0; --left) {
        corpus::File file;
        file.path = from.text();
        file.format = static_cast<corpus::Format>(from.number());
        file.bytes = from.number();
        file.label = from.text();
        file.decoding.encoding = from.text();
        file.decoding.invalid = static_cast<InvalidBytes>(from.number());
        plan.files.push_back(std::move(file));
    }
    for (std::uint64_t left = from.number(); left > 0; --left) {
        const std::string path(from.text());
        plan.skipped.push_back({path, std::string(from.text())});
    }
    return plan;
}

void pack(const PartFacts& facts, Packer& to) {
    to.number(part_version);
    to.number(facts.part.number);
    to.number(facts.part.of);
    pack(facts.plan, to);
    to.number(facts.files.begin);
    to.number(facts.files.end);
    for (const std::uint64_t sentences : facts.sentences_of) to.number(sentences);
    to.number(facts.documents);
    to.number(facts.tokens);
    for (const std::uint64_t count : facts.occurrences) to.number(count);
    to.number(facts.counted);
    to.number(facts.invalid.count);
    pack(facts.invalid.places, to);
    to.text(facts.found);
}

PartFacts unpack_facts(Unpacker& from, const std::string& where) {
    if (from.number() != part_version)
        base::fail(where, "was planned by another version of the program; plan all parts with the same one");
    PartFacts facts;
    facts.part = {from.number(), from.number()};
    facts.plan = unpack_identity(from);
    facts.files = {from.number(), from.number()};
    for (std::uint64_t file = facts.files.begin; file < facts.files.end; ++file)
        facts.sentences_of.push_back(from.number());
    facts.documents = from.number();
    facts.tokens = from.number();
    for (std::uint64_t& count : facts.occurrences) count = from.number();
    facts.counted = from.number();
    facts.invalid.count = from.number();
    facts.invalid.places = unpack_texts(from);
    facts.found = from.text();
    return facts;
}

std::string uses_path(const std::string& folder, std::size_t log) {
    return folder + "/uses-" + std::to_string(log);
}

bool is_same(const corpus::File& a, const corpus::File& b) {
    return a.path == b.path && a.format == b.format && a.bytes == b.bytes && a.label == b.label &&
           a.decoding.encoding == b.decoding.encoding;
}

bool is_unknown_hash(const std::string& name, const std::string& value) {
    return name == "model sha256" && value.find_first_not_of('0') == std::string::npos;
}

void read_all(FrameReader& file) {
    while (file.more()) file.item() = {};
}

}  // namespace

std::string difference(const PlanIdentity& one, const PlanIdentity& other, const std::string& name) {
    const auto both = [&](const std::string& what, const std::string& a, const std::string& b) {
        return what + " is " + base::in_quotes(a) + "; that of " + name + " is " + base::in_quotes(b);
    };
    for (std::size_t i = 0; i < std::min(one.settings.size(), other.settings.size()); ++i) {
        const auto& [setting, a] = one.settings[i];
        const auto& b = other.settings[i].second;
        if (a != b && !is_unknown_hash(setting, a) && !is_unknown_hash(setting, b)) return both(setting, a, b);
    }
    if (one.files.size() != other.files.size())
        return both("the number of files of the corpus", std::to_string(one.files.size()),
                    std::to_string(other.files.size()));
    for (std::size_t i = 0; i < one.files.size(); ++i) {
        const corpus::File &a = one.files[i], &b = other.files[i];
        if (is_same(a, b)) continue;
        if (a.path != b.path) return both("file " + std::to_string(i + 1) + " of the corpus", a.path, b.path);
        return a.path + " has changed: " + std::to_string(a.bytes) + " bytes of " +
               std::string(corpus::traits_of(a.format).name) + "; to " + name + " it was " + std::to_string(b.bytes) +
               " of " + std::string(corpus::traits_of(b.format).name);
    }
    return "";
}

std::uint64_t PartFacts::sentences() const {
    return std::accumulate(sentences_of.begin(), sentences_of.end(), std::uint64_t{0});
}

// A file belongs to the part that its middle is in.
PartRange files_of(const Part& part, std::span<const corpus::File> files) {
    double total = 0;
    for (const corpus::File& file : files) total += static_cast<double>(file.bytes);
    PartRange range{files.size(), files.size()};
    double before = 0;
    for (std::size_t i = 0; i < files.size(); ++i) {
        const auto bytes = static_cast<double>(files[i].bytes);
        const double share = total > 0 ? (before + bytes / 2) / total : 0;
        before += bytes;
        const std::uint64_t number =
            1 + std::min(static_cast<std::uint64_t>(share * static_cast<double>(part.of)), part.of - 1);
        if (number >= part.number) range.begin = std::min<std::uint64_t>(range.begin, i);
        if (number > part.number) {
            range.end = i;
            break;
        }
    }
    return range;
}

std::string part_name(const Part& part) {
    return std::to_string(part.number) + "-of-" + std::to_string(part.of);
}

std::optional<Part> part_named(std::string_view name) {
    constexpr std::string_view of = "-of-";
    const std::size_t at = name.find(of);
    if (at == std::string_view::npos) return std::nullopt;
    const auto number = base::number_in<std::uint64_t>(name.substr(0, at));
    const auto all = base::number_in<std::uint64_t>(name.substr(at + of.size()));
    if (!number || !all || *number < 1 || *number > *all) return std::nullopt;
    return Part{*number, *all};
}

void pack(const PartWord& word, Packer& to) {
    to.text(word.type);
    to.number(word.log);
    to.number(word.id);
    to.number(word.counts.frequency);
    to.number(word.counts.usable);
    to.number(word.counts.exact_copies);
    to.number(word.counts.near_copies);
    to.number(word.counts.sample.size());
    for (const Sampled& sampled : word.counts.sample) {
        to.fixed64(sampled.priority);
        to.number(sampled.sentence);
        to.number(sampled.begin);
        to.number(sampled.round);
    }
}

PartWord unpack_word(Unpacker& from) {
    PartWord word;
    word.type = from.text();
    word.log = static_cast<std::uint8_t>(from.small());
    word.id = from.small();
    word.counts.frequency = from.number();
    word.counts.usable = from.number();
    word.counts.exact_copies = from.number();
    word.counts.near_copies = from.number();
    for (std::uint64_t left = from.number(); left > 0; --left) {
        Sampled sampled;
        sampled.priority = from.fixed64();
        sampled.sentence = from.number();
        sampled.begin = from.small();
        sampled.round = from.small();
        word.counts.sample.push_back(sampled);
    }
    return word;
}

// The words of one sentence are an item.
struct PartWriter::Uses {
    FrameWriter file;
    std::uint64_t sentence = 0, document = 0;            // of `places`
    std::uint64_t last_sentence = 0, last_document = 0;  // that were written
    std::vector<PartUses::Place> places;

    explicit Uses(const std::string& path) : file(path) {}

    void write() {
        if (places.empty()) return;
        Packer& item = file.item();
        item.number(sentence - std::exchange(last_sentence, sentence));
        item.number(document - std::exchange(last_document, document));
        item.number(places.size());
        std::uint32_t last = 0;
        for (const auto& [id, begin] : places) {
            item.number(id);
            item.number(begin - std::exchange(last, begin));
        }
        file.end_item();
        places.clear();
    }
};

PartWriter::PartWriter(std::string path, Deduplicate deduplicate)
    : path_(std::move(path)), folder_(base::temporary_name(path_)), deduplicate_(deduplicate) {
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error) base::fail_to_open(folder_, "cannot be made a folder: " + error.message(), error.value());
    sentences_.emplace(folder_ + "/sentences");
    documents_.emplace(folder_ + "/documents");
    words_.emplace(folder_ + "/words");
    if (deduplicate == Deduplicate::none) return;
    fingerprints_.emplace(folder_ + "/fingerprints");
    for (std::size_t log = 0; log < counted_parts; ++log)
        uses_.push_back(std::make_unique<Uses>(uses_path(folder_, log)));
}

PartWriter::~PartWriter() {
    std::error_code ignored;
    if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

void PartWriter::keep(const Block& block) {
    for (std::size_t i = 0; i < block.size; ++i) {
        add_sentence(block.sentences[i], block.analyses[i]);
        if (deduplicate_ != Deduplicate::none)
            add_fingerprint(block.fingerprints[i], block.copies[i], block.analyses[i].words);
    }
}

// As the plan has it, but for what it says of words that are not usable.
void PartWriter::add_sentence(const KeptSentence& sentence, const Analysis& analysis) {
    record_.clear();
    const auto count = static_cast<std::uint64_t>(std::ranges::count_if(
        analysis.words, [](const FoundWord& word) { return is_usable_but_for_copies(word.use); }));
    if (count > 0) {
        if (sentence.document + 1 > next_document_) {
            next_document_ = sentence.document + 1;
            documents_->item().number(sentence.document);
            documents_->item().text(sentence.document_name);
            documents_->end_item();
        }
        record_.number(sentence.document);
        record_.text(sentence.text);
        record_.number(analysis.ids.size());
        for (const std::int32_t id : analysis.ids) record_.number(static_cast<std::uint32_t>(id));
        record_.number(count);
        std::uint32_t last = 0;
        for (const FoundWord& word : analysis.words) {
            if (!is_usable_but_for_copies(word.use)) continue;
            record_.number(word.begin - std::exchange(last, word.begin));
            record_.number(word.end - word.begin);
            record_.number(word.token);
            record_.number(word.tokens);
        }
    }
    sentences_->add(record_.bytes());
}

void PartWriter::add_fingerprint(const Fingerprint& fingerprint, Copy copy, std::span<const FoundWord> words) {
    Packer& item = fingerprints_->item();
    item.number(fingerprint.is_short ? 0 : 1 + static_cast<std::uint64_t>(copy));
    if (!fingerprint.is_short) {
        item.number(static_cast<std::uint64_t>(
            std::ranges::count_if(words, [](const FoundWord& word) { return is_usable_but_for_copies(word.use); })));
        item.fixed64(fingerprint.tokens);
        if (deduplicate_ == Deduplicate::near) {
            item.number(1 + fingerprint.shingles.size());
            for (const std::uint32_t shingle : fingerprint.shingles) item.fixed32(shingle);
            for (const std::uint64_t band : fingerprint.bands) item.fixed64(band);
        } else {
            item.number(0);
        }
    }
    fingerprints_->end_item();
}

void PartWriter::add_use(std::size_t part, const KeptSentence& sentence, std::uint32_t id, std::uint32_t begin) {
    if (deduplicate_ == Deduplicate::none) return;
    Uses& log = *uses_[part];
    if (log.sentence != sentence.number) log.write();
    log.sentence = sentence.number;
    log.document = sentence.document;
    log.places.push_back({id, begin});
}

void PartWriter::keep_words(std::span<const Sampler> samplers) {
    using Entry = std::pair<std::uint8_t, const Sampler::Words::value_type*>;
    std::vector<Entry> words;
    for (std::size_t log = 0; log < samplers.size(); ++log)
        for (const auto& entry : samplers[log].words()) words.emplace_back(static_cast<std::uint8_t>(log), &entry);
    std::ranges::sort(words, {}, [](const Entry& entry) -> const std::string& { return entry.second->first; });
    for (const auto& [log, entry] : words) {
        pack({entry->first, log, entry->second.id, entry->second}, words_->item());
        words_->end_item();
    }
    words_->keep();
}

void PartWriter::finish(const PartFacts& facts) {
    sentences_->keep();
    documents_->keep();
    if (fingerprints_) fingerprints_->keep();
    for (const auto& log : uses_) {
        log->write();
        log->file.keep();
    }
    FrameWriter file(folder_ + "/facts");
    pack(facts, file.item());
    file.end_item();
    file.keep();
    if (std::rename(folder_.c_str(), path_.c_str()) == 0) {
        folder_.clear();
    } else if (errno != ENOTEMPTY && errno != EEXIST) {
        const int error = errno;
        base::fail_to_open(path_, "cannot be put in place: " + std::generic_category().message(error), error);
    }
}

const std::string& PartDocuments::name_of(std::uint64_t document) {
    while (number_ != document) {
        if (!documents_.more()) base::fail("documents", "one is missing; plan this part again");
        number_ = documents_.item().number();
        name_ = documents_.item().text();
    }
    return name_;
}

CompactBlock::Sentence PartSentences::read(std::uint64_t number) {
    Unpacker record(records_.read(number), records_.where());
    CompactBlock::Sentence sentence;
    sentence.number = number;
    sentence.document = record.number();
    sentence.document_name = documents_.name_of(sentence.document);
    sentence.text = record.text();
    tokens_.clear();
    for (std::uint64_t left = record.number(); left > 0; --left)
        tokens_.push_back(static_cast<std::int32_t>(record.small()));
    words_.clear();
    std::uint32_t begin = 0;
    for (std::uint64_t left = record.number(); left > 0; --left) {
        begin += record.small();
        const std::uint32_t end = begin + record.small();
        const std::uint32_t token = record.small();
        words_.push_back({begin, end, token, record.small()});
    }
    sentence.tokens = tokens_;
    sentence.words = words_;
    return sentence;
}

bool PartFingerprints::next(PartFingerprint& sentence) {
    if (!file_.more()) return false;
    Unpacker& item = file_.item();
    const std::uint64_t kind = item.number();
    Fingerprint& fingerprint = sentence.fingerprint;
    fingerprint.is_short = kind == 0;
    sentence.copy = kind == 0 ? Copy::none : static_cast<Copy>(kind - 1);
    sentence.usable = 0;
    if (kind == 0) return true;
    sentence.usable = item.number();
    fingerprint.tokens = item.fixed64();
    const std::uint64_t shingles = item.number();
    if (shingles == 0) return true;
    fingerprint.shingles.clear();
    for (std::uint64_t i = 1; i < shingles; ++i) fingerprint.shingles.push_back(item.fixed32());
    for (std::uint64_t& band : fingerprint.bands) band = item.fixed64();
    return true;
}

PartUses::PartUses(const std::string& folder, std::size_t log) : file_(uses_path(folder, log)) {}

bool PartUses::next() {
    if (!file_.more()) return false;
    Unpacker& item = file_.item();
    sentence_ += item.number();
    document_ += item.number();
    places_.clear();
    std::uint32_t begin = 0;
    for (std::uint64_t left = item.number(); left > 0; --left) {
        const std::uint32_t id = item.small();
        begin += item.small();
        places_.push_back({id, begin});
    }
    return true;
}

PartFacts read_facts(const std::string& folder) {
    const std::string path = folder + "/facts";
    FrameReader file(path);
    if (!file.more()) fail_damaged(path);
    return unpack_facts(file.item(), folder);
}

bool is_whole(const std::string& folder) try {
    const PartFacts facts = read_facts(folder);
    std::vector<std::string> names = {"documents", "words"};
    if (deduplicate_of(facts.plan.options) != Deduplicate::none) {
        names.emplace_back("fingerprints");
        for (std::size_t log = 0; log < counted_parts; ++log) names.push_back("uses-" + std::to_string(log));
    }
    for (const std::string& name : names) {
        FrameReader file(folder + "/" + name);
        read_all(file);
    }
    RecordReader sentences(folder + "/sentences");
    for (std::uint64_t number = 0; number < facts.sentences(); ++number) static_cast<void>(sentences.read(number));
    return true;
} catch (const InputError&) {
    return false;
}

}  // namespace wordbreadth::extraction
