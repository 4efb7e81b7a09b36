// A part of a plan, from its files.
#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include "base/failure.h"
#include "base/temporary.h"
#include "extraction/part_run.h"
#include "extraction/plan_part.h"
#include "store/layout.h"
#include "wordbreadth/error.h"

namespace wordbreadth::extraction {

namespace {

namespace fs = std::filesystem;

PlanIdentity identity_of(const corpus::Reader& reader, const ModelRecord& model, const ExtractOptions& options) {
    const std::size_t model_layers = options.layers.size() > 1 ? model.model_layers : 0;
    return {options, settings_of(options, model), model.shard_tokens, model_layers, reader.files(), reader.skipped()};
}

void set_hash(PlanIdentity& plan, const std::string& sha256) {
    for (auto& [name, value] : plan.settings)
        if (name == "model sha256") value = sha256;
}

// Folders of processes of this machine that were killed.
void remove_abandoned(const std::string& folder) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        const std::string name = entry.path().filename().string();
        if (name.find(".part-") != std::string::npos && !base::may_be_in_use(name))
            fs::remove_all(entry.path(), ignored);
    }
}

[[noreturn]] void fail_other(const std::string& folder, const std::string& what) {
    base::fail(folder, "holds a part of another plan: " + what +
                           "; plan all parts alike, or remove this folder to start again");
}

// Compares with one part that is there: so a mistake is found before the work. The merge compares all.
void require_same_plan(const std::string& folder, const PartFacts& facts) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        const auto other = part_named(entry.path().filename().string());
        if (!other || !entry.is_directory(ignored)) continue;
        const std::string name = "part " + std::to_string(other->number) + " of " + std::to_string(other->of);
        if (other->of != facts.part.of)
            fail_other(folder, name + " is there, this is one of " + std::to_string(facts.part.of));
        PlanIdentity plan;
        try {
            plan = read_facts(entry.path().string()).plan;
        } catch (const InputError&) {
            continue;  // damaged, or just removed by a merge
        }
        const std::string what = difference(facts.plan, plan, name);
        if (!what.empty()) fail_other(folder, what);
        return;
    }
}

// True where the part was made before. One that is damaged is put aside.
bool is_there(const std::string& path) {
    std::error_code ignored;
    if (!fs::is_directory(path, ignored)) return false;
    if (is_whole(path)) return true;
    const std::string aside = base::temporary_name(path);
    fs::rename(path, aside, ignored);
    fs::remove_all(aside, ignored);
    return false;
}

std::vector<std::uint64_t> sentences_of_files(const PartRange& files, const std::vector<corpus::Place>& places,
                                              std::uint64_t sentences) {
    std::vector<std::uint64_t> counts(files.end - files.begin);
    for (std::size_t i = 0; i < places.size(); ++i) {
        const std::uint64_t end = i + 1 < places.size() ? places[i + 1].sentence : sentences;
        counts[places[i].file - files.begin] = end - places[i].sentence;
    }
    return counts;
}

void count(corpus::Reader& reader, OpeningModel& model, const ExtractOptions& options, PartFacts& facts,
           PartWriter& writer, PartProgress& progress) {
    Counters counters(options, 0);  // forgets nothing
    Pipeline pipeline(model.tokenizer(), options);
    const auto look_up = [&](const Scan& so_far) {
        report_reading(reader, so_far, options);
        const auto [bytes, total] = reader.progress();
        std::uint64_t words = 0;
        for (const std::uint64_t count : so_far.occurrences) words += count;
        progress.report(total == 0 ? 1 : static_cast<double>(bytes) / static_cast<double>(total), words);
    };
    const Scan scan = scan_corpus(reader, pipeline, counters, options, 0, look_up, &writer);
    facts.sentences_of = sentences_of_files(facts.files, scan.places, reader.sentences());
    facts.documents = reader.documents();
    facts.tokens = scan.tokens;
    facts.occurrences = scan.occurrences;
    facts.counted = counters.sampler.occurrences();
    facts.invalid = reader.invalid();
    Packer found;
    counters.wanted.pack(found);
    counters.tags.pack(found);
    facts.found = found.bytes();
}

}  // namespace

void make_plan_part(corpus::Reader& reader, OpeningModel& model, const ExtractOptions& options, PartSummary& summary) {
    corpus::require_annotations(reader, selection_of(options));
    const std::string folder = store::parts_folder(options.out), path = folder + "/" + part_name(summary.part);
    remove_abandoned(folder);
    PartFacts facts;
    facts.part = summary.part;
    facts.plan = identity_of(reader, model.record(), options);
    facts.files = files_of(facts.part, reader.files());
    reader.limit_to(facts.files.begin, facts.files.end);
    require_same_plan(folder, facts);
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) base::fail_to_open(folder, "cannot be made a folder: " + error.message(), error.value());
    run_part(folder, facts.part, "reading", [&](PartProgress& progress) {
        if (is_there(path)) {
            set_hash(facts.plan, model.sha256());
            require_same_plan(folder, facts);
            facts = read_facts(path);
        } else {
            PartWriter writer(path, deduplicate_of(options));
            count(reader, model, options, facts, writer, progress);
            set_hash(facts.plan, model.sha256());
            require_same_plan(folder, facts);  // now that the model is known, and others may have finished
            writer.finish(facts);
        }
    });
    summary.files = facts.files.end - facts.files.begin;
    summary.sentences = facts.sentences();
    summary.documents = facts.documents;
    summary.occurrences = facts.counted;
}

}  // namespace wordbreadth::extraction
