#include "store/store_lock.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

#include "store/layout.h"
#include "support/errors.h"
#include "support/temporary.h"

namespace wordbreadth::store {
namespace {

// A process that has ended, and that nobody has asked about yet: until then its number is not used again.
class DeadProcess {
  public:
    DeadProcess() : id_(fork()) {
        if (id_ == 0) _exit(0);
        siginfo_t info{};
        waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOWAIT);
    }
    DeadProcess(const DeadProcess&) = delete;
    DeadProcess& operator=(const DeadProcess&) = delete;
    ~DeadProcess() { waitpid(id_, nullptr, 0); }

    [[nodiscard]] LockOwner owner() const {
        LockOwner owner = this_process();
        owner.process = std::to_string(id_);
        return owner;
    }

  private:
    pid_t id_;
};

std::string error_with(const std::string& lock) {
    const TemporaryFolder folder;
    write_file(lock_path(folder.path()), lock);
    const std::string error = error_of([&] { const StoreLock taken(folder.path()); });
    EXPECT_EQ(std::filesystem::exists(lock_path(folder.path())), error != "no error");
    return error;
}

TEST(StoreLock, KeepsOthersOutAndSaysWhoHasIt) {
    const TemporaryFolder folder;
    {
        const StoreLock lock(folder.path());
        const std::string error = error_of([&] { const StoreLock second(folder.path()); });
        EXPECT_TRUE(error.starts_with(folder.path() + ": process " + std::to_string(getpid()) + " on host ")) << error;
        EXPECT_TRUE(error.ends_with("remove " + lock_path(folder.path()))) << error;
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
    EXPECT_EQ(error_of([&] { const StoreLock again(folder.path()); }), "no error");
}

TEST(StoreLock, OfAProcessThatIsGoneIsTakenOver) {
    const DeadProcess dead;
    EXPECT_EQ(error_with(to_text(dead.owner())), "no error");
    LockOwner reused = this_process();  // our number, but another start
    reused.started = "1";
    EXPECT_EQ(error_with(to_text(reused)), "no error");
    LockOwner before = this_process();  // the machine was started anew
    before.boot = "another";
    EXPECT_EQ(error_with(to_text(before)), "no error");
    LockOwner none = this_process();
    none.process = "2147483646";
    EXPECT_EQ(error_with(to_text(none)), "no error");
}

TEST(StoreLock, OfAProcessThatCannotBeSeenIsRefused) {
    const DeadProcess dead;
    LockOwner elsewhere = dead.owner();
    elsewhere.host = "elsewhere";
    EXPECT_TRUE(contains(error_with(to_text(elsewhere)), " on host elsewhere (since "));
    LockOwner container = dead.owner();
    container.processes = "pid:[1]";
    EXPECT_TRUE(contains(error_with(to_text(container)), "is writing to this store"));
    EXPECT_TRUE(contains(error_with(""), "another process is writing to this store"));
    EXPECT_TRUE(contains(error_with(std::string(100'000, '\0')), "another process is writing to this store"));
}

TEST(StoreLock, OfADeadProcessGoesToOneOfManyThatWantIt) {
    const TemporaryFolder folder;
    const DeadProcess dead;
    for (int round = 0; round < 20; ++round) {
        write_file(lock_path(folder.path()), to_text(dead.owner()));
        std::atomic<int> taken = 0, done = 0;
        std::vector<std::jthread> threads;
        for (int i = 0; i < 8; ++i)
            threads.emplace_back([&] {
                (void)error_of([&] {
                    const StoreLock lock(folder.path());
                    ++taken;
                    while (done < 7) std::this_thread::yield();
                });
                ++done;
            });
        threads.clear();
        EXPECT_EQ(taken, 1);
        EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
    }
}

}  // namespace
}  // namespace wordbreadth::store
