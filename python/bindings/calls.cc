#include "bindings/calls.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

namespace wordbreadth::python {

namespace nb = nanobind;

namespace {

constexpr auto look_every = std::chrono::milliseconds(50);  // Ctrl-C is noticed that soon

}  // namespace

void run_watched(const nb::object& progress, const std::function<void(const Watch&)>& work) {
    std::stop_source stop;
    std::atomic<double> done = 0;
    std::mutex mutex;
    std::condition_variable ended;
    bool has_ended = false;
    std::exception_ptr failure;
    Watch watch{{}, stop.get_token()};
    if (!progress.is_none()) watch.progress = [&done](double share) { done = share; };
    {
        std::jthread worker([&] {
            try {
                work(watch);
            } catch (...) {
                failure = std::current_exception();
            }
            const std::lock_guard lock(mutex);
            has_ended = true;
            ended.notify_one();
        });
        double reported = -1;
        std::exception_ptr interruption;
        for (bool running = true; running;) {
            {
                const nb::gil_scoped_release released;
                std::unique_lock lock(mutex);
                running = !ended.wait_for(lock, look_every, [&] { return has_ended; });
            }
            if (interruption) continue;  // wait for the end
            try {
                if (PyErr_CheckSignals() != 0) throw nb::python_error();
                if (const double now = done; !progress.is_none() && now != reported) progress(reported = now);
            } catch (...) {
                interruption = std::current_exception();
                stop.request_stop();
            }
        }
        if (interruption) std::rethrow_exception(interruption);
    }
    if (failure) std::rethrow_exception(failure);
}

}  // namespace wordbreadth::python
