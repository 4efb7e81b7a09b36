// The options of triage and compare.
#pragma once

#include <CLI/CLI.hpp>

#include "study/word_study.h"

namespace wordbreadth::cli {

void add_word_study_options(CLI::App& command, WordStudyOptions& options, const std::string& common_size_help);

}  // namespace wordbreadth::cli
