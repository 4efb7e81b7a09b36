// Sessions, and the tests of single calls, each on a backend of its own.
#include "wordbreadth/session.h"

#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "arrays/array_file.h"
#include "engine/backend.h"
#include "engine/max_t.h"
#include "engine/pair_tests.h"
#include "wordbreadth/error.h"

namespace wordbreadth {

struct Session::State {
    explicit State(const Execution& execution) : backend(engine::make_backend(execution)) {}

    std::mutex mutex;  // held by every call
    std::unique_ptr<engine::Backend> backend;
    std::map<std::uint64_t, engine::TestCloud> clouds;
    std::uint64_t last_id = 0;

    CloudHandle keep(Cloud cloud) {
        clouds.emplace(++last_id, geometry::UnitRows(std::make_shared<const Cloud>(std::move(cloud))));
        return {last_id};
    }

    // A cloud of rows on the device that were measured there, or else of their copy on the host.
    CloudHandle keep_remote(const NamedRows& cloud, std::optional<geometry::RemoteRows> measured) {
        const auto& [name, rows, origin] = cloud;
        const std::string label = geometry::label_of(name, origin);
        const std::size_t bytes = rows.n * rows.dimension * arrays::bytes_of(rows.element);
        const auto download = [here = backend.get(), label, data = rows.data, bytes] {
            return here->download(label, data, bytes);
        };
        if (measured) {
            measured->rows = rows;
            measured->download = download;
            if (std::optional<Cloud> made = geometry::UnitRows::remote(name, std::move(*measured), origin))
                return keep(std::move(*made));
        }
        const std::shared_ptr<const void> copy = download();
        return keep({name, {copy.get(), rows.element, rows.n, rows.dimension, false, rows.blocks}, copy, origin});
    }

    engine::TestCloud& find(CloudHandle handle) {
        const auto found = clouds.find(handle.id);
        if (found == clouds.end())
            throw InputError("cloud " + std::to_string(handle.id) +
                             " is not in this session: it was removed, or belongs to another");
        return found->second;
    }

    std::vector<engine::TestPair> find(std::span<const HandlePair> pairs) {
        std::vector<engine::TestPair> found;
        found.reserve(pairs.size());
        for (const HandlePair& pair : pairs) found.push_back({&find(pair.x), &find(pair.y)});
        return found;
    }
};

namespace {

// Of values that are moved in.
template <class Value>
Cloud cloud_of(std::string name, std::vector<Value> values, Element element, std::size_t dimension,
               std::string origin) {
    geometry::check_shape(geometry::label_of(name, origin), values.size(), dimension);
    auto owner = std::make_shared<const std::vector<Value>>(std::move(values));
    const Rows rows{owner->data(), element, owner->size() / dimension, dimension, false, {}};
    return {std::move(name), rows, std::move(owner), std::move(origin)};
}

// What is wrong with rows on the device, before anybody reads them; "" where nothing is.
std::string reason_against(const NamedRows& cloud) {
    if (!cloud.rows.on_device) return {};
    try {
        const std::string label = geometry::label_of(cloud.name, cloud.origin);
        geometry::check_rows(label, cloud.rows);
        geometry::check_shape(label, cloud.rows.n * cloud.rows.dimension, cloud.rows.dimension);
        return {};
    } catch (const InputError& error) {
        return error.what();
    }
}

// Of a single test, which reports as an error why there is no result.
TestResult only_result(std::vector<TestResult> results) {
    if (!results.front().undefined.empty()) throw InputError(results.front().undefined);
    return std::move(results.front());
}

}  // namespace

Session::Session(const Execution& execution) : state_(std::make_unique<State>(execution)) {}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

std::string Session::device() const {
    return state_->backend->label();
}

CloudHandle Session::add(std::string name, const Rows& rows, std::string origin) {
    const NamedRows named{std::move(name), rows, std::move(origin)};
    const AddedCloud added = std::move(add(std::span(&named, 1)).front());
    if (!added.handle) throw InputError(added.reason);
    return *added.handle;
}

std::vector<AddedCloud> Session::add(std::span<const NamedRows> clouds) {
    const std::lock_guard lock(state_->mutex);
    std::vector<AddedCloud> all;
    std::vector<Rows> on_device;
    for (const NamedRows& cloud : clouds) {
        all.push_back({{}, reason_against(cloud)});
        if (all.back().reason.empty() && cloud.rows.on_device) on_device.push_back(cloud.rows);
    }
    std::vector<std::optional<geometry::RemoteRows>> measured = state_->backend->measure(on_device);
    auto next = measured.begin();
    for (std::size_t i = 0; i < clouds.size(); ++i) {
        if (!all[i].reason.empty()) continue;
        try {
            all[i].handle = clouds[i].rows.on_device
                                ? state_->keep_remote(clouds[i], std::move(*next++))
                                : state_->keep({clouds[i].name, clouds[i].rows, nullptr, clouds[i].origin});
        } catch (const InputError& error) {
            all[i].reason = error.what();
        }
    }
    return all;
}

CloudHandle Session::add(std::string name, std::vector<float> values, std::size_t dimension, std::string origin) {
    return add(cloud_of(std::move(name), std::move(values), Element::f32, dimension, std::move(origin)));
}

CloudHandle Session::add(std::string name, std::vector<double> values, std::size_t dimension, std::string origin) {
    return add(Cloud(std::move(name), std::move(values), dimension, std::move(origin)));
}

CloudHandle Session::add(std::string name, std::vector<std::uint16_t> values, Element element, std::size_t dimension,
                         std::string origin) {
    if (element != Element::f16 && element != Element::bf16)
        throw InputError(geometry::label_of(name, origin) + ": values of 16 bits are f16 or bf16");
    return add(cloud_of(std::move(name), std::move(values), element, dimension, std::move(origin)));
}

CloudHandle Session::add(Cloud cloud) {
    const std::lock_guard lock(state_->mutex);
    return state_->keep(std::move(cloud));
}

void Session::remove(CloudHandle cloud) {
    const std::lock_guard lock(state_->mutex);
    const engine::TestCloud& found = state_->find(cloud);
    state_->backend->forget(found.rows());
    if (found.blocks()) state_->backend->forget(*found.blocks());
    state_->clouds.erase(cloud.id);
}

std::size_t Session::size() const {
    const std::lock_guard lock(state_->mutex);
    return state_->clouds.size();
}

Breadth Session::breadth(CloudHandle cloud) {
    const std::lock_guard lock(state_->mutex);
    engine::TestCloud& found = state_->find(cloud);
    if (!found.is_summarised(true)) found.summarise(true);
    return geometry::breadth_of(found.rows(), found.summary());
}

TestResult Session::test(CloudHandle x, CloudHandle y, const TestOptions& options) {
    const HandlePair pair{x, y};
    return only_result(test_pairs({&pair, 1}, options));
}

std::vector<TestResult> Session::test_pairs(std::span<const HandlePair> pairs, const TestOptions& options) {
    const std::lock_guard lock(state_->mutex);
    return engine::run_family(*state_->backend, state_->find(pairs), options, true);
}

TestResults Session::test_many_pairs(std::span<const HandlePair> pairs, const TestOptions& options) {
    if (options.max_t || options.null_distribution) return TestResults(test_pairs(pairs, options));
    const std::lock_guard lock(state_->mutex);
    const std::vector<engine::TestPair> found = state_->find(pairs);
    return engine::results_of({*state_->backend, found, options, true}, found);
}

TestResult test(const Cloud& x, const Cloud& y, const TestOptions& options) {
    engine::TestCloud of_x(x), of_y(y);
    const engine::TestPair pair{&of_x, &of_y};
    return only_result(engine::run_family(*engine::make_backend(options.execution), {&pair, 1}, options, false));
}

std::vector<TestResult> test_pairs(std::span<const Cloud> clouds, std::span<const Pair> pairs,
                                   const TestOptions& options) {
    const engine::CloudPairs found(clouds, pairs);
    return engine::run_family(*engine::make_backend(options.execution), found.pairs(), options, false);
}

}  // namespace wordbreadth
