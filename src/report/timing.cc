#include "wordbreadth/timing.h"

#include <algorithm>
#include <thread>

#include "report/results.h"

namespace wordbreadth::report {
namespace {

constexpr double shown = 0.0005;  // seconds that are not 0.000

std::string seconds(double value) {
    return fixed(value, 3);
}

std::string cores(double cpu_seconds, double of_seconds) {
    return of_seconds < shown ? "" : fixed(cpu_seconds / of_seconds, 1);
}

}  // namespace

std::string timing_text(const Timing& timing) {
    const std::vector<Timing::Spent> stages = timing.stages();
    const Timing::Whole whole = timing.whole();
    using Kind = TextColumn::Kind;
    const bool overlap = whole.overlapping >= shown;
    TextTable table{{{"stage", Kind::note}, {"seconds", Kind::number}, {"cores busy", Kind::number}}};
    if (overlap) table.columns.push_back({"beside others", Kind::number});
    const auto add = [&](const std::string& stage, double spent, const std::string& busy, double overlapping) {
        table.rows.push_back({printable(stage), seconds(spent), busy});
        if (overlap) table.rows.back().push_back(overlapping < shown ? "" : seconds(overlapping));
    };
    for (const Timing::Spent& spent : stages)
        add(spent.stage, spent.seconds, cores(spent.cpu_seconds, spent.seconds), spent.overlapping);
    add("anything else", whole.outside, "", 0);
    const double cpu = whole.user_seconds + whole.system_seconds;
    add("whole process", whole.seconds, cores(cpu, whole.seconds), whole.overlapping);
    const unsigned all_cores = std::max(std::thread::hardware_concurrency(), 1U);
    return table.text({}) + "CPU time: user " + seconds(whole.user_seconds) + " s, system " +
           seconds(whole.system_seconds) + " s, on " + counted(all_cores, "core") + "; peak memory " +
           bytes(whole.peak_bytes) + "\n";
}

}  // namespace wordbreadth::report
