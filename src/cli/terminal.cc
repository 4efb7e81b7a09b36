#include "cli/terminal.h"

#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <stdexcept>
#include <system_error>

#include "report/results.h"

namespace wordbreadth::cli {
namespace {

bool is_smart_terminal(int descriptor) {
    const char* const kind = std::getenv("TERM");
    return isatty(descriptor) == 1 && kind != nullptr && std::string_view(kind) != "dumb";
}

bool colour_is_wanted() {
    const char* const refusal = std::getenv("NO_COLOR");
    return refusal == nullptr || *refusal == '\0';
}

std::size_t columns(int descriptor) {
    winsize size{};
    return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

[[noreturn]] void fail(int error) {
    throw std::runtime_error("standard output: writing failed: " + std::generic_category().message(error));
}

// ---- Signals

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
    Text mark;  // in their names; libzip appends to it
    mark << ".part-" << getpid();
    for (int descriptor = 0; descriptor < most_open_files; ++descriptor) {
        Text link;
        link << "/proc/self/fd/" << descriptor;
        std::array<char, PATH_MAX + 1> path{};
        const ssize_t size = readlink(link.c_str(), path.data(), path.size() - 1);
        const std::string_view all(path.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
        if (all.substr(all.rfind('/') + 1).find(mark.view()) != all.npos) unlink(path.data());
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

// Where errors go while stderr is silenced.
std::atomic<int> errors_go_to = STDERR_FILENO;

void say(std::string_view text) {
    static_cast<void>(write(errors_go_to, text.data(), text.size()) + 1);  // no one may be left to read it
}

// The file that is mapped at the address, as a line of the system's list ends that fills `line`; empty where there is
// none. A line: 7f00-7f08 r--p 00000000 08:01 1234    /data/clouds.npy
std::string_view mapped_file_at(std::uintptr_t address, std::span<char> line) {
    const int list = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    std::array<char, 1024> piece{};
    std::size_t size = 0;
    for (ssize_t read_now = 1; (read_now = read(list, piece.data(), piece.size())) > 0;) {
        for (const char c : std::string_view(piece.data(), static_cast<std::size_t>(read_now))) {
            if (c != '\n') {
                if (size < line.size()) line[size++] = c;
                continue;
            }
            const std::string_view text(line.data(), std::exchange(size, 0));
            std::uintptr_t begin = 0, end = 0;
            const char* const dash = std::from_chars(text.begin(), text.end(), begin, 16).ptr;
            if (dash == text.end()) continue;
            std::from_chars(dash + 1, text.end(), end, 16);
            if (begin <= address && address < end) return text.substr(std::min(text.find('/'), text.size()));
        }
    }
    return {};
}

// A mapped file has no bytes where it had some when it was opened: it was cut, or its disk fails.
void on_bus_error(int number, siginfo_t* info, void*) {
    if (info->si_code != BUS_ADRERR) {
        signal(number, SIG_DFL);  // and the instruction fails again
        return;
    }
    static std::atomic_flag is_said = ATOMIC_FLAG_INIT;
    while (is_said.test_and_set()) pause();  // another thread is about to end the program
    std::array<char, PATH_MAX + 128> line{};
    const std::string_view file = mapped_file_at(reinterpret_cast<std::uintptr_t>(info->si_addr), line);
    say("wordbreadth: ");
    say(file.empty() ? "a file" : file);
    say(": became shorter while it was being read; run the command again once it is complete\n");
    remove_incomplete_files();
    _exit(1);
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

void check_standard_streams() {
    if (fcntl(STDOUT_FILENO, F_GETFD) < 0) fail(errno);
    int descriptor = -1;
    do descriptor = open("/dev/null", O_RDWR);
    while (descriptor >= 0 && descriptor <= STDERR_FILENO);
    if (descriptor >= 0) close(descriptor);
}

report::Style stdout_style() {
    if (!is_smart_terminal(STDOUT_FILENO)) return {};
    return {.colour = colour_is_wanted(), .width = columns(STDOUT_FILENO)};
}

bool stdout_is_a_terminal() {
    return isatty(STDOUT_FILENO) == 1;
}

bool stderr_is_a_terminal() {
    return is_smart_terminal(STDERR_FILENO);
}

void ErrorOutput::silence_the_rest() {
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    const int kept = descriptor_ == STDERR_FILENO ? fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : -1;
    if (kept >= 0 && nowhere >= 0 && dup2(nowhere, STDERR_FILENO) >= 0) errors_go_to = descriptor_ = kept;
    if (nowhere >= 0) close(nowhere);
}

void ErrorOutput::print(std::string_view text) const {
    while (!text.empty()) {
        const ssize_t written = write(descriptor_, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return;  // no one is left to read it
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

void print(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) fail(errno);
}

CapturedOutput::CapturedOutput()
    : memory_(memfd_create("wordbreadth", MFD_CLOEXEC)), stdout_(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)) {
    std::fflush(stdout);
    if (memory_ >= 0 && stdout_ >= 0 && dup2(memory_, STDOUT_FILENO) >= 0) return;
    const int error = errno;
    for (const int descriptor : {memory_, stdout_})
        if (descriptor >= 0) close(descriptor);
    throw std::system_error(error, std::generic_category(), "standard output cannot be redirected");
}

CapturedOutput::~CapturedOutput() {
    std::fflush(stdout);
    dup2(stdout_, STDOUT_FILENO);
    close(stdout_);
    close(memory_);
}

std::string CapturedOutput::text() const {
    std::string text;
    std::array<char, 1 << 16> piece{};
    for (;;) {
        const ssize_t size = pread(memory_, piece.data(), piece.size(), static_cast<off_t>(text.size()));
        if (size < 0 && errno == EINTR) continue;
        if (size < 0) throw std::system_error(errno, std::generic_category(), "standard output cannot be read back");
        if (size == 0) return text;
        text.append(piece.data(), static_cast<std::size_t>(size));
    }
}

std::function<void(double)> Progress::callback() {
    if (note_.empty() && !on_a_terminal_) return {};
    return [this](double done) {
        if (done < 1) print_note();  // at the end it may still turn out that there is no result
        draw([&](double spent) {
            const double share = std::clamp(done, 0.0, 1.0);
            const bool can_tell = share > 0.01 && share < 1;
            return report::progress_bar(share) + (can_tell ? " " + report::time_left(spent / share * (1 - share)) : "");
        });
    };
}

std::function<void(const ExtractProgress&)> Progress::callback(ExtractUnit unit) {
    if (!on_a_terminal_) return {};
    return [this, unit](const ExtractProgress& progress) {
        if (!first_ || first_->stage != progress.stage) {
            first_ = progress;
            start_ = next_ = Clock::now();
        }
        draw([&](double spent) { return report::progress_line(*first_, progress, spent, unit); });
    };
}

void Progress::print_note() {
    if (note_.empty()) return;
    erase();
    std::fputs(std::exchange(note_, {}).c_str(), stderr);
}

void Progress::draw(const std::function<std::string(double spent)>& line) {
    const Clock::time_point now = Clock::now();
    if (!on_a_terminal_ || now < next_) return;
    next_ = now + std::chrono::milliseconds(100);
    drawn_ = true;
    std::fputs(("\r" + line(std::chrono::duration<double>(now - start_).count()) + "\x1b[K").c_str(), stderr);
}

void Progress::erase() {
    if (std::exchange(drawn_, false)) std::fputs("\r\x1b[K", stderr);
}

std::string fallback_note(const Execution& execution, bool for_people) {
    const bool any_device_will_do = execution.device == "auto" && execution.instruction_set.empty();
    if (!any_device_will_do || !for_people) return {};
    const std::string reason = report::why_no_gpu();
    return reason.empty() ? "" : "wordbreadth: note: running on the CPU, no GPU is used: " + reason + "\n";
}

void catch_signals() {
    sem_init(&wake_up, 0, 0);
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) install(number);
    signal(SIGXFSZ, SIG_IGN);
    struct sigaction action {};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGBUS, &action, nullptr);
}

int exit_code_of_stop() {
    return 128 + (stopped_by == 0 ? SIGINT : stopped_by.load());
}

Interrupt::Interrupt() {
    const auto watch = [source = source_](const std::stop_token& finished) mutable {
        pthread_setname_np(pthread_self(), "interrupt");  // by which a debugger, and our tests, know it
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
