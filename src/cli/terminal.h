// What the program knows of the terminal, and the one way to write to stdout.
#pragma once

#include <string_view>

#include "report/table/style.h"

namespace wordbreadth::cli {

// Throws std::runtime_error when stdout is closed. Other closed standard streams are opened to nowhere: else the next
// file opened would take their place and be written into.
void check_standard_streams();

// Plain for a file; for a terminal its width, and colour unless NO_COLOR is set (https://no-color.org).
[[nodiscard]] report::Style stdout_style();

[[nodiscard]] bool stderr_is_a_terminal();

// Where errors go: stderr, which notes and progress share until they are silenced.
class ErrorOutput {
  public:
    // What else is written to stderr from now on goes nowhere.
    void silence_the_rest();
    void print(std::string_view text) const;

  private:
    int descriptor_ = 2;
};

// Writes all of the text. Throws std::runtime_error when stdout does not take it (a full disk).
void print(std::string_view text);

}  // namespace wordbreadth::cli
