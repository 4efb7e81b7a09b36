#include "cli/mixed_stores.h"

#include <filesystem>

#include "wordbreadth/error.h"
#include "wordbreadth/store.h"

namespace wordbreadth::cli {

void add_force_option(CLI::App& command, bool& force) {
    command.add_flag("--force", force, "also where the two stores were made differently; the result says so");
}

std::string forced_differences(const Store& a, const Store& b, bool force) {
    std::string found = differences(a, b);
    if (!found.empty() && !force)
        throw InputError(a.folder() + " and " + b.folder() + ": different " + found +
                         "; extract both corpora with the same settings, or insist with --force");
    require_comparable(a, b, force);
    return found;
}

std::string forced_differences(const std::string& a, const std::string& b, bool force) {
    std::error_code ignored;
    if (!is_store(a) || !is_store(b) || std::filesystem::equivalent(a, b, ignored)) return {};
    return forced_differences(Store(a), Store(b), force);
}

}  // namespace wordbreadth::cli
