#include "report/concordance.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "report/document_names.h"
#include "report/number.h"
#include "report/text.h"
#include "wordbreadth/concordance.h"

namespace wordbreadth::report {
namespace {

constexpr std::size_t gap = 2;              // before the document
constexpr std::size_t influence_width = 9;  // "  +0.0123", with the gap

struct Line {
    std::string left, node, right, document, influence;
};

// A sentence may be broken over lines in its file; here it is on one.
std::string on_one_line(std::string_view text) {
    std::string line;
    for (const char c : text) {
        const bool is_space = c == ' ' || c == '\n' || c == '\r' || c == '\t';
        if (!is_space)
            line += c;
        else if (line.empty() || line.back() != ' ')
            line += ' ';
    }
    return printable(line);
}

std::string signed_number(double influence) {
    if (std::isnan(influence)) return "-";
    if (std::isinf(influence)) return influence > 0 ? "+inf" : "-inf";
    return (influence < 0 ? "" : "+") + fixed(influence, 4);
}

DocumentNames documents_of(std::span<const ConcordanceLine> usages) {
    std::vector<std::string> names;
    for (const ConcordanceLine& usage : usages) names.push_back(on_one_line(usage.occurrence.document));
    return document_names(names);
}

std::vector<Line> lines_of(std::span<const ConcordanceLine> usages, std::size_t width) {
    const std::size_t room = std::max<std::size_t>(8, width / 6);  // for the document
    const std::vector<std::string> documents = shortened(documents_of(usages).names, room);
    std::vector<Line> lines;
    for (std::size_t i = 0; i < usages.size(); ++i) {
        const Context context = context_of(usages[i].occurrence);
        lines.push_back({on_one_line(context.left), on_one_line(context.node), on_one_line(context.right),
                         documents.empty() ? std::string() : documents[i], signed_number(usages[i].influence)});
    }
    return lines;
}

std::size_t widest(std::span<const Line> lines, std::string Line::*part) {
    std::size_t width = 0;
    for (const Line& line : lines) width = std::max(width, display_width(line.*part));
    return width;
}

struct Widths {
    std::size_t left = 0, node = 0, right = 0, document = 0;
};

// The word may take two thirds of what the document leaves (a text is a node without a context); what surrounds the
// word shares the rest.
Widths widths_of(std::span<const Line> lines, std::size_t whole) {
    Widths widths;
    widths.document = widest(lines, &Line::document);
    const std::size_t rest = whole - (widths.document > 0 ? widths.document + gap : 0);
    widths.node = std::min(widest(lines, &Line::node), rest * 2 / 3);
    const std::size_t contexts = rest - widths.node;
    widths.left = std::min(widest(lines, &Line::left), contexts / 2);
    widths.right = std::min(widest(lines, &Line::right), contexts - widths.left);
    widths.left = std::min(widest(lines, &Line::left), contexts - widths.right);
    if (widest(lines, &Line::left) + widest(lines, &Line::right) == 0) widths.node = rest;
    return widths;
}

std::string spaces(std::size_t width, const std::string& text) {
    return std::string(width - std::min(width, display_width(text)), ' ');
}

std::string text_of(const Line& line, const Widths& widths, const ConcordanceLook& look) {
    const std::string left = clipped_start(line.left, std::max<std::size_t>(widths.left, 1));
    const std::string node = clipped_end(line.node, std::max<std::size_t>(widths.node, 1));
    const std::size_t room = widths.right + widths.node - display_width(node);  // a short word leaves more on its right
    const std::string right = room > 0 ? clipped_end(line.right, room) : std::string();
    std::string text;
    if (look.influence) text += spaces(influence_width - gap, line.influence) + line.influence + std::string(gap, ' ');
    text += spaces(widths.left, left) + left + look.style.bold(node) + right;
    if (line.document.empty()) return text + "\n";
    return text + spaces(room, right) + std::string(gap, ' ') + look.style.dim(line.document) + "\n";
}

}  // namespace

std::string concordance(std::span<const ConcordanceLine> usages, const ConcordanceLook& look) {
    const std::size_t whole = look.width - (look.influence ? influence_width : 0);
    const std::vector<Line> lines = lines_of(usages, whole);
    const Widths widths = widths_of(lines, whole);
    std::string text;
    for (const Line& line : lines) text += text_of(line, widths, look);
    return text;
}

std::string shared_document(std::span<const ConcordanceLine> usages) {
    const DocumentNames documents = documents_of(usages);
    if (!documents.only.empty()) return "all from " + documents.only;
    return documents.folder.empty() ? "" : "from documents in " + documents.folder;
}

}  // namespace wordbreadth::report
