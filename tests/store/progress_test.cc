#include "store/progress.h"

#include <gtest/gtest.h>

#include "store/layout.h"
#include "support/small_store.h"
#include "support/temporary.h"
#include "wordbreadth/store.h"

namespace wordbreadth::store {
namespace {

using State = PartReport::State;

PartState part(std::uint64_t number, std::uint64_t of, const std::string& state, double done, std::uint64_t units,
               double seconds) {
    PartState found;
    found.part = {number, of};
    found.stage = "embedding";
    found.state = state;
    found.done = done;
    found.units = units;
    found.seconds = seconds;
    found.owner.host = "elsewhere";
    return found;
}

TEST(Progress, OfAJobInOnePieceIsNone) {
    const JobProgress job = progress_of({}, "token");
    EXPECT_EQ(job.of, 0U);
    EXPECT_FALSE(job.seconds_left);
}

TEST(Progress, CountsPartsByTheirState) {
    const JobProgress job = progress_of({part(1, 6, "finished", 1, 100, 10), part(2, 6, "running", 0.5, 50, 10),
                                         part(3, 6, "failed", 0.2, 20, 10), part(5, 6, "stopped", 0, 0, 0)},
                                        "token");
    EXPECT_EQ(job.of, 6U);
    EXPECT_EQ(job.count(State::finished), 1U);
    EXPECT_EQ(job.count(State::running), 1U);
    EXPECT_EQ(job.count(State::failed), 1U);
    EXPECT_EQ(job.count(State::stopped), 1U);
    EXPECT_EQ(job.not_begun(), 2U);
}

// Two run at 5 and 10 tokens per second. Of parts of 100 tokens, 0.5 + 0.5 and one whole are left: 200 tokens.
TEST(Progress, TellsTheEndFromTheDurationsThatPartsMeasured) {
    const std::vector<PartState> states{part(1, 4, "finished", 1, 100, 3), part(2, 4, "running", 0.5, 50, 10),
                                        part(3, 4, "running", 0.5, 50, 5)};
    const JobProgress job = progress_of(states, "token", [](const Part&) { return 100; });
    EXPECT_DOUBLE_EQ(job.units_per_second, 15);
    ASSERT_TRUE(job.seconds_left);
    EXPECT_DOUBLE_EQ(*job.seconds_left, 200.0 / 15);
    EXPECT_DOUBLE_EQ(*progress_of(states, "token").seconds_left, 200.0 / 15);
}

// A process that found 90 of 100 tokens and made 5 in 10 seconds takes 10 for the rest.
TEST(Progress, LeavesOutOfThePaceWhatAProcessFound) {
    const JobProgress job = progress_of({part(1, 1, "running", 0.95, 5, 10)}, "token", [](const Part&) { return 100; });
    EXPECT_NEAR(*job.seconds_left, 10, 1e-9);
}

TEST(Progress, EndsNoSoonerThanTheSlowestPart) {
    const JobProgress job = progress_of({part(1, 2, "running", 0.1, 10, 100), part(2, 2, "running", 0.9, 90, 10)},
                                        "token", [](const Part&) { return 100; });
    EXPECT_NEAR(*job.seconds_left, 900, 1e-9);
}

TEST(Progress, HasNoEndWhereNoPartRuns) {
    EXPECT_FALSE(progress_of({part(1, 2, "stopped", 0.1, 10, 100)}, "token").seconds_left);
    EXPECT_FALSE(progress_of({part(1, 2, "running", 0, 0, 0)}, "token").seconds_left);
}

TEST(Progress, IsThatOfTheDivisionWithMoreParts) {
    const JobProgress job = progress_of(
        {part(1, 2, "stopped", 0, 0, 0), part(1, 8, "running", 0, 0, 0), part(2, 8, "running", 0, 0, 0)}, "token");
    EXPECT_EQ(job.of, 8U);
    EXPECT_EQ(job.parts.size(), 2U);
}

// A process of this machine that has ended, though its state says that it runs.
TEST(Progress, SeesThatAProcessOfThisMachineWasKilled) {
    PartState killed = part(1, 2, "running", 0.5, 50, 10);
    killed.owner = this_process();
    EXPECT_EQ(progress_of({killed}, "token").count(State::running), 1U);
    killed.owner.process = "4194304";  // larger than any
    EXPECT_EQ(progress_of({killed}, "token").count(State::killed), 1U);
}

TEST(StoreProgress, IsThatOfItsParts) {
    const TemporaryFolder folder;
    write_small_plan(folder.path());
    write_small_shard(folder.path(), 0);
    write(shards_folder(folder.path()), part(1, 2, "finished", 1, 9, 3));
    EXPECT_FALSE(is_being_planned(folder.path()));
    const JobProgress found = progress_of_store(folder.path());
    EXPECT_EQ(found.of, 2U);
    EXPECT_EQ(found.count(State::finished), 1U);
    EXPECT_EQ(found.unit, "token");
}

TEST(StoreProgress, IsThatOfThePartsOfItsPlanBeforeThereIsOne) {
    const TemporaryFolder folder;
    std::filesystem::create_directory(parts_folder(folder.path()));
    write(parts_folder(folder.path()), part(2, 3, "running", 0.25, 1000, 2));
    EXPECT_TRUE(is_being_planned(folder.path()));
    const JobProgress found = progress_of_store(folder.path());
    EXPECT_EQ(found.of, 3U);
    EXPECT_EQ(found.unit, "word");
    ASSERT_EQ(found.parts.size(), 1U);
    EXPECT_EQ(found.parts[0].units, 1000U);
}

}  // namespace
}  // namespace wordbreadth::store
