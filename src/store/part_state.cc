#include "store/part_state.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <span>
#include <system_error>
#include <utility>

#include "base/output_file.h"
#include "store/store_lock.h"
#include "wordbreadth/error.h"

namespace wordbreadth::store {

namespace {

using Json = nlohmann::ordered_json;

// Nothing where the file is no state, or is being replaced just now.
bool read(const std::filesystem::path& path, PartState& found) {
    std::ifstream file(path);
    const Json json = Json::parse(file, nullptr, false);
    try {
        json.at("part").get_to(found.part.number);
        json.at("of").get_to(found.part.of);
        json.at("stage").get_to(found.stage);
        json.at("state").get_to(found.state);
        json.at("done").get_to(found.done);
        json.at("units").get_to(found.units);
        json.at("seconds").get_to(found.seconds);
        json.at("error").get_to(found.error);
        json.at("host").get_to(found.host);
        json.at("process").get_to(found.process);
    } catch (const Json::exception&) {
        return false;
    }
    return true;
}

}  // namespace

std::string part_state_path(const std::string& folder, const Part& part) {
    return folder + "/" + std::to_string(part.number) + "-of-" + std::to_string(part.of) + ".json";
}

void write(const std::string& folder, const PartState& state) try {
    const LockOwner owner = this_process();
    const std::string text =
        Json{{"part", state.part.number}, {"of", state.part.of},     {"stage", state.stage},     {"state", state.state},
             {"done", state.done},        {"units", state.units},    {"seconds", state.seconds}, {"error", state.error},
             {"host", owner.host},        {"process", owner.process}}
            .dump(1, ' ', false, Json::error_handler_t::replace) +
        "\n";
    base::OutputFile file(part_state_path(folder, state.part));
    file.write(std::as_bytes(std::span(text)));
    file.keep(false);
} catch (const InputError&) {
}

std::vector<PartState> part_states(const std::string& folder) {
    std::vector<PartState> states;
    std::error_code error;
    for (auto entry = std::filesystem::directory_iterator(folder, error);
         !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
        PartState state;
        if (entry->path().extension() == ".json" && read(entry->path(), state)) states.push_back(std::move(state));
    }
    std::ranges::sort(states, {}, [](const PartState& state) { return std::pair(state.part.of, state.part.number); });
    return states;
}

}  // namespace wordbreadth::store
