#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/results.h"

namespace wordbreadth::report {
namespace {

using State = PartReport::State;

JobProgress example() {
    JobProgress job;
    job.unit = "token";
    job.of = 8;
    job.parts = {{{1, 8}, State::finished, 1, 1000, 10, "", "node1"},
                 {{2, 8}, State::running, 0.5, 500, 10, "", "node2"},
                 {{3, 8}, State::killed, 0.5, 500, 10, "", "node1"},
                 {{4, 8}, State::failed, 0.1, 0, 1, "no space left on device", "node3"}};
    job.units_per_second = 12'345.6;
    job.seconds_left = 200;
    return job;
}

TEST(Progress, OfAJobInOnePieceIsNotMentioned) {
    EXPECT_EQ(text_of(JobProgress(), Style()), "");
}

TEST(Progress, SaysWhatIsDoneAndLeftHowFastAndWhyPartsFailed) {
    EXPECT_EQ(text_of(example(), Style()),
              "8 parts: 1 finished, 1 running, 1 failed, 1 killed, 4 not begun; 12,345 tokens/s, 3 min 20 s left\n"
              "part 4 failed on node3: no space left on device\n");
}

TEST(Progress, SaysNothingOfAnEndThatCannotBeTold) {
    JobProgress job = example();
    job.parts.resize(1);
    job.units_per_second = 0;
    job.seconds_left.reset();
    EXPECT_EQ(text_of(job, Style()), "8 parts: 1 finished, 7 not begun\n");
    EXPECT_TRUE(json_of(job)["seconds_left"].is_null());
}

TEST(Progress, AsJsonHasEveryPart) {
    const Json json = json_of(example());
    EXPECT_EQ(json["of"], 8);
    EXPECT_EQ(json["killed"], 1);
    EXPECT_EQ(json["not_begun"], 4);
    EXPECT_EQ(json["parts"].size(), 4U);
    EXPECT_EQ(json["parts"][3]["state"], "failed");
    EXPECT_EQ(json["parts"][3]["error"], "no space left on device");
}

}  // namespace
}  // namespace wordbreadth::report
