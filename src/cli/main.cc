// The program: parse, run the command, and turn whatever goes wrong into one line on stderr and an exit code.
//
//   0  done
//   1  the machine failed: memory, a full disk, an error of ours; of `verify`: the result is not what is computed now
//   2  something the user can put right: the command line, a file, a cloud
//   128 + N  stopped by signal N: 130 by Ctrl-C, 143 by SIGTERM
#include <algorithm>
#include <new>
#include <system_error>
#include <utility>

#include "cli/commands.h"
#include "cli/parts.h"
#include "report/command_line.h"
#include "wordbreadth/version.h"

namespace wordbreadth::cli {
namespace {

// ---- What CLI11 prints about the command line, in our words: help that fits 80 columns, and one line about a mistake

constexpr std::size_t line_width = 80;
constexpr std::size_t left_width = 27;

// "  left            right", right wrapped; on the next line when left is long.
std::string entry(const std::string& left, const std::string& right) {
    std::string text = "  " + left;
    const std::size_t start = left_width + 2;
    bool fits = text.size() + 2 <= start;
    for (const std::string& line : report::wrapped(right, line_width - start)) {
        if (!fits) text += "\n";
        const std::size_t written = fits ? text.size() : 0;
        text += std::string(start - written, ' ') + line;
        fits = false;
    }
    return text + "\n";
}

class HelpFormatter : public CLI::Formatter {
  public:
    HelpFormatter() { label("Positionals", "Arguments"); }

    std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
        // CLI11 leaves two empty lines between groups of options, and one or more at the end.
        std::string text = CLI::Formatter::make_help(app, std::move(name), mode);
        for (auto at = text.find("\n\n\n"); at != std::string::npos; at = text.find("\n\n\n", at)) text.erase(at, 1);
        text.erase(text.find_last_not_of('\n') + 1);
        return text + "\n";
    }

    std::string make_usage(const CLI::App* app, std::string name) const override {
        if (app->get_parent() == nullptr) return "\nUsage: " + name + " COMMAND [OPTIONS] ...\n";
        return "\n" + CLI::Formatter::make_usage(app, std::move(name));
    }

    std::string make_option(const CLI::Option* option, bool positional) const override {
        return entry(make_option_name(option, positional) + (positional ? "" : make_option_opts(option)),
                     make_option_desc(option));
    }

    std::string make_option_opts(const CLI::Option* option) const override {
        const bool takes_a_value = option->get_type_size() != 0 && !option->get_type_name().empty();
        return takes_a_value ? " " + option->get_type_name() : "";
    }

    std::string make_option_desc(const CLI::Option* option) const override {
        const std::string fallback = option->get_default_str();
        return option->get_description() + (fallback.empty() ? "" : " (default " + fallback + ")");
    }

    std::string make_subcommand(const CLI::App* command) const override {
        return entry(command->get_name(), command->get_description());
    }
};

std::vector<std::string> names_of_commands(const CLI::App& program) {
    std::vector<std::string> names;
    for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(command->get_name());
    return names;
}

// "breadth, test or devices".
std::string command_names(const CLI::App& program) {
    const std::vector<std::string> names = names_of_commands(program);
    std::string list = names.front();
    for (std::size_t i = 1; i < names.size(); ++i) list += (i + 1 < names.size() ? ", " : " or ") + names[i];
    return list;
}

// "unknown command measure; expected breadth, test or devices".
std::string unknown_command(const CLI::App& program, const std::string& name) {
    const std::string close = report::suggestion(name, names_of_commands(program));
    return "unknown command " + name + (close.empty() ? "; expected " + command_names(program) : close);
}

std::string unknown_option(const CLI::App& command, const std::string& argument) {
    const std::string name = argument.substr(0, argument.find('='));
    std::vector<std::string> known;
    for (const CLI::Option* option : command.get_options())
        for (const std::string& known_name : option->get_lnames()) known.push_back("--" + known_name);
    return "unknown option " + name + report::suggestion(name, known);
}

std::string times(std::size_t number) {
    return number == 2 ? "twice" : std::to_string(number) + " times";
}

std::string kind_of(const CLI::Option& option) {
    return option.get_positional() ? "a value" : option.get_type_name();
}

// CLI11's messages about an option begin with its name.
const CLI::Option* option_of(const CLI::App& command, const std::string& message) {
    return command.get_option_no_throw(message.substr(0, message.find_first_of(": ")));
}

// An option, or an argument, with too few values or too many.
std::string wrong_number(const CLI::App& command, const std::string& message) {
    const CLI::Option* const option = option_of(command, message);
    if (option == nullptr) return message;
    if (option->count() > 1) return option->get_name() + " is given " + times(option->count()) + "; expected it once";
    return option->get_name() + " has no value; expected " + kind_of(*option);
}

// Nothing but refuse_empty_values() validates.
std::string empty_value(const CLI::App& command, const std::string& message) {
    const CLI::Option* const option = option_of(command, message);
    return option == nullptr ? message : option->get_name() + " is empty; expected " + kind_of(*option);
}

// Only flags are converted by CLI11; we read everything else ourselves.
std::string flag_with_value(const CLI::App& command, const std::string& message) {
    for (const CLI::Option* option : command.get_options())
        if (option->count() > 0 && option->get_items_expected_max() == 0)
            if (const std::string name = option->get_name(); message.find(name + " ") != std::string::npos)
                return name + " takes no value, but is given " + option->results().front();
    return message;
}

// "--wordnet requires --match-senses".
std::string without_effect(std::string message) {
    const std::string requires_another = " requires ";
    const std::size_t at = message.find(requires_another);
    if (at != std::string::npos) message.replace(at, requires_another.size(), " has no effect without ");
    return message;
}

bool is_option(const std::string& argument) {
    return argument.starts_with('-');
}

// What is not understood explains why something else is missing, so it comes first.
std::string explanation(const CLI::App& command, const CLI::ParseError& error) {
    const std::vector<std::string> unexpected = command.remaining();
    if (const auto option = std::ranges::find_if(unexpected, is_option); option != unexpected.end())
        return unknown_option(command, *option);
    const bool is_program = command.get_parent() == nullptr;
    if (!unexpected.empty())
        return is_program ? unknown_command(command, unexpected.front())
                          : "one argument too many: " + unexpected.front();
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) return wrong_number(command, error.what());
    if (dynamic_cast<const CLI::ValidationError*>(&error) != nullptr) return empty_value(command, error.what());
    if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr) return flag_with_value(command, error.what());
    if (dynamic_cast<const CLI::RequiresError*>(&error) != nullptr) return without_effect(error.what());
    return error.what();
}

// `wordbreadth help [COMMAND]`.
void add_help_command(CLI::App& program) {
    const auto name = std::make_shared<std::string>();
    CLI::App& help = *program.add_subcommand("help", "What a command does, and its options");
    help.add_option("COMMAND", *name, "one of the commands; default: a list of them");
    help.callback([name, &program] {
        // Not program.help(), which is that of the command given: this one.
        if (name->empty())
            return print(program.get_formatter()->make_help(&program, program.get_name(), CLI::AppFormatMode::Normal));
        const auto found =
            program.get_subcommands([&](const CLI::App* command) { return command->get_name() == *name; });
        if (found.empty()) throw InputError(unknown_command(program, *name) + see_help(program));
        print(found.front()->help(program.get_name()));
    });
}

// No option or argument takes an empty value: an unset variable of a script must not pass for "all".
void refuse_empty_values(CLI::Option& option) {
    if (option.get_items_expected_max() == 0) return;  // a flag
    option.check([](const std::string& value) { return std::string(value.empty() ? "is empty" : ""); });
}

// In one line, with where to read on.
InputError misuse(const CLI::App& program, const CLI::ParseError& error) {
    const auto commands = program.get_subcommands();
    const bool in_command = !commands.empty() && program.remaining().empty();
    const CLI::App& where = in_command ? *commands.front() : program;
    std::string text = explanation(where, error);
    std::replace(text.begin(), text.end(), '\n', ' ');
    return InputError((in_command ? where.get_name() + ": " : "") + text + see_help(where));
}

// ---- The program

std::string version_and_citation() {
    return "wordbreadth " + std::string(version()) + "\n\nThe test is that of\n" +
           report::folded(std::string(citation()), 80);
}

// What a call has beside its arguments: where errors go, and the time.
struct Surroundings {
    ErrorOutput errors;
    Timing timing = Timing::since_process_start("starting the program");
    bool timing_is_wanted = false;
};

void run(std::vector<std::string> arguments, Surroundings& surroundings, const Defaults& defaults = {});

void describe(Program& program, Surroundings& surroundings) {
    program.name("wordbreadth");
    program.formatter(std::make_shared<HelpFormatter>());
    program.set_help_flag("-h,--help", "Print this help and exit");
    program.set_version_flag("-V,--version", version_and_citation(), "Print the version and what to cite, and exit");
    // At most one, so that a file called "test" is no second command; that there is one is checked in parse().
    program.require_subcommand(0, 1);
    program.footer("`wordbreadth help COMMAND` lists the options of a command.");
    for (const auto add_command :
         {add_extract_command, add_merge_command, add_import_command, add_info_command, add_rank_command,
          add_triage_command, add_compare_command, add_contexts_command, add_export_command, add_breadth_command,
          add_test_command, add_pairs_command, add_calibrate_command, add_experiment_command, add_devices_command})
        add_command(program);
    add_verify_command(program, [&surroundings](std::vector<std::string> arguments, const Defaults& defaults) {
        run(std::move(arguments), surroundings, defaults);
    });
    add_help_command(program);
    for (CLI::App* command : program.get_subcommands({})) {
        command->group("Commands");
        command->footer("");
        for (CLI::Option* option : command->get_options()) refuse_empty_values(*option);
        command->add_flag_callback(
            "-q,--quiet", [&surroundings] { surroundings.errors.silence_the_rest(); },
            "print errors only: neither notes nor a progress bar");
        command->add_flag_callback(
            "--timing",
            [&program, &surroundings] {
                surroundings.timing_is_wanted = true;
                program.timing = &surroundings.timing;
            },
            "print where the time went, stage by stage, on stderr");
    }
}

// Those that the command has a default for, and another one, or finds one, the layer: others may come from anywhere,
// and might write.
void replace_defaults(CLI::App& command, const Defaults& defaults) {
    for (const auto& [name, value] : defaults) {
        CLI::Option* const option = command.get_option_no_throw(name);
        const bool has_one = option != nullptr && (!option->get_default_str().empty() || name == "--layer");
        if (!has_one || option->get_default_str() == value) continue;
        option->run_callback_for_default()->default_val(value);
    }
}

void run(std::vector<std::string> arguments, Surroundings& surroundings, const Defaults& defaults) {
    Program program(
        "Measures the semantic breadth of words, and tests whether one word is broader\n"
        "than another.");
    if (surroundings.timing_is_wanted) program.timing = &surroundings.timing;
    describe(program, surroundings);
    if (!defaults.empty()) replace_defaults(*program.get_subcommand(arguments.front()), defaults);
    try {
        std::ranges::reverse(arguments);  // as CLI11 wants them
        program.parse(std::move(arguments));
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

// The exit code.
int run_and_complain(std::vector<std::string> arguments, Surroundings& surroundings) {
    const ErrorOutput& errors = surroundings.errors;
    try {
        check_standard_streams();
        run(std::move(arguments), surroundings);
        return 0;
    } catch (const Resumable& error) {
        return complain(errors, with_hint(error), 2);
    } catch (const InputError& error) {
        return complain(errors, error.what(), 2);
    } catch (const Cancelled& stop) {
        return complain(errors, with_hint(stop), exit_code_of_stop());
    } catch (const std::bad_alloc&) {
        return complain(errors, "out of memory; free some, or use fewer --threads or smaller clouds", 1);
    } catch (const std::system_error& error) {
        const bool no_thread = error.code() == std::errc::resource_unavailable_try_again;
        return complain(
            errors, no_thread ? "no thread could be started; free some memory, or use fewer --threads" : error.what(),
            1);
    } catch (const std::exception& error) {
        return complain(errors, error.what(), 1);
    }
}

}  // namespace
}  // namespace wordbreadth::cli

int main(int argc, char** argv) {
    using namespace wordbreadth;
    cli::Surroundings surroundings;
    cli::catch_signals();
    const int code = cli::run_and_complain({argv + std::min(argc, 1), argv + argc}, surroundings);
    if (surroundings.timing_is_wanted) surroundings.errors.print(report::timing_text(surroundings.timing));
    return code;
}
