#include "wordbreadth/parts.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <future>
#include <string>
#include <system_error>
#include <vector>

#include "base/failure.h"
#include "base/workers.h"
#include "extraction/merge_plan.h"
#include "store/layout.h"
#include "store/plan.h"
#include "store/shards.h"
#include "wordbreadth/error.h"
#include "wordbreadth/store.h"
#include "wordbreadth/timing.h"

namespace wordbreadth {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

void describe(const store::Plan& plan, MergeSummary& summary) {
    summary.words = plan.words().size();
    summary.shards = plan.shards().size();
    for (const store::PlannedShard& shard : plan.shards()) summary.rows += shard.rows;
}

// "3, 4, 5 and 7 more".
std::string listed(const std::vector<std::size_t>& numbers) {
    constexpr std::size_t most = 5;
    std::string text;
    for (std::size_t i = 0; i < std::min(most, numbers.size()); ++i)
        text += (i > 0 ? ", " : "") + std::to_string(numbers[i]);
    return numbers.size() <= most ? text : text + " and " + std::to_string(numbers.size() - most) + " more";
}

// Whether each is whole shows when it is joined.
void require_shards(const store::Plan& plan) {
    std::vector<std::size_t> missing;
    std::error_code ignored;
    for (std::size_t shard = 0; shard < plan.shards().size(); ++shard)
        if (!fs::exists(store::shard_path(plan.folder(), shard), ignored)) missing.push_back(shard);
    if (missing.empty()) return;
    throw Resumable(plan.folder() + ": " + base::count_of(missing.size(), "shard") + " of " +
                        std::to_string(plan.shards().size()) + (missing.size() == 1 ? " is" : " are") +
                        " missing: " + listed(missing) + "; embed " + (missing.size() == 1 ? "it" : "them") +
                        " first: finished ones are kept",
                    plan.folder());
}

void join(store::Plan& plan, const Execution& execution, MergeSummary& summary) try {
    const Timing::Stage stage(execution.timing, "joining shards");
    require_shards(plan);
    store::join_shards(plan, base::thread_count(execution.threads));
} catch (const InputError& error) {
    // Another merge may have been quicker, and have removed the shards.
    summary.found = store::has_clouds(plan.folder());
    if (summary.found) return;
    if (dynamic_cast<const Resumable*>(&error) != nullptr) throw;
    throw Resumable(error.what() + std::string("; finished shards are kept, and what is missing can be embedded again"),
                    plan.folder());
}

void merge_parts(const std::string& folder, const Execution& execution, MergeSummary& summary) try {
    const extraction::MergedPlan merged = extraction::merge_plan(folder, execution);
    summary.parts = merged.parts;
    summary.decided_anew = merged.decided_anew;
    summary.files = merged.summary.files;
    summary.sentences = merged.summary.sentences;
    summary.documents = merged.summary.documents;
} catch (const std::exception&) {
    // Another merge may have been quicker, and have removed the parts.
    if (!is_store(folder)) throw;
    summary.found = true;
}

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

bool can_merge_store(const std::string& folder) {
    std::error_code ignored;
    return is_store(folder) || fs::is_directory(store::parts_folder(folder), ignored);
}

MergeSummary merge_store(const std::string& folder, const Execution& execution) {
    const Clock::time_point start = Clock::now();
    MergeSummary summary;
    const bool merges_plan = !is_store(folder);
    if (merges_plan) merge_parts(folder, execution, summary);
    store::Plan plan(folder, std::launch::deferred);
    std::error_code ignored;
    fs::remove_all(store::parts_folder(folder), ignored);
    describe(plan, summary);
    if (merges_plan || (!store::has_clouds(folder) && !fs::exists(store::shards_folder(folder), ignored))) {
        summary.found = !merges_plan;  // and no part has begun to embed it
        summary.seconds = seconds_since(start);
        return summary;
    }
    summary.made = MergeSummary::Made::clouds;
    if (store::has_clouds(folder)) {
        summary.found = true;
        store::remove_leftovers(folder);
    } else {
        join(plan, execution, summary);
    }
    summary.seconds = seconds_since(start);
    return summary;
}

}  // namespace wordbreadth
