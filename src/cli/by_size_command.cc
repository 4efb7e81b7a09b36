// wordbreadth breadth --by-size: how many occurrences are enough.
#include "cli/commands.h"

namespace wordbreadth::cli {
namespace {

// Where the cloud comes from, as far as that is known.
std::vector<std::vector<report::Setting>> origin_of(const Cloud& cloud, const std::string& layer) {
    if (!is_store(cloud.origin())) return {{{"cloud", cloud.origin()}}};
    const Store store(cloud.origin(), layer);
    return {report::origin_of(store), report::vectors_of(store)};
}

}  // namespace

void show_by_size(const std::vector<std::string>& files, const Cut& cut, const std::string& page, Format format,
                  const CLI::App& command) {
    if (files.size() != 1)
        throw InputError("--by-size takes one cloud, not " + std::to_string(files.size()) +
                         "; expected STORE:word, FILE.npy or FILE.npz:name");
    HtmlReport html(page);
    std::vector<std::shared_ptr<const Store>> stores;
    const Cloud cloud =
        timed(timing_of(command), "reading clouds", [&] { return std::move(clouds_at(files, cut, &stores).front()); });
    if (stores.front()) note_layer(command, *stores.front(), cut.layer);
    BySizeOptions options;
    options.seed = cut.seed;
    options.execution.timing = timing_of(command);
    const BreadthBySize found =
        watched_with(options, false, [&](const BySizeOptions& completed) { return by_size(cloud, completed); });
    if (html.wanted()) html.write(report::page_of(found), origin_of(cloud, cut.layer), command);
    print_result(command, [&] {
        return format == Format::text ? report::text_of(found, stdout_style()) + html.note()
                                      : for_programs(command, format, found);
    });
}

}  // namespace wordbreadth::cli
