#include "report/results.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/table/text.h"
#include "support/text.h"

namespace wordbreadth::report {
namespace {

using Stage = ExtractProgress::Stage;

ExtractSummary example() {
    ExtractSummary summary;
    summary.planned = summary.finished = true;
    summary.files = 3;
    summary.documents = 3;
    summary.sentences = 500;
    summary.occurrences = 4000;
    summary.types = 600;
    summary.words = 2;
    summary.rows = 80;
    summary.dimension = 384;
    summary.device = "cpu, f32";
    summary.formats = {{"text", 2}, {"jsonl", 1}};
    summary.format_detected = true;
    summary.layers = {{2, 2}};
    summary.model_layers = 6;
    summary.layers_reason = "one third up, the default";
    summary.plan_seconds = 2;
    summary.embed_seconds = 1;
    summary.tokens_now = 9000;
    summary.skipped = {{"is nothing to the model", 7}};
    return summary;
}

TEST(ExtractionText, SaysFormatAndLayerAndWhy) {
    EXPECT_EQ(extraction_text(example(), "s", {}),
              "Read      3 files, 3 documents, 500 sentences; 4,000 words, 600 different; in 2.0 s\n"
              "Format    2 files: text; 1 file: jsonl (detected)\n"
              "Layer     2 of 6: one third up, the default\n"
              "Kept      2 words, 80 rows of 384 dimensions\n"
              "Skipped   7: the word is nothing to the model\n"
              "Embedded  9,000 tokens on cpu, f32, in 1.0 s (9,000 tokens/s)\n"
              "\n"
              "The store is s; see `wordbreadth rank s`\n");
    ExtractSummary summary = example();
    summary.formats = {{"lines", 3}};
    summary.format_detected = false;
    summary.layers = {{2, 4}};
    summary.layers_reason = "as asked";
    const std::string text = extraction_text(summary, "s", {});
    EXPECT_NE(text.find("Format    3 files: lines (as asked)\n"), std::string::npos) << text;
    EXPECT_NE(text.find("Layer     the mean of 2 to 4, of 6: as asked\n"), std::string::npos) << text;
}

TEST(ExtractionText, ListsWhatIsMissing) {
    ExtractSummary summary = example();
    summary.asked = 14;
    for (int i = 10; i < 22; ++i) summary.missing.push_back({"w" + std::to_string(i), 0, 0, "not in the corpus"});
    summary.kept_by_mean = 3;
    summary.warnings = {"part of speech \"X\": no word of the corpus has it"};
    const std::string text = extraction_text(summary, "s", {});
    EXPECT_TRUE(text.starts_with("Warning   part of speech \"X\": no word of the corpus has it\n")) << text;
    EXPECT_NE(text.find("; 4,000 words; in"), std::string::npos) << text;  // how many others there are is not counted
    EXPECT_NE(text.find("Kept      2 words of 14 asked for, 80 rows of 384 dimensions\n"
                        "Missing   w10: not in the corpus\n"
                        "          w11: not in the corpus\n"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("          w19: not in the corpus\n"
                        "          2 more; see `wordbreadth info --format json s`\n"
                        "          --subwords mean takes words of several tokens; it could keep 3 of these\n"),
              std::string::npos)
        << text;
    const auto json = nlohmann::json::parse(extraction_json(summary, "s"));
    EXPECT_EQ(json["missing"].size(), 12U);
    EXPECT_EQ(json["missing"][0].dump(), R"({"frequency":0,"reason":"not in the corpus","usable":0,"word":"w10"})");
    EXPECT_EQ(json["kept_by_subwords_mean"], 3);
    EXPECT_EQ(json["formats"][0]["format"], "text");
    EXPECT_EQ(json["layers"].dump(), "[2,2]");
    EXPECT_EQ(json["model_layers"], 6);
    EXPECT_EQ(json["warnings"].size(), 1U);
}

TEST(ExtractionText, SaysWhatWasDroppedAsCopies) {
    ExtractSummary summary = example();
    summary.deduplicated = "exact";
    summary.exact_copies = 1234;
    EXPECT_TRUE(contains(extraction_text(summary, "s", {}),
                         "dimensions\n"
                         "Copies    1,234 sentences dropped as exact copies\n"
                         "Skipped   7"));
    summary.deduplicated = "near (Jaccard 0.7)";
    summary.near_copies = 56;
    summary.not_remembered = 1;
    summary.lost_to_copies = {"ebook", "handbook"};
    EXPECT_TRUE(contains(extraction_text(summary, "s", {}),
                         "Copies    1,234 sentences dropped as exact copies, 56 as near copies (Jaccard index at least "
                         "0.7)\n"
                         "          1 sentence beyond the limit; copies of these stay\n"
                         "          too rare without copies: ebook, handbook\n"));
    const auto json = nlohmann::json::parse(extraction_json(summary, "s"));
    EXPECT_EQ(json["deduplicate"], "near (Jaccard 0.7)");
    EXPECT_EQ(json["exact_copies"], 1234);
    EXPECT_EQ(json["near_copies"], 56);
    EXPECT_EQ(json["lost_to_copies"].size(), 2U);
    EXPECT_EQ(nlohmann::json::parse(extraction_json(example(), "s"))["deduplicate"], "none");
}

TEST(ExtractionText, OfTextsSpeaksOfTextsAndLabels) {
    ExtractSummary summary = example();
    summary.unit = ExtractUnit::text;
    const std::string text = extraction_text(summary, "s", {});
    EXPECT_EQ(text.find("word "), std::string::npos) << text;
    EXPECT_NE(text.find("3 documents; 4,000 texts, 600 labels; in"), std::string::npos) << text;
    EXPECT_NE(text.find("Kept      2 labels, 80 rows"), std::string::npos) << text;
    EXPECT_NE(text.find("7: the text is nothing to the model"), std::string::npos) << text;
    EXPECT_EQ(nlohmann::json::parse(extraction_json(summary, "s"))["unit"], "text");
}

TEST(ProgressLine, GivesRateAndTimeLeft) {
    const ExtractProgress first{Stage::reading, 0, 0};
    const auto line = [&](double done, double spent, ExtractUnit unit = ExtractUnit::word) {
        return progress_line(first, {Stage::reading, done, 1000}, spent, unit);
    };
    EXPECT_EQ(line(0.5, 10), "reading the corpus 50% [##########..........] 100 words/s, 10 s left");
    EXPECT_EQ(line(0.5, 10, ExtractUnit::text), "reading the corpus 50% [##########..........] 100 texts/s, 10 s left");
    EXPECT_EQ(line(0.9999, 10), "reading the corpus 100% [###################.] 100 words/s, less than a second left");
    EXPECT_EQ(line(1, 10), "reading the corpus 100% [####################] 100 words/s");
    EXPECT_EQ(line(0.5, 0.1), "reading the corpus 50% [##########..........]");
}

}  // namespace
}  // namespace wordbreadth::report
