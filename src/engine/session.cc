// Sessions, and the tests of single calls, each of which is a session of its own.
#include "wordbreadth/session.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "engine/backend.h"
#include "engine/pair_tests.h"
#include "wordbreadth/error.h"
#include "wordbreadth/limits.h"

namespace wordbreadth {
namespace {

// Of a single test, which reports as an error why there is no result.
TestResult only_result(std::vector<TestResult> results) {
    if (!results.front().undefined.empty()) throw InputError(results.front().undefined);
    return std::move(results.front());
}

}  // namespace

class Session::State {
  public:
    explicit State(const Execution& execution) : backend_(engine::make_backend(execution)) {}

    [[nodiscard]] std::string device() const { return backend_->label(); }

    CloudHandle add(std::string name, Rows rows, std::string origin, std::shared_ptr<const void> owner) {
        const std::string label = geometry::label_of(name, origin);
        const std::size_t width = geometry::bytes_of(rows.element);
        if (rows.n > limits::rows_of_a_pair || rows.dimension > limits::dimension)
            throw InputError(label + ": " + std::to_string(rows.n) + " rows in " + std::to_string(rows.dimension) +
                             " dimensions; expected at most " + std::to_string(limits::rows_of_a_pair) + " in " +
                             std::to_string(limits::dimension));
        if (rows.data == nullptr && rows.n != 0)
            throw InputError(label + ": its rows are a null pointer; expected " + std::to_string(rows.n) + " rows");
        if (reinterpret_cast<std::uintptr_t>(rows.data) % width != 0)
            throw InputError(label + ": its rows are not aligned to their elements of " + std::to_string(width) +
                             " bytes");
        const std::lock_guard lock(mutex_);
        if (rows.on_device) {
            owner = backend_->download(label, rows.data, rows.n * rows.dimension * width);
            rows.data = owner.get();
        }
        return keep(geometry::UnitRows(std::move(name), std::move(origin), rows, std::move(owner)));
    }

    template <class Value>
    CloudHandle add(std::string name, std::vector<Value> values, Element element, std::size_t dimension,
                    std::string origin) {
        geometry::check_shape(geometry::label_of(name, origin), values.size(), dimension);
        const auto owner = std::make_shared<const std::vector<Value>>(std::move(values));
        return add(std::move(name), Rows{owner->data(), element, owner->size() / dimension, dimension},
                   std::move(origin), owner);
    }

    CloudHandle add(Cloud cloud) {
        const std::lock_guard lock(mutex_);
        return keep(geometry::UnitRows(std::make_shared<const Cloud>(std::move(cloud))));
    }

    void remove(CloudHandle handle) {
        const std::lock_guard lock(mutex_);
        backend_->forget(find(handle).rows);
        clouds_.erase(handle.id);
    }

    [[nodiscard]] std::size_t size() const {
        const std::lock_guard lock(mutex_);
        return clouds_.size();
    }

    Breadth breadth(CloudHandle handle) {
        const std::lock_guard lock(mutex_);
        engine::TestCloud& cloud = find(handle);
        if (!cloud.summary) cloud.summary = geometry::summarise(cloud.rows);
        return geometry::breadth_of(cloud.rows, *cloud.summary);
    }

    std::vector<TestResult> test_pairs(std::span<const HandlePair> pairs, const TestOptions& options) {
        const std::lock_guard lock(mutex_);
        std::vector<engine::TestPair> found;
        for (const HandlePair& pair : pairs) found.push_back({&find(pair.x), &find(pair.y)});
        return engine::run_tests(*backend_, found, options, true);
    }

  private:
    CloudHandle keep(geometry::UnitRows rows) {
        clouds_.emplace(++last_id_, engine::TestCloud{std::move(rows), {}});
        return {last_id_};
    }

    engine::TestCloud& find(CloudHandle handle) {
        const auto found = clouds_.find(handle.id);
        if (found == clouds_.end())
            throw InputError("cloud " + std::to_string(handle.id) +
                             " is not in this session: it was removed, or is of another one");
        return found->second;
    }

    mutable std::mutex mutex_;
    std::unique_ptr<engine::Backend> backend_;
    std::map<std::uint64_t, engine::TestCloud> clouds_;
    std::uint64_t last_id_ = 0;
};

Session::Session(const Execution& execution) : state_(std::make_unique<State>(execution)) {}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

std::string Session::device() const {
    return state_->device();
}

CloudHandle Session::add(std::string name, const Rows& rows, std::string origin) {
    return state_->add(std::move(name), rows, std::move(origin), nullptr);
}

CloudHandle Session::add(std::string name, std::vector<float> values, std::size_t dimension, std::string origin) {
    return state_->add(std::move(name), std::move(values), Element::f32, dimension, std::move(origin));
}

CloudHandle Session::add(std::string name, std::vector<double> values, std::size_t dimension, std::string origin) {
    return state_->add(std::move(name), std::move(values), Element::f64, dimension, std::move(origin));
}

CloudHandle Session::add(std::string name, std::vector<std::uint16_t> values, Element element, std::size_t dimension,
                         std::string origin) {
    if (element != Element::f16 && element != Element::bf16)
        throw InputError(name + ": values of 16 bits are f16 or bf16");
    return state_->add(std::move(name), std::move(values), element, dimension, std::move(origin));
}

CloudHandle Session::add(Cloud cloud) {
    return state_->add(std::move(cloud));
}

void Session::remove(CloudHandle cloud) {
    state_->remove(cloud);
}

std::size_t Session::size() const {
    return state_->size();
}

Breadth Session::breadth(CloudHandle cloud) {
    return state_->breadth(cloud);
}

TestResult Session::test(CloudHandle x, CloudHandle y, const TestOptions& options) {
    const HandlePair pair{x, y};
    return only_result(state_->test_pairs({&pair, 1}, options));
}

std::vector<TestResult> Session::test_pairs(std::span<const HandlePair> pairs, const TestOptions& options) {
    return state_->test_pairs(pairs, options);
}

TestResult test(const Cloud& x, const Cloud& y, const TestOptions& options) {
    engine::TestCloud of_x{x, {}}, of_y{y, {}};
    const engine::TestPair pair{&of_x, &of_y};
    return only_result(engine::run_tests(*engine::make_backend(options.execution), {&pair, 1}, options, false));
}

std::vector<TestResult> test_pairs(std::span<const Cloud> clouds, std::span<const Pair> pairs,
                                   const TestOptions& options) {
    std::vector<engine::TestCloud> all;
    for (const Cloud& cloud : clouds) all.push_back({cloud, {}});
    std::vector<engine::TestPair> found;
    for (const Pair& pair : pairs) {
        const std::size_t last = std::max(pair.x, pair.y);
        if (last >= clouds.size())
            throw InputError("a pair names cloud number " + std::to_string(last) + "; there are " +
                             std::to_string(clouds.size()) + " clouds, counted from 0");
        found.push_back({&all[pair.x], &all[pair.y]});
    }
    return engine::run_tests(*engine::make_backend(options.execution), found, options, false);
}

}  // namespace wordbreadth
