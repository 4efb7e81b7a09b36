// wordbreadth extract: from text to clouds.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "report/extraction.h"
#include "wordbreadth/error.h"
#include "wordbreadth/extract.h"
#include "wordbreadth/limits.h"
#include "wordbreadth/lists.h"

namespace wordbreadth::cli {
namespace {

struct Call {
    ExtractOptions options;
    std::string words;
    std::string layer, layers;
    std::uint64_t min_count = 0, per_word = 0;
    bool json = false;
};

LayerRange read_layers(const std::string& option, const std::string& text, const CLI::App& command) {
    const auto dash = text.find('-');
    LayerRange layers;
    const bool good = read_number(text.substr(0, dash), layers.first) &&
                      (dash == std::string::npos || read_number(text.substr(dash + 1), layers.last));
    if (dash == std::string::npos) layers.last = layers.first;
    if (!good || layers.first > layers.last) reject(command, option, text, "a layer such as 4, or a range such as 2-4");
    return layers;
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
void complete(Call& call, const CLI::App& command) {
    if (!call.layer.empty() && !call.layers.empty())
        throw InputError("extract: expected --layer or --layers, not both");
    if (!call.layer.empty()) call.options.layers = read_layers("--layer", call.layer, command);
    if (!call.layers.empty()) call.options.layers = read_layers("--layers", call.layers, command);
    if (!call.words.empty()) call.options.words = read_word_list(call.words);
    if (command.get_option("--min-count")->count() > 0) call.options.min_count = call.min_count;
    if (command.get_option("--per-word")->count() > 0) call.options.per_word = call.per_word;
    call.options.stated = stated_settings(command);
    if (call.options.resume) return;
    if (call.options.model.empty()) throw InputError("extract: --model is missing" + see_help(command));
    if (call.options.corpus.empty()) throw InputError("extract: --corpus is missing" + see_help(command));
}

void run(Call& call, const CLI::App& command) {
    complete(call, command);
    ExtractSummary summary;
    {
        const Interrupt interrupt;
        Progress progress;
        call.options.stop = interrupt.token();
        call.options.progress = progress.callback(call.options.unit);
        summary = extract(call.options);
    }
    print(call.json ? report::extraction_json(summary, call.options.out)
                    : report::extraction_text(summary, call.options.out, stdout_style()));
}

void add_corpus_options(CLI::App& command, Call& call) {
    const std::string group = "The corpus";
    ExtractOptions& options = call.options;
    command.add_option("--corpus", options.corpus, "files and folders of text, plain or gzipped; -: standard input")
        ->type_name("PATH...")
        ->group(group);
    command.add_option("--corpus-format", options.corpus_format, "what is in them")
        ->type_name("auto|text|lines|jsonl|bnc|bccwj|conllu|vertical|dwug|brown")
        ->default_str("auto")
        ->group(group);
    command
        .add_option("--encoding", options.encoding,
                    "of text without a byte order mark: latin1, windows-1252, utf-16le, shift_jis, ...")
        ->type_name("NAME")
        ->default_str("utf-8")
        ->group(group);
    add_choice(command, "--invalid", options.invalid,
               "bytes invalid in this encoding end the run, are skipped, or become U+FFFD")
        ->group(group);
    command.add_flag("--lemma", options.by_lemma, "count words by their lemmas, where the corpus has them")
        ->group(group);
    command
        .add_option("--pos", options.parts_of_speech, "only words of these parts of speech, where the corpus has them")
        ->type_name("TAG,...")
        ->delimiter(',')
        ->group(group);
    add_choice(command, "--unit", options.unit,
               "a row is a word in its sentence; or a whole text, in the cloud of its label")
        ->group(group);
    add_choice(command, "--case", options.letter_case, "whether Bank and bank are one word")->group(group);
}

void add_sample_options(CLI::App& command, Call& call) {
    const std::string group = "Which words, and how many rows";
    command
        .add_option("--words", call.words,
                    "only these words, one per line; those not frequent enough are listed as missing "
                    "(default: all that are frequent enough)")
        ->type_name("FILE")
        ->group(group);
    add_whole_number<std::uint64_t>(command, "--min-count", call.min_count, {2, UINT64_MAX},
                                    "minimum number of usable occurrences (default 100; for texts 2)")
        ->group(group);
    add_whole_number<std::uint64_t>(command, "--per-word", call.per_word, {0, limits::rows_of_a_pair},
                                    "maximum rows per cloud, sampled at random; 0: all (default 100; for texts 0)")
        ->group(group);
    add_whole_number<std::uint64_t>(command, "--per-document", call.options.per_document, {},
                                    "at most this many rows of a word from one document; 0: no limit (default 0)")
        ->type_name("K")
        ->group(group);
    add_number_with_default<std::uint64_t>(command, "--seed", call.options.seed, {}, "which rows are drawn")
        ->group(group);
}

void add_model_options(CLI::App& command, Call& call) {
    const std::string group = "The model";
    ExtractOptions& options = call.options;
    command.add_option("--model", options.model, "the folder of a Hugging Face snapshot: BERT or ModernBERT")
        ->type_name("DIR")
        ->group(group);
    command
        .add_option("--layer", call.layer, "take the vectors of this layer; 0: the embeddings (default: two thirds up)")
        ->type_name("K")
        ->group(group);
    command.add_option("--layers", call.layers, "the mean of these layers")->type_name("A-B")->group(group);
    add_choice(command, "--subwords", options.subwords, "vector of a word of several tokens; single: skip such words")
        ->group(group);
    add_number_with_default<std::size_t>(command, "--max-tokens", options.max_tokens, {3, limits::model_positions},
                                         "maximum tokens per sentence; longer sentences are truncated")
        ->group(group);
    command
        .add_option("--mecab-dictionary", options.mecab_dictionary, "for Japanese models: the folder of the dictionary")
        ->type_name("DIR")
        ->group(group);
}

void add_run_options(CLI::App& command, Call& call) {
    const std::string group = "Where and how to run";
    ExtractOptions& options = call.options;
    add_choice(command, "--dtype", options.precision,
               "precision of the model's products; auto: f32 on the CPU, f16 on a GPU")
        ->group(group);
    add_device_option(command, options.device, {"auto", "cpu", "cuda"}, "see `wordbreadth devices`")->group(group);
    add_threads_option(command, options.threads)->group(group);
    add_whole_number<std::size_t>(
        command, "--shard-tokens", options.shard_tokens, {1, SIZE_MAX},
        "tokens per shard: the most work that an interruption can lose (default: a few minutes')")
        ->group(group);
    command.add_flag("--plan-only", options.plan_only, "stop after planning; --resume continues without the corpus")
        ->group(group);
    command
        .add_flag("--resume", options.resume,
                  "resume an unfinished store; needs only --out; other options must match the plan, except --model if "
                  "the model has moved")
        ->group(group);
}

}  // namespace

void add_extract_command(CLI::App& program) {
    const auto call = std::make_shared<Call>();
    CLI::App& command = *program.add_subcommand("extract", "Make a store of clouds from a corpus and a model");
    command.add_option("--out", call->options.out, "the folder of the store")->type_name("STORE")->required();
    add_json_option(command, call->json);
    add_corpus_options(command, *call);
    add_sample_options(command, *call);
    add_model_options(command, *call);
    add_run_options(command, *call);
    command.callback([call, &command] { run(*call, command); });
}

}  // namespace wordbreadth::cli
