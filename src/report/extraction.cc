#include "report/extraction.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/command_line.h"
#include "report/names.h"
#include "report/store.h"
#include "report/table/number.h"

namespace wordbreadth::report {
namespace {

using Stage = ExtractProgress::Stage;

constexpr std::size_t files_named = 5;   // of those that were not read
constexpr std::size_t words_named = 10;  // of those that are missing

std::string title_of(Stage stage) {
    if (stage == Stage::reading) return "reading the corpus";
    if (stage == Stage::collecting) return "collecting sentences";
    return stage == Stage::embedding ? "embedding" : "writing the clouds";
}

const char* rate_of(Stage stage, ExtractUnit unit) {
    if (stage == Stage::reading) return unit == ExtractUnit::text ? " texts/s" : " words/s";
    return stage == Stage::collecting ? " rows/s" : " tokens/s";
}

// What has a cloud: a word, or the label of texts.
std::string clouds(const ExtractSummary& summary, std::uint64_t number) {
    return counted(number, summary.unit == ExtractUnit::text ? "label" : "word");
}

std::string read_units(const ExtractSummary& summary) {
    if (summary.unit == ExtractUnit::text)
        return "; " + counted(summary.occurrences, "text") +
               (summary.asked == 0 ? ", " + clouds(summary, summary.types) : "");
    return ", " + counted(summary.sentences, "sentence") + "; " + counted(summary.occurrences, "word") +
           (summary.asked == 0 ? ", " + count(summary.types) + " different" : "");
}

std::string reading(const ExtractSummary& summary) {
    if (!summary.planned) return "The plan existed already.\n";
    return "Read      " + counted(summary.files, "file") + ", " + counted(summary.documents, "document") +
           read_units(summary) + "; in " + duration(summary.plan_seconds) + "\n";
}

std::string formats(const ExtractSummary& summary) {
    std::string text;
    for (const auto& [name, files] : summary.formats)
        text += (text.empty() ? "Format    " : "; ") + counted(files, "file") + ": " + name;
    if (text.empty()) return text;
    return text + (summary.format_detected ? " (detected)\n" : " (as asked)\n");
}

std::string layers(const ExtractSummary& summary) {
    const auto [first, last] = summary.layers;
    const std::string which = first == last ? count(first) : "the mean of " + count(first) + " to " + count(last) + ",";
    return "Layer     " + which + " of " + count(summary.model_layers) + ": " + summary.layers_reason + "\n";
}

std::string keeping(const ExtractSummary& summary) {
    return "Kept      " + clouds(summary, summary.words) +
           (summary.asked > summary.words ? " of " + count(summary.asked) + " asked for" : "") + ", " +
           counted(summary.rows, "row") + " of " + count(summary.dimension) + " dimensions\n";
}

std::string missing(const ExtractSummary& summary, const std::string& folder) {
    std::string text;
    const auto line = [&](const std::string& what) {
        text += (text.empty() ? "Missing   " : "          ") + what + "\n";
    };
    const auto& words = summary.missing;
    for (std::size_t i = 0; i < std::min(words.size(), words_named); ++i)
        line(printable(words[i].word) + ": " + printable(words[i].reason));
    if (words.size() > words_named)
        line(count(words.size() - words_named) + " more; see `" + info_command(folder) + "`");
    if (summary.kept_by_mean > 0)
        line(std::string(option_for_subwords) + " takes words of several tokens; it could keep " +
             count(summary.kept_by_mean) + " of these");
    return text;
}

std::string warnings(const ExtractSummary& summary) {
    std::string text;
    for (const std::string& warning : summary.warnings) text += "Warning   " + printable(warning) + "\n";
    return text;
}

std::string embedding(const ExtractSummary& summary) {
    if (!summary.finished)
        return "To embed  " + counted(summary.embedded_tokens, "token") + " in " + counted(summary.shards, "shard") +
               "\n";
    std::string text = "Embedded  " + counted(summary.tokens_now, "token") + " on " + summary.device + ", in " +
                       duration(summary.embed_seconds);
    if (summary.tokens_now > 0 && summary.embed_seconds > 0)
        text += " (" +
                count(static_cast<std::uint64_t>(static_cast<double>(summary.tokens_now) / summary.embed_seconds)) +
                " tokens/s)";
    if (summary.shards_found > 0)
        text += "; " + count(summary.shards_found) + " of " + counted(summary.shards, "shard") + " existed already";
    if (summary.shards_damaged > 0) text += "; " + counted(summary.shards_damaged, "damaged shard") + " remade";
    return text + "\n";
}

std::string skipping(const ExtractSummary& summary) {
    const std::string thing = summary.unit == ExtractUnit::text ? "text" : "word";
    std::string text;
    for (const auto& [reason, number] : summary.skipped)
        text += (text.empty() ? "Skipped   " : "          ") + count(number) + ": the " + thing + " " + reason + "\n";
    const auto& files = summary.files_skipped;
    for (std::size_t i = 0; i < std::min(files.size(), files_named); ++i) text += "Not read  " + files[i] + "\n";
    if (files.size() > files_named) text += "Not read  " + counted(files.size() - files_named, "more file") + "\n";
    return text;
}

// How the corpus was decoded, where there is something to say.
std::string decoding(const ExtractSummary& summary) {
    std::string text;
    for (const std::string& files : summary.decoded) text += "Decoded   " + files + "\n";
    if (summary.invalid == 0) return text;
    text += "Invalid   " + counted(summary.invalid, "byte sequence") + ", " +
            (summary.invalid_treatment == "replace" ? "replaced by U+FFFD" : "skipped") + "\n";
    for (const std::string& place : summary.invalid_places) text += "          " + place + "\n";
    const std::uint64_t more =
        summary.invalid - std::min<std::uint64_t>(summary.invalid, summary.invalid_places.size());
    if (more > 0) text += "          and " + count(more) + " more\n";
    return text;
}

std::string next_step(const ExtractSummary& summary, const std::string& folder) {
    if (!summary.finished) return "Resume with `" + resume_command(folder) + "`";
    return "The store is " + folder + "; see `" + rank_command(folder) + "`";
}

}  // namespace

std::string progress_bar(double done) {
    constexpr std::size_t width = 20;
    const auto filled = static_cast<std::size_t>(done * width);
    return fixed(100 * done, 0) + "% [" + std::string(filled, '#') + std::string(width - filled, '.') + "]";
}

std::string progress_line(const ExtractProgress& first, const ExtractProgress& now, double spent, ExtractUnit unit) {
    const double done = std::clamp(now.done, 0.0, 1.0);
    std::string line = title_of(now.stage);
    if (now.stage == Stage::joining) return line;
    line += " " + progress_bar(done);
    const auto units = static_cast<double>(now.units - first.units);
    const double gained = done - first.done;
    if (spent < 0.5 || gained <= 0) return line;
    line += " " + count(static_cast<std::uint64_t>(units / spent)) + rate_of(now.stage, unit);
    return done < 1 ? line + ", " + time_left(spent / gained * (1 - done)) : line;
}

std::string extraction_text(const ExtractSummary& summary, const std::string& folder, const Style& style) {
    return warnings(summary) + reading(summary) + decoding(summary) + formats(summary) + layers(summary) +
           keeping(summary) + missing(summary, folder) + skipping(summary) + embedding(summary) + "\n" +
           style.dim(next_step(summary, folder)) + "\n";
}

std::string extraction_json(const ExtractSummary& summary, const std::string& folder) {
    using Json = nlohmann::ordered_json;
    Json formats = Json::array();
    for (const auto& [name, files] : summary.formats) formats.push_back({{"format", name}, {"files", files}});
    return text_of({{"store", folder},
                    {"planned", summary.planned},
                    {"finished", summary.finished},
                    {"files", summary.files},
                    {"documents", summary.documents},
                    {"sentences", summary.sentences},
                    {"occurrences", summary.occurrences},
                    {"types", summary.types},
                    {"words", summary.words},
                    {"rows", summary.rows},
                    {"dimension", summary.dimension},
                    {"device", summary.device},
                    {"skipped", json_of(skipped_table(summary.skipped))},
                    {"files_not_read", summary.files_skipped},
                    {"unit", name_of(summary.unit)},
                    {"formats", formats},
                    {"format_detected", summary.format_detected},
                    {"layers", {summary.layers.first, summary.layers.last}},
                    {"model_layers", summary.model_layers},
                    {"layers_reason", summary.layers_reason},
                    {"asked", summary.asked},
                    {"missing", json_of(missing_table(summary.missing))},
                    {"kept_by_subwords_mean", summary.kept_by_mean},
                    {"warnings", summary.warnings},
                    {"decoded", summary.decoded},
                    {"invalid", {{"count", summary.invalid}, {"places", summary.invalid_places}}},
                    {"shards", summary.shards},
                    {"shards_found", summary.shards_found},
                    {"shards_damaged", summary.shards_damaged},
                    {"tokens", summary.embedded_tokens},
                    {"tokens_now", summary.tokens_now},
                    {"plan_seconds", summary.plan_seconds},
                    {"embed_seconds", summary.embed_seconds}});
}

}  // namespace wordbreadth::report
