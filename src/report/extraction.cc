#include "report/extraction.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/json.h"
#include "report/number.h"
#include "store/layout.h"

namespace wordbreadth::report {
namespace {

constexpr std::size_t files_named = 5;  // of those that were not read

std::string many(std::uint64_t number, const std::string& thing) {
    return count(number) + " " + thing + (number == 1 ? "" : "s");
}

std::string reading(const ExtractSummary& summary) {
    if (!summary.planned) return "The plan was there already.\n";
    return "Read      " + many(summary.files, "file") + ", " + many(summary.documents, "document") + ", " +
           many(summary.sentences, "sentence") + "; " + many(summary.occurrences, "word") + ", " +
           count(summary.types) + " different; in " + duration(summary.plan_seconds) + "\n";
}

std::string embedding(const ExtractSummary& summary) {
    if (!summary.finished)
        return "To embed  " + many(summary.embedded_tokens, "token") + " in " + many(summary.shards, "shard") + "\n";
    std::string text = "Embedded  " + many(summary.tokens_now, "token") + " on " + summary.device + ", in " +
                       duration(summary.embed_seconds);
    if (summary.tokens_now > 0 && summary.embed_seconds > 0)
        text += " (" +
                count(static_cast<std::uint64_t>(static_cast<double>(summary.tokens_now) / summary.embed_seconds)) +
                " tokens/s)";
    if (summary.shards_found > 0)
        text += "; " + count(summary.shards_found) + " of " + many(summary.shards, "shard") + " were there already";
    if (summary.shards_damaged > 0) text += "; " + many(summary.shards_damaged, "damaged shard") + " made again";
    return text + "\n";
}

std::string skipping(const ExtractSummary& summary) {
    std::string text;
    for (const auto& [reason, number] : summary.skipped)
        text += (text.empty() ? "Skipped   " : "          ") + count(number) + ": the word " + reason + "\n";
    const auto& files = summary.files_skipped;
    for (std::size_t i = 0; i < std::min(files.size(), files_named); ++i) text += "Not read  " + files[i] + "\n";
    if (files.size() > files_named) text += "Not read  " + many(files.size() - files_named, "more file") + "\n";
    return text;
}

// How the corpus was decoded, where there is something to say.
std::string decoding(const ExtractSummary& summary) {
    std::string text;
    for (const std::string& files : summary.decoded) text += "Decoded   " + files + "\n";
    if (summary.invalid == 0) return text;
    text += "Invalid   " + many(summary.invalid, "byte sequence") + ", " +
            (summary.invalid_treatment == "replace" ? "replaced by U+FFFD" : "left out") + "\n";
    for (const std::string& place : summary.invalid_places) text += "          " + place + "\n";
    const std::uint64_t more =
        summary.invalid - std::min<std::uint64_t>(summary.invalid, summary.invalid_places.size());
    if (more > 0) text += "          and " + count(more) + " more\n";
    return text;
}

std::string next_step(const ExtractSummary& summary, const std::string& folder) {
    if (!summary.finished) return "Go on with `" + store::resume_command(folder) + "`";
    return "The store is " + folder + "; see `wordbreadth rank " + folder + "`";
}

}  // namespace

std::string extraction_text(const ExtractSummary& summary, const std::string& folder, const Style& style) {
    return reading(summary) + decoding(summary) + "Kept      " + many(summary.words, "word") + ", " +
           many(summary.rows, "row") + " of " + count(summary.dimension) + " dimensions\n" + skipping(summary) +
           embedding(summary) + "\n" + style.dim(next_step(summary, folder)) + "\n";
}

std::string extraction_json(const ExtractSummary& summary, const std::string& folder) {
    nlohmann::ordered_json skipped = nlohmann::ordered_json::array();
    for (const auto& [reason, number] : summary.skipped) skipped.push_back({{"reason", reason}, {"count", number}});
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
                    {"skipped", skipped},
                    {"files_not_read", summary.files_skipped},
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
