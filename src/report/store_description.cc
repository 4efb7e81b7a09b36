#include "report/store_description.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "report/extraction.h"
#include "report/number.h"
#include "report/table.h"
#include "report/text.h"

namespace wordbreadth::report {
namespace {

using Json = nlohmann::ordered_json;
using Kind = Column::Kind;

bool is_of_texts(const StoreDescription& store) {
    return std::ranges::find(store.settings, std::pair<std::string, std::string>("unit", "text")) !=
           store.settings.end();
}

std::string headline(const StoreDescription& store) {
    std::string text = printable(store.folder) + ": " + count(store.words) + (is_of_texts(store) ? " label" : " word") +
                       (store.words == 1 ? "" : "s") + ", " + count(store.rows) + (store.rows == 1 ? " row" : " rows");
    if (store.dimension > 0) text += " of " + count(store.dimension) + " dimensions";
    return text + ", " + bytes(store.bytes);
}

// Of a store that is not finished: how far it is and how to go on.
std::string state(const StoreDescription& store) {
    std::string text = "not finished: " + count(store.finished_shards) + " of " + count(store.shards) +
                       (store.shards == 1 ? " shard is done" : " shards are done");
    if (store.unusable_shards > 0)
        text += ", " + count(store.unusable_shards) + " cannot be used and will be made again";
    return text + "; go on with `" + printable(resume_command(store.folder)) + "`";
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

// The first files of the corpus; JSON has all.
std::string sources(const StoreDescription& store, const Style& style) {
    constexpr std::size_t shown = 10;
    std::uint64_t all_bytes = 0;
    for (const SourceFile& source : store.sources) all_bytes += source.bytes;
    Table table({{"read", Kind::name}, {"as", Kind::name}, {"size"}});
    for (std::size_t i = 0; i < std::min(shown, store.sources.size()); ++i) {
        const SourceFile& source = store.sources[i];
        table.add({printable(source.path), source.format, bytes(source.bytes)});
    }
    std::string text = table.text(style);
    if (store.sources.size() > shown)
        text += "... " + count(store.sources.size()) + " files, " + bytes(all_bytes) + " in all\n";
    return text;
}

std::string skipped(const StoreDescription& store, const Style& style) {
    Table table({{"skipped"}, {"why", Kind::name}});
    for (const auto& [reason, number] : store.skipped) table.add({count(number), printable(reason)});
    return table.text(style);
}

// The first of the words that were asked for and are not there; JSON has all.
std::string missing(const StoreDescription& store, const Style& style) {
    constexpr std::size_t shown = 20;
    Table table({{"missing", Kind::name}, {"frequency"}, {"usable"}, {"why", Kind::name}});
    for (std::size_t i = 0; i < std::min(shown, store.missing.size()); ++i) {
        const auto& [word, frequency, usable, reason] = store.missing[i];
        table.add({printable(word), count(frequency), count(usable), printable(reason)});
    }
    std::string text = table.text(style);
    if (store.missing.size() > shown) text += "... " + count(store.missing.size()) + " in all\n";
    return text;
}

std::string most_frequent(const StoreDescription& store, const Style& style) {
    Table table({{"most frequent", Kind::name}, {"frequency"}, {"usable"}, {"rows"}});
    for (const StoredWord& word : store.most_frequent)
        table.add({printable(word.word), count(word.frequency), count(word.usable), count(word.rows)});
    return table.text(style);
}

}  // namespace

std::string text_of(const StoreDescription& store, const Style& style) {
    std::string text = style.bold(folded(headline(store), style.width)) + "\n";
    if (!store.finished) text += folded(state(store), style.width) + "\n";
    if (!store.settings.empty()) text += "\n" + settings(store, style);
    if (!store.sources.empty()) text += "\n" + sources(store, style);
    if (!store.skipped.empty()) text += "\n" + skipped(store, style);
    if (!store.missing.empty()) text += "\n" + missing(store, style);
    return text + "\n" + most_frequent(store, style);
}

Json json_of(const StoreDescription& store) {
    Json settings = Json::object(), sources = Json::array(), skipped = Json::array(), missing = Json::array(),
         words = Json::array();
    for (const auto& [name, value] : store.settings) settings[name] = value;
    for (const SourceFile& source : store.sources)
        sources.push_back({{"path", source.path}, {"format", source.format}, {"bytes", source.bytes}});
    for (const auto& [reason, number] : store.skipped) skipped.push_back({{"reason", reason}, {"count", number}});
    for (const auto& [word, frequency, usable, reason] : store.missing)
        missing.push_back({{"word", word}, {"frequency", frequency}, {"usable", usable}, {"reason", reason}});
    for (const StoredWord& word : store.most_frequent)
        words.push_back(
            {{"word", word.word}, {"frequency", word.frequency}, {"usable", word.usable}, {"rows", word.rows}});
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
    json["sources"] = std::move(sources);
    json["skipped"] = std::move(skipped);
    json["missing"] = std::move(missing);
    json["most_frequent"] = std::move(words);
    return json;
}

}  // namespace wordbreadth::report
