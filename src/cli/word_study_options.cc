#include "cli/word_study_options.h"

#include "cli/html_report.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::cli {

void add_word_study_options(CLI::App& command, WordStudyCall& call, const std::string& common_size_help) {
    WordStudyOptions& options = call.options;
    add_html_option(command, call.html);
    add_number_with_default<std::size_t>(command, "--top", call.top, {1},
                                         "words to show at either end; json, tsv and html always have all");
    command.add_flag("--all", call.all, "show all words");
    add_format_option(command, call.format);
    add_whole_number<std::size_t>(command, "--common-size", options.common_size, {2, limits::rows_of_a_pair / 2},
                                  common_size_help);
    add_real_number(command, "--alpha", options.alpha, "an adjusted p of at most this is a finding");
    add_adjust_option(command, options.adjustment);
    add_number_with_default<std::size_t>(command, "--concordances", options.concordances, {},
                                         "how many words, from the first on, show occurrences in json and html");
    add_number_with_default<std::size_t>(command, "--lines", options.lines, {1}, "occurrences of each of these words");
    add_test_options(command, options.test);
    // The question decides the first; the second is beside p, which is what these studies go by.
    for (const char* const fixed : {"--alternative", "--tail-estimate"})
        command.remove_option(command.get_option(fixed));
}

void check_effects(const WordStudyCall& call, const CLI::App& command) {
    require_effect(command, "--top", !call.all, "with --all");
    const bool has_occurrences =
        call.format == Format::json || !call.html.empty() || (call.format == Format::text && call.occurrences_in_text);
    for (const char* const option : {"--concordances", "--lines"})
        require_effect(
            command, option, has_occurrences,
            call.occurrences_in_text ? "without --format text or json, or --html" : "without --format json, or --html");
}

}  // namespace wordbreadth::cli
