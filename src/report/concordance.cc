// Occurrences of a word, and the names of their documents.
#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "report/results.h"

namespace wordbreadth::report {
namespace {

constexpr std::size_t gap = 2;              // before the document
constexpr std::size_t influence_width = 9;  // "  +0.0123", with the gap

struct ShownLine {
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
    return line;
}

std::string for_a_terminal(std::string_view text) {
    return printable(on_one_line(text));
}

// A page sets the word apart by itself.
std::string for_a_page(std::string_view text) {
    const std::string line = on_one_line(text);
    const std::size_t start = std::min(line.find_first_not_of(' '), line.size());
    return line.substr(start, line.find_last_not_of(' ') + 1 - start);
}

std::string source_of(const ConcordanceLine& usage, const std::string& corpus) {
    const std::string& path = usage.occurrence.document;
    const std::string document = path.substr(path.find_last_of('/') + 1);
    if (corpus.empty() || document.empty()) return corpus + document;
    return corpus + ": " + document;
}

std::string signed_number(double influence) {
    if (std::isnan(influence)) return "-";
    if (std::isinf(influence)) return influence > 0 ? "+inf" : "-inf";
    return (influence < 0 ? "" : "+") + fixed(influence, 4);
}

DocumentNames documents_of(std::span<const ConcordanceLine> usages) {
    std::vector<std::string> names;
    for (const ConcordanceLine& usage : usages) names.push_back(for_a_terminal(usage.occurrence.document));
    return document_names(names);
}

std::vector<ShownLine> terminal_lines(std::span<const ConcordanceLine> usages, std::size_t width) {
    const std::size_t room = std::max<std::size_t>(8, width / 6);  // for the document
    const std::vector<std::string> documents = shortened(documents_of(usages).names, room);
    std::vector<ShownLine> lines;
    for (std::size_t i = 0; i < usages.size(); ++i) {
        const Context context = context_of(usages[i].occurrence);
        lines.push_back({for_a_terminal(context.left), for_a_terminal(context.node), for_a_terminal(context.right),
                         documents.empty() ? std::string() : documents[i], signed_number(usages[i].influence)});
    }
    return lines;
}

template <class Text, class Part = std::identity>
std::size_t widest(const Text& lines, Part part = {}) {
    std::size_t width = 0;
    for (const auto& line : lines) width = std::max(width, display_width(std::invoke(part, line)));
    return width;
}

struct Widths {
    std::size_t left = 0, node = 0, right = 0, document = 0;
};

// The word may take two thirds of what the document leaves (a text is a node without a context); what surrounds the
// word shares the rest.
Widths widths_of(std::span<const ShownLine> lines, std::size_t whole) {
    Widths widths;
    widths.document = widest(lines, &ShownLine::document);
    const std::size_t rest = whole - (widths.document > 0 ? widths.document + gap : 0);
    widths.node = std::min(widest(lines, &ShownLine::node), rest * 2 / 3);
    const std::size_t contexts = rest - widths.node;
    widths.left = std::min(widest(lines, &ShownLine::left), contexts / 2);
    widths.right = std::min(widest(lines, &ShownLine::right), contexts - widths.left);
    widths.left = std::min(widest(lines, &ShownLine::left), contexts - widths.right);
    if (widest(lines, &ShownLine::left) + widest(lines, &ShownLine::right) == 0) widths.node = rest;
    return widths;
}

std::string spaces(std::size_t width, const std::string& text) {
    return std::string(width - std::min(width, display_width(text)), ' ');
}

std::string line_text(const ShownLine& line, const Widths& widths, const ConcordanceLook& look) {
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

bool continues_a_character(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

std::size_t bytes_in_common(const std::vector<std::string>& names) {
    std::size_t length = names.front().size();
    for (const std::string& name : names) {
        const auto [end, ignored] = std::ranges::mismatch(names.front(), name);
        length = std::min(length, static_cast<std::size_t>(end - names.front().begin()));
    }
    return length;
}

// Bytes that all names begin with, in whole characters.
std::size_t common_start(const std::vector<std::string>& names) {
    const std::string& first = names.front();
    std::size_t length = bytes_in_common(names);
    while (length > 0 && length < first.size() && continues_a_character(first[length])) --length;
    return length;
}

// The same at their end, past `start`.
std::size_t common_end(const std::vector<std::string>& names, std::size_t start) {
    std::vector<std::string> reversed;
    for (const std::string& name : names) {
        reversed.push_back(name.substr(start));
        std::ranges::reverse(reversed.back());
    }
    const std::string& first = names.front();
    std::size_t length = bytes_in_common(reversed);
    while (length > 0 && continues_a_character(first[first.size() - length])) --length;
    return length;
}

// What is left of `width` columns for a part of a name; an ellipsis needs one.
std::size_t room(std::size_t width, std::size_t taken) {
    return std::max<std::size_t>(width - std::min(width, taken), 1);
}

}  // namespace

std::string concordance(std::span<const ConcordanceLine> usages, const ConcordanceLook& look) {
    const std::size_t whole = look.width - (look.influence ? influence_width : 0);
    const std::vector<ShownLine> lines = terminal_lines(usages, whole);
    const Widths widths = widths_of(lines, whole);
    std::string text;
    for (const ShownLine& line : lines) text += line_text(line, widths, look);
    return text;
}

std::string shared_document(std::span<const ConcordanceLine> usages) {
    const DocumentNames documents = documents_of(usages);
    if (!documents.only.empty()) return "all from " + documents.only;
    return documents.folder.empty() ? "" : "from documents in " + documents.folder;
}

std::vector<PageLine> lines_of(std::span<const ConcordanceLine> usages, const std::string& corpus) {
    std::vector<PageLine> lines;
    for (const ConcordanceLine& usage : usages) {
        const Context context = context_of(usage.occurrence);
        // From a difference of log v to the share by which v falls.
        const double share = -std::expm1(-usage.influence);
        lines.push_back({for_a_page(context.left), for_a_page(context.node), for_a_page(context.right),
                         source_of(usage, corpus), share});
    }
    return lines;
}

Table table_of(std::span<const ConcordanceLine> usages) {
    std::vector<const ConcordanceLine*> rows;
    for (const ConcordanceLine& usage : usages) rows.push_back(&usage);
    const auto of = [](auto member) { return path(&ConcordanceLine::occurrence, member); };
    return table_of<const ConcordanceLine*>("contexts", "", std::move(rows),
                                            {{"row", of(&Occurrence::row)},
                                             {"document", of(&Occurrence::document)},
                                             {"sentence", of(&Occurrence::sentence)},
                                             {"start", of(&Occurrence::start)},
                                             {"end", of(&Occurrence::end)},
                                             {"influence", path(&ConcordanceLine::influence)},
                                             {"text", of(&Occurrence::text)}});
}

Json json_of(const StoredWord& word, std::span<const ConcordanceLine> usages) {
    return {{"word", word.word},
            {"frequency", word.frequency},
            {"rows", word.rows},
            {"results", json_of(table_of(usages))}};
}

DocumentNames document_names(const std::vector<std::string>& documents) {
    if (documents.empty()) return {};
    if (std::ranges::all_of(documents, [&](const std::string& name) { return name == documents.front(); }))
        return {{}, documents.front(), {}};
    const std::string start = documents.front().substr(0, common_start(documents));
    DocumentNames found{start.substr(0, start.rfind('/') + 1), {}, documents};
    for (std::string& name : found.names) name.erase(0, found.folder.size());
    return found;
}

std::vector<std::string> shortened(std::vector<std::string> names, std::size_t width) {
    if (widest(names) <= width) return names;
    const std::size_t start = common_start(names), end = common_end(names, start);
    const std::string& first = names.front();
    std::string before = first.substr(0, start), after = first.substr(first.size() - end);
    for (std::string& name : names) name = name.substr(start, name.size() - start - end);
    const std::size_t differing = widest(names);
    before = clipped_start(before, room(width, differing + display_width(after)));
    after = clipped_end(after, room(width, differing + display_width(before)));
    for (std::string& name : names) name = clipped(before + name + after, width);
    return names;
}

}  // namespace wordbreadth::report
