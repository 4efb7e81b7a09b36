#include "cli/interrupt.h"

#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <climits>
#include <exception>
#include <string_view>

namespace wordbreadth::cli {
namespace {

// A signal handler can reach nothing but globals, and may do little more than post a semaphore: request_stop() locks.
sem_t wake_up;
std::atomic<bool> is_watched = false;
std::atomic<int> stopped_by = 0;
static_assert(std::atomic<int>::is_always_lock_free);

constexpr int most_open_files = 1024;

// Text without an allocation, which a signal handler must not make.
class Text {
  public:
    Text& operator<<(std::string_view more) {
        size_ += more.copy(buffer_.data() + size_, buffer_.size() - 1 - size_);
        return *this;
    }
    Text& operator<<(int number) {
        std::array<char, 16> digits{};
        const char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
        return *this << std::string_view(digits.data(), end);
    }
    [[nodiscard]] const char* c_str() const { return buffer_.data(); }  // the rest is zero
    [[nodiscard]] std::string_view view() const { return {buffer_.data(), size_}; }

  private:
    std::array<char, 64> buffer_{};
    std::size_t size_ = 0;
};

// Removes the files that this process is writing and that have not got their name yet. The system's list of open files
// is the one list of them that a signal handler can read at any moment.
void remove_incomplete_files() {
    Text ending;
    ending << ".part-" << getpid();
    for (int descriptor = 0; descriptor < most_open_files; ++descriptor) {
        Text link;
        link << "/proc/self/fd/" << descriptor;
        std::array<char, PATH_MAX + 1> path{};
        const ssize_t size = readlink(link.c_str(), path.data(), path.size() - 1);
        if (size > 0 && std::string_view(path.data(), static_cast<std::size_t>(size)).ends_with(ending.view()))
            unlink(path.data());
    }
}

void on_signal(int number) {
    const int saved = errno;
    if (is_watched.exchange(false)) {
        stopped_by = number;
        sem_post(&wake_up);
    } else {
        remove_incomplete_files();
        signal(number, SIG_DFL);
        raise(number);  // once this handler returns
    }
    errno = saved;
}

void install(int number) {
    struct sigaction action {};
    sigaction(number, nullptr, &action);
    if (action.sa_handler == SIG_IGN) return;
    action = {};
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    sigaction(number, &action, nullptr);
}

}  // namespace

void catch_signals() {
    sem_init(&wake_up, 0, 0);
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) install(number);
    signal(SIGXFSZ, SIG_IGN);
}

int exit_code_of_stop() {
    return 128 + (stopped_by == 0 ? SIGINT : stopped_by.load());
}

Interrupt::Interrupt() {
    const auto watch = [source = source_](const std::stop_token& finished) mutable {
        while (stopped_by == 0 && !finished.stop_requested()) sem_wait(&wake_up);
        if (!finished.stop_requested()) source.request_stop();
    };
    is_watched = true;  // first: a signal may come before the watcher does
    try {
        watcher_ = std::jthread(watch);
    } catch (const std::exception&) {  // no thread can be started: a signal ends the program at once, as elsewhere
        is_watched = false;
        if (stopped_by != 0) raise(stopped_by);
    }
}

Interrupt::~Interrupt() {
    is_watched = false;
    watcher_.request_stop();
    sem_post(&wake_up);
}

}  // namespace wordbreadth::cli
