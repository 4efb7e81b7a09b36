// wordbreadth info: what is in a store and where it came from.
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "report/store.h"

namespace wordbreadth::cli {
namespace {

struct Call {
    std::string store;
    bool json = false;
};

void run(const Call& call) {
    const StoreDescription found = describe_store(call.store);
    print(call.json ? report::text_of(report::json_of(found)) : report::text_of(found, stdout_style()));
}

}  // namespace

void add_info_command(CLI::App& program) {
    const auto call = std::make_shared<Call>();
    CLI::App& command = *program.add_subcommand("info", "What is in a store, and where it came from");
    command.add_option("STORE", call->store, "the folder that `wordbreadth extract` made, finished or not")->required();
    add_json_option(command, call->json);
    command.callback([call] { run(*call); });
}

}  // namespace wordbreadth::cli
