#include "report/parts_of_job.h"

#include <nlohmann/json.hpp>

#include "report/command_line.h"
#include "report/parts.h"

namespace wordbreadth::report {
namespace {

std::string made(const MergeSummary& summary) {
    if (summary.made == MergeSummary::Made::clouds)
        return "Clouds    " + counted(summary.words, "word") + ", " + counted(summary.rows, "row") + " from " +
               counted(summary.shards, "shard");
    return "Plan      " + counted(summary.words, "word") + ", " + counted(summary.rows, "row") + " in " +
           counted(summary.shards, "shard");
}

std::string next_step(const MergeSummary& summary, const std::string& folder) {
    if (summary.made == MergeSummary::Made::clouds)
        return "The store is " + folder + "; see `" + rank_command(folder) + "`";
    return "Continue with `" + resume_command(folder) + "`; in parts: `" + resume_command(folder) + " " +
           option_for_parts + "`";
}

}  // namespace

std::string part_text(const PartSummary& summary, const std::string& folder, const Style& style) {
    std::string text = "Part      " + count(summary.part.number) + " of " + count(summary.part.of) + ": ";
    if (summary.merged) {
        text += "merged before";
    } else if (summary.made == PartSummary::Made::plan) {
        text += counted(summary.files, "file") + ", " + counted(summary.sentences, "sentence") + ", " +
                counted(summary.documents, "document") + ", " + counted(summary.occurrences, "word");
    } else {
        text += counted(summary.shards, "shard") + ", " + count(summary.shards_found) + " found; " +
                counted(summary.tokens_now, "token") + " embedded";
    }
    return text + "; in " + duration(summary.seconds) + "\n\n" +
           style.dim("Once all parts are done: `" + merge_command(folder) + "`") + "\n";
}

std::string part_json(const PartSummary& summary, const std::string& folder) {
    return text_of(Json{{"store", folder},
                        {"part", summary.part.number},
                        {"of", summary.part.of},
                        {"made", summary.made == PartSummary::Made::plan ? "plan" : "shards"},
                        {"merged", summary.merged},
                        {"files", summary.files},
                        {"documents", summary.documents},
                        {"sentences", summary.sentences},
                        {"occurrences", summary.occurrences},
                        {"shards", summary.shards},
                        {"shards_found", summary.shards_found},
                        {"shards_damaged", summary.shards_damaged},
                        {"tokens_now", summary.tokens_now},
                        {"seconds", summary.seconds}});
}

std::string merge_text(const MergeSummary& summary, const std::string& folder, const Style& style) {
    std::string text;
    if (summary.parts > 0)
        text += "Merged    " + counted(summary.parts, "part") + ": " + counted(summary.files, "file") + ", " +
                counted(summary.sentences, "sentence") + ", " + counted(summary.documents, "document") + "\n";
    if (summary.decided_anew > 0)
        text += "Copies    " + counted(summary.decided_anew, "sentence") +
                " decided again, because of sentences in other parts\n";
    text += made(summary) + (summary.found ? ": made before" : "") + "\n";
    return text + "\n" + style.dim(next_step(summary, folder)) + "\n";
}

std::string merge_json(const MergeSummary& summary, const std::string& folder) {
    return text_of(Json{{"store", folder},
                        {"made", summary.made == MergeSummary::Made::plan ? "plan" : "clouds"},
                        {"found", summary.found},
                        {"parts", summary.parts},
                        {"files", summary.files},
                        {"documents", summary.documents},
                        {"sentences", summary.sentences},
                        {"decided_anew", summary.decided_anew},
                        {"words", summary.words},
                        {"rows", summary.rows},
                        {"shards", summary.shards},
                        {"seconds", summary.seconds}});
}

}  // namespace wordbreadth::report
