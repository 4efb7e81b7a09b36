// Running the real program as a user would: its arguments, and what came out.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "support/temporary.h"
#include "support/text.h"

extern char** environ;

namespace wordbreadth::cli {

using Arguments = std::vector<std::string>;

struct Outcome {
    int code = -1;  // 128 + signal when one ended it
    std::string out, err;
};

// A run of the program in the background, its standard output going to `out_path`, its errors to `err_path`.
class Program {
  public:
    Program(const Arguments& arguments, const std::string& out_path, const std::string& err_path) {
        std::vector<char*> words{const_cast<char*>(WORDBREADTH_PROGRAM)};
        for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
        words.push_back(nullptr);
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        if (out_path.empty())
            posix_spawn_file_actions_addclose(&actions, STDOUT_FILENO);
        else
            posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out_path.c_str(), O_WRONLY, 0);
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err_path.c_str(), O_WRONLY | O_NOCTTY, 0);
        const int error = posix_spawn(&id_, WORDBREADTH_PROGRAM, &actions, nullptr, words.data(), environ);
        posix_spawn_file_actions_destroy(&actions);
        if (error != 0) throw std::system_error(error, std::generic_category(), WORDBREADTH_PROGRAM);
    }
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;
    ~Program() {
        if (id_ == ended) return;
        interrupt(SIGKILL);
        (void)wait();
    }

    // Returns the exit code, 128 + signal when one ended it.
    int wait() {
        int status = 0;
        waitpid(id_, &status, 0);
        id_ = ended;
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }

    // Never after wait(): kill() takes the number of an ended program for every process there is.
    void interrupt(int signal = SIGINT) const {
        if (id_ == ended) throw std::logic_error("the program has ended, and takes no signal");
        kill(id_, signal);
    }

    // Waits until the program takes a signal as a request to stop: it then has a thread that waits for one. That it has
    // any second thread means nothing: files are loaded by several. False after 30 seconds.
    [[nodiscard]] bool is_at_work() const {
        for (int tries = 0; tries < 3000; ++tries) {
            std::error_code ignored;  // the program, or one of its threads, may end meanwhile
            for (std::filesystem::directory_iterator task("/proc/" + std::to_string(id_) + "/task", ignored), end;
                 task != end; task.increment(ignored)) {
                std::string name;
                std::getline(std::ifstream(task->path() / "comm"), name);
                if (name == "interrupt") return true;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        return false;
    }

  private:
    static constexpr pid_t ended = -1;
    pid_t id_ = ended;
};

inline Outcome run(const Arguments& arguments) {
    const TemporaryFile out(".out", ""), err(".err", "");
    const int code = Program(arguments, out.path(), err.path()).wait();
    return {code, content_of(out.path()), content_of(err.path())};
}

// Expects an exit code, nothing on stdout, and exactly one line on stderr that holds `part`.
inline void expect_one_line(const Outcome& outcome, int code, const std::string& part) {
    EXPECT_EQ(outcome.code, code);
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(outcome.err.starts_with("wordbreadth: ")) << outcome.err;
    EXPECT_TRUE(outcome.err.ends_with("\n")) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
}

// What is on stderr but for the note that no GPU is used, which depends on the machine.
inline std::string complaints(const Outcome& outcome) {
    const bool is_note = outcome.err.starts_with("wordbreadth: note: ");
    return is_note ? outcome.err.substr(outcome.err.find('\n') + 1) : outcome.err;
}

// What succeeds says nothing on stderr.
inline std::string output_of(const Arguments& arguments) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(complaints(outcome), "");
    return outcome.out;
}

}  // namespace wordbreadth::cli
