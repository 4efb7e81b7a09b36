// wordbreadth breadth --by-size: how many occurrences are enough.
#include "cli/commands.h"

namespace wordbreadth::cli {
namespace {

// Where the cloud comes from, as far as that is known.
std::vector<std::vector<report::Setting>> origin_of(const Cloud& cloud) {
    if (!is_store(cloud.origin())) return {{{"cloud", cloud.origin()}}};
    const Store store(cloud.origin());
    return {report::origin_of(store), report::vectors_of(store)};
}

}  // namespace

void show_by_size(const std::vector<std::string>& files, const Cut& cut, const std::string& page, Format format,
                  const CLI::App& command) {
    if (files.size() != 1)
        throw InputError("--by-size takes one cloud, not " + std::to_string(files.size()) +
                         "; expected STORE:word, FILE.npy or FILE.npz:name");
    HtmlReport html(page);
    const Cloud cloud = timed(timing_of(command), "reading clouds", [&] { return cloud_at(files.front(), cut); });
    BySizeOptions options;
    options.seed = cut.seed;
    options.execution.timing = timing_of(command);
    const BreadthBySize found =
        watched_with(options, false, [&](const BySizeOptions& completed) { return by_size(cloud, completed); });
    if (html.wanted()) html.write(report::page_of(found), origin_of(cloud), command);
    print_result(command, [&] {
        return format == Format::text ? report::text_of(found, stdout_style()) + html.note()
                                      : for_programs(command, format, found);
    });
}

}  // namespace wordbreadth::cli
