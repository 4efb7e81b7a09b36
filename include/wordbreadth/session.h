// A session: a device, its threads, and the clouds kept there between calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wordbreadth/breadth.h"
#include "wordbreadth/cloud.h"
#include "wordbreadth/test.h"

namespace wordbreadth {

// Names a cloud of one session. Cheap to copy; never reused for another cloud.
struct CloudHandle {
    std::uint64_t id = 0;
};

struct HandlePair {
    CloudHandle x, y;
};

// A cloud to be added with others.
struct NamedRows {
    std::string name;
    Rows rows;
    std::string origin = {};
};

// A cloud that was added, or why it was not.
struct AddedCloud {
    std::optional<CloudHandle> handle;
    std::string reason;
};

// Results equal those of breadth(), test() and test_pairs() on the same values, bit for bit. What a call has made for
// a cloud (its copy on a GPU, its inner products) serves the next call, while there is room for it.
//
// May be used from several threads: one call runs at a time, the others wait. A progress callback must not call the
// session that it belongs to.
class Session {
  public:
    // Starts the device and its threads; `progress` and `stop` are not looked at. Throws InputError when the device or
    // the instruction set is unknown or not available.
    explicit Session(const Execution& execution = {});
    Session(Session&&) noexcept;
    Session& operator=(Session&&) noexcept;
    ~Session();

    // The device and the instruction set in use: "cpu (avx512)".
    [[nodiscard]] std::string device() const;

    // Keeps a cloud without converting its elements. `rows` are borrowed: they must stay where they are, unchanged,
    // until the cloud is removed or the session ends. Rows on the device, where whatever writes them may still be at
    // work, are waited for, and are read there; the host fetches a copy only where a split has to be decided in float64
    // there, or for blocks. Throws InputError as the constructor of Cloud does, and for a null or misaligned pointer
    // or one that is not on the device; std::bad_alloc.
    CloudHandle add(std::string name, const Rows& rows, std::string origin = {});

    // The same for many, in their order. One that cannot be a cloud does not stop the others: `reason` is what add()
    // would throw. Those on the device are waited for and measured together.
    [[nodiscard]] std::vector<AddedCloud> add(std::span<const NamedRows> clouds);

    // The same for values that are moved in. Those of 16 bits are f16 or bf16, as `element` says.
    CloudHandle add(std::string name, std::vector<float> values, std::size_t dimension, std::string origin = {});
    CloudHandle add(std::string name, std::vector<double> values, std::size_t dimension, std::string origin = {});
    CloudHandle add(std::string name, std::vector<std::uint16_t> values, Element element, std::size_t dimension,
                    std::string origin = {});
    CloudHandle add(Cloud cloud);

    // Lets go of a cloud and of everything made for it. Throws InputError when the session has no such cloud.
    void remove(CloudHandle cloud);

    [[nodiscard]] std::size_t size() const;  // clouds in the session

    // As breadth(). Throws InputError when the session has no such cloud.
    [[nodiscard]] Breadth breadth(CloudHandle cloud);

    // As test() and test_pairs(), on the session's device and threads: of `options.execution` only `progress`, `stop`
    // and `timing` are looked at. Throw as those do, and InputError when the session has no such cloud.
    [[nodiscard]] TestResult test(CloudHandle x, CloudHandle y, const TestOptions& options = {});
    [[nodiscard]] std::vector<TestResult> test_pairs(std::span<const HandlePair> pairs,
                                                     const TestOptions& options = {});

    // The same, but each result is made when it is asked for. They need neither the session nor its clouds any more.
    [[nodiscard]] TestResults test_many_pairs(std::span<const HandlePair> pairs, const TestOptions& options = {});

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace wordbreadth
