// A store, and the extraction that makes one.
#include <nlohmann/json.hpp>

#include "report/command_line.h"
#include "report/parts.h"

namespace wordbreadth::report {
namespace {

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
std::string state(const StoreDescription& store, const JobProgress& job) {
    std::string text = "not finished: " + count(store.finished_shards) + " of " + count(store.shards) +
                       (store.shards == 1 ? " shard is done" : " shards are done");
    if (store.unusable_shards > 0) text += ", " + count(store.unusable_shards) + " cannot be used and will be remade";
    const bool is_to_be_joined = job.of > 0 && store.finished_shards == store.shards;
    return text +
           (is_to_be_joined ? "; join them with `" + printable(merge_command(store.folder))
                            : "; resume with `" + printable(resume_command(store.folder))) +
           "`";
}

// A value of one or more lines, each wrapped to `room` columns (0: as long as it is).
std::vector<std::string> value_lines(std::string_view value, std::size_t room) {
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
        for (const std::string& line : value_lines(value, style.width > start + 20 ? style.width - start : 0)) {
            text += left + std::string(start - display_width(left), ' ') + line + "\n";
            left.clear();
        }
    }
    return text;
}

// Words that were asked for and are not there; occurrences that were skipped, and why. As a store and an extraction
// have them.
template <class Word>
Table missing_table(const std::vector<Word>& words) {
    return table_of<Word>("missing", "", words,
                          {{"word", "missing", look::name, &Word::word},
                           {"frequency", "frequency", look::count, &Word::frequency},
                           {"usable", "usable", look::count, &Word::usable},
                           {"reason", "why", look::name, &Word::reason}});
}

template <class Skipped>
Table skipped_table(const std::vector<Skipped>& skipped) {
    return table_of<Skipped>(
        "skipped", "", skipped,
        {{"count", "skipped", look::count, &Skipped::count}, {"reason", "why", look::name, &Skipped::reason}});
}

Table sources_table(const StoreDescription& store) {
    return table_of<SourceFile>("sources", "", store.sources,
                                {{"path", "read", look::name, &SourceFile::path},
                                 {"format", "as", look::name, &SourceFile::format},
                                 {"bytes", "size", look::count, [](const SourceFile& source) {
                                      return Value(source.bytes).shown_as(bytes(source.bytes));
                                  }}});
}

// Whether copies of sentences were looked for when it was made.
bool knows_copies(const StoreDescription& store) {
    return std::ranges::find(store.settings, "deduplicate", &std::pair<std::string, std::string>::first) !=
           store.settings.end();
}

std::uint64_t duplicates_of(const StoredWord& word) {
    return word.exact_copies + word.near_copies;
}

Table most_copied_table(const StoreDescription& store) {
    return table_of<StoredWord>("most_copied", "", store.most_copied,
                                {{"word", "most copied", look::name, &StoredWord::word},
                                 {"frequency", "frequency", look::count, &StoredWord::frequency},
                                 {"exact_copies", &StoredWord::exact_copies},
                                 {"near_copies", &StoredWord::near_copies},
                                 {"duplicates", "in copies", look::count, duplicates_of},
                                 {"usable", "usable", look::count, &StoredWord::usable}});
}

Table most_frequent_table(const StoreDescription& store) {
    const bool known = knows_copies(store);
    return table_of<StoredWord>(
        "most_frequent", "", store.most_frequent,
        {{"word", "most frequent", look::name, &StoredWord::word},
         {"frequency", "frequency", look::count, &StoredWord::frequency},
         {"usable", "usable", look::count, &StoredWord::usable},
         {"rows", "rows", look::count, &StoredWord::rows},
         {"duplicates", "in copies", look::count,
          [known](const StoredWord& word) { return known ? Value(duplicates_of(word)) : Value(); }, "",
          known ? in::everything : in::programs}});
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
    return ", " + counted(summary.sentences, "sentence") + "; " +
           (summary.corpus_tokens > 0 ? counted(summary.corpus_tokens, "token") + ", " : "") +
           counted(summary.occurrences, "word") +
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
    const auto which = [](const LayerRange& range) {
        const auto [first, last] = range;
        return first == last ? count(first) : "the mean of " + count(first) + " to " + count(last);
    };
    std::string text = summary.layers.size() == 1 ? "Layer     " : "Layers    ";
    for (const LayerRange& range : summary.layers) text += (&range == summary.layers.data() ? "" : ", ") + which(range);
    const bool ends_with_range = summary.layers.back().first != summary.layers.back().last;
    return text + (ends_with_range ? ", of " : " of ") + count(summary.model_layers) + ": " + summary.layers_reason +
           "\n";
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

// What was dropped because it repeats something, where that was looked for.
std::string copies(const ExtractSummary& summary) {
    if (summary.deduplicated.empty()) return "";
    const std::string unit = summary.unit == ExtractUnit::text ? "text" : "sentence";
    std::string text = "Copies    " + counted(summary.exact_copies, unit) + " dropped as exact copies";
    if (summary.deduplicated != "exact")
        text += ", " + count(summary.near_copies) + " as near copies (Jaccard index at least 0.7)";
    text += "\n";
    if (summary.not_remembered > 0)
        text += "          " + counted(summary.not_remembered, unit) + " beyond the limit; copies of these stay\n";
    const auto& lost = summary.lost_to_copies;
    if (lost.empty()) return text;
    const std::string names = base::joined(std::span(lost).first(std::min(lost.size(), words_named)), ", ",
                                           [](const std::string& word) { return printable(word); });
    return text + "          too rare without copies: " + names +
           (lost.size() > words_named ? " and " + count(lost.size() - words_named) + " more" : "") + "\n";
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

std::string text_of(const StoreDescription& store, const Style& style, const JobProgress& job) {
    std::string text = style.bold_line(headline(store));
    if (!store.finished) text += style.plain_line(state(store, job)) + text_of(job, style);
    if (!store.settings.empty()) text += "\n" + settings(store, style);
    return text + beginning_of(sources_table(store), 10, all_sources(store), style) +
           beginning_of(skipped_table(store.skipped), store.skipped.size(), "", style) +
           beginning_of(missing_table(store.missing), 20, count(store.missing.size()), style) +
           beginning_of(most_copied_table(store), store.most_copied.size(), "", style) + "\n" +
           text_of(most_frequent_table(store), style);
}

// [4, 4]; of several [[2, 2], [4, 4]].
Json layers_json(const std::vector<LayerRange>& layers) {
    Json all = Json::array();
    for (const auto& [first, last] : layers) all.push_back({first, last});
    return all.size() == 1 ? Json(all.front()) : all;
}

Json json_of(const StoreDescription& store, const JobProgress& job) {
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
        if (job.of > 0) json["progress"] = json_of(job);
    }
    json["settings"] = std::move(settings);
    json["sources"] = json_of(sources_table(store));
    json["skipped"] = json_of(skipped_table(store.skipped));
    json["missing"] = json_of(missing_table(store.missing));
    json["most_frequent"] = json_of(most_frequent_table(store));
    json["most_copied"] = json_of(most_copied_table(store));
    return json;
}

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
           keeping(summary) + missing(summary, folder) + copies(summary) + skipping(summary) + embedding(summary) +
           "\n" + style.dim(next_step(summary, folder)) + "\n";
}

std::string extraction_json(const ExtractSummary& summary, const std::string& folder) {
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
                    {"corpus_tokens", summary.corpus_tokens},
                    {"words", summary.words},
                    {"rows", summary.rows},
                    {"dimension", summary.dimension},
                    {"device", summary.device},
                    {"skipped", json_of(skipped_table(summary.skipped))},
                    {"files_not_read", summary.files_skipped},
                    {"unit", name_of(summary.unit)},
                    {"formats", formats},
                    {"format_detected", summary.format_detected},
                    {"layers", layers_json(summary.layers)},
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
                    {"embed_seconds", summary.embed_seconds},
                    {"deduplicate", summary.deduplicated.empty() ? "none" : summary.deduplicated},
                    {"exact_copies", summary.exact_copies},
                    {"near_copies", summary.near_copies},
                    {"not_remembered", summary.not_remembered},
                    {"lost_to_copies", summary.lost_to_copies}});
}

}  // namespace wordbreadth::report
