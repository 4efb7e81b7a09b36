// wordbreadth import: a store from vectors that other programs made.
#include "cli/commands.h"
#include "wordbreadth/import.h"

namespace wordbreadth::cli {
namespace {

// "word=lemma,vector=embedding".
std::vector<std::pair<std::string, std::string>> read_columns(const std::string& text) {
    std::vector<std::pair<std::string, std::string>> columns;
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = std::min(text.find(',', start), text.size());
        const std::size_t equals = text.find('=', start);
        if (equals >= end || equals == start || equals + 1 == end)
            throw InputError("--columns " + text + ": expected word=NAME,vector=NAME,...");
        columns.emplace_back(text.substr(start, equals - start), text.substr(equals + 1, end - equals - 1));
        start = end + 1;
    }
    return columns;
}

std::string text_of(const ImportSummary& summary, const ImportOptions& options) {
    std::string text = report::printable(options.out) + ": " + report::counted(summary.words, "word") + ", " +
                       report::counted(summary.rows, "row") + " of " + report::count(summary.dimension) + " dimensions";
    text += summary.has_texts ? ", with texts" : ", without texts";
    if (summary.documents > 0) text += ", from " + report::counted(summary.documents, "document");
    text += "\n";
    if (summary.spans_found > 0)
        text += "rows without a span: the word's first occurrence in the text was taken in " +
                report::counted(summary.spans_found, "row") + "\n";
    if (summary.spans_whole > 0)
        text += "rows without a span, whose text does not contain the word: the whole text was taken in " +
                report::counted(summary.spans_whole, "row") + "\n";
    if (summary.spans_differing > 0)
        text += "spans that hold another text than the word: " + report::counted(summary.spans_differing, "row") +
                ", first " + summary.first_differing +
                "; other forms of the word, or offsets that do not count characters\n";
    return text;
}

}  // namespace

void add_import_command(CLI::App& program) {
    struct Call {
        ImportOptions options;
        std::string columns;
    };
    const auto call = std::make_shared<Call>();
    CLI::App& command = *program.add_subcommand("import", "Make a store from vectors made elsewhere");
    ImportOptions& options = call->options;
    command
        .add_option(
            "VECTORS", options.from,
            ".npz, .safetensors: an array per word; .parquet, .jsonl: a row per occurrence, with word, vector and "
            "optionally text, start, end (or span) and document")
        ->required();
    add_text(command, "--out", options.out, "STORE", "the folder of the store")->required();
    add_text(command, "--columns", call->columns, "word=NAME,...",
             "the columns of word, vector, text, start, end, span and document that have other names than usual");
    add_text(command, "--model", options.model, "NAME",
             "the model that made the vectors; stores of different models are not compared");
    add_text(command, "--layer", options.layers, "NAME", "its layer or layers, likewise");
    add_threads_option(command, options.execution.threads);
    command.callback([call, &command] {
        call->options.columns = read_columns(call->columns);
        call->options.execution.timing = timing_of(command);
        const ImportSummary summary = watched(call->options.execution, "", [&](const Execution& execution) {
            ImportOptions completed = call->options;
            completed.execution = execution;
            return import_vectors(completed);
        });
        print(text_of(summary, call->options));
    });
}

}  // namespace wordbreadth::cli
