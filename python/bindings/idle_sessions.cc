#include "bindings/idle_sessions.h"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "bindings/clouds.h"
#include "wordbreadth/error.h"

namespace wordbreadth::python {

namespace {

// Device, threads, instruction set, process: one that was forked has none of the others' threads.
using Key = std::tuple<std::string, unsigned, std::string, pid_t>;

class IdleSessions {
  public:
    [[nodiscard]] std::unique_ptr<Session> take(const Key& key) {
        const std::lock_guard lock(mutex_);
        const auto found = sessions_.find(key);
        if (found == sessions_.end()) return nullptr;
        std::unique_ptr<Session> session = std::move(found->second);
        sessions_.erase(found);
        return session;
    }

    void put_back(const Key& key, std::unique_ptr<Session> session) {
        const std::lock_guard lock(mutex_);
        sessions_.emplace(key, std::move(session));
    }

  private:
    std::mutex mutex_;
    std::multimap<Key, std::unique_ptr<Session>> sessions_;
};

// Never destroyed: at the end of the process CUDA may be gone before.
IdleSessions& idle_sessions() {
    static auto& kept = *new IdleSessions;  // NOLINT(cppcoreguidelines-owning-memory)
    return kept;
}

// 0 and 1, 2 and 3, ...
std::vector<Pair> neighbours(std::size_t clouds) {
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < clouds; i += 2) pairs.push_back({i, i + 1});
    return pairs;
}

}  // namespace

void with_session(const Execution& execution, const std::function<void(Session&)>& work) {
    const Key key(execution.device, execution.threads, execution.instruction_set, getpid());
    std::unique_ptr<Session> session = idle_sessions().take(key);
    if (!session) session = std::make_unique<Session>(execution);
    work(*session);
    idle_sessions().put_back(key, std::move(session));  // not after an error, which may be the device's
}

// The first GPU is what "auto" and "cuda" begin with.
Execution beside(std::span<const Array* const> arrays, Execution execution) {
    const bool any_gpu = execution.device == "auto" || execution.device == "cuda";
    if (!any_gpu || !execution.instruction_set.empty()) return execution;
    for (const Array* array : arrays)
        if (array->rows.on_device && array->gpu > 0) {
            execution.device = "cuda:" + std::to_string(array->gpu);
            break;  // rows on another are refused, with the reason
        }
    return execution;
}

AddedClouds::AddedClouds(Session& session, std::span<const Array* const> arrays) : session_(session) {
    std::vector<NamedRows> rows;
    for (const Array* array : arrays) rows.push_back({array->name, array->rows, array->origin});
    clouds_ = session_.add(rows);
}

CloudHandle AddedClouds::handle(std::size_t index) const {
    if (!clouds_[index].handle) throw InputError(clouds_[index].reason);
    return *clouds_[index].handle;
}

TestResults test_pairs_in_session(std::span<const Array* const> arrays, std::span<const Pair> pairs,
                                  const TestOptions& options) {
    TestResults results;
    with_session(beside(arrays, options.execution), [&](Session& session) {
        const AddedClouds added(session, arrays);
        const std::span<const AddedCloud> clouds = added.clouds();
        const auto missing = [&](std::size_t one, std::size_t other) -> NamedCloud {
            const Array& array = *arrays[one];
            const std::string& reason = clouds[one].handle ? clouds[other].reason : clouds[one].reason;
            return {array.name, array.origin, array.rows.n, array.rows.dimension, {}, reason};
        };
        std::vector<HandlePair> tested;
        std::vector<NamedCloud> others;  // the two of each pair that lacks one
        const auto is_whole = [&](const Pair& pair) { return clouds[pair.x].handle && clouds[pair.y].handle; };
        for (const Pair& pair : pairs)
            if (is_whole(pair)) {
                tested.push_back({*clouds[pair.x].handle, *clouds[pair.y].handle});
            } else {
                others.push_back(missing(pair.x, pair.y));
                others.push_back(missing(pair.y, pair.x));
            }
        if (others.empty()) {
            results = session.test_many_pairs(tested, options);
            return;
        }
        std::vector<TestResult> found = session.test_pairs(tested, options);
        std::vector<TestResult> unfound = test_named_pairs(others, neighbours(others.size()), options);
        std::vector<TestResult> all(pairs.size());
        auto next = found.begin(), next_other = unfound.begin();
        std::ranges::transform(pairs, all.begin(),
                               [&](const Pair& pair) { return std::move(is_whole(pair) ? *next++ : *next_other++); });
        results = TestResults(std::move(all));
    });
    return results;
}

}  // namespace wordbreadth::python
