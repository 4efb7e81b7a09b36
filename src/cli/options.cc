#include "cli/options.h"

#include "cli/option_kinds.h"
#include "wordbreadth/limits.h"
#include "wordbreadth/names.h"

namespace wordbreadth::cli {
namespace {

void add_method_options(CLI::App& command, TestOptions& options) {
    const std::string group = "The test";
    add_choice(command, "--align", options.align, "turn X onto Y's mean direction first, or not")->group(group);
    add_choice(command, "--statistic", options.statistic,
               "plain: the log ratio of breadths; robust: debiased and studentised, for clouds of unlike shape")
        ->group(group);
    add_choice(command, "--alternative", options.alternative, "greater: X broader than Y; less: X narrower")
        ->group(group);
    add_whole_number<std::uint64_t>(command, "--permutations", options.permutations, {1, limits::permutations},
                                    "random splits to look at; all splits when there are no more")
        ->default_str(std::to_string(options.permutations))
        ->group(group);
    add_whole_number<std::uint64_t>(command, "--seed", options.seed, {}, "which random splits")
        ->default_str(std::to_string(options.seed))
        ->group(group);
    add_whole_number<std::uint64_t>(command, "--adaptive", options.adaptive, {},
                                    "stop at the Nth split as extreme as the clouds themselves; 0: never")
        ->default_str(std::to_string(options.adaptive))
        ->group(group);
    add_real_number(command, "--confidence", options.confidence, "of the interval; the verdict's level is 1 minus it")
        ->group(group);
    command
        .add_flag("--tail-estimate", options.tail_estimate,
                  "when few splits are as extreme, also estimate p from the shape of the tail")
        ->group(group);
}

// None of these changes a result, but for the device that exists to show what the paper's algorithm does.
void add_execution_options(CLI::App& command, Execution& execution) {
    const std::string group = "Where to run (changes no result)";
    command
        .add_option("--device", execution.device,
                    "see `wordbreadth devices`; cuda-paper alone is approximate: its counts may differ")
        ->type_name("auto|cpu|cuda|cuda-paper|reference")
        ->default_str(execution.device)
        ->group(group);
    add_whole_number<unsigned>(command, "--threads", execution.threads, {1, limits::threads},
                               "default: OMP_NUM_THREADS, or else every core")
        ->group(group);
    command
        .add_option("--instruction-set", execution.instruction_set,
                    "force one of those that `wordbreadth devices` lists; default: the best")
        ->type_name("NAME")
        ->group(group);
}

}  // namespace

void add_format_option(CLI::App& command, Format& format) {
    add_choice(command, "--format", format, "how to print the result");
}

void add_json_option(CLI::App& command, bool& json) {
    const auto read = [&command, &json](const std::string& text) {
        if (text != "text" && text != "json")
            reject(command, "--format", text, "text|json" + suggestion(text, {"text", "json"}));
        json = text == "json";
    };
    command.add_option_function<std::string>("--format", read, "how to print the result")
        ->type_name("text|json")
        ->default_str("text");
}

void add_test_options(CLI::App& command, TestOptions& options) {
    add_method_options(command, options);
    add_execution_options(command, options.execution);
}

void add_adjust_option(CLI::App& command, Adjustment& adjustment) {
    add_choice(command, "--adjust", adjustment,
               "for the number of pairs: false discovery rate (bh, by), family-wise error (holm)");
}

std::string plain_decimal(const std::string& text) {
    constexpr std::size_t largest = 40;  // more than any number we take has digits
    const std::size_t e = text.find_first_of("eE");
    if (e == std::string::npos) return text;
    const std::string mantissa = text.substr(0, e);
    const std::string power = text.substr(text.find('+', e) == e + 1 ? e + 2 : e + 1);
    std::size_t exponent = 0;
    if (power.find_first_not_of("0123456789") != std::string::npos || !read_number(power, exponent)) return text;
    const std::size_t point = mantissa.find('.');
    const std::string whole = mantissa.substr(0, point);
    const std::string decimals = point == std::string::npos ? "" : mantissa.substr(point + 1);
    const bool exact = !whole.empty() && exponent <= largest && decimals.size() <= exponent &&
                       decimals.empty() == (point == std::string::npos);
    return exact ? whole + decimals + std::string(exponent - decimals.size(), '0') : text;
}

void require_effect(const CLI::App& command, const std::string& option, const std::string& otherwise) {
    if (command.get_option(option)->count() > 0)
        throw InputError(command.get_name() + ": " + option + " has no effect " + otherwise + see_help(command));
}

std::string see_help(const CLI::App& command) {
    const std::string parent = command.get_parent() != nullptr ? command.get_parent()->get_name() + " " : "";
    return "; see `" + parent + command.get_name() + " --help`";
}

}  // namespace wordbreadth::cli
