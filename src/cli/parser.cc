#include "cli/parser.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "cli/options.h"
#include "cli/terminal.h"
#include "report/names.h"
#include "report/table/text.h"

namespace wordbreadth::cli {
namespace {

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

std::vector<std::string> names_of_commands(const CLI::App& program) {
    std::vector<std::string> names;
    for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(command->get_name());
    return names;
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
    return error.what();
}

}  // namespace

HelpFormatter::HelpFormatter() {
    label("Positionals", "Arguments");
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const {
    // CLI11 leaves two empty lines between groups of options, and one or more at the end.
    std::string text = CLI::Formatter::make_help(app, std::move(name), mode);
    for (auto at = text.find("\n\n\n"); at != std::string::npos; at = text.find("\n\n\n", at)) text.erase(at, 1);
    text.erase(text.find_last_not_of('\n') + 1);
    return text + "\n";
}

std::string HelpFormatter::make_usage(const CLI::App* app, std::string name) const {
    if (app->get_parent() == nullptr) return "\nUsage: " + name + " COMMAND [OPTIONS] ...\n";
    return "\n" + CLI::Formatter::make_usage(app, std::move(name));
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool positional) const {
    return entry(make_option_name(option, positional) + (positional ? "" : make_option_opts(option)),
                 make_option_desc(option));
}

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
    const bool takes_a_value = option->get_type_size() != 0 && !option->get_type_name().empty();
    return takes_a_value ? " " + option->get_type_name() : "";
}

std::string HelpFormatter::make_option_desc(const CLI::Option* option) const {
    const std::string fallback = option->get_default_str();
    return option->get_description() + (fallback.empty() ? "" : " (default " + fallback + ")");
}

std::string HelpFormatter::make_subcommand(const CLI::App* command) const {
    return entry(command->get_name(), command->get_description());
}

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

void refuse_empty_values(CLI::Option& option) {
    if (option.get_items_expected_max() == 0) return;  // a flag
    option.check([](const std::string& value) { return std::string(value.empty() ? "is empty" : ""); });
}

InputError misuse(const CLI::App& program, const CLI::ParseError& error) {
    const auto commands = program.get_subcommands();
    const bool in_command = !commands.empty() && program.remaining().empty();
    const CLI::App& where = in_command ? *commands.front() : program;
    std::string text = explanation(where, error);
    std::replace(text.begin(), text.end(), '\n', ' ');
    return InputError((in_command ? where.get_name() + ": " : "") + text + see_help(where));
}

std::string command_names(const CLI::App& program) {
    const std::vector<std::string> names = names_of_commands(program);
    return report::joined({names.begin(), names.end() - 1}, ", ") + " or " + names.back();
}

std::string unknown_command(const CLI::App& program, const std::string& name) {
    const std::string close = report::suggestion(name, names_of_commands(program));
    return "unknown command " + name + (close.empty() ? "; expected " + command_names(program) : close);
}

}  // namespace wordbreadth::cli
