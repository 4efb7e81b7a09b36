#include "cli/mixed_stores.h"

#include <filesystem>

#include "study/comparable.h"
#include "wordbreadth/error.h"

namespace wordbreadth::cli {

void add_force_option(CLI::App& command, bool& force) {
    command.add_flag("--force", force, "also where the two stores were made differently; the result says so");
}

std::string forced_differences(const store::CloudStore& a, const store::CloudStore& b, bool force) {
    std::string found = differences(a, b);
    if (!found.empty() && !force)
        throw InputError(a.folder() + " and " + b.folder() + ": different " + found +
                         "; extract both corpora with the same settings, or insist with --force");
    check_dimensions(a, b);
    return found;
}

std::string forced_differences(const std::string& a, const std::string& b, bool force) {
    std::error_code ignored;
    if (!store::is_store(a) || !store::is_store(b) || std::filesystem::equivalent(a, b, ignored)) return {};
    return forced_differences(store::CloudStore(a), store::CloudStore(b), force);
}

}  // namespace wordbreadth::cli
