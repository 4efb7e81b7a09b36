// What a call that resumes may say: nothing that is not in the plan, but for a model that has moved.
#include "extraction/settings.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>

#include "support/errors.h"
#include "support/snapshot.h"
#include "wordbreadth/store.h"

namespace wordbreadth::extraction {
namespace {

class Resume : public testing::Test {
  protected:
    // A plan, made with what options() says, to be resumed by a call that says nothing else.
    void plan() {
        ExtractOptions options = workshop_.options();
        options.plan_only = true;
        extract(options);
    }

    [[nodiscard]] ExtractOptions resuming() const {
        ExtractOptions options;
        options.out = workshop_.path("store");
        options.resume = true;
        options.threads = 1;
        return options;
    }

    std::string error_with(const std::function<void(ExtractOptions&)>& say) const {
        ExtractOptions options = resuming();
        say(options);
        return error_of([&] { extract(options); });
    }

    Workshop workshop_{random_lines(100)};
};

TEST_F(Resume, RefusesWhateverDiffersFromThePlan) {
    plan();
    const std::string start = workshop_.path("store") + ": was planned with ";
    const std::string end = ": resume it with the same, or extract again into another folder";
    const auto expect = [&](const std::string& what, const std::function<void(ExtractOptions&)>& say) {
        EXPECT_EQ(error_with(say), start + what + end);
    };
    expect("precision \"f32\"; this call says \"f16\"", [](auto& call) { call.precision = Precision::f16; });
    expect("device \"cpu\"; this call says \"cuda\"", [](auto& call) { call.device = "cuda"; });
    expect("layers \"1\"; this call says \"0-2\"", [](auto& call) { call.layers = {{0, 2}}; });
    expect("seed \"0\"; this call says \"5\"", [](auto& call) {
        call.seed = 5;
        call.stated = {"seed"};
    });
    expect("min count \"20\"; this call says \"40\"", [](auto& call) {
        call.min_count = 40;
        call.stated = {"min count"};
    });
    expect("subwords \"single\"; this call says \"mean\"", [](auto& call) {
        call.subwords = Subwords::mean;
        call.stated = {"subwords"};
    });
    EXPECT_TRUE(extract(resuming()).finished);
}

// After an overflow in f16, which only a GPU has: the store stays f16.
TEST_F(Resume, RefusesAnotherPrecisionThanAGpusPlan) {
    {
        store::PlanWriter writer(workshop_.path("planned"));
        writer.add_setting("device", "cuda");
        writer.add_setting("number type", "f16");
        writer.add_document(0, "document");
        writer.add_word({"bank", 2, 2, 1});
        const std::vector<std::int32_t> tokens = {101, 7, 102};
        writer.add_sentence({0, 0, "bank", tokens});
        writer.add_occurrence({0, 0, 0, 0, 4, 1, 1});
        writer.add_shard({0, 0, 3, 1});
        writer.keep();
    }
    store::Plan plan(workshop_.path("planned"));
    ExtractOptions call;
    call.precision = Precision::bf16;
    EXPECT_TRUE(contains(error_of([&] { require_same(plan, call); }),
                         "was planned with precision \"f16\"; this call says \"bf16\""));
    call.precision = Precision::f16;
    EXPECT_EQ(error_of([&] { require_same(plan, call); }), "no error");
}

TEST_F(Resume, AcceptsWhatIsAsPlanned) {
    ExtractOptions options = workshop_.options();
    options.plan_only = true;
    options.letter_case = LetterCase::keep;
    options.words = {"bank", "Bank"};
    extract(options);
    ExtractOptions call = resuming();
    call.device = "cpu";
    call.precision = Precision::f32;
    call.layers = {{1, 1}};
    call.min_count = 20;
    call.words = {"bank", "Bank"};  // read in the plan's case, though this call does not state it
    call.stated = {"words", "min count", "device", "out", "resume"};
    EXPECT_TRUE(extract(call).finished);
}

TEST_F(Resume, TakesAModelThatHasMovedAndRefusesAnother) {
    plan();
    std::filesystem::rename(workshop_.path("model"), workshop_.path("moved"));
    EXPECT_NE(error_with([](auto&) {}).find("its model \"" + workshop_.path("model") + "\" is no longer there"),
              std::string::npos);
    write_snapshot(workshop_.path("other"));
    write_file(workshop_.path("other/vocab.txt"), content_of(workshop_.path("moved/vocab.txt")) + "zebra\n");
    store::Plan plan(workshop_.path("store"));
    const std::string error = error_with([&](auto& call) { call.model = workshop_.path("other"); });
    EXPECT_NE(error.find("is not the model that"), std::string::npos) << error;
    EXPECT_NE(error.find(" instead of " + plan.setting("model sha256").substr(0, 12)), std::string::npos) << error;
    const std::string unlike = std::string(TESTS_DIR) + "/data/models/modernbert";  // takes other lengths, too
    EXPECT_TRUE(contains(error_with([&](auto& call) { call.model = unlike; }), "is not the model that"));
    ExtractOptions call = resuming();
    call.model = workshop_.path("moved");
    call.stated = {"model"};
    EXPECT_TRUE(extract(call).finished);
}

TEST_F(Resume, FindsAModelThatWasNamedByARelativePath) {
    ExtractOptions options = workshop_.options();
    options.model = std::filesystem::relative(workshop_.path("model")).string() + "/";
    options.plan_only = true;
    ASSERT_FALSE(options.model.starts_with("/"));
    extract(options);
    EXPECT_EQ(store::Plan(options.out).setting("model"), std::filesystem::absolute(workshop_.path("model")).string());
    EXPECT_TRUE(extract(resuming()).finished);
}

TEST_F(Resume, RefusesAMachineThatComputesOtherwise) {
    plan();
    store::Plan plan(workshop_.path("store"));
    ModelRecord record;
    record.precision = "bf16";
    EXPECT_NE(error_of([&] {
                  require_same_precision(plan, record);
              }).find("was planned with precision f32, but this machine computes in bf16"),
              std::string::npos);
}

TEST_F(Resume, SaysWhichFormatAndLayerItTookAndWhy) {
    ExtractOptions options = workshop_.options();
    options.plan_only = true;
    options.corpus_format = "auto";
    ExtractSummary summary = extract(options);
    ASSERT_EQ(summary.formats.size(), 1U);
    EXPECT_EQ(summary.formats[0].name, "text");
    EXPECT_EQ(summary.formats[0].files, 1U);
    EXPECT_TRUE(summary.format_detected);
    EXPECT_EQ(summary.layers.back().last, 1U);
    EXPECT_EQ(summary.model_layers, 3U);
    EXPECT_EQ(summary.layers_reason, "one third up, the default");
    summary = extract(resuming());
    EXPECT_EQ(summary.layers_reason, "as planned");
    EXPECT_EQ(summary.formats.size(), 1U);
    options.out = workshop_.path("other");
    options.layers = {{1, 2}};
    EXPECT_EQ(extract(options).layers_reason, "as asked");
}

}  // namespace
}  // namespace wordbreadth::extraction
