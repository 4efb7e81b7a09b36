#include "report/store.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "report/command_line.h"
#include "report/extraction.h"
#include "report/table/number.h"

namespace wordbreadth::report {
namespace {

using Json = nlohmann::ordered_json;

bool is_of_texts(const StoreDescription& store) {
    return std::ranges::find(store.settings, std::pair<std::string, std::string>("unit", "text")) !=
           store.settings.end();
}

std::string headline(const StoreDescription& store) {
    std::string text = printable(store.folder) + ": " + counted(store.words, is_of_texts(store) ? "label" : "word") +
                       ", " + counted(store.rows, "row");
    if (store.dimension > 0) text += " of " + count(store.dimension) + " dimensions";
    return text + ", " + bytes(store.bytes);
}

// Of an unfinished store: how far it is, and how to resume.
std::string state(const StoreDescription& store) {
    std::string text = "not finished: " + count(store.finished_shards) + " of " + count(store.shards) +
                       (store.shards == 1 ? " shard is done" : " shards are done");
    if (store.unusable_shards > 0) text += ", " + count(store.unusable_shards) + " cannot be used and will be remade";
    return text + "; resume with `" + printable(resume_command(store.folder)) + "`";
}

// A value of one or more lines, each wrapped to `room` columns (0: as long as it is).
std::vector<std::string> lines_of(std::string_view value, std::size_t room) {
    std::vector<std::string> lines;
    while (!value.empty()) {
        const std::size_t end = std::min(value.find('\n'), value.size());
        const std::string line = printable(value.substr(0, end));
        value.remove_prefix(std::min(end + 1, value.size()));
        const std::vector<std::string> parts = wrapped(line, room > 0 ? room : display_width(line));
        lines.insert(lines.end(), parts.begin(), parts.end());
    }
    return lines;
}

// Names in a column, values beside them; those that are empty say nothing.
std::string settings(const StoreDescription& store, const Style& style) {
    std::size_t start = 0;
    for (const auto& [name, value] : store.settings) start = std::max(start, display_width(printable(name)) + 2);
    std::string text;
    for (const auto& [name, value] : store.settings) {
        std::string left = printable(name);
        for (const std::string& line : lines_of(value, style.width > start + 20 ? style.width - start : 0)) {
            text += left + std::string(start - display_width(left), ' ') + line + "\n";
            left.clear();
        }
    }
    return text;
}

Table sources_table(const StoreDescription& store) {
    return table_of<SourceFile>("sources", "", store.sources,
                                {{"path", "read", look::name, &SourceFile::path},
                                 {"format", "as", look::name, &SourceFile::format},
                                 {"bytes", "size", look::count, [](const SourceFile& source) {
                                      return Value(source.bytes).shown_as(bytes(source.bytes));
                                  }}});
}

Table most_frequent_table(const StoreDescription& store) {
    return table_of<StoredWord>("most_frequent", "", store.most_frequent,
                                {{"word", "most frequent", look::name, &StoredWord::word},
                                 {"frequency", "frequency", look::count, &StoredWord::frequency},
                                 {"usable", "usable", look::count, &StoredWord::usable},
                                 {"rows", "rows", look::count, &StoredWord::rows}});
}

// The first rows, and how many there are in all; JSON has all.
std::string beginning_of(Table table, std::size_t shown, const std::string& all, const Style& style) {
    if (table.size == 0) return "";
    const bool is_cut = table.size > shown;
    table.size = std::min(table.size, shown);
    return "\n" + text_of(table, style) + (is_cut ? "... " + all + " in all\n" : "");
}

std::string all_sources(const StoreDescription& store) {
    std::uint64_t all = 0;
    for (const SourceFile& source : store.sources) all += source.bytes;
    return count(store.sources.size()) + " files, " + bytes(all);
}

}  // namespace

std::string text_of(const StoreDescription& store, const Style& style) {
    std::string text = style.bold_line(headline(store));
    if (!store.finished) text += style.plain_line(state(store));
    if (!store.settings.empty()) text += "\n" + settings(store, style);
    return text + beginning_of(sources_table(store), 10, all_sources(store), style) +
           beginning_of(skipped_table(store.skipped), store.skipped.size(), "", style) +
           beginning_of(missing_table(store.missing), 20, count(store.missing.size()), style) + "\n" +
           text_of(most_frequent_table(store), style);
}

Json json_of(const StoreDescription& store) {
    Json settings = Json::object();
    for (const auto& [name, value] : store.settings) settings[name] = value;
    Json json = {{"store", store.folder}, {"finished", store.finished}, {"words", store.words},
                 {"rows", store.rows},    {"bytes", store.bytes},       {"shards", store.shards}};
    if (store.finished) {
        json["dimension"] = store.dimension;
    } else {
        json["finished_shards"] = store.finished_shards;
        json["unusable_shards"] = store.unusable_shards;
        json["go_on_with"] = resume_command(store.folder);
    }
    json["settings"] = std::move(settings);
    json["sources"] = json_of(sources_table(store));
    json["skipped"] = json_of(skipped_table(store.skipped));
    json["missing"] = json_of(missing_table(store.missing));
    json["most_frequent"] = json_of(most_frequent_table(store));
    return json;
}

}  // namespace wordbreadth::report
