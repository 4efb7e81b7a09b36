// wordbreadth verify: computes a result again, from what it records, and compares the two.
//
// The record is somebody else's text. Only commands that read are run, by the parser that every command line goes
// through, in this process; what they would write goes to a folder of our own, which is removed.
#include <stdlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/commands.h"
#include "wordbreadth/version.h"

namespace wordbreadth::cli {
namespace {

constexpr std::array commands_that_read = std::to_array<std::string_view>(
    {"info", "rank", "triage", "compare", "contexts", "breadth", "test", "pairs", "calibrate", "experiment"});

// What any of them may write, and what it is called in our folder.
struct Output {
    std::string_view option, name;
};
constexpr std::array outputs = std::to_array<Output>(
    {{"--html", "page.html"}, {"--svg", "picture.svg"}, {"--null", "null.npy"}, {"--out", "study"}});

// These change no result, and this machine may have other devices.
constexpr std::array where_to_run = std::to_array<std::string_view>({"--device", "--instruction-set", "--threads"});
constexpr std::string_view approximate_device = "cuda-paper";  // but for this one

constexpr const char* times_of_a_study = "runtime.json";

struct VerifyCall {
    std::string result;
    std::string folder;  // of the inputs; empty: where they were
};

class TemporaryFolder {
  public:
    TemporaryFolder() : path_((std::filesystem::temp_directory_path() / "wordbreadth-verify-XXXXXX").string()) {
        if (mkdtemp(path_.data()) == nullptr)
            throw std::system_error(errno, std::generic_category(), "no temporary folder can be made: " + path_);
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    [[nodiscard]] std::string file(std::string_view name) const { return path_ + "/" + std::string(name); }

  private:
    std::string path_;
};

// A path or a cloud in it ("STORE:bank"), where it is now.
std::string moved(const std::string& argument, const std::vector<report::MovedPath>& paths) {
    for (const auto& [path_then, path_now] : paths)
        if (argument == path_then || argument.starts_with(path_then + ":"))
            return path_now + argument.substr(path_then.size());
    return argument;
}

// The recorded command line, to be run here and now.
std::vector<std::string> arguments_now(const std::vector<std::string>& recorded,
                                       const std::vector<report::MovedPath>& paths, const TemporaryFolder& folder) {
    std::vector<std::string> arguments;
    for (std::size_t i = 0; i < recorded.size(); ++i) {
        const std::string& argument = recorded[i];
        if (argument == "--") {  // only names follow
            for (; i < recorded.size(); ++i) arguments.push_back(moved(recorded[i], paths));
            break;
        }
        const std::size_t equals = argument.starts_with("--") ? argument.find('=') : std::string::npos;
        const std::string name = argument.substr(0, equals);
        const auto value = [&] {
            if (equals != std::string::npos) return argument.substr(equals + 1);
            return i + 1 < recorded.size() ? recorded[++i] : std::string();
        };
        if (name == "--quiet" || name == "-q") continue;
        if (std::ranges::find(where_to_run, name) != where_to_run.end()) {
            if (value() == approximate_device)
                arguments.insert(arguments.end(), {name, std::string(approximate_device)});
        } else if (const auto* const output = std::ranges::find(outputs, name, &Output::option);
                   output != outputs.end()) {
            (void)value();
            arguments.insert(arguments.end(), {name, folder.file(output->name)});
        } else {
            arguments.push_back(moved(argument, paths));
        }
    }
    return arguments;
}

// The defaults that it was computed with, but for where to run.
Defaults defaults_now(const Defaults& recorded, const std::vector<report::MovedPath>& paths) {
    Defaults defaults;
    for (const auto& [name, value] : recorded)
        if (std::ranges::find(where_to_run, name) == where_to_run.end()) defaults[name] = moved(value, paths);
    return defaults;
}

void check_record(const report::RecordedResult& recorded) {
    const Provenance& provenance = recorded.provenance;
    if (std::ranges::find(commands_that_read, provenance.command.front()) == commands_that_read.end())
        throw InputError(recorded.path + ": records the command " + provenance.command.front() +
                         ", whose results cannot be verified");
    const std::size_t slash = provenance.file.find('/');  // of a further store of a study
    const std::string file = provenance.file.substr(slash == std::string::npos ? 0 : slash + 1);
    if (file == times_of_a_study)
        throw InputError(recorded.path + ": holds times, which are never the same; verify another file of the study");
    if (slash == 0 || file.find('/') != std::string::npos || file.starts_with('.') || provenance.file.starts_with('.'))
        throw InputError(recorded.path + ": its provenance is damaged at \"file\"; compute the result again");
}

// What the command prints; "" where it fails before.
std::string output_of(const std::vector<std::string>& arguments, const Defaults& defaults, const RunCommand& run,
                      const report::RecordedResult& recorded) {
    const CapturedOutput output;
    try {
        run(arguments, defaults);
    } catch (const InputError& error) {
        // Some clouds may have no result, which is known only after those of the others were printed.
        if (!output.text().empty()) return output.text();
        const std::string& then = recorded.provenance.version;
        const std::string versions =
            then == version() ? "" : " by version " + std::string(version()) + " (it is from " + then + ")";
        throw InputError(recorded.path + ": computing it again" + versions + " failed: " + error.what());
    }
    return output.text();
}

std::string recomputed(const report::RecordedResult& recorded, const std::vector<report::MovedPath>& paths,
                       const RunCommand& run) {
    const TemporaryFolder folder;
    std::string printed = output_of(arguments_now(recorded.provenance.command, paths, folder),
                                    defaults_now(recorded.provenance.defaults, paths), run, recorded);
    if (!recorded.provenance.file.empty())
        return report::read_result(folder.file("study/" + recorded.provenance.file)).text;
    return recorded.is_page ? report::read_result(folder.file("page.html")).text : printed;
}

void run_verify(const VerifyCall& call, const RunCommand& run, const CLI::App& command) {
    const report::RecordedResult recorded = opened(command, [&] { return report::read_result(call.result); });
    check_record(recorded);
    const std::vector<report::MovedPath> paths =
        timed(timing_of(command), "hashing inputs", [&] { return report::find_inputs(recorded, call.folder); });
    const std::string now = recomputed(recorded, paths, run);
    const report::Verification found =
        timed(timing_of(command), "comparing", [&] { return report::verify(recorded, now, paths); });
    const report::Style style = stdout_style();
    print(report::text_of(found, recorded, style) +
          style.dim_line("command: " + report::printable(command_line(recorded.provenance.command))));
    if (found.different > 0)
        throw std::runtime_error(call.result + ": is not what its command gives now: " +
                                 report::count(found.different) + " of " + report::count(found.compared) + " differ");
}

}  // namespace

void add_verify_command(CLI::App& program, RunCommand run) {
    const auto call = std::make_shared<VerifyCall>();
    CLI::App& command = *program.add_subcommand("verify", "Compute a result again: is it the same?");
    command.add_option("RESULT", call->result, "what a command printed with --format json, or a page")->required();
    add_text(command, "--in", call->folder, "DIR",
             "the folder where its stores and files are now; default: where they were");
    command.callback([call, run = std::move(run), &command] { run_verify(*call, run, command); });
}

}  // namespace wordbreadth::cli
