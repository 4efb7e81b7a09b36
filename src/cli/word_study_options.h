// What triage and compare have in common: studies of words that are shown as a table and as a page.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <utility>

#include "cli/options.h"
#include "cli/progress.h"
#include "wordbreadth/word_study.h"

namespace wordbreadth::cli {

struct WordStudyCall {
    std::string html;
    WordStudyOptions options;
    std::size_t top = 20;
    bool all = false;
    Format format = Format::text;
    bool occurrences_in_text = false;  // the text has some, below the table

    // Words to show of either end.
    [[nodiscard]] std::size_t shown(std::size_t words) const { return all ? words : top; }
};

void add_word_study_options(CLI::App& command, WordStudyCall& call, const std::string& common_size_help);

// Throws InputError when an option was given that has no effect beside the others.
void check_effects(const WordStudyCall& call, const CLI::App& command);

// Returns study(options), watched as all long work is.
template <class Study>
auto watched_study(const WordStudyCall& call, Study&& study) {
    return watched_with(call.options.test, call.format, [&](const TestOptions& test) {
        WordStudyOptions options = call.options;
        options.test = test;
        return study(std::as_const(options));
    });
}

}  // namespace wordbreadth::cli
