// wordbreadth breadth --by-size: how many occurrences are enough.
#include "cli/commands.h"
#include "wordbreadth/cloud_source.h"

namespace wordbreadth::cli {

void show_by_size(const std::vector<std::string>& files, std::uint64_t seed, Format format, const CLI::App& command) {
    if (files.size() != 1)
        throw InputError("--by-size takes one cloud, not " + std::to_string(files.size()) +
                         "; expected STORE:word, FILE.npy or FILE.npz:name");
    const Cloud cloud = cloud_at(files.front());
    BySizeOptions options;
    options.seed = seed;
    const BreadthBySize found =
        watched_with(options, false, [&](const BySizeOptions& completed) { return by_size(cloud, completed); });
    print(format == Format::text ? report::text_of(found, stdout_style()) : for_programs(command, format, found));
}

}  // namespace wordbreadth::cli
