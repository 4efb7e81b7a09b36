#include "report/study_pages/lines.h"

#include <cmath>
#include <string_view>

#include "wordbreadth/concordance.h"

namespace wordbreadth::report {
namespace {

// A sentence may be broken over lines in its file; here it is on one. The page itself sets the node apart.
std::string on_one_line(std::string_view text) {
    std::string line;
    for (const char c : text) {
        const bool is_space = c == ' ' || c == '\n' || c == '\r' || c == '\t';
        if (!is_space)
            line += c;
        else if (!line.empty() && line.back() != ' ')
            line += ' ';
    }
    if (line.ends_with(' ')) line.pop_back();
    return line;
}

std::string source_of(const ConcordanceLine& usage, const std::string& corpus) {
    const std::string& path = usage.occurrence.document;
    const std::string document = path.substr(path.find_last_of('/') + 1);
    if (corpus.empty() || document.empty()) return corpus + document;
    return corpus + ": " + document;
}

}  // namespace

std::vector<PageLine> lines_of(std::span<const ConcordanceLine> usages, const std::string& corpus) {
    std::vector<PageLine> lines;
    for (const ConcordanceLine& usage : usages) {
        const Context context = context_of(usage.occurrence);
        // From a difference of log v to the share by which v falls.
        const double share = -std::expm1(-usage.influence);
        lines.push_back({on_one_line(context.left), on_one_line(context.node), on_one_line(context.right),
                         source_of(usage, corpus), share});
    }
    return lines;
}

}  // namespace wordbreadth::report
