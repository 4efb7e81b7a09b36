// Writing a list of doubles as NumPy's .npy.
#pragma once

#include <span>

#include "base/output_file.h"

namespace wordbreadth::report {

// Throws as OutputFile::write does.
void write_npy(base::OutputFile& file, std::span<const double> values);

}  // namespace wordbreadth::report
