#include "store/progress.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <string_view>
#include <system_error>
#include <utility>

#include "store/layout.h"
#include "store/plan.h"
#include "wordbreadth/store.h"

namespace wordbreadth {

std::uint64_t JobProgress::count(PartReport::State state) const {
    return static_cast<std::uint64_t>(std::ranges::count(parts, state, &PartReport::state));
}

namespace store {
namespace {

using State = PartReport::State;

constexpr std::array<std::pair<std::string_view, State>, 3> names{
    {{"finished", State::finished}, {"stopped", State::stopped}, {"failed", State::failed}}};

State state_of(const PartState& state) {
    for (const auto& [name, found] : names)
        if (state.state == name) return found;
    return is_gone(state.owner) ? State::killed : State::running;
}

std::uint64_t division_of(const std::vector<PartState>& states) {
    std::map<std::uint64_t, std::size_t> parts;
    for (const PartState& state : states) ++parts[state.part.of];
    const auto most = std::ranges::max_element(parts, {}, [](const auto& entry) { return entry.second; });
    return most == parts.end() ? 0 : most->first;
}

// How much of itself a running part does in a second. What earlier processes did of it is done, but not among the
// units.
double pace_of(const PartReport& part, const SizeOfPart& size_of) {
    if (part.seconds <= 0) return 0;
    const std::uint64_t size = size_of ? size_of(part.part) : 0;
    return (size > 0 ? static_cast<double>(part.units) / static_cast<double>(size) : part.done) / part.seconds;
}

// Work is handed out by parts, so the job ends no sooner than its slowest part that runs.
std::optional<double> seconds_left(const JobProgress& job, const SizeOfPart& size_of) {
    double left = static_cast<double>(job.not_begun()), pace = 0, longest = 0;
    for (const PartReport& part : job.parts) {
        if (part.state == State::finished) continue;
        left += 1 - part.done;
        if (part.state != State::running) continue;
        const double own = pace_of(part, size_of);
        pace += own;
        if (own > 0) longest = std::max(longest, (1 - part.done) / own);
    }
    if (pace <= 0) return std::nullopt;
    return std::max(left / pace, longest);
}

}  // namespace

JobProgress progress_of(const std::vector<PartState>& states, const std::string& unit, const SizeOfPart& size_of) {
    JobProgress job{.unit = unit, .of = division_of(states), .parts = {}};
    for (const PartState& state : states) {
        if (state.part.of != job.of) continue;
        PartReport part{state.part,  state_of(state), std::clamp(state.done, 0.0, 1.0), state.units, state.seconds,
                        state.error, state.owner.host};
        if (part.state == State::running && part.seconds > 0)
            job.units_per_second += static_cast<double>(part.units) / part.seconds;
        job.parts.push_back(std::move(part));
    }
    job.seconds_left = seconds_left(job, size_of);
    return job;
}

}  // namespace store

bool is_being_planned(const std::string& folder) {
    std::error_code ignored;
    return !is_store(folder) && std::filesystem::is_directory(store::parts_folder(folder), ignored);
}

JobProgress progress_of_store(const std::string& folder) {
    if (is_being_planned(folder)) return store::progress_of(store::part_states(store::parts_folder(folder)), "word");
    const store::Plan plan(folder);
    const auto tokens_of = [&](const Part& part) {
        const auto [begin, end] = range_of(part, plan.shards().size());
        std::uint64_t tokens = 0;
        for (std::uint64_t shard = begin; shard < end; ++shard) tokens += plan.shards()[shard].tokens;
        return tokens;
    };
    return store::progress_of(store::part_states(store::shards_folder(folder)), "token", tokens_of);
}

}  // namespace wordbreadth
