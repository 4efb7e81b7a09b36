// wordbreadth export: clouds of a store as a file for other programs.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "report/table/number.h"
#include "report/table/text.h"
#include "wordbreadth/error.h"
#include "wordbreadth/lists.h"
#include "wordbreadth/store.h"
#include "wordbreadth/write.h"

namespace wordbreadth::cli {
namespace {

struct Call {
    std::string store;
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

void check(const Call& call, const CLI::App& command) {
    if (!call.out.ends_with(".npz") && !call.out.ends_with(".safetensors"))
        throw InputError("--out " + call.out + ": expected a name that ends in .npz or .safetensors");
    if (!call.words.empty() && !call.words_file.empty())
        throw InputError("export: expected --words or --words-file, not both" + see_help(command));
    if (is_file_of_store(call.out, call.store))
        throw InputError("--out " + call.out + ": is a file of the store itself; name another");
}

// The indices of the words in the store, ascending, each once.
std::vector<std::size_t> places(const Store& store, const Call& call) {
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

void run(const Call& call, const CLI::App& command) {
    check(call, command);
    const Store store(call.store);
    const std::vector<std::size_t> words = places(store, call);
    watched(Execution(), "", [&](const Execution& execution) {
        write_clouds(store, words, call.out, execution);
        return true;
    });
    print(report::printable(call.out) + ": " + report::counted(words.size(), "cloud") + " of " +
          report::count(store.dimension()) + " dimensions, " + report::bytes(std::filesystem::file_size(call.out)) +
          "\n");
}

}  // namespace

void add_export_command(CLI::App& program) {
    const auto call = std::make_shared<Call>();
    CLI::App& command = *program.add_subcommand("export", "Clouds of a store as a file for numpy or safetensors");
    add_store_argument(command, call->store);
    command.add_option("--words", call->words, "which words, separated by commas; default: all")->type_name("A,B,C");
    command.add_option("--words-file", call->words_file, "which words, one per line")->type_name("FILE");
    command
        .add_option("--out", call->out,
                    "the file to write: .npz or .safetensors, an array (rows, dimension) of "
                    "float32 for each word")
        ->type_name("FILE")
        ->required();
    command.callback([call, &command] { run(*call, command); });
}

}  // namespace wordbreadth::cli
