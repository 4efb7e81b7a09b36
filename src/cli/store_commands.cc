// wordbreadth extract, info, contexts, export: a store from a corpus and a model, what is in it, the occurrences behind
// a word's cloud, and clouds as a file for other programs.
#include <algorithm>
#include <filesystem>

#include "cli/commands.h"
#include "cli/parts.h"
#include "report/parts_of_job.h"
#include "wordbreadth/layers.h"
#include "wordbreadth/lists.h"
#include "wordbreadth/pair_parts.h"
#include "wordbreadth/progress.h"
#include "wordbreadth/write.h"

namespace wordbreadth::cli {
namespace {

struct ExtractCall {
    ExtractOptions options;
    std::string words;
    std::string layer, layers;
    Deduplicate deduplicate = Deduplicate::exact;
    std::optional<Part> part;
    bool json = false;
};

std::vector<LayerRange> read_layers(const std::string& option, const std::string& text, const CLI::App& command) {
    if (const auto layers = layers_in(text)) return *layers;
    reject(command, option, text, "a layer such as 4, a range such as 2-4, or several as in 2,4,6");
}

// The setting of a store that an option decides: "min count" for --min-count.
std::string setting_of(std::string option) {
    if (option == "--dtype") return "number type";
    if (option == "--invalid") return "invalid bytes";
    if (option == "--lemma") return "lemmas";
    if (option == "--layer") return "layers";
    if (option == "--pos") return "parts of speech";
    option.erase(0, option.find_first_not_of('-'));
    std::ranges::replace(option, '-', ' ');
    return option;
}

std::vector<std::string> stated_settings(const CLI::App& command) {
    std::vector<std::string> settings;
    for (const CLI::Option* option : command.get_options())
        if (option->count() > 0) settings.push_back(setting_of(option->get_name()));
    return settings;
}

// What the parser only collected.
void complete(ExtractCall& call, const CLI::App& command) {
    if (!call.layer.empty() && !call.layers.empty())
        throw InputError("extract: expected --layer or --layers, not both");
    if (!call.layer.empty()) call.options.layers = read_layers("--layer", call.layer, command);
    if (!call.layers.empty()) call.options.layers = read_layers("--layers", call.layers, command);
    if (!call.words.empty()) call.options.words = read_word_list(call.words);
    call.options.stated = stated_settings(command);
    if (command.count("--deduplicate") > 0) call.options.deduplicate = call.deduplicate;
    if (call.part && !call.options.plan_only && !call.options.resume)
        throw InputError("extract: expected --plan-only or --resume with --part" + see_help(command));
    if (call.options.resume) return;
    if (call.options.model.empty()) throw InputError("extract: --model is missing" + see_help(command));
    if (call.options.corpus.empty()) throw InputError("extract: --corpus is missing" + see_help(command));
}

void run_extract(ExtractCall& call, const CLI::App& command) {
    complete(call, command);
    const auto run = [&](const auto& work) {
        const Interrupt interrupt;
        Progress progress;
        call.options.stop = interrupt.token();
        call.options.progress = progress.callback(call.options.unit);
        call.options.timing = timing_of(command);
        return work(call.options);
    };
    if (call.part) {
        const PartSummary made = run([&](const ExtractOptions& options) { return extract_part(options, *call.part); });
        return print_result(command, [&] {
            return call.json ? report::part_json(made, call.options.out)
                             : report::part_text(made, call.options.out, stdout_style());
        });
    }
    const ExtractSummary summary = run([](const ExtractOptions& options) { return extract(options); });
    print_result(command, [&] {
        return call.json ? report::extraction_json(summary, call.options.out)
                         : report::extraction_text(summary, call.options.out, stdout_style());
    });
}

void add_corpus_options(CLI::App& command, ExtractCall& call) {
    const Group group(command, "The corpus");
    ExtractOptions& options = call.options;
    add_text(command, "--corpus", options.corpus, "PATH...",
             "files and folders of text, plain or gzipped; -: standard input");
    add_text(command, "--corpus-format", options.corpus_format,
             "auto|text|lines|jsonl|bnc|bccwj|conllu|vertical|dwug|brown", "what is in them")
        ->default_str("auto");
    add_text(command, "--encoding", options.encoding, "NAME",
             "of text without a byte order mark: latin1, windows-1252, utf-16le, shift_jis, ...")
        ->default_str("utf-8");
    add_choice(command, "--invalid", options.invalid,
               "bytes invalid in this encoding end the run, are skipped, or become U+FFFD");
    command.add_flag("--lemma", options.by_lemma, "count words by their lemmas, where the corpus has them");
    add_text(command, "--pos", options.parts_of_speech, "TAG,...",
             "only words of these parts of speech: universal tags (NOUN, VERB, ...) or the corpus's own")
        ->delimiter(',');
    add_choice(command, "--unit", options.unit,
               "a row is a word in its sentence; or a whole text, in the cloud of its label");
    add_choice(command, "--case", options.letter_case, "whether Bank and bank are one word");
}

void add_sample_options(CLI::App& command, ExtractCall& call) {
    const Group group(command, "Which words, and how many rows");
    add_text(command, "--words", call.words, "FILE",
             "only these words, one per line; those not frequent enough are listed as missing "
             "(default: all that are frequent enough)");
    add_number(command, "--min-count", call.options.min_count, {2},
               "minimum number of usable occurrences (default 100; for texts 2)");
    add_number(command, "--per-word", call.options.per_word, {0, limits::rows_of_a_pair},
               "maximum rows per cloud, sampled at random; 0: all (default 100; for texts 0)");
    add_number(command, "--per-document", call.options.per_document, {},
               "at most this many rows of a word from one document; 0: no limit (default 0)")
        ->type_name("K");
    add_choice(command, "--sample", call.options.sample,
               "draw rows at random; or spread over documents, so that as many as possible contribute");
    add_choice(
        command, "--deduplicate", call.deduplicate,
        "drop sentences that repeat an earlier one: exact copies (for texts none is dropped by default), or near "
        "copies too");
    add_number_with_default(command, "--seed", call.options.seed, {}, "which rows are drawn");
}

void add_model_options(CLI::App& command, ExtractCall& call) {
    const Group group(command, "The model");
    ExtractOptions& options = call.options;
    add_text(command, "--model", options.model, "DIR",
             "the folder of a Hugging Face snapshot: BERT, RoBERTa, Llama and others");
    add_text(command, "--layer", call.layer, "K,...",
             "take the vectors of this layer; 0: the embeddings; A-B: the mean of layers A to B; of several layers, a "
             "cloud each, in one run (default: " +
                 std::string(default_layer_text) + ")");
    add_text(command, "--layers", call.layers, "A-B", "the same as --layer");
    add_choice(command, "--subwords", options.subwords, "vector of a word of several tokens; single: skip such words");
    add_number_with_default(command, "--max-tokens", options.max_tokens, {3, limits::model_positions},
                            "maximum tokens per sentence; longer sentences are truncated");
    add_text(command, "--mecab-dictionary", options.mecab_dictionary, "DIR",
             "for Japanese: the folder of a MeCab dictionary, which finds the words of running text; models that "
             "tokenize with MeCab need it");
}

void add_run_options(CLI::App& command, ExtractCall& call) {
    const Group group(command, "Where and how to run");
    ExtractOptions& options = call.options;
    add_choice(command, "--dtype", options.precision,
               "precision of the model's products; auto: f32 on the CPU, f16 on a GPU");
    add_device_option(command, options.device, {"auto", "cpu", "cuda"},
                      "see `wordbreadth devices`; cuda is all GPUs, cuda:1 only the second");
    add_threads_option(command, options.threads);
    add_number(command, "--shard-tokens", options.shard_tokens, {1},
               "tokens per shard: the most work that an interruption can lose (default: a few minutes')");
    command.add_flag("--plan-only", options.plan_only, "stop after planning; --resume continues without the corpus");
    add_part_option(command, call.part,
                    "only part I of N: with --plan-only of the files, with --resume of the shards; `merge` puts parts "
                    "together");
    command.add_flag(
        "--resume", options.resume,
        "resume an unfinished store; needs only --out; other options must match the plan, except --model if "
        "the model has moved");
}

constexpr std::size_t shown_to_people = 20;
constexpr std::size_t lines_of_a_mode = 5;
constexpr std::size_t width_of_a_file = 100;
constexpr std::size_t narrowest = 40;

struct ContextsCall {
    std::string store, layer, word;
    ConcordanceOrder order = ConcordanceOrder::corpus;
    std::size_t count = 0;  // 0: 20 for people, all for programs
    std::uint64_t seed = 0;
    std::size_t width = 0;  // 0: the terminal's
    bool modes = false;
    Format format = Format::text;
};

std::string summary(const StoredWord& word, const std::vector<ConcordanceLine>& usages, const ContextsCall& call) {
    const std::size_t shown = usages.size();
    const std::string documents = report::shared_document(usages);
    std::string text = report::count(shown) + " of the " + report::count(word.rows) + " rows of " +
                       report::printable(word.word) + ", which the corpus has " +
                       report::counted(word.frequency, "time");
    if (!documents.empty()) text += "; " + documents;
    if (call.order == ConcordanceOrder::influence) return text + "; before each, by how much log v falls without it";
    if (shown < word.rows)
        text += "; seed " + std::to_string(call.seed) + ", --count " + std::to_string(word.rows) + " shows all";
    return text;
}

report::ConcordanceLook look_of(const ContextsCall& call) {
    const report::Style style = stdout_style();
    const std::size_t available = style.width > 0 ? style.width : width_of_a_file;
    const std::size_t width = std::max(call.width > 0 ? call.width : available, narrowest);
    return {width, call.order == ConcordanceOrder::influence, style};
}

std::string text_of(const StoredWord& word, const std::vector<ConcordanceLine>& usages, const ContextsCall& call) {
    const report::ConcordanceLook look = look_of(call);
    return report::concordance(usages, look) + "\n" + look.style.dim_line(summary(word, usages, call));
}

// --modes: what the word's breadth comes from, and the occurrences that are typical of each mode.
void show_modes(const Store& store, const ContextsCall& call, const CLI::App& command) {
    const std::vector<std::size_t> words = {store.find(call.word)};
    ModesOptions options;
    options.seed = call.seed;
    options.execution.timing = timing_of(command);
    const Explanation found = watched_with(options, false, [&](const ModesOptions& completed) {
        return explain(store, words, call.count > 0 ? call.count : lines_of_a_mode, completed);
    });
    const ExplainedWord& word = found.words.front();
    print_result(command, [&] {
        return call.format == Format::text ? report::text_of(found, word, look_of(call))
                                           : for_programs(command, call.format, found, word);
    });
    if (!word.found.modes) throw InputError(call.store + ": " + call.word + " " + word.found.reason);
}

void show_contexts(const ContextsCall& call, const CLI::App& command) {
    const bool for_people = call.format == Format::text;
    require_effect(command, "--width", for_people, "with --format json, tsv or parquet");
    require_effect(command, "--seed", call.order != ConcordanceOrder::influence, "with --sort influence");
    require_effect(command, "--sort", !call.modes, "with --modes");
    const Store store = open_store(command, call.store, call.layer);
    if (call.modes) return show_modes(store, call, command);
    const StoredWord word = store.word(store.find(call.word));
    const std::size_t count = call.count > 0 ? call.count : for_people ? shown_to_people : 0;
    const std::vector<ConcordanceLine> shown = timed(timing_of(command), "concordances", [&] {
        return concordance(store, call.word, {call.order, count, call.seed});
    });
    print_result(command, [&] {
        if (for_people) return text_of(word, shown, call);
        return call.format == Format::json ? text_with_provenance(report::json_of(word, shown), command)
                                           : rows_for_programs(call.format, report::table_of(shown));
    });
}

struct ExportCall {
    std::string store, layer;
    std::string words;       // with commas between them
    std::string words_file;  // neither: all
    std::string out;
};

// "bank,river".
std::vector<std::string> words_between_commas(const std::string& text) {
    std::vector<std::string> words;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find(',', start), text.size());
        words.push_back(text.substr(start, end - start));
        if (words.back().empty())
            throw InputError("--words " + text + ": holds an empty word; expected words separated by commas");
        start = end + 1;
    }
    return words;
}

void check(const ExportCall& call, const CLI::App& command) {
    if (!call.out.ends_with(".npz") && !call.out.ends_with(".safetensors"))
        throw InputError("--out " + call.out + ": expected a name that ends in .npz or .safetensors");
    if (!call.words.empty() && !call.words_file.empty())
        throw InputError("export: expected --words or --words-file, not both" + see_help(command));
    if (is_file_of_store(call.out, call.store))
        throw InputError("--out " + call.out + ": is a file of the store itself; name another");
}

// The indices of the words in the store, ascending, each once.
std::vector<std::size_t> places(const Store& store, const ExportCall& call) {
    std::vector<std::size_t> found;
    if (call.words.empty() && call.words_file.empty()) {
        for (std::size_t i = 0; i < store.words().size(); ++i) found.push_back(i);
        return found;
    }
    const std::vector<std::string> words =
        call.words.empty() ? read_word_list(call.words_file) : words_between_commas(call.words);
    for (const std::string& word : words) found.push_back(store.find(word));
    std::ranges::sort(found);
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

void export_clouds(const ExportCall& call, const CLI::App& command) {
    check(call, command);
    const Store store = open_store(command, call.store, call.layer);
    const std::vector<std::size_t> words = places(store, call);
    watched(Execution(), "", [&](const Execution& execution) {
        const Timing::Stage writing(timing_of(command), "writing clouds");
        write_clouds(store, words, call.out, execution);
        return true;
    });
    print(report::printable(call.out) + ": " + report::counted(words.size(), "cloud") + " of " +
          report::count(store.dimension()) + " dimensions, " + report::bytes(std::filesystem::file_size(call.out)) +
          "\n");
}

struct InfoCall {
    std::string folder;
    bool json = false;
};

void show_store(const InfoCall& call, const CLI::App& command) {
    const StoreDescription found = opened(command, [&] { return describe_store(call.folder); });
    const JobProgress job =
        found.finished ? JobProgress() : opened(command, [&] { return progress_of_store(call.folder); });
    print_result(command, [&] {
        return call.json ? text_with_provenance(report::json_of(found, job), command)
                         : report::text_of(found, stdout_style(), job);
    });
}

void show_planning(const InfoCall& call, const CLI::App& command) {
    const JobProgress job = opened(command, [&] { return progress_of_store(call.folder); });
    print_result(command, [&] {
        return call.json ? text_with_provenance(report::planning_json(call.folder, job), command)
                         : report::planning_text(call.folder, job, stdout_style());
    });
}

void show_pairs(const InfoCall& call, const CLI::App& command) {
    const PairsProgress pairs = opened(command, [&] { return progress_of_pairs(call.folder); });
    print_result(command, [&] {
        return call.json ? text_with_provenance(report::json_of(pairs, call.folder), command)
                         : report::text_of(pairs, call.folder, stdout_style());
    });
}

}  // namespace

void add_extract_command(CLI::App& program) {
    const auto call = std::make_shared<ExtractCall>();
    CLI::App& command = *program.add_subcommand("extract", "Make a store of clouds from a corpus and a model");
    add_text(command, "--out", call->options.out, "STORE", "the folder of the store")->required();
    add_json_option(command, call->json);
    add_corpus_options(command, *call);
    add_sample_options(command, *call);
    add_model_options(command, *call);
    add_run_options(command, *call);
    command.callback([call, &command] { run_extract(*call, command); });
}

void add_info_command(CLI::App& program) {
    const auto call = std::make_shared<InfoCall>();
    CLI::App& command =
        *program.add_subcommand("info", "What is in a store, where it came from, and how far along its parts are");
    command.add_option("STORE", call->folder, "the folder of a store, finished or not, or of pairs in parts")
        ->required();
    add_json_option(command, call->json);
    command.callback([call, &command] {
        if (has_pair_parts(call->folder)) return show_pairs(*call, command);
        return is_being_planned(call->folder) ? show_planning(*call, command) : show_store(*call, command);
    });
}

void add_contexts_command(CLI::App& program) {
    const auto call = std::make_shared<ContextsCall>();
    CLI::App& command = *program.add_subcommand("contexts", "A concordance of the occurrences behind a cloud");
    add_store_argument(command, call->store);
    add_layer_option(command, call->layer);
    command.add_option("WORD", call->word, "one of its words")->required();
    add_choice(command, "--sort", call->order,
               "in the order of the corpus, by the words to the left or to the right, by influence (what makes the "
               "word broadest first), or spread: far from each other, so that a few stand for all");
    add_number(command, "--count", call->count, {1},
               "how many: a sample, or the first ones by influence or spread; default: 20 as text, else all; of each "
               "mode with --modes; default: 5");
    command.add_flag("--modes", call->modes,
                     "why is the word broad? Its modes, groups of similar contexts, with typical occurrences of each");
    add_number_with_default(command, "--seed", call->seed, {}, "which sample, and which random clouds with --modes");
    add_number(command, "--width", call->width, {narrowest, 10'000},
               "columns of a line, as text; default: the terminal's, or 100");
    add_format_option(command, call->format);
    command.callback([call, &command] { show_contexts(*call, command); });
}

void add_export_command(CLI::App& program) {
    const auto call = std::make_shared<ExportCall>();
    CLI::App& command = *program.add_subcommand("export", "Clouds of a store as a file for numpy or safetensors");
    add_store_argument(command, call->store);
    add_layer_option(command, call->layer);
    add_text(command, "--words", call->words, "A,B,C", "which words, separated by commas; default: all");
    add_text(command, "--words-file", call->words_file, "FILE", "which words, one per line");
    add_text(command, "--out", call->out, "FILE",
             "the file to write: .npz or .safetensors, an array (rows, dimension) of float32 for each word")
        ->required();
    command.callback([call, &command] { export_clouds(*call, command); });
}

}  // namespace wordbreadth::cli
