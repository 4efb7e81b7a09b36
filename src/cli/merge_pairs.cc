// What `wordbreadth merge` does with the parts of `wordbreadth pairs`: prints the result that all pairs in one piece
// would have.
#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include "cli/commands.h"
#include "wordbreadth/pair_parts.h"

namespace wordbreadth::cli {
namespace {

// Of a part: which one it is, and how it looks.
constexpr std::array options_of_a_part = std::to_array<std::string_view>({"--part", "--out", "--format"});

}  // namespace

Provenance whole_provenance(const CLI::App& command) {
    Provenance provenance = provenance_of(command);
    std::vector<std::string> whole;
    const std::vector<std::string>& given = provenance.command;
    for (std::size_t i = 0; i < given.size(); ++i) {
        const bool is_of_a_part =
            std::ranges::find(options_of_a_part, given[i].substr(0, given[i].find('='))) != options_of_a_part.end();
        if (!is_of_a_part)
            whole.push_back(given[i]);
        else if (given[i].find('=') == std::string::npos)
            ++i;  // its value
        if (given[i] == "--") {
            whole.insert(whole.end(), given.begin() + static_cast<std::ptrdiff_t>(i) + 1, given.end());
            break;
        }
    }
    provenance.command = std::move(whole);
    for (const std::string_view option : options_of_a_part) provenance.defaults.erase(std::string(option));
    return provenance;
}

void merge_pairs(const std::string& folder, Format format, const std::optional<std::size_t>& top,
                 const Execution& execution, const CLI::App& command) {
    const MergedPairs merged = watched(execution, "", [&](const Execution& completed) {
        return opened(command, [&] { return MergedPairs(folder, completed); });
    });
    const PairJob& job = merged.job();
    TestResults results = opened(command, [&] { return merged.results(); });
    std::vector<double> adjusted =
        timed(timing_of(command), "adjusting p", [&] { return adjusted_p(results, job.adjustment); });
    report::TestedPairs pairs;
    pairs.results = std::move(results);
    pairs.options = job.test;
    pairs.options.execution = execution;
    pairs.options.execution.timing = timing_of(command);
    pairs.adjustment = job.adjustment;
    pairs.adjusted = std::move(adjusted);
    pairs.seconds = std::numeric_limits<double>::quiet_NaN();
    pairs.common_size = job.common_size;
    pairs.equivalence = job.equivalence;
    const auto provenance = [&] {
        Provenance whole = job.provenance;
        const auto names = std::ranges::find(whole.command, "--");
        whole.command.insert(names, {"--format", std::string(name_of(format))});
        return whole;
    };
    print_pairs(pairs, format, top, provenance, command);
}

}  // namespace wordbreadth::cli
