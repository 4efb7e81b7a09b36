// The program: parse, run the command, and turn whatever goes wrong into one line on stderr and an exit code.
//
//   0  done
//   1  the machine failed: memory, a full disk, an error of ours
//   2  something the user can put right: the command line, a file, a cloud
//   128 + N  stopped by signal N: 130 by Ctrl-C, 143 by SIGTERM
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "cli/commands.h"
#include "cli/help.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "report/text.h"
#include "wordbreadth/error.h"

namespace wordbreadth::cli {
namespace {

void describe(CLI::App& program) {
    program.name("wordbreadth");
    program.formatter(std::make_shared<HelpFormatter>());
    program.set_help_flag("-h,--help", "Print this help and exit");
    program.set_version_flag("--version", "wordbreadth " WORDBREADTH_VERSION, "Print the version and exit");
    // At most one, so that a file called "test" is no second command; that there is one is checked in parse().
    program.require_subcommand(0, 1);
    program.footer("`wordbreadth COMMAND --help` tells more.");
    add_extract_command(program);
    add_info_command(program);
    add_rank_command(program);
    add_triage_command(program);
    add_compare_command(program);
    add_contexts_command(program);
    add_export_command(program);
    add_breadth_command(program);
    add_test_command(program);
    add_pairs_command(program);
    add_calibrate_command(program);
    add_experiment_command(program);
    add_devices_command(program);
    for (CLI::App* command : program.get_subcommands({})) {
        command->group("Commands");
        command->footer("");
    }
}

// "breadth, test or devices".
std::string command_names(const CLI::App& program) {
    std::string names;
    const auto commands = program.get_subcommands([](const CLI::App*) { return true; });
    for (const CLI::App* command : commands)
        names += (names.empty() ? "" : command == commands.back() ? " or " : ", ") + command->get_name();
    return names;
}

// What CLI11 has to say, in our words where these are clearer; its own may hold several lines.
std::string explanation(const CLI::App& program, const CLI::ParseError& error) {
    const auto* const extras = dynamic_cast<const CLI::ExtrasError*>(&error);
    if (extras == nullptr) return error.what();
    const std::vector<std::string> unexpected = program.remaining(true);
    if (unexpected.empty()) return error.what();
    const bool is_option = unexpected.front().starts_with('-');
    if (is_option) return "unknown option " + unexpected.front();
    if (program.get_subcommands().empty())
        return "unknown command " + unexpected.front() + "; expected " + command_names(program);
    return "one argument too many: " + unexpected.front();
}

InputError one_line(const CLI::App& program, const CLI::ParseError& error) {
    const auto commands = program.get_subcommands();
    const CLI::App& where = commands.empty() ? program : *commands.front();
    std::string text = explanation(program, error);
    std::replace(text.begin(), text.end(), '\n', ' ');
    return InputError((commands.empty() ? "" : where.get_name() + ": ") + text + see_help(where));
}

void run(int argc, const char* const* argv) {
    CLI::App program(
        "Semantic breadth of words: how widely the vectors of a word spread, and the test\n"
        "whether one word is broader than another.");
    describe(program);
    try {
        program.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        return print(program.help());
    } catch (const CLI::CallForVersion& version) {
        return print(std::string(version.what()) + "\n");
    } catch (const CLI::ParseError& error) {
        throw one_line(program, error);
    }
    if (program.get_subcommands().empty())
        throw InputError("no command given; expected " + command_names(program) + see_help(program));
}

int complain(const std::string& message, int code) {
    std::fprintf(stderr, "wordbreadth: %s\n", report::printable(message).c_str());
    return code;
}

}  // namespace
}  // namespace wordbreadth::cli

int main(int argc, char** argv) {
    using namespace wordbreadth;
    cli::catch_signals();
    try {
        cli::check_standard_streams();
        cli::run(argc, argv);
        return 0;
    } catch (const InputError& error) {
        return cli::complain(error.what(), 2);
    } catch (const Cancelled& stop) {
        return cli::complain(stop.what(), cli::exit_code_of_stop());
    } catch (const std::bad_alloc&) {
        return cli::complain("out of memory; free some, or use fewer --threads or smaller clouds", 1);
    } catch (const std::system_error& error) {
        const bool no_thread = error.code() == std::errc::resource_unavailable_try_again;
        return cli::complain(
            no_thread ? "no thread could be started; free some memory, or use fewer --threads" : error.what(), 1);
    } catch (const std::exception& error) {
        return cli::complain(error.what(), 1);
    }
}
