#include "extraction/summary.h"

#include <algorithm>
#include <functional>

namespace wordbreadth::extraction {

namespace {

// Those that most files have first.
std::vector<ExtractSummary::Format> formats_of(const std::vector<SourceFile>& sources) {
    std::vector<ExtractSummary::Format> formats;
    for (const SourceFile& source : sources) {
        auto found = std::ranges::find(formats, source.format, &ExtractSummary::Format::name);
        if (found == formats.end()) found = formats.insert(found, {source.format, 0});
        ++found->files;
    }
    std::ranges::stable_sort(formats, std::greater<>(), &ExtractSummary::Format::files);
    return formats;
}

}  // namespace

void describe_plan(store::Plan& plan, ExtractSummary& summary) {
    summary.unit = plan.setting("unit") == "text" ? ExtractUnit::text : ExtractUnit::word;
    summary.formats = formats_of(plan.sources());
    summary.format_detected = plan.setting("corpus format") == "auto";
    for (const auto& [reason, count] : plan.skipped()) summary.skipped.push_back({reason, count});
    for (const auto& [word, frequency, usable, reason] : plan.missing())
        summary.missing.push_back({word, frequency, usable, reason});
    if (plan.setting("words") != "all") summary.asked = plan.words().size() + summary.missing.size();
}

}  // namespace wordbreadth::extraction
