// What an extraction does and did, in words.
#pragma once

#include <string>

#include "report/table/style.h"
#include "wordbreadth/extract.h"

namespace wordbreadth::report {

// "50% [##########..........]", of a share from 0 to 1.
[[nodiscard]] std::string progress_bar(double done);

// How far it is. `first` is the first report of the same stage, `spent` seconds ago.
[[nodiscard]] std::string progress_line(const ExtractProgress& first, const ExtractProgress& now, double spent,
                                        ExtractUnit unit);

[[nodiscard]] std::string extraction_text(const ExtractSummary& summary, const std::string& folder, const Style& style);
[[nodiscard]] std::string extraction_json(const ExtractSummary& summary, const std::string& folder);

}  // namespace wordbreadth::report
