// The commands, and their options. Each command adds itself to the program's parser, to be run once the whole command
// line was understood.
//
// A command prints its outcome once, at its end, so that a call that fails prints nothing on stdout. It reports failure
// by throwing; main turns that into the one line on stderr.
#pragma once

#include <CLI/CLI.hpp>
#include <charconv>
#include <functional>
#include <future>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <system_error>
#include <type_traits>
#include <vector>

#include "cli/terminal.h"
#include "report/layer_study.h"
#include "report/results.h"
#include "report/verification.h"
#include "wordbreadth/cloud_source.h"
#include "wordbreadth/error.h"
#include "wordbreadth/limits.h"
#include "wordbreadth/names.h"
#include "wordbreadth/timing.h"

namespace wordbreadth::cli {

// Values of options that are not given, by their names, in place of the program's own.
using Defaults = std::map<std::string, std::string>;

// The program's parser.
class Program : public CLI::App {
  public:
    using CLI::App::App;

    Timing* timing = nullptr;  // where the stages of the command are recorded; null without --timing
    // Defaults that depend on what is read, as it was found: the layer. Empty where two stores have different ones.
    mutable Defaults found_defaults = {};
};

// Of the program that the command belongs to.
[[nodiscard]] Timing* timing_of(const CLI::App& command);

void add_extract_command(CLI::App& program);
void add_import_command(CLI::App& program);
void add_info_command(CLI::App& program);
void add_rank_command(CLI::App& program);
void add_triage_command(CLI::App& program);
void add_compare_command(CLI::App& program);
void add_contexts_command(CLI::App& program);
void add_export_command(CLI::App& program);
void add_breadth_command(CLI::App& program);
void add_test_command(CLI::App& program);
void add_pairs_command(CLI::App& program);
void add_calibrate_command(CLI::App& program);
void add_experiment_command(CLI::App& program);
void add_devices_command(CLI::App& program);

// Runs a command line, as the program does; options that have a default may have another.
using RunCommand = std::function<void(std::vector<std::string> arguments, const Defaults& defaults)>;

void add_verify_command(CLI::App& program, RunCommand run);

// ---- Options: how each kind reads its value, strictly, saying in one line what it expected; and those that several
// commands share, --html with its page among them. Defaults are those of the structs they fill: one place to edit.

enum class Format { text, json, tsv, parquet };
[[nodiscard]] constexpr auto names_of(Format) {
    return std::to_array<Named<Format>>(
        {{Format::text, "text"}, {Format::json, "json"}, {Format::tsv, "tsv"}, {Format::parquet, "parquet"}});
}

// The command line that was understood, ready to be parsed again: {"rank", "store", "--top", "5"}.
[[nodiscard]] std::vector<std::string> arguments_of(const CLI::App& command);

// The same for a shell: "wordbreadth rank store --top 5".
[[nodiscard]] std::string command_line(const std::vector<std::string>& arguments);

// The arguments, the defaults of options that were not given, and the files that these name as they are now.
[[nodiscard]] Provenance provenance_of(const CLI::App& command);
void add_found_defaults(const CLI::App& command, Provenance& provenance);

// JSON as it is printed: with its provenance, so that `verify` can compute it again.
[[nodiscard]] std::string text_with_provenance(report::Json result, const CLI::App& command);

// The table in that format, which is tsv or parquet.
[[nodiscard]] inline std::string rows_for_programs(Format format, const report::Table& table) {
    return format == Format::parquet ? report::parquet_of(table) : report::tsv_of(table);
}

// The result as a program reads it: the JSON or the table of these, which describe it.
template <class... Result>
[[nodiscard]] std::string for_programs(const CLI::App& command, Format format, const Result&... result) {
    if (format == Format::json) return text_with_provenance(report::json_of(result...), command);
    return rows_for_programs(format, report::table_of(result...));
}

// What the record of a command says, found out by another thread while the command works: hashing a large file takes
// longer than reading it. The command must outlive it.
class ProvenanceAhead {
  public:
    ProvenanceAhead(const CLI::App& command, Format format);
    ProvenanceAhead(const ProvenanceAhead&) = delete;
    ProvenanceAhead& operator=(const ProvenanceAhead&) = delete;
    ~ProvenanceAhead() { stop_.request_stop(); }

    // Once, if the format has one.
    [[nodiscard]] Provenance take() {
        const Timing::Stage waiting(timing_, "");
        Provenance provenance = found_.get();
        add_found_defaults(command_, provenance);
        return provenance;
    }

  private:
    const CLI::App& command_;
    Timing* timing_;
    std::stop_source stop_;
    std::future<Provenance> found_;
};

template <class... Result>
[[nodiscard]] std::string for_programs(ProvenanceAhead& provenance, Format format, const Result&... result) {
    if (format != Format::json) return rows_for_programs(format, report::table_of(result...));
    return report::text_of(report::with_provenance(report::json_of(result...), provenance.take()));
}

// Prints what text() returns.
template <class Text>
void print_result(const CLI::App& command, const Text& text) {
    const std::string formatted = timed(timing_of(command), "formatting", text);
    timed(timing_of(command), "writing", [&] { print(formatted); });
}

// Returns open(): stores, files, lists.
template <class Open>
decltype(auto) opened(const CLI::App& command, const Open& open) {
    return timed(timing_of(command), "opening files", open);
}

// "; see `wordbreadth test --help`", the end of messages about the command line.
[[nodiscard]] std::string see_help(const CLI::App& command);

[[noreturn]] void reject(const CLI::App& command, const std::string& name, const std::string& text,
                         const std::string& expected);

// Throws InputError when the option was given although it has no effect, for the reason given: "without --gap".
void require_effect(const CLI::App& command, const std::string& option, bool has_effect, const std::string& reason);

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

// "5" or "1-10".
template <class Whole>
bool read_range(const std::string& text, Whole& first, Whole& last) {
    const std::size_t dash = text.find('-');
    if (!read_number(text.substr(0, dash), first)) return false;
    last = first;
    return (dash == std::string::npos || read_number(text.substr(dash + 1), last)) && first <= last;
}

struct Range {
    std::uint64_t least = 0;
    std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
};

// `Value`: an unsigned integer that holds the range, or an optional of one.
template <class Value>
CLI::Option* add_number(CLI::App& command, const std::string& name, Value& value, Range range,
                        const std::string& help) {
    const auto read = [&command, &value, name, range](const std::string& text) {
        std::uint64_t number = 0;
        if (!read_number(text, number) || number < range.least || number > range.most)
            reject(command, name, text,
                   "a whole number from " + std::to_string(range.least) + " to " + std::to_string(range.most));
        value = static_cast<Value>(number);
    };
    return command.add_option_function<std::string>(name, read, help)->type_name("N");
}

// The same, with the value that it has as the default that help shows.
template <class Value>
CLI::Option* add_number_with_default(CLI::App& command, const std::string& name, Value& value, Range range,
                                     const std::string& help) {
    return add_number(command, name, value, range, help)->default_str(std::to_string(value));
}

// Text, of a kind that help names: FILE, DIR.
template <class Text>
CLI::Option* add_text(CLI::App& command, const std::string& name, Text& value, const std::string& kind,
                      const std::string& help) {
    return command.add_option(name, value, help)->type_name(kind);
}

// More than 0 and less than 1: a level.
CLI::Option* add_share(CLI::App& command, const std::string& name, double& value, const std::string& help);

// One of the names, whose meaning `take` knows.
CLI::Option* add_name(CLI::App& command, const std::string& name, const std::vector<std::string>& known,
                      const std::string& fallback, const std::function<void(const std::string&)>& take,
                      const std::string& help);

// A value of a choice whose names_of(Choice) lists all its names; the default is the one it has.
template <class Choice>
CLI::Option* add_choice(CLI::App& command, const std::string& name, Choice& value, const std::string& help) {
    std::vector<std::string> known;
    std::string fallback;
    for (const auto& entry : names_of(value)) {
        known.emplace_back(entry.name);
        if (entry.value == value) fallback = entry.name;
    }
    const auto take = [&value](const std::string& text) {
        for (const auto& entry : names_of(value))
            if (entry.name == text) value = entry.value;
    };
    return add_name(command, name, known, fallback, take, help);
}

// Options that are added while an object of this class lives stand under a heading of their own in the help.
class Group {
  public:
    Group(CLI::App& command, const std::string& heading) : command_(command) {
        command.option_defaults()->group(heading);
    }
    ~Group() { command_.option_defaults()->group("Options"); }
    Group(const Group&) = delete;
    Group& operator=(const Group&) = delete;

  private:
    CLI::App& command_;
};

// "5", "1-10", "1-10,50,100": every gap once, in ascending order.
CLI::Option* add_gaps_option(CLI::App& command, const std::string& name, std::vector<std::size_t>& gaps,
                             const std::string& help);

void add_format_option(CLI::App& command, Format& format);

// For what is no table: --format text|json, the flag whether it is JSON.
void add_json_option(CLI::App& command, bool& json);

// STORE, of commands that read one.
void add_store_argument(CLI::App& command, std::string& store);

// --layer, of the same.
void add_layer_option(CLI::App& command, std::string& layer);

// Opens a store. Where it has several layers and none was asked for, a note says which was taken.
[[nodiscard]] Store open_store(const CLI::App& command, const std::string& folder, const std::string& layer);

// The same note of a store that is open. The result's provenance has it, too.
void note_layer(const CLI::App& command, const Store& store, const std::string& asked);

void add_threads_option(CLI::App& command, unsigned& threads);
void add_device_option(CLI::App& command, std::string& device, const std::vector<std::string>& known,
                       const std::string& help);

// Both, of studies, which run anywhere but on the device that is approximate.
void add_execution_options(CLI::App& command, Execution& execution);

// How to test, and where to run it: what `test` and `pairs` have in common. `labels`: takes the file that --blocks
// names, where that may be one.
void add_test_options(CLI::App& command, TestOptions& options, std::string* labels = nullptr);

// --blocks: `take` gets document, none or, where that is accepted, the path of a file that exists.
CLI::Option* add_blocks_option(CLI::App& command, bool accepts_file,
                               const std::function<void(const std::string&)>& take, const std::string& help);

// A message of the library; where it advises to permute rows, with the option that does so.
[[nodiscard]] std::string with_rows_option(const std::string& message);

// Returns run(); an InputError gets that option, too.
template <class Run>
auto with_rows_option_in_errors(const Run& run) {
    try {
        return run();
    } catch (const InputError& error) {
        const std::string message = with_rows_option(error.what());
        if (message == error.what()) throw;
        throw InputError(message);
    }
}

// --permutations, --complete and --seed, of studies whose outcome is a rate.
void add_rate_options(CLI::App& command, std::uint64_t& permutations, bool& complete, std::uint64_t& seed,
                      const std::string& what_the_seed_decides);

void add_adjust_option(CLI::App& command, Adjustment& adjustment);
// Why --adaptive has no effect.
inline constexpr const char* every_permutation = "with --adjust maxT, which looks at every permutation";
void add_force_option(CLI::App& command, bool& force);

// Clouds of two stores can be compared only if their vectors were made in the same way. What differs (see
// differences()); empty where nothing does. Throws InputError, with both values, when something does and it was
// not forced, or when the dimensions differ.
[[nodiscard]] std::string forced_differences(const Store& a, const Store& b, bool force);

// Prints the results of pairs; `provenance` is asked for where the format has one. Throws InputError afterwards when
// some have no p-value.
void print_pairs(const report::TestedPairs& pairs, Format format, const std::optional<std::size_t>& top,
                 const std::function<Provenance()>& provenance, const CLI::App& command);

// Of `pairs`, as if it had tested all of them in one piece.
[[nodiscard]] Provenance whole_provenance(const CLI::App& command);

// Prints the results of the parts in a folder.
void merge_pairs(const std::string& folder, Format format, const std::optional<std::size_t>& top,
                 const Execution& execution, const CLI::App& command);

// breadth --by-size, of one cloud; `page`: of its --html.
void show_by_size(const std::vector<std::string>& files, const Cut& cut, const std::string& page, Format format,
                  const CLI::App& command);

// ---- --html: a page that a command writes beside what it prints

void add_html_option(CLI::App& command, std::string& path);

class HtmlReport {
  public:
    // Nothing is written where `path` is empty. Throws InputError, before any work is done, when the name does not end
    // in .html or the folder cannot be written to.
    explicit HtmlReport(const std::string& path);

    [[nodiscard]] bool wanted() const { return file_.has_value(); }

    // Writes the page, with these settings, the program's version and the command line at its foot. Once, and only
    // where it is wanted.
    void write(report::Page page, const std::vector<std::vector<report::Setting>>& settings, const CLI::App& command);

    // Writes make(execution), a page, where it is wanted; it is watched as all long work is.
    template <class Make>
    void write_if_wanted(const CLI::App& command, const Execution& execution, const Make& make) {
        if (wanted()) write(watched(execution, "", make), {}, command);
    }

    // "report: FILE", for the end of what people read; empty where none is wanted.
    [[nodiscard]] std::string note() const;

  private:
    std::string path_;
    std::optional<report::ResultFile> file_;
};

// An argument as a shell reads it back.
[[nodiscard]] std::string quoted(const std::string& word);

}  // namespace wordbreadth::cli
