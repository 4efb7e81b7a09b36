#include "report/table/layout.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <span>

#include "report/table/text.h"

namespace wordbreadth::report {
namespace {

using Kind = TextColumn::Kind;

constexpr std::size_t gap = 2;            // between columns
constexpr std::size_t shortest_name = 8;  // names are not cut further, however narrow the terminal

std::size_t total(std::span<const std::size_t> widths) {
    return std::accumulate(widths.begin(), widths.end(), gap * (widths.size() - 1));
}

std::size_t longest_word(const std::string& text) {
    std::size_t width = 0;
    for (const std::string& word : wrapped(text, 1)) width = std::max(width, display_width(word));
    return width;
}

// Until they keep to the limit, the widest of those that are wider than they have to be gives way.
void give_way(std::span<std::size_t> widths, std::span<const std::size_t> least, std::size_t limit) {
    while (total(widths) > limit) {
        std::size_t* widest = nullptr;
        for (std::size_t c = 0; c < widths.size(); ++c)
            if (widths[c] > least[c] && (widest == nullptr || widths[c] > *widest)) widest = &widths[c];
        if (widest == nullptr) return;
        --*widest;
    }
}

using Lines = std::vector<std::string>;

// A cell in the lines that it takes.
Lines lines_of(const std::string& cell, Kind kind, std::size_t width) {
    if (display_width(cell) <= width || kind == Kind::number) return {cell};
    return kind == Kind::name ? Lines{clipped(cell, width)} : wrapped(cell, width);
}

// In its column.
struct LaidOutCell {
    Lines lines;
    Kind kind;
    std::size_t width;

    [[nodiscard]] std::string padded(std::size_t line) const {
        const std::string text = line < lines.size() ? lines[line] : std::string();
        const std::string padding(width - std::min(width, display_width(text)), ' ');
        return kind == Kind::number ? padding + text : text + padding;
    }
};

// Cells beside each other; of unequal height, titles stand upon their columns.
Lines lines_of(const std::vector<LaidOutCell>& cells, bool titles) {
    std::size_t height = 0;
    for (const LaidOutCell& cell : cells) height = std::max(height, cell.lines.size());
    Lines lines(height);
    for (std::size_t i = 0; i < height; ++i) {
        for (const LaidOutCell& cell : cells) {
            const std::size_t above = titles ? height - cell.lines.size() : 0;
            if (&cell != &cells.front()) lines[i].append(gap, ' ');
            lines[i] += cell.padded(i < above ? height : i - above);
        }
        lines[i].erase(lines[i].find_last_not_of(' ') + 1);
    }
    return lines;
}

}  // namespace

bool TextTable::is_wider_than(std::size_t limit) const {
    return limit > 0 && total(natural_widths()) > limit;
}

std::string TextTable::text(const Style& style) const {
    const Widths fitted = widths(style.width);
    std::string text;
    for (const Places& block : blocks(fitted, style.width))
        text += (text.empty() ? "" : "\n") + block_text(block, fitted, style);
    return text;
}

// Every column as wide as its widest cell.
TextTable::Widths TextTable::natural_widths() const {
    Widths widths;
    for (const TextColumn& column : columns_) widths.push_back(display_width(column.title));
    for (const auto& row : rows_)
        for (std::size_t c = 0; c < columns_.size(); ++c) widths[c] = std::max(widths[c], display_width(row[c]));
    return widths;
}

// Of a column whose title and notes are broken wherever they can be, and whose names are cut as far as they may be.
std::size_t TextTable::least_width(std::size_t column) const {
    std::size_t width = longest_word(columns_[column].title), widest = 0;
    for (const auto& row : rows_) {
        const std::string& cell = row[column];
        const bool breaks = columns_[column].kind == Kind::note;
        widest = std::max(widest, breaks ? longest_word(cell) : display_width(cell));
    }
    if (columns_[column].kind == Kind::name) widest = std::min(widest, shortest_name);
    return std::max(width, widest);
}

// Titles give way first, then names and notes. Where that is not enough, only the first columns do, until they leave
// half of the line for those that come beside them, block after block.
TextTable::Widths TextTable::widths(std::size_t limit) const {
    Widths fitted = natural_widths();
    if (limit == 0 || total(fitted) <= limit) return fitted;
    Widths least, broken_titles;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        least.push_back(least_width(c));
        broken_titles.push_back(longest_word(columns_[c].title));
        for (const auto& row : rows_) broken_titles[c] = std::max(broken_titles[c], display_width(row[c]));
    }
    give_way(fitted, broken_titles, limit);
    if (total(least) <= limit) {
        give_way(fitted, least, limit);
        return fitted;
    }
    const std::size_t first = keys();
    give_way(std::span(fitted).first(first), least, limit / 2);
    const std::size_t taken = total(std::span(fitted).first(first)) + gap;
    for (std::size_t c = first; c < fitted.size(); ++c)
        fitted[c] = std::max(least[c], std::min(fitted[c], limit - std::min(limit, taken)));
    return fitted;
}

// How many columns say what a row is about: the names and notes that it begins with, or a number (a rank) and these;
// more where rows are alike in them.
std::size_t TextTable::keys() const {
    constexpr std::size_t most = 3;
    const std::size_t others = std::max<std::size_t>(columns_.size(), 2) - 1;
    std::size_t first = columns_.size() > 1 && columns_[1].kind != Kind::number ? 1 : 0;
    while (first < columns_.size() && columns_[first].kind != Kind::number) ++first;
    first = std::clamp<std::size_t>(first, 1, others);
    const auto are_told_apart = [&] {
        std::map<std::vector<std::string>, const std::vector<std::string>*> seen;
        return std::ranges::all_of(rows_, [&](const auto& row) {
            const std::vector<std::string> key(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(first));
            return *seen.emplace(key, &row).first->second == row;  // a row of dots may come twice
        });
    };
    while (first < std::min(most, others) && !are_told_apart()) ++first;
    return first;
}

// As few as the limit allows, none much wider than the others.
std::vector<TextTable::Places> TextTable::blocks(const Widths& widths, std::size_t limit) const {
    Places all(columns_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    if (limit == 0 || total(widths) <= limit || columns_.size() < 2) return {all};
    const Places first(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(keys()));
    std::vector<Places> found = filled_blocks(first, widths, limit);
    while (--limit > 0) {
        std::vector<Places> narrower = filled_blocks(first, widths, limit);
        if (narrower.size() > found.size()) break;
        found = std::move(narrower);
    }
    return found;
}

// One after the other, each filled as far as it goes; all begin with the same columns.
std::vector<TextTable::Places> TextTable::filled_blocks(const Places& first, const Widths& widths,
                                                        std::size_t limit) const {
    std::vector<Places> blocks;
    std::size_t used = limit;
    for (std::size_t c = first.size(); c < columns_.size(); ++c) {
        used += gap + widths[c];
        if (used > limit) {
            blocks.push_back(first);
            used = total(std::span(widths).first(first.size())) + gap + widths[c];
        }
        blocks.back().push_back(c);
    }
    return blocks;
}

std::string TextTable::block_text(const Places& block, const Widths& widths, const Style& style) const {
    const auto cell_of = [&](std::size_t column, const std::string& text, Kind broken_as) {
        return LaidOutCell{lines_of(text, broken_as, widths[column]), columns_[column].kind, widths[column]};
    };
    std::vector<LaidOutCell> titles;
    for (const std::size_t c : block) titles.push_back(cell_of(c, columns_[c].title, Kind::note));
    std::string text;
    for (const std::string& line : lines_of(titles, true)) text += style.bold(line) + "\n";
    for (const auto& row : rows_) {
        std::vector<LaidOutCell> cells;
        for (const std::size_t c : block) cells.push_back(cell_of(c, row[c], columns_[c].kind));
        for (const std::string& line : lines_of(cells, false)) text += line + "\n";
    }
    return text;
}

}  // namespace wordbreadth::report
