// Files that hold a result.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/output_file.h"

namespace wordbreadth::report {

// Opened before the work whose result it will hold, so that a bad name costs nothing; it appears under its name once it
// is written.
class ResultFile {
  public:
    // Throws InputError when the file cannot be created.
    explicit ResultFile(const std::string& path) : file_(path) {}

    // Once. Throws InputError when the system refuses (a full disk).
    void write(std::string_view content);
    void write_npy(std::span<const double> values);

  private:
    base::OutputFile file_;
};

}  // namespace wordbreadth::report
