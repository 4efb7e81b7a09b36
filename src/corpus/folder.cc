#include "corpus/folder.h"

#include <algorithm>
#include <system_error>

#include "corpus/failure.h"

namespace wordbreadth::corpus {

namespace {

namespace fs = std::filesystem;

void require_readable(const fs::path& path, const std::error_code& error) {
    if (error) fail(path.string(), "cannot be read: " + error.message());
}

// Why the entry is not a file of the corpus; null when it is one, or a folder to look into.
const char* reason_to_skip(const fs::directory_entry& entry) {
    if (entry.path().filename().string().starts_with('.')) return "is hidden";
    std::error_code error;
    if (entry.is_directory(error)) return entry.is_symlink(error) ? "is a link to a folder" : nullptr;
    return entry.is_regular_file(error) ? nullptr : "is not a regular file";
}

}  // namespace

std::vector<fs::path> files_below(const fs::path& folder, std::vector<Skipped>& skipped) {
    std::vector<fs::path> files;
    std::error_code error;
    fs::recursive_directory_iterator entry(folder, error);
    require_readable(folder, error);
    while (entry != fs::end(entry)) {
        const fs::path path = entry->path();
        const char* reason = reason_to_skip(*entry);
        if (reason != nullptr) {
            skipped.push_back({path.string(), reason});
            entry.disable_recursion_pending();
        } else if (!entry->is_directory(error)) {
            files.push_back(path);
        }
        entry.increment(error);
        require_readable(path, error);
    }
    std::ranges::sort(files);
    std::ranges::sort(skipped, {}, &Skipped::path);
    return files;
}

}  // namespace wordbreadth::corpus
