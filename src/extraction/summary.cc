#include "extraction/summary.h"

#include <algorithm>
#include <functional>

#include "base/failure.h"
#include "wordbreadth/names.h"

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

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

void describe_decoding(store::Plan& plan, ExtractSummary& summary) {
    summary.decoded = lines_of(plan.setting("decoded"));
    summary.invalid_treatment = plan.setting("invalid bytes");
    const std::string count = plan.setting("invalid found");
    if (!count.empty()) summary.invalid = number_from(plan, count);
    summary.invalid_places = lines_of(plan.setting("invalid places"));
}

}  // namespace

std::size_t number_from(const store::Plan& plan, std::string_view text) {
    if (const auto number = base::number_in<std::size_t>(text)) return *number;
    base::fail(plan.folder(), "its settings are damaged: found " + base::in_quotes(text) + ", expected a number");
}

void describe_plan(store::Plan& plan, ExtractSummary& summary) {
    summary.unit = choice_named<ExtractUnit>(plan.setting("unit")).value_or(ExtractUnit::word);
    summary.formats = formats_of(plan.sources());
    summary.format_detected = plan.setting("corpus format") == "auto";
    for (const auto& [reason, count] : plan.skipped()) summary.skipped.push_back({reason, count});
    for (const auto& [word, frequency, usable, reason] : plan.missing())
        summary.missing.push_back({word, frequency, usable, reason});
    if (plan.setting("words") != "all") summary.asked = plan.words().size() + summary.missing.size();
    describe_decoding(plan, summary);
}

}  // namespace wordbreadth::extraction
