#include "study/word_study.h"

#include "engine/pair_tests.h"
#include "study/cut_clouds.h"
#include "wordbreadth/error.h"

namespace wordbreadth {

void check_options(const WordStudyOptions& options) {
    engine::check_options(options.test);
    if (options.common_size > 0 && options.common_size < fewest_rows)
        throw InputError("a common size of " + std::to_string(options.common_size) +
                         " has no breadth; expected at least " + std::to_string(fewest_rows));
    if (!(options.alpha > 0 && options.alpha < 1))
        throw InputError("alpha = " + std::to_string(options.alpha) +
                         "; expected a number between 0 and 1, such as 0.05");
}

}  // namespace wordbreadth
