// The program: parse, run the command, and turn whatever goes wrong into one line on stderr and an exit code.
//
//   0  done
//   1  the machine failed: memory, a full disk, an error of ours
//   2  something the user can put right: the command line, a file, a cloud
//   128 + N  stopped by signal N: 130 by Ctrl-C, 143 by SIGTERM
#include <CLI/CLI.hpp>
#include <memory>
#include <new>
#include <string>
#include <system_error>

#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/parser.h"
#include "cli/terminal.h"
#include "report/command_line.h"
#include "report/extraction.h"
#include "report/table/text.h"
#include "wordbreadth/error.h"
#include "wordbreadth/version.h"

namespace wordbreadth::cli {
namespace {

std::string version_and_citation() {
    return "wordbreadth " + std::string(version()) + "\n\nThe test is that of\n" +
           report::folded(std::string(citation()), 80);
}

void describe(CLI::App& program, ErrorOutput& errors) {
    program.name("wordbreadth");
    program.formatter(std::make_shared<HelpFormatter>());
    program.set_help_flag("-h,--help", "Print this help and exit");
    program.set_version_flag("-V,--version", version_and_citation(), "Print the version and what to cite, and exit");
    // At most one, so that a file called "test" is no second command; that there is one is checked in parse().
    program.require_subcommand(0, 1);
    program.footer("`wordbreadth help COMMAND` lists the options of a command.");
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
    add_help_command(program);
    for (CLI::App* command : program.get_subcommands({})) {
        command->group("Commands");
        command->footer("");
        for (CLI::Option* option : command->get_options()) refuse_empty_values(*option);
        command->add_flag_callback(
            "-q,--quiet", [&errors] { errors.silence_the_rest(); },
            "print errors only: neither notes nor a progress bar");
    }
}

void run(int argc, const char* const* argv, ErrorOutput& errors) {
    CLI::App program(
        "Measures the semantic breadth of words, and tests whether one word is broader\n"
        "than another.");
    describe(program, errors);
    try {
        program.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        return print(program.help());
    } catch (const CLI::CallForVersion& version) {
        return print(std::string(version.what()) + "\n");
    } catch (const CLI::ParseError& error) {
        throw misuse(program, error);
    }
    if (program.get_subcommands().empty())
        throw InputError("no command given; expected " + command_names(program) + see_help(program));
}

// The library says that an extraction can be resumed; how is for the program to say.
template <class Error>
std::string with_hint(const Error& error) {
    if (error.folder().empty()) return error.what();
    return std::string(error.what()) + ": `" + report::resume_command(error.folder()) + "`";
}

int complain(const ErrorOutput& errors, const std::string& message, int code) {
    errors.print("wordbreadth: " + report::printable(message) + "\n");
    return code;
}

}  // namespace
}  // namespace wordbreadth::cli

int main(int argc, char** argv) {
    using namespace wordbreadth;
    cli::catch_signals();
    cli::ErrorOutput errors;
    try {
        cli::check_standard_streams();
        cli::run(argc, argv, errors);
        return 0;
    } catch (const Resumable& error) {
        return cli::complain(errors, cli::with_hint(error), 2);
    } catch (const InputError& error) {
        return cli::complain(errors, error.what(), 2);
    } catch (const Cancelled& stop) {
        return cli::complain(errors, cli::with_hint(stop), cli::exit_code_of_stop());
    } catch (const std::bad_alloc&) {
        return cli::complain(errors, "out of memory; free some, or use fewer --threads or smaller clouds", 1);
    } catch (const std::system_error& error) {
        const bool no_thread = error.code() == std::errc::resource_unavailable_try_again;
        return cli::complain(
            errors, no_thread ? "no thread could be started; free some memory, or use fewer --threads" : error.what(),
            1);
    } catch (const std::exception& error) {
        return cli::complain(errors, error.what(), 1);
    }
}
