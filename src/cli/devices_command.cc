// wordbreadth devices: what can run the test here, and why the rest cannot.
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "report/breadth.h"
#include "wordbreadth/device.h"

namespace wordbreadth::cli {
namespace {

void run(Format format) {
    const std::vector<Device> found = devices();
    switch (format) {
        case Format::text:
            return print(report::text_of(found, stdout_style()));
        case Format::json:
            return print(report::text_of({{"devices", report::json_of(report::table_of(found))}}));
        case Format::tsv:
            return print(report::tsv_of(report::table_of(found)));
    }
}

}  // namespace

void add_devices_command(CLI::App& program) {
    const auto format = std::make_shared<Format>(Format::text);
    CLI::App& command = *program.add_subcommand("devices", "List the devices that can run the test");
    add_format_option(command, *format);
    command.callback([format] { run(*format); });
}

}  // namespace wordbreadth::cli
