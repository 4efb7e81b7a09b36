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

// Where these arrays are to be tested: what was asked for, or where that is any GPU, the one that they are on.
[[nodiscard]] Execution beside(std::span<const Array* const> arrays, Execution execution);

// The clouds of arrays, for as long as it lives.
class AddedClouds {
  public:
    AddedClouds(Session& session, std::span<const Array* const> arrays);
    AddedClouds(const AddedClouds&) = delete;
    AddedClouds& operator=(const AddedClouds&) = delete;
    ~AddedClouds() {
        for (const AddedCloud& cloud : clouds_)
            if (cloud.handle) session_.remove(*cloud.handle);
    }

    [[nodiscard]] std::span<const AddedCloud> clouds() const { return clouds_; }  // in the order of the arrays
    [[nodiscard]] CloudHandle handle(std::size_t index) const;                    // throws InputError without one

  private:
    Session& session_;
    std::vector<AddedCloud> clouds_;
};

// As test_many_named_pairs(), of arrays of which some may be on the GPU.
[[nodiscard]] TestResults test_pairs_in_session(std::span<const Array* const> arrays, std::span<const Pair> pairs,
                                                const TestOptions& options);

}  // namespace wordbreadth::python
