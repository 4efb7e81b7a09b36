// wordbreadth breadth --by-size.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/cloud_files.h"
#include "cli/tsv.h"
#include "support/program.h"
#include "support/small_store.h"
#include "wordbreadth/by_size.h"
#include "wordbreadth/files.h"

namespace wordbreadth::cli {
namespace {

using Json = nlohmann::ordered_json;

TEST(BySizeCommand, GivesTheNumbersOfTheLibrary) {
    const TemporaryFile file = npy_file(1, {.n = 60});
    const Outcome outcome = run({"breadth", file.path(), "--by-size", "--seed", "3", "--format", "json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json json = Json::parse(outcome.out);
    BySizeOptions options;
    options.seed = 3;
    const BreadthBySize expected = by_size(load_cloud(file.path()), options);
    ASSERT_EQ(json["results"].size(), expected.sizes.size());
    for (std::size_t i = 0; i < expected.sizes.size(); ++i) {
        EXPECT_EQ(json["results"][i]["n"], expected.sizes[i].n);
        EXPECT_EQ(json["results"][i]["breadth"], expected.sizes[i].breadth);
        EXPECT_EQ(json["results"][i]["high"], expected.sizes[i].high);
    }
    EXPECT_EQ(json["enough"][0]["n"], expected.enough[0].n);
    EXPECT_EQ(json["p_in_order"], expected.p_in_order);
}

TEST(BySizeCommand, SaysHowManyOccurrencesAreEnough) {
    const TemporaryFile file = npy_file(1, {.n = 60});
    const std::string text = run({"breadth", file.path(), "--by-size"}).out;
    EXPECT_NE(text.find("The interval is within 10% of the breadth from about"), std::string::npos) << text;
    EXPECT_NE(text.find("half width"), std::string::npos) << text;
    EXPECT_TRUE(run({"breadth", file.path(), "--by-size", "--format", "tsv"})
                    .out.starts_with("n\tdocuments\tbreadth\tlow\thigh\thalf_width\tv\tdraws\tdefined\n5\t"));
}

TEST(BySizeCommand, WritesAPageWithItsFigures) {
    const TemporaryFolder folder;
    const std::string store = folder.path() + "/store", page = folder.path() + "/page.html";
    store::write_store(store, {{"bank", 60, 60, 1.0}, {"river", 40, 40, 1.0}}, 8, 3);
    EXPECT_TRUE(
        output_of({"breadth", store + ":bank", "--by-size", "--html", page}).ends_with("report: " + page + "\n"));
    const std::string html = content_of(page);
    for (const char* const part :
         {"How many occurrences of &quot;bank&quot; are enough", "60 occurrences of 20 documents",
          "data-name=\"by-size-breadth\"", "data-name=\"by-size-interval\"", "v (paper)"})
        EXPECT_NE(html.find(part), std::string::npos) << part;
    expect_one_line(run({"breadth", store, "--html", page}), 2, "--html has no effect without --by-size");
}

TEST(BySizeCommand, TakesRowsOrLabelsInPlaceOfDocuments) {
    const TemporaryFolder folder;
    const std::string store = folder.path() + "/store";
    store::write_store(store, {{"bank", 60, 60, 1.0}, {"river", 40, 40, 1.0}}, 8, 3);
    const auto documents = [&](const Arguments& more) -> double {
        Arguments call = {"breadth", store + ":bank", "--by-size", "--format", "json"};
        call.insert(call.end(), more.begin(), more.end());
        return Json::parse(output_of(call))["results"].back()["documents"];
    };
    EXPECT_EQ(documents({}), 20);
    EXPECT_EQ(documents({"--blocks", "none"}), 0);
    std::string labels;
    for (int i = 0; i < 60; ++i) labels += "bank\t" + std::to_string(i / 6) + "\n";
    folder.add("labels.tsv", labels);
    EXPECT_EQ(documents({"--blocks", folder.path() + "/labels.tsv"}), 10);
}

TEST(BySizeCommand, TakesOneCloud) {
    const TemporaryFile x = npy_file(1, {.n = 12}), few = npy_file(2, {.n = 3});
    expect_one_line(run({"breadth", x.path(), few.path(), "--by-size"}), 2, "--by-size takes one cloud, not 2");
    expect_one_line(run({"breadth", few.path(), "--by-size"}), 2, "has 3 rows; breadth by size takes at least 4");
    expect_one_line(run({"breadth", x.path(), "--by-size", "--common-size", "5"}), 2, "--common-size has no effect");
}

}  // namespace
}  // namespace wordbreadth::cli
