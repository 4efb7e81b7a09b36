#include "engine/options.h"

#include "wordbreadth/error.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::engine {

void check_options(const TestOptions& options) {
    if (options.permutations == 0 || options.permutations > limits::permutations)
        throw InputError("permutations = " + std::to_string(options.permutations) + "; expected 1 to " +
                         std::to_string(limits::permutations));
    if (!(options.confidence > 0 && options.confidence < 1))
        throw InputError("confidence = " + std::to_string(options.confidence) +
                         "; expected a number between 0 and 1, such as 0.95");
    if (options.null_distribution && options.permutations > limits::null_distribution)
        throw InputError("the null distribution of " + std::to_string(options.permutations) +
                         " permutations is too large to keep; expected at most " +
                         std::to_string(limits::null_distribution));
}

void check_pair(const Cloud& x, const Cloud& y) {
    if (x.dimension() != y.dimension())
        throw InputError(x.label() + " has " + std::to_string(x.dimension()) + " dimensions and " + y.label() +
                         " has " + std::to_string(y.dimension()) + "; both must come from the same model and layer");
    if (x.size() + y.size() > limits::rows_of_a_pair)
        throw InputError(x.label() + " and " + y.label() + " have " + std::to_string(x.size() + y.size()) +
                         " rows together; expected at most " + std::to_string(limits::rows_of_a_pair) +
                         ": take a sample of each");
}

}  // namespace wordbreadth::engine
