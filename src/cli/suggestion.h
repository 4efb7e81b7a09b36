// "Did you mean": names of commands, options and values that a mistyped one may stand for.
#pragma once

#include <string>
#include <vector>

namespace wordbreadth::cli {

// " (did you mean --seed?)", " (did you mean calibrate or compare?)", of names that begin with `text`, or else are
// close to it; "" where there are none.
[[nodiscard]] std::string suggestion(const std::string& text, const std::vector<std::string>& known);

}  // namespace wordbreadth::cli
