// Sessions for calls on arrays in the memory of a GPU, which only sessions take.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "bindings/arrays.h"
#include "wordbreadth/cloud_source.h"
#include "wordbreadth/session.h"
#include "wordbreadth/test.h"

namespace wordbreadth::python {

// Runs `work` with a session of that device and these threads, which is kept for the next call: starting a GPU's takes
// milliseconds. Clouds that `work` adds have to be removed by it.
void with_session(const Execution& execution, const std::function<void(Session&)>& work);

// The clouds of arrays, for as long as it lives.
class AddedClouds {
  public:
    explicit AddedClouds(Session& session) : session_(session) {}
    AddedClouds(const AddedClouds&) = delete;
    AddedClouds& operator=(const AddedClouds&) = delete;
    ~AddedClouds() {
        for (const CloudHandle cloud : clouds_) session_.remove(cloud);
    }

    CloudHandle add(const Array& array);

  private:
    Session& session_;
    std::vector<CloudHandle> clouds_;
};

// As test_many_named_pairs(), of arrays of which some may be on the GPU.
[[nodiscard]] TestResults test_pairs_in_session(std::span<const Array* const> arrays, std::span<const Pair> pairs,
                                                const TestOptions& options);

}  // namespace wordbreadth::python
