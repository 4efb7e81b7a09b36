// What all parts of an extraction do besides their work: they say how far they are.
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <string>
#include <utility>

#include "store/part_state.h"
#include "wordbreadth/error.h"

namespace wordbreadth::extraction {

class PartProgress {
  public:
    PartProgress(std::string folder, const Part& part, std::string stage) : folder_(std::move(folder)) {
        state_.part = part;
        state_.stage = std::move(stage);
        write("running");
    }

    // Written now and then.
    void report(double done, std::uint64_t units) {
        state_.done = done;
        state_.units = units;
        if (std::chrono::steady_clock::now() - written_ >= std::chrono::seconds(10)) write("running");
    }

    void write(const std::string& state, const std::string& error = "") {
        written_ = std::chrono::steady_clock::now();
        state_.seconds = std::chrono::duration<double>(written_ - start_).count();
        state_.state = state;
        state_.error = error;
        if (state == "finished") state_.done = 1;
        store::write(folder_, state_);
    }

  private:
    std::string folder_;
    store::PartState state_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now(), written_ = start_;
};

// Runs work(progress), and writes down how it ended.
template <class Work>
void run_part(const std::string& folder, const Part& part, const std::string& stage, const Work& work) {
    PartProgress progress(folder, part, stage);
    try {
        work(progress);
        progress.write("finished");
    } catch (const Cancelled&) {
        progress.write("stopped");
        throw;
    } catch (const std::exception& error) {
        progress.write("failed", error.what());
        throw;
    }
}

}  // namespace wordbreadth::extraction
