// Clouds of two stores in one call: stores that were made differently are refused, or the result says so.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/cloud_files.h"
#include "cli/tsv.h"
#include "support/program.h"
#include "support/two_stores.h"

namespace wordbreadth::cli {
namespace {

using nlohmann::json;

class MixedStores : public ::testing::Test {
  protected:
    MixedStores() {
        write_store_made_with(a_, {{"model", "m"}, {"layers", "1"}, {"subwords", "mean"}});
        write_store_made_with(b_, {{"model", "m"}, {"layers", "4"}, {"subwords", "single"}});
    }

    [[nodiscard]] Arguments test(const std::string& x, const std::string& y, const Arguments& more = {}) const {
        Arguments call = {"test", x + ":bank", y + ":bank"};
        call.insert(call.end(), more.begin(), more.end());
        return call;
    }

    [[nodiscard]] Arguments compare(const Arguments& more = {}) const {
        Arguments call = {"compare", a_, b_};
        call.insert(call.end(), more.begin(), more.end());
        return call;
    }

    static constexpr const char* differences_ = "layers: 1 and 4, subwords: mean and single";
    TemporaryFolder folder_;
    std::string a_ = folder_.path() + "/a", b_ = folder_.path() + "/b";
};

TEST_F(MixedStores, MadeDifferentlyAreRefusedWithBothValues) {
    const std::string refusal = a_ + " and " + b_ + ": different " + differences_ +
                                "; extract both corpora with the same settings, or compare them anyway with --force";
    expect_one_line(run(test(a_, b_)), 2, refusal);
    expect_one_line(run(compare()), 2, refusal);
}

TEST_F(MixedStores, ForcedSayThatTheyWere) {
    const std::string note = std::string("note: forced: the two stores have different ") + differences_ + "\n";
    for (const Arguments& call : {test(a_, b_, {"--force"}), compare({"--force"})}) {
        const Outcome text = run(call);
        EXPECT_EQ(text.code, 0) << text.err;
        EXPECT_NE(text.out.find(note), std::string::npos) << text.out;
        Arguments more = call;
        more.insert(more.end(), {"--format", "json"});
        EXPECT_EQ(json::parse(run(more).out)["forced"], differences_);
        more.back() = "tsv";
        EXPECT_EQ(read_tsv(run(more).out).at(0).at("forced"), differences_);
    }
    const std::string page = folder_.path() + "/page.html";
    EXPECT_EQ(run(compare({"--force", "--html", page})).code, 0);
    const std::string html = content_of(page);
    EXPECT_NE(html.find("forced: the two stores have different layers: 1 and 4"), std::string::npos);
    EXPECT_NE(html.find("b: layers"), std::string::npos);
}

TEST_F(MixedStores, OfDifferentDimensionsCannotBeForced) {
    const std::string wide = folder_.path() + "/wide";
    write_store_made_with(wide, {{"model", "m"}}, 4);
    expect_one_line(run(test(a_, wide, {"--force"})), 2, "different dimensions: 3 and 4");
    expect_one_line(run({"compare", a_, wide, "--force"}), 2, "different dimensions: 3 and 4");
}

TEST_F(MixedStores, WhatCannotBeCheckedIsAllowed) {
    const TemporaryFile file(".safetensors", safetensors_bytes({{"bank", cloud_values(1, {.n = 5, .d = 3})}}, 3));
    for (const std::string& other : {file.path(), a_, a_ + "/"}) {
        const json found = json::parse(run(test(a_, other, {"--format", "json"})).out);
        EXPECT_TRUE(found.at("forced").is_null()) << other;
        EXPECT_EQ(found["x"], "bank");
        EXPECT_EQ(found["y"], "bank");
        EXPECT_EQ(found["x_source"], a_);
        EXPECT_EQ(found["y_source"], other);
    }
}

}  // namespace
}  // namespace wordbreadth::cli
