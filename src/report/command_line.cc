#include "report/command_line.h"

#include "wordbreadth/names.h"

namespace wordbreadth::report {

std::string resume_command(const std::string& folder) {
    return "wordbreadth extract --resume --out " + folder;
}

std::string rank_command(const std::string& folder) {
    return "wordbreadth rank " + folder;
}

std::string info_command(const std::string& folder) {
    return "wordbreadth info --format json " + folder;
}

std::string options_of(const Method& method) {
    return "--align " + std::string(wordbreadth::name_of(method.align)) + " --statistic " +
           std::string(wordbreadth::name_of(method.statistic));
}

}  // namespace wordbreadth::report
