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

using Key = std::tuple<std::string, unsigned, pid_t>;  // a process that was forked has none of the others' threads

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
    const Key key(execution.device, execution.threads, getpid());
    std::unique_ptr<Session> session = idle_sessions().take(key);
    if (!session) session = std::make_unique<Session>(execution);
    work(*session);
    idle_sessions().put_back(key, std::move(session));  // not after an error, which may be the device's
}

CloudHandle AddedClouds::add(const Array& array) {
    const CloudHandle added =
        array.rows.on_device ? session_.add(array.name, array.rows, array.origin) : session_.add(cloud_of(array));
    clouds_.push_back(added);
    return added;
}

TestResults test_pairs_in_session(std::span<const Array* const> arrays, std::span<const Pair> pairs,
                                  const TestOptions& options) {
    std::vector<TestResult> all(pairs.size());
    with_session(options.execution, [&](Session& session) {
        AddedClouds added(session);
        std::vector<std::optional<CloudHandle>> handles;
        std::vector<NamedCloud> missing;
        for (const Array* array : arrays) {
            missing.push_back({array->name, array->origin, array->rows.n, array->rows.dimension, {}, {}});
            try {
                handles.emplace_back(added.add(*array));
            } catch (const InputError& error) {
                handles.emplace_back();
                missing.back().reason = error.what();
            }
        }
        std::vector<HandlePair> tested;
        std::vector<NamedCloud> others;  // the two of each pair that lacks one
        const auto is_whole = [&](const Pair& pair) { return handles[pair.x] && handles[pair.y]; };
        for (const Pair& pair : pairs)
            if (is_whole(pair))
                tested.push_back({*handles[pair.x], *handles[pair.y]});
            else
                for (const std::size_t one : {pair.x, pair.y}) {
                    others.push_back(missing[one]);
                    if (handles[one]) others.back().reason = missing[one == pair.x ? pair.y : pair.x].reason;
                }
        std::vector<TestResult> found = session.test_pairs(tested, options);
        std::vector<TestResult> unfound;
        if (!others.empty()) unfound = test_named_pairs(others, neighbours(others.size()), options);
        auto next = found.begin(), next_other = unfound.begin();
        std::ranges::transform(pairs, all.begin(),
                               [&](const Pair& pair) { return std::move(is_whole(pair) ? *next++ : *next_other++); });
    });
    return TestResults(std::move(all));
}

}  // namespace wordbreadth::python
