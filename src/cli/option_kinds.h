// The kinds of options that commands have: whole numbers, shares, choices. Each reads its value strictly and says in
// one line what it expected.
#pragma once

#include <CLI/CLI.hpp>
#include <charconv>
#include <limits>
#include <string>
#include <system_error>
#include <type_traits>
#include <vector>

#include "cli/suggestion.h"
#include "report/number.h"
#include "wordbreadth/error.h"
#include "wordbreadth/names.h"

namespace wordbreadth::cli {

// "; see `wordbreadth test --help`", the end of messages about the command line.
[[nodiscard]] std::string see_help(const CLI::App& command);

[[noreturn]] inline void reject(const CLI::App& command, const std::string& name, const std::string& text,
                                const std::string& expected) {
    throw InputError(name + " " + (text.empty() ? "''" : text) + ": expected " + expected + see_help(command));
}

// Throws InputError where the option was given: what it asks for is decided otherwise, "with --all".
void require_effect(const CLI::App& command, const std::string& option, const std::string& otherwise);

// 1.5e6 as 1500000: whole numbers in scientific notation in plain decimal, where that is exact; other text as it is.
[[nodiscard]] std::string plain_decimal(const std::string& text);

// CLI11 would read 010 as 8 and wrap -1; numbers are read here, in plain decimal.
template <class Number>
bool read_number(const std::string& text, Number& value) {
    const std::string digits = std::is_integral_v<Number> ? plain_decimal(text) : text;
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, value);
    return error == std::errc() && stop == end;
}

template <class Whole>
struct Range {
    Whole least = 0;
    Whole most = std::numeric_limits<Whole>::max();
};

template <class Whole>
CLI::Option* add_whole_number(CLI::App& command, const std::string& name, Whole& value, Range<Whole> range,
                              const std::string& help) {
    const auto read = [&command, &value, name, range](const std::string& text) {
        Whole number = 0;
        if (!read_number(text, number) || number < range.least || number > range.most)
            reject(command, name, text,
                   "a whole number from " + std::to_string(range.least) + " to " + std::to_string(range.most));
        value = number;
    };
    return command.add_option_function<std::string>(name, read, help)->type_name("N");
}

inline CLI::Option* add_real_number(CLI::App& command, const std::string& name, double& value,
                                    const std::string& help) {
    const auto read = [&command, &value, name](const std::string& text) {
        double number = 0;
        if (!read_number(text, number)) reject(command, name, text, "a number such as " + report::shortest(value));
        value = number;
    };
    return command.add_option_function<std::string>(name, read, help)
        ->type_name("SHARE")
        ->default_str(report::shortest(value));
}

// A value of a choice whose names_of(Choice) lists all its names; the default is the one it has.
template <class Choice>
CLI::Option* add_choice(CLI::App& command, const std::string& name, Choice& value, const std::string& help) {
    std::string all, fallback;
    for (const auto& entry : names_of(value)) {
        (all += all.empty() ? "" : "|") += entry.name;
        if (entry.value == value) fallback = entry.name;
    }
    const auto read = [&command, &value, name, all](const std::string& text) {
        std::vector<std::string> known;
        for (const auto& entry : names_of(value)) {
            if (entry.name == text) {
                value = entry.value;
                return;
            }
            known.emplace_back(entry.name);
        }
        reject(command, name, text, all + suggestion(text, known));
    };
    return command.add_option_function<std::string>(name, read, help)->type_name(all)->default_str(fallback);
}

}  // namespace wordbreadth::cli
