#include "cli/interrupt.h"

#include <semaphore.h>

#include <cerrno>

namespace wordbreadth::cli {
namespace {

// A signal handler can reach nothing but globals, and may do little more than post a semaphore: request_stop() locks.
sem_t wake_up;

void on_signal(int) {
    const int saved = errno;
    sem_post(&wake_up);
    errno = saved;
}

}  // namespace

Interrupt::Interrupt() {
    sem_init(&wake_up, 0, 0);
    watcher_ = std::jthread([source = source_](const std::stop_token& finished) mutable {
        while (sem_wait(&wake_up) != 0) continue;
        if (!finished.stop_requested()) source.request_stop();
    });
    struct sigaction action {};
    action.sa_handler = on_signal;
    action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
    sigaction(SIGINT, &action, &previous_);
    // A program started with SIGINT ignored (nohup, a background job of a script) leaves it so.
    if (previous_.sa_handler == SIG_IGN) sigaction(SIGINT, &previous_, nullptr);
}

Interrupt::~Interrupt() {
    sigaction(SIGINT, &previous_, nullptr);
    watcher_.request_stop();
    sem_post(&wake_up);
    watcher_.join();
    sem_destroy(&wake_up);
}

}  // namespace wordbreadth::cli
