// The promise of --resume, kept by a process that is killed without warning.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <map>
#include <random>
#include <thread>

#include "support/snapshot.h"

namespace wordbreadth::extraction {
namespace {

using std::chrono::microseconds;

pid_t start(const Workshop& workshop, const std::string& out) {
    std::vector<std::string> words = {WORDBREADTH_PROGRAM,
                                      "extract",
                                      "--resume",
                                      "--model",
                                      workshop.path("model"),
                                      "--corpus",
                                      workshop.path("corpus.txt"),
                                      "--corpus-format",
                                      "lines",
                                      "--out",
                                      workshop.path(out),
                                      "--max-tokens",
                                      "40",
                                      "--min-count",
                                      "20",
                                      "--per-word",
                                      "0",
                                      "--shard-tokens",
                                      "3000",
                                      "--device",
                                      "cpu",
                                      "--format",
                                      "json"};
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t process = 0;
    EXPECT_EQ(posix_spawn(&process, words.front().c_str(), &actions, nullptr, arguments.data(), environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    return process;
}

int status_of(pid_t process) {
    int status = 0;
    waitpid(process, &status, 0);
    return status;
}

TEST(Extract, KilledAtTenRandomMomentsEndsWithTheSameBytes) {
    const Workshop workshop(random_lines(3000));
    const auto begin = std::chrono::steady_clock::now();
    ASSERT_EQ(status_of(start(workshop, "whole")), 0);
    const auto whole = std::chrono::duration_cast<microseconds>(std::chrono::steady_clock::now() - begin);
    std::mt19937 random(7);
    int killed = 0;
    for (int i = 0; i < 10; ++i) {
        const pid_t process = start(workshop, "killed");
        std::this_thread::sleep_for(microseconds(random() % (whole.count() / 2)));
        kill(process, SIGKILL);
        killed += WIFSIGNALED(status_of(process)) ? 1 : 0;
    }
    EXPECT_GT(killed, 0);
    ASSERT_EQ(status_of(start(workshop, "killed")), 0);
    EXPECT_EQ(files_in(workshop.path("whole")), files_in(workshop.path("killed")));
}

}  // namespace
}  // namespace wordbreadth::extraction
