#include "report/study/method_names.h"

#include "wordbreadth/names.h"

namespace wordbreadth::report {
namespace {

std::string joined(const Method& method, const std::string& before, const std::string& between) {
    return before + std::string(name_of(method.align)) + between + std::string(name_of(method.statistic));
}

}  // namespace

std::string name_of(const Method& method) {
    return joined(method, "", ", ");
}
std::string key_of(const Method& method) {
    return joined(method, "", "_");
}
std::string options_of(const Method& method) {
    return joined(method, "--align ", " --statistic ");
}

}  // namespace wordbreadth::report
