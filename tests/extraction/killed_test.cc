// The promise of --resume, kept by a process that is killed without warning.
#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <thread>

#include "support/program.h"
#include "support/snapshot.h"

namespace wordbreadth::extraction {
namespace {

using std::chrono::microseconds;

// An extraction into `out`, in the background.
class Extraction : public cli::Program {
  public:
    Extraction(const Workshop& workshop, const std::string& out, const std::string& layers = "2")
        : Program({"extract",         "--resume",
                   "--model",         workshop.path("model"),
                   "--corpus",        workshop.path("corpus.txt"),
                   "--corpus-format", "lines",
                   "--out",           workshop.path(out),
                   "--max-tokens",    "40",
                   "--min-count",     "20",
                   "--per-word",      "0",
                   "--shard-tokens",  "3000",
                   "--layer",         layers,
                   "--device",        "cpu"},
                  "/dev/null", "/dev/null") {}
};

class Killed : public testing::TestWithParam<const char*> {};

TEST_P(Killed, AtTenRandomMomentsEndsWithTheSameBytes) {
    const Workshop workshop(random_lines(3000));
    const auto begin = std::chrono::steady_clock::now();
    ASSERT_EQ(Extraction(workshop, "whole", GetParam()).wait(), 0);
    const auto whole = std::chrono::duration_cast<microseconds>(std::chrono::steady_clock::now() - begin);
    std::mt19937 random(7);
    int killed = 0;
    for (int i = 0; i < 10; ++i) {
        Extraction extraction(workshop, "killed", GetParam());
        std::this_thread::sleep_for(microseconds(random() % (whole.count() / 2)));
        extraction.interrupt(SIGKILL);
        killed += extraction.wait() == 128 + SIGKILL ? 1 : 0;
    }
    EXPECT_GT(killed, 0);
    ASSERT_EQ(Extraction(workshop, "killed", GetParam()).wait(), 0);
    EXPECT_EQ(files_in(workshop.path("whole")), files_in(workshop.path("killed")));
}

INSTANTIATE_TEST_SUITE_P(Extract, Killed, testing::Values("2", "1,2,0-3"));

}  // namespace
}  // namespace wordbreadth::extraction
