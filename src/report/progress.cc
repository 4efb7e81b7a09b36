// How far a job in parts is.
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "report/command_line.h"
#include "report/parts.h"
#include "report/results.h"

namespace wordbreadth::report {
namespace {

using State = PartReport::State;

constexpr std::size_t errors_shown = 5;

struct Name {
    State state;
    const char* name;
};
constexpr std::array states{Name{State::finished, "finished"}, Name{State::running, "running"},
                            Name{State::failed, "failed"}, Name{State::killed, "killed"},
                            Name{State::stopped, "stopped"}};

const char* name_of(State state) {
    return std::ranges::find(states, state, &Name::state)->name;
}

// "5 parts: 2 finished, 3 running, 0 not begun".
std::string numbers(const JobProgress& job) {
    std::string text = counted(job.of, "part") + ":";
    for (const auto& [state, name] : states)
        if (const std::uint64_t number = job.count(state); number > 0 || state == State::finished)
            text += " " + count(number) + " " + name + ",";
    return text + " " + count(job.not_begun()) + " not begun";
}

std::string pace(const JobProgress& job) {
    std::string text;
    if (job.units_per_second > 0)
        text += "; " + count(static_cast<std::uint64_t>(job.units_per_second)) + " " + job.unit + "s/s";
    if (job.seconds_left) text += ", " + time_left(*job.seconds_left);
    return text;
}

std::string failures(const JobProgress& job, const Style& style) {
    std::string text;
    std::size_t shown = 0;
    for (const PartReport& part : job.parts) {
        if (part.state != State::failed || ++shown > errors_shown) continue;
        text += style.plain_line("part " + count(part.part.number) + " failed on " + printable(part.host) + ": " +
                                 printable(part.error));
    }
    return text;
}

}  // namespace

std::string text_of(const JobProgress& job, const Style& style) {
    if (job.of == 0) return "";
    return style.plain_line(numbers(job) + pace(job)) + failures(job, style);
}

Json json_of(const JobProgress& job) {
    Json json = {{"of", job.of}, {"unit", job.unit}};
    for (const auto& [state, name] : states) json[name] = job.count(state);
    json["not_begun"] = job.not_begun();
    json["units_per_second"] = job.units_per_second;
    json["seconds_left"] = job.seconds_left ? Json(*job.seconds_left) : Json();
    Json parts = Json::array();
    for (const PartReport& part : job.parts)
        parts.push_back({{"part", part.part.number},
                         {"state", name_of(part.state)},
                         {"done", part.done},
                         {"units", part.units},
                         {"seconds", part.seconds},
                         {"host", part.host},
                         {"error", part.error}});
    json["parts"] = std::move(parts);
    return json;
}

std::string planning_text(const std::string& folder, const JobProgress& job, const Style& style) {
    return style.bold_line(printable(folder) + ": parts of a plan") + text_of(job, style) +
           style.plain_line(job.count(State::finished) == job.of
                                ? "merge them with `" + printable(merge_command(folder)) + "`"
                                : "run the others and repeat those that ended early before merging");
}

Json planning_json(const std::string& folder, const JobProgress& job) {
    return {{"store", folder}, {"planned", false}, {"finished", false}, {"progress", json_of(job)}};
}

std::string text_of(const PairsProgress& pairs, const std::string& folder, const Style& style) {
    std::string text =
        style.bold_line(printable(folder) + ": " + counted(pairs.pairs, "pair") + " of " + printable(pairs.clouds) +
                        ", " + count(pairs.finished_tiles) + " of " + counted(pairs.tiles, "tile") + " done") +
        text_of(pairs.job, style);
    if (pairs.finished_tiles == pairs.tiles)
        text += style.plain_line("join them with `" + printable(merge_command(folder)) + "`");
    return text;
}

Json json_of(const PairsProgress& pairs, const std::string& folder) {
    return {{"folder", folder},
            {"clouds", pairs.clouds},
            {"pairs", pairs.pairs},
            {"tiles", pairs.tiles},
            {"finished_tiles", pairs.finished_tiles},
            {"progress", json_of(pairs.job)}};
}

}  // namespace wordbreadth::report
