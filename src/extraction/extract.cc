#include "wordbreadth/extract.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <future>
#include <system_error>

#include "base/failure.h"
#include "corpus/source.h"
#include "cuda/gpu_names.h"
#include "extraction/embedding.h"
#include "extraction/plan.h"
#include "extraction/plan_part.h"
#include "store/layout.h"
#include "store/plan.h"
#include "store/shards.h"
#include "store/store_lock.h"
#include "wordbreadth/error.h"
#include "wordbreadth/layers.h"
#include "wordbreadth/names.h"
#include "wordbreadth/parts.h"
#include "wordbreadth/store.h"
#include "wordbreadth/timing.h"

namespace wordbreadth {

namespace {

using namespace extraction;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

void require_new_folder(const std::string& folder) {
    std::error_code ignored;
    if (is_store(folder))
        throw Resumable(folder + ": already holds a store; name another folder, or resume its extraction", folder);
    if (std::filesystem::exists(folder, ignored) && !std::filesystem::is_directory(folder, ignored))
        throw InputError(folder + ": is a file; expected the name of a folder for the store");
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
        if (!store::is_incomplete(entry.path().filename().string()))
            throw InputError(folder + ": is not an empty folder; name an empty one, or a new one");
}

void require_model_and_corpus(const ExtractOptions& options) {
    if (options.model.empty()) throw InputError("no model was named");
    if (options.corpus.empty()) throw InputError("no corpus was named");
    if (options.unit == ExtractUnit::word || (!options.by_lemma && options.parts_of_speech.empty())) return;
    throw InputError(std::string(options.by_lemma ? "lemmas" : "parts of speech") +
                     " are of words, but a row is a whole text (unit text); leave one of the two out");
}

void require_good(const ExtractOptions& options) {
    if (options.out.empty()) throw InputError("no folder was named for the store");
    if (!options.resume) require_new_folder(options.out);
    if (options.resume && options.model.empty() && options.corpus.empty())
        throw InputError(options.out + ": there is no store to resume; name a model and a corpus to make one");
    require_model_and_corpus(options);
}

std::size_t number_from(const store::Plan& plan, std::string_view text) {
    if (const auto number = base::number_in<std::size_t>(text)) return *number;
    base::fail(plan.folder(), "its settings are damaged: found " + base::in_quotes(text) + ", expected a number");
}

std::vector<LayerRange> layers_from(const store::Plan& plan, const std::string& text) {
    if (const auto layers = layers_in(text)) return *layers;
    base::fail(plan.folder(), "its settings are damaged: found " + base::in_quotes(text) + ", expected layers");
}

// A plan is enough to resume: what is needed to open its model is taken from it.
ExtractOptions options_of(store::Plan& plan, ExtractOptions options) {
    if (options.model.empty()) options.model = planned_model(plan);
    options.layers = layers_from(plan, plan.setting("layers"));
    options.max_tokens = number_from(plan, plan.setting("max tokens"));
    options.mecab_dictionary = plan.setting("mecab dictionary");
    if (cuda::kind_of_device(options.device) != plan.setting("device")) options.device = plan.setting("device");
    options.precision = choice_named<Precision>(plan.setting("number type")).value_or(Precision::f32);
    return options;
}

corpus::Options reading_options(const ExtractOptions& options) {
    corpus::Options reading;
    reading.format = corpus::format_named(options.corpus_format);
    reading.unit = options.unit == ExtractUnit::text ? corpus::Unit::text : corpus::Unit::sentence;
    reading.decoding = {corpus::encoding_named(options.encoding), options.invalid};
    reading.spool_near = options.out;
    reading.stop = options.stop;
    return reading;
}

bool clouds_are_there(const store::Plan& plan) {
    if (!plan.has_clouds()) return false;
    for (const std::string& layer : plan.layers()) {
        const Store finished(plan.folder(), layer);  // or throws, and says what is wrong with it
        for (std::size_t word = 0; word < finished.words().size(); ++word) static_cast<void>(finished.rows(word));
    }
    return true;
}

// Those that most files have first.
std::vector<ExtractSummary::Format> formats_of(const std::vector<SourceFile>& sources) {
    std::vector<ExtractSummary::Format> formats;
    for (const SourceFile& source : sources) {
        auto found = std::ranges::find(formats, source.format, &ExtractSummary::Format::name);
        if (found == formats.end()) found = formats.insert(found, {source.format, 0});
        ++found->files;
    }
    std::ranges::stable_sort(formats, std::greater<>(), &ExtractSummary::Format::files);
    return formats;
}

std::vector<std::string> lines_of(std::string_view text) {
    if (text.empty()) return {};
    const auto lines = corpus::fields_of(text, '\n');
    return {lines.begin(), lines.end()};
}

void describe_decoding(store::Plan& plan, ExtractSummary& summary) {
    summary.decoded = lines_of(plan.setting("decoded"));
    summary.invalid_treatment = plan.setting("invalid bytes");
    const std::string count = plan.setting("invalid found");
    if (!count.empty()) summary.invalid = number_from(plan, count);
    summary.invalid_places = lines_of(plan.setting("invalid places"));
}

void describe_copies(store::Plan& plan, ExtractSummary& summary) {
    const auto number = [&](std::string_view name) {
        const std::string text = plan.setting(name);
        return text.empty() ? 0 : number_from(plan, text);
    };
    summary.deduplicated = plan.setting("deduplicate");
    summary.exact_copies = number("exact copies");
    summary.near_copies = number("near copies");
    summary.not_remembered = number("not remembered");
}

// What a summary says of the plan, whether it was just made or found, and of the model.
void describe_plan(store::Plan& plan, const Model& model, ExtractSummary& summary) {
    for (const store::PlannedShard& shard : plan.shards()) {
        summary.rows += shard.rows;
        summary.embedded_tokens += shard.tokens;
    }
    summary.shards = plan.shards().size();
    summary.words = plan.words().size();
    summary.dimension = model.encoder->config().hidden;
    summary.layers = model.layers;
    summary.model_layers = model.encoder->config().layers;
    summary.device = model.device + ", " + model.precision;
    summary.unit = choice_named<ExtractUnit>(plan.setting("unit")).value_or(ExtractUnit::word);
    summary.formats = formats_of(plan.sources());
    summary.format_detected = plan.setting("corpus format") == "auto";
    summary.skipped = plan.skipped();
    summary.missing = plan.missing();
    if (plan.setting("words") != "all") summary.asked = plan.words().size() + summary.missing.size();
    describe_decoding(plan, summary);
    describe_copies(plan, summary);
}

void read_and_plan(const corpus::Options& reading, OpeningModel& model, const ExtractOptions& options,
                   ExtractSummary& summary) try {
    const Timing::Stage stage(options.timing, "planning");
    corpus::Reader reader = corpus::open_corpus(options.corpus, reading);
    make_plan(reader, model, options, summary);
} catch (...) {
    static_cast<void>(model.get());  // what is wrong with the model is reported first, whichever was found first
    static_cast<void>(model.sha256());
    throw;
}

void check(store::Plan& plan, const Model& model, const ExtractOptions& options) {
    const Timing::Stage stage(options.timing, "checking the plan");
    plan.check(model.encoder->config().vocabulary);
}

void finish(store::Plan& plan, Model& model, const ExtractOptions& options, ExtractSummary& summary) {
    const Clock::time_point start = Clock::now();
    describe_plan(plan, model, summary);
    if (options.plan_only) return;
    if (clouds_are_there(plan)) {
        summary.shards_found = summary.shards;
    } else {
        // One that this run has made is as it should be.
        if (!summary.planned) check(plan, model, options);
        embed_and_join(plan, model, options, summary);
    }
    timed(options.timing, "removing shards", [&] { store::remove_leftovers(plan.folder()); });
    summary.finished = true;
    summary.embed_seconds = seconds_since(start);
}

void require_good_part(const ExtractOptions& options, const Part& part) {
    if (part.number < 1 || part.number > part.of || part.of > most_parts)
        throw InputError("part " + std::to_string(part.number) + " of " + std::to_string(part.of) +
                         ": expected 1 to the number of parts, which is at most " + std::to_string(most_parts));
    if (!options.plan_only && !options.resume)
        throw InputError("a part is either of a plan (plan only) or of a store that is resumed; neither was asked for");
}

void require_room_for_parts(const ExtractOptions& options) {
    const std::string own = std::filesystem::path(store::parts_folder(options.out)).filename().string();
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(options.out, ignored))
        if (const std::string name = entry.path().filename().string(); name != own && !store::is_incomplete(name))
            throw InputError(options.out + ": is not an empty folder; name an empty one, or a new one");
}

// Takes no lock: a part appears in its place at one moment, whoever else makes it.
void plan_part(const ExtractOptions& options, PartSummary& summary) {
    if (options.out.empty()) throw InputError("no folder was named for the store");
    if (is_store(options.out)) {  // merged before this part was repeated
        store::Plan plan(options.out);
        require_same(plan, options);
        summary.merged = true;
        return;
    }
    require_model_and_corpus(options);
    if (std::ranges::find(options.corpus, "-") != options.corpus.end())
        throw InputError("standard input cannot be read in parts; save it to a file first");
    require_room_for_parts(options);
    const corpus::Options reading = reading_options(options);
    OpeningModel model(options, "", false);
    const Timing::Stage stage(options.timing, "planning");
    corpus::Reader reader = corpus::open_corpus(options.corpus, reading);
    make_plan_part(reader, model, options, summary);
    std::error_code ignored;  // merged meanwhile, with the part that another process had made
    if (is_store(options.out)) std::filesystem::remove_all(store::parts_folder(options.out), ignored);
}

// Takes no lock either: shards of the same number have the same rows, whoever makes them.
void embed_part(const ExtractOptions& options, PartSummary& summary) {
    store::Plan plan(options.out);
    require_same(plan, options);
    if (plan.has_clouds()) {
        summary.merged = true;
        return;
    }
    store::require_unlocked(options.out);
    store::remove_incomplete(options.out);
    const std::vector<std::size_t> missing = shards_to_embed(plan, options, summary);
    if (missing.empty()) return;
    const ExtractOptions planned = options_of(plan, options);
    const std::string sha256 = timed(options.timing, "hashing the model", [&] { return fingerprint(planned.model); });
    require_same_model(plan, planned.model, sha256);
    OpeningModel model(planned, sha256);
    require_same_precision(plan, model.get());
    check(plan, model.get(), planned);
    embed_shards(plan, missing, model.get(), planned, summary);
    if (plan.has_clouds()) store::remove_leftovers(options.out);  // somebody else was quicker
}

}  // namespace

PartSummary extract_part(const ExtractOptions& options, const Part& part) {
    const Clock::time_point start = Clock::now();
    require_good_part(options, part);
    PartSummary summary;
    summary.part = part;
    summary.made = options.plan_only ? PartSummary::Made::plan : PartSummary::Made::shards;
    if (options.plan_only) {
        plan_part(options, summary);
    } else {
        embed_part(options, summary);
    }
    summary.seconds = seconds_since(start);
    return summary;
}

ExtractSummary extract(const ExtractOptions& options) {
    ExtractSummary summary;
    const Clock::time_point start = Clock::now();
    if (!options.resume || !is_store(options.out)) require_good(options);
    const store::StoreLock lock(options.out);
    if (!options.resume) require_new_folder(options.out);  // and not made since
    store::remove_incomplete(options.out);
    if (options.resume && is_store(options.out)) {
        store::Plan plan(options.out);
        require_same(plan, options);
        const ExtractOptions planned = options_of(plan, options);
        const std::string sha256 =
            timed(options.timing, "hashing the model", [&] { return fingerprint(planned.model); });
        require_same_model(plan, planned.model, sha256);
        OpeningModel model(planned, sha256);
        require_same_precision(plan, model.get());
        summary.layers_reason = "as planned";
        summary.plan_seconds = seconds_since(start);
        finish(plan, model.get(), planned, summary);
        return summary;
    }
    const corpus::Options reading = reading_options(options);  // before the model, which may take a while
    OpeningModel model(options);
    summary.layers_reason = !options.layers.empty() ? "as asked" : std::string(default_layer_text) + ", the default";
    read_and_plan(reading, model, options, summary);
    store::Plan plan(options.out, options.plan_only ? std::launch::deferred : std::launch::async);
    summary.plan_seconds = seconds_since(start);
    finish(plan, model.get(), options, summary);
    return summary;
}

}  // namespace wordbreadth
