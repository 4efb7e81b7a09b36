// Corpora that are not UTF-8, or not quite, and the one that comes through standard input.
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "store/plan.h"
#include "support/errors.h"
#include "support/program.h"
#include "support/snapshot.h"
#include "wordbreadth/store.h"

namespace wordbreadth::extraction {
namespace {

using namespace std::string_literals;
using nlohmann::json;

std::string in_utf_16(const std::string& ascii) {
    std::string bytes = "\xFF\xFE";
    for (const char c : ascii) bytes.append(1, c).append(1, '\0');
    return bytes;
}

void expect_same_clouds(const std::string& a, const std::string& b) {
    const Store one(a), other(b);
    ASSERT_EQ(one.words().size(), other.words().size());
    for (std::size_t word = 0; word < one.words().size(); ++word) {
        EXPECT_EQ(one.words()[word].word, other.words()[word].word);
        EXPECT_TRUE(std::ranges::equal(one.rows(word), other.rows(word))) << one.words()[word].word;
    }
}

TEST(Decoding, Utf16GivesTheSameClouds) {
    const Workshop workshop;
    extract(workshop.options("utf-8"));
    write_file(workshop.path("corpus.txt"), in_utf_16(content_of(workshop.path("corpus.txt"))));
    const ExtractSummary summary = extract(workshop.options("utf-16"));
    EXPECT_EQ(summary.decoded, (std::vector<std::string>{"1 file from UTF-16LE"}));
    expect_same_clouds(workshop.path("utf-8"), workshop.path("utf-16"));
    ExtractOptions unknown = workshop.options("unknown");
    unknown.encoding = "utf-61";
    EXPECT_TRUE(contains(error_of([&] { extract(unknown); }), "did you mean \"utf-16\""));
}

// What is left out is known to the summary, to the plan and so to a run that resumes it.
TEST(Decoding, InvalidBytesAreLeftOutOnRequestAndRecorded) {
    const std::string lines = random_lines(400);
    const Workshop workshop("\xFF"s + lines);
    EXPECT_TRUE(
        contains(error_of([&] { extract(workshop.options("error")); }), "corpus.txt:1: byte 1 of the line, 0xFF"));
    ExtractOptions options = workshop.options("skipped");
    options.invalid = InvalidBytes::skip;
    options.plan_only = true;
    const ExtractSummary planned = extract(options);
    EXPECT_EQ(planned.invalid, 1U);
    EXPECT_EQ(planned.invalid_places, (std::vector<std::string>{workshop.path("corpus.txt") + ":1, byte 1"}));
    store::Plan plan(options.out);
    EXPECT_EQ(plan.setting("invalid bytes"), "skip");
    EXPECT_EQ(plan.setting("invalid found"), "1");
    options.resume = true;
    options.plan_only = false;
    options.invalid = InvalidBytes::error;
    EXPECT_TRUE(contains(error_of([&] { extract(options); }), "planned with invalid bytes \"skip\""));
    options.corpus.clear();
    const ExtractSummary resumed = extract(options);
    EXPECT_EQ(resumed.invalid, 1U);
    EXPECT_EQ(resumed.invalid_treatment, "skip");
    EXPECT_EQ(resumed.invalid_places, planned.invalid_places);
    write_file(workshop.path("corpus.txt"), lines);
    extract(workshop.options("clean"));
    expect_same_clouds(workshop.path("clean"), workshop.path("skipped"));
}

// The program, as a user runs it. Returns what it printed; standard output and errors together.
std::string printed(const std::string& before, const std::string& arguments) {
    const TemporaryFile out(".out", "");
    const std::string command =
        before + std::string(WORDBREADTH_PROGRAM) + " " + arguments + " > " + out.path() + " 2>&1";
    (void)std::system(command.c_str());
    return content_of(out.path());
}

TEST(Decoding, StandardInputIsACorpus) {
    const Workshop workshop;
    const std::string options =
        " --max-tokens 40 --min-count 20 --per-word 30 --device cpu"
        " --threads 1 --model " +
        workshop.path("model");
    extract(workshop.options("file"));
    const std::string text =
        printed("gzip -c " + workshop.path("corpus.txt") + " | ",
                "extract --corpus-format lines --corpus - --out " + workshop.path("piped") + options);
    EXPECT_TRUE(contains(text, "1 file, 1 document, 400 sentences")) << text;
    expect_same_clouds(workshop.path("file"), workshop.path("piped"));
    store::Plan plan(workshop.path("piped"));
    EXPECT_EQ(plan.sources().at(0).path, "standard input");
    EXPECT_TRUE(contains(printed("printf 'a \\377' | ", "extract --corpus - --out " + workshop.path("bad") + options),
                         "standard input:1: byte 3 of the line, 0xFF"));
    EXPECT_TRUE(contains(printed("", "extract --corpus - --out " + workshop.path("none") + options + " < /dev/null"),
                         "standard input: is empty"));
    EXPECT_TRUE(contains(printed("echo a | ", "extract --corpus - - --out " + workshop.path("twice") + options),
                         "standard input: is named twice"));
}

TEST(Decoding, TheProgramSaysWhatWasInvalid) {
    const Workshop workshop(random_lines(400) + "\xFF\n");
    const std::string base = "extract --corpus-format lines --max-tokens 40 --min-count 20 --device cpu --model " +
                             workshop.path("model") + " --corpus " + workshop.path("corpus.txt");
    const std::string place = workshop.path("corpus.txt") + ":401, byte 1";
    const std::string text = printed("", base + " --invalid replace --encoding UTF8 --out " + workshop.path("store"));
    EXPECT_TRUE(contains(text, "Invalid   1 byte sequence, replaced by U+FFFD\n          " + place + "\n")) << text;
    const std::string info = printed("", "info " + workshop.path("store"));
    EXPECT_TRUE(contains(info, "invalid bytes")) << info;
    EXPECT_TRUE(contains(info, place)) << info;
    const json found =
        json::parse(printed("", base + " --plan-only --invalid skip --format json --out " + workshop.path("json")));
    EXPECT_EQ(found["invalid"]["count"], 1);
    EXPECT_EQ(found["invalid"]["places"][0], place);
    EXPECT_TRUE(contains(printed("", base + " --invalid drop --out x"), "expected error|skip|replace"));
}

}  // namespace
}  // namespace wordbreadth::extraction
