// What a result records of the command line that made it, and the command line of such a record.
#include <algorithm>
#include <array>
#include <filesystem>
#include <future>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/commands.h"
#include "wordbreadth/files.h"
#include "wordbreadth/version.h"

namespace wordbreadth::cli {
namespace {

// The arguments and options, of all commands, that name what is read. Clouds may be one of several in a file.
constexpr std::array clouds = std::to_array<std::string_view>({"X", "Y", "FILE"});
constexpr std::array files =
    std::to_array<std::string_view>({"STORE", "STORE_A", "STORE_B", "CLOUDS", "--pairs", "--words", "--stop-words",
                                     "--reference", "--candidates", "--wordnet", "--blocks"});

template <class Names>
bool has(const Names& names, const std::string& name) {
    return std::ranges::find(names, name) != names.end();
}

bool is_given(const CLI::Option* option) {
    return option->count() > 0;
}

// What the option is: as given, or by default; nothing where it has no effect without another one.
std::vector<std::string> values_of(const CLI::Option& option) {
    if (is_given(&option)) return option.results();
    if (option.get_default_str().empty() || !std::ranges::all_of(option.get_needs(), is_given)) return {};
    return {option.get_default_str()};
}

// What the command read, without pipes and choices that are no file (--stop-words english).
std::vector<std::string> input_paths(const CLI::App& command) {
    std::vector<std::string> paths;
    for (const CLI::Option* option : command.get_options())
        for (const std::string& value : values_of(*option)) {
            const bool is_cloud = has(clouds, option->get_name());
            if (!is_cloud && !has(files, option->get_name())) continue;
            const std::string path = is_cloud ? place_of(value).path : value;
            std::error_code ignored;
            const bool can_be_read_again =
                std::filesystem::is_regular_file(path, ignored) || std::filesystem::is_directory(path, ignored);
            if (can_be_read_again && !has(paths, path)) paths.push_back(path);
        }
    return paths;
}

bool looks_like_an_option(const std::string& value) {
    return value.starts_with('-');
}

std::vector<std::string> given_arguments(const CLI::App& command) {
    std::vector<std::string> values;
    for (const CLI::Option* option : command.get_options())
        if (option->get_positional()) values.insert(values.end(), option->results().begin(), option->results().end());
    return values;
}

std::vector<std::string> given_options(const CLI::App& command) {
    std::vector<std::string> given;
    for (const CLI::Option* option : command.get_options()) {
        if (option->count() == 0 || option->get_positional()) continue;
        if (option->get_name() == "--timing") continue;  // says nothing about the result
        const std::vector<std::string>& values = option->results();
        if (option->get_items_expected_max() == 1 && values.size() > 1) {  // given several times
            for (const std::string& value : values) given.insert(given.end(), {option->get_name(), value});
            continue;
        }
        given.push_back(option->get_name());
        if (option->get_items_expected_max() == 0) continue;  // a flag
        if (looks_like_an_option(values.front()))
            given.back() += "=" + values.front();
        else
            given.insert(given.end(), values.begin(), values.end());
    }
    return given;
}

Defaults defaults_of(const CLI::App& command) {
    Defaults defaults;
    for (const CLI::Option* option : command.get_options())
        if (!is_given(option) && !option->get_default_str().empty())
            defaults[option->get_name()] = option->get_default_str();
    return defaults;
}

// All but the defaults that are found while the command runs.
Provenance provenance_ahead(const CLI::App& command, const std::stop_token& stop) {
    const Timing::Stage hashing(timing_of(command), "hashing inputs");
    Provenance provenance{std::string(version()), arguments_of(command), {}, {}, defaults_of(command)};
    for (const std::string& path : input_paths(command)) provenance.inputs.push_back(identify_input(path, stop));
    return provenance;
}

}  // namespace

std::vector<std::string> arguments_of(const CLI::App& command) {
    const std::vector<std::string> values = given_arguments(command), options = given_options(command);
    std::vector<std::string> arguments{command.get_name()};
    const auto add = [&](const std::vector<std::string>& more) {
        arguments.insert(arguments.end(), more.begin(), more.end());
    };
    const bool marked = std::ranges::any_of(values, looks_like_an_option);
    if (!marked) add(values);
    add(options);
    if (marked) {
        arguments.emplace_back("--");
        add(values);
    }
    return arguments;
}

void add_found_defaults(const CLI::App& command, Provenance& provenance) {
    for (const auto& [name, value] : dynamic_cast<const Program&>(*command.get_parent()).found_defaults)
        if (!value.empty()) provenance.defaults[name] = value;
}

Provenance provenance_of(const CLI::App& command) {
    Provenance provenance = provenance_ahead(command, {});
    add_found_defaults(command, provenance);
    return provenance;
}

ProvenanceAhead::ProvenanceAhead(const CLI::App& command, Format format)
    : command_(command), timing_(timing_of(command)) {
    if (format == Format::json)
        found_ = std::async([&command, stop = stop_.get_token()] { return provenance_ahead(command, stop); });
}

std::string text_with_provenance(report::Json result, const CLI::App& command) {
    return report::text_of(report::with_provenance(std::move(result), provenance_of(command)));
}

}  // namespace wordbreadth::cli
