#include "base/workers.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <new>

#include "cpu/onednn.h"

namespace wordbreadth::base {
namespace {

constexpr int cannot_be_limited = 77;

// From here on the system lets this process start a few threads at most, and does not ask who it is: root has no limit.
bool limit_threads() {
    const rlimit few{8, 8};
    if (setrlimit(RLIMIT_NPROC, &few) != 0) return false;
    return getuid() != 0 || setuid(65534) == 0;
}

// In a process of its own: 0 when all is done by fewer threads than were asked for.
int run_with_the_threads_it_gets() {
    if (!limit_threads()) return cannot_be_limited;
    Workers workers(64);
    std::atomic<std::size_t> sum = 0;
    for (int round = 0; round < 3; ++round) workers.run(1000, [&](std::size_t piece, std::size_t) { sum += piece; });
    return workers.size() < 64 && sum == 3U * 499'500U ? 0 : 1;
}

// Runs of fewer pieces than threads do not wait for the threads that have none; late ones must not disturb the next.
TEST(Workers, RunEveryPieceOnceInManyShortRuns) {
    Workers workers(8);
    for (std::size_t round = 0; round < 20'000; ++round) {
        std::array<std::atomic<int>, 5> times{};
        const std::size_t pieces = round % 6;
        workers.run(pieces, [&](std::size_t piece, std::size_t) { ++times[piece]; });
        for (std::size_t piece = 0; piece < times.size(); ++piece) ASSERT_EQ(times[piece], piece < pieces ? 1 : 0);
    }
}

TEST(Workers, ThrowWhatAPieceThrowsAndGoOn) {
    Workers workers(4);
    for (int round = 0; round < 200; ++round) {
        std::atomic<int> done = 0;
        EXPECT_THROW(workers.run(50,
                                 [&](std::size_t piece, std::size_t) {
                                     if (piece == 7) throw std::bad_alloc();
                                     ++done;
                                 }),
                     std::bad_alloc);
        EXPECT_LT(done, 50);
        done = 0;
        workers.run(50, [&](std::size_t, std::size_t) { ++done; });
        EXPECT_EQ(done, 50);
    }
}

TEST(WorkersDeathTest, DoTheWorkWithTheThreadsThatCanBeStarted) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto done_or_not_limited = [](int status) {
        return WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == cannot_be_limited);
    };
    EXPECT_EXIT(_exit(run_with_the_threads_it_gets()), done_or_not_limited, "");
}

TEST(OneDnn, WithoutMemoryIsBadAlloc) {
    const auto fail = [](dnnl_status_t status) { throw dnnl::error(status, "could not create a memory object"); };
    EXPECT_THROW(cpu::within_memory([&] { fail(dnnl_out_of_memory); }), std::bad_alloc);
    EXPECT_THROW(cpu::within_memory([&] { fail(dnnl_invalid_arguments); }), dnnl::error);
    EXPECT_EQ(cpu::within_memory([] { return 3; }), 3);
}

}  // namespace
}  // namespace wordbreadth::base
