#include "base/made_folder.h"

#include <algorithm>
#include <system_error>

#include "base/failure.h"

namespace wordbreadth::base {

namespace fs = std::filesystem;

namespace {

// From the outermost that is missing to the folder itself.
std::vector<fs::path> missing(const fs::path& folder) {
    std::vector<fs::path> folders;
    std::error_code ignored;
    for (fs::path path = folder; !fs::exists(path, ignored) && path != path.parent_path(); path = path.parent_path())
        folders.push_back(path);
    std::ranges::reverse(folders);
    return folders;
}

}  // namespace

MadeFolder::MadeFolder(const std::string& path) {
    std::error_code error;
    fs::path folder = fs::absolute(path, error).lexically_normal();
    if (!folder.has_filename()) folder = folder.parent_path();  // it was named with a slash at its end
    for (const fs::path& each : missing(folder))
        if (fs::create_directory(each, error)) made_.insert(made_.begin(), each);
    if (!fs::is_directory(folder, error))
        fail(path, "cannot be made a folder: " +
                       (error ? error : std::make_error_code(std::errc::not_a_directory)).message() +
                       "; name another, in a folder that can be written to");
}

MadeFolder::~MadeFolder() {
    std::error_code ignored;
    for (const fs::path& folder : made_) fs::remove(folder, ignored);
}

}  // namespace wordbreadth::base
