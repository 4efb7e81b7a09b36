#include "bindings/calls.h"

#include <dlfcn.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "bindings/bindings.h"

namespace wordbreadth::python {

namespace nb = nanobind;

namespace {

constexpr auto look_every = std::chrono::milliseconds(50);  // Ctrl-C is noticed that soon

// A thread that runs one call after another. Calls do not run on the thread of Python's caller, which has to look for
// signals meanwhile.
class Worker {
  public:
    Worker() {
        std::thread([this] { serve(); }).detach();  // ends with the process
    }

    void start(const std::function<void()>& work) {
        const std::lock_guard lock(mutex_);
        work_ = &work;
        changed_.notify_all();
    }

    // False when the work is still under way after that time.
    [[nodiscard]] bool has_ended_within(std::chrono::milliseconds time) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, time, [this] { return work_ == nullptr; });
    }

  private:
    void serve() {
        std::unique_lock lock(mutex_);
        for (;;) {
            changed_.wait(lock, [this] { return work_ != nullptr; });
            lock.unlock();
            (*work_)();
            lock.lock();
            work_ = nullptr;
            changed_.notify_all();
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    const std::function<void()>* work_ = nullptr;
};

// A call under way.
struct RunningCall {
    std::stop_source& stop;
    std::atomic<bool> has_ended = false;
    std::atomic<bool> is_abandoned = false;  // the interpreter ends, and nobody waits for the result
};

// Workers, and the calls that they run. Those without a call are kept for the next: OpenMP, which oneDNN uses, keeps a
// team of threads for every thread that calls it, and starting both took 0.1 ms of each call. A process that was forked
// has none of these threads and forgets them; since they alone have called OpenMP, the new ones of that process find it
// fresh.
class Workers {
  public:
    [[nodiscard]] static std::unique_ptr<Worker> take() {
        const std::lock_guard lock(mutex());
        if (idle().empty()) return std::make_unique<Worker>();
        std::unique_ptr<Worker> worker = std::move(idle().back());
        idle().pop_back();
        return worker;
    }

    static void put_back(std::unique_ptr<Worker> worker) {
        const std::lock_guard lock(mutex());
        idle().push_back(std::move(worker));
    }

    static void begin(RunningCall& call) {
        const std::lock_guard lock(mutex());
        running().push_back(&call);
    }

    static void end(const RunningCall& call) {
        const std::lock_guard lock(mutex());
        std::erase(running(), &call);
    }

    static void abandon_calls() {
        const std::lock_guard lock(mutex());
        for (RunningCall* call : running()) {
            call->is_abandoned = true;
            call->stop.request_stop();
        }
    }

    [[nodiscard]] static bool have_ended() {
        const std::lock_guard lock(mutex());
        return std::ranges::all_of(running(), [](const RunningCall* call) { return call->has_ended.load(); });
    }

    static void expect_forks() {
        pthread_atfork([] { mutex().lock(); }, [] { mutex().unlock(); },
                       [] {
                           for (std::unique_ptr<Worker>& worker : idle()) static_cast<void>(worker.release());
                           idle().clear();
                           running().clear();
                           mutex().unlock();
                       });
    }

  private:
    // Never destroyed: their threads wait on them while the process ends.
    static std::mutex& mutex() {
        static auto& kept = *new std::mutex;  // NOLINT(cppcoreguidelines-owning-memory)
        return kept;
    }
    static std::vector<std::unique_ptr<Worker>>& idle() {
        static auto& kept = *new std::vector<std::unique_ptr<Worker>>;  // NOLINT(cppcoreguidelines-owning-memory)
        return kept;
    }
    static std::vector<RunningCall*>& running() {
        static auto& kept = *new std::vector<RunningCall*>;  // NOLINT(cppcoreguidelines-owning-memory)
        return kept;
    }
};

std::atomic<bool> forked = false;

// Whether the interpreter is ending. Its function has two names, neither of which the stable ABI of 3.12 has.
bool is_ending() {
    using Function = int (*)();
    static const auto function = [] {
        void* const found = dlsym(RTLD_DEFAULT, "Py_IsFinalizing");
        return reinterpret_cast<Function>(found != nullptr ? found : dlsym(RTLD_DEFAULT, "_Py_IsFinalizing"));
    }();
    return function != nullptr && function() != 0;
}

// Without the GIL. When the interpreter ends, a daemon thread that asks for the GIL again is ended in the middle of
// this code, which ends the process with an error: it waits for the end of the process instead, as from Python 3.14 on.
bool wait_for(Worker& worker, const RunningCall& call) {
    PyThreadState* const state = PyEval_SaveThread();
    const bool has_ended = worker.has_ended_within(look_every);
    while (is_ending() || call.is_abandoned) std::this_thread::sleep_for(std::chrono::hours(1));
    PyEval_RestoreThread(state);
    return has_ended;
}

}  // namespace

void expect_forks() {
    Workers::expect_forks();
    pthread_atfork(nullptr, nullptr, [] { forked = true; });
}

void end_calls() {
    const nb::gil_scoped_release released;
    Workers::abandon_calls();
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    while (!Workers::have_ended() && std::chrono::steady_clock::now() < patience)
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

bool is_forked() {
    return forked;
}

void run_watched(const nb::object& progress, const std::function<void(const Watch&)>& work) {
    std::stop_source stop;
    std::atomic<double> done = 0;
    std::exception_ptr failure, interruption;
    Watch watch{{}, stop.get_token()};
    if (!progress.is_none()) watch.progress = [&done](double share) { done = share; };
    RunningCall running_call{stop};
    const std::function<void()> call = [&] {
        try {
            work(watch);
        } catch (...) {
            failure = std::current_exception();
        }
        running_call.has_ended = true;
    };
    std::unique_ptr<Worker> worker = Workers::take();
    Workers::begin(running_call);
    worker->start(call);
    double reported = -1;
    for (bool running = true; running;) {
        running = !wait_for(*worker, running_call);
        if (interruption) continue;  // wait for the end
        try {
            if (PyErr_CheckSignals() != 0) throw nb::python_error();
            if (const double now = done; !progress.is_none() && now != reported) progress(reported = now);
        } catch (...) {
            interruption = std::current_exception();
            stop.request_stop();
        }
    }
    Workers::end(running_call);
    Workers::put_back(std::move(worker));
    if (interruption) std::rethrow_exception(interruption);
    if (failure) std::rethrow_exception(failure);
}

}  // namespace wordbreadth::python
