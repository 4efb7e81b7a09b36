#include "cli/help.h"

#include <memory>

#include "cli/misuse.h"
#include "cli/option_kinds.h"
#include "cli/terminal.h"
#include "report/text.h"

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

}  // namespace wordbreadth::cli
