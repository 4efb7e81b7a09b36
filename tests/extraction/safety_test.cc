// What a run leaves when it fails, and what it makes of what others left.
#include <gtest/gtest.h>

#include <filesystem>

#include "store/layout.h"
#include "store/store_lock.h"
#include "support/errors.h"
#include "support/snapshot.h"
#include "wordbreadth/store.h"

namespace wordbreadth::extraction {
namespace {

namespace fs = std::filesystem;

ExtractOptions resumed(const std::string& out) {
    ExtractOptions options;
    options.out = out;
    options.resume = true;
    return options;
}

// Before, these were a segmentation fault and a loop that took all memory.
TEST(Extract, AForgedPlanIsToldBeforeAnythingIsEmbedded) {
    const Workshop workshop;
    for (const auto& [sql, part] : std::vector<std::pair<std::string, std::string>>{
             {"DELETE FROM shard", "lists no shards"},
             {"UPDATE occurrence SET tokens = -1", "occurrence.tokens is -1; expected 1 to "},
             {"UPDATE shard SET tokens = tokens + 1", "shard.tokens of shard 0 is "},
             {"UPDATE sentence SET tokens = zeroblob(length(tokens) - 4) || x'40420f00'", "; expected 0 to "}}) {
        ExtractOptions options = workshop.options();
        options.plan_only = true;
        extract(options);
        store::Database(store::plan_path(options.out), store::Database::Mode::create, sql);
        const std::string error = error_of([&] { extract(resumed(options.out)); });
        EXPECT_TRUE(contains(error, part)) << sql << ": " << error;
        EXPECT_FALSE(fs::exists(store::lock_path(options.out)));
        fs::remove_all(options.out);
    }
}

TEST(Extract, RefusesAStoreThatAnotherProcessIsWriting) {
    const Workshop workshop;
    const std::string out = workshop.path("store");
    {
        const store::StoreLock other(out);
        for (const bool resume : {false, true}) {
            ExtractOptions options = workshop.options();
            options.resume = resume;
            const std::string error = error_of([&] { extract(options); });
            EXPECT_TRUE(contains(error, "is writing to this store; wait until it is done")) << error;
        }
        EXPECT_TRUE(fs::exists(store::lock_path(out)));
    }
    EXPECT_FALSE(fs::exists(out));
    EXPECT_TRUE(extract(workshop.options()).finished);
    EXPECT_FALSE(fs::exists(store::lock_path(out)));
}

TEST(Extract, ThatFailsLeavesNoFolder) {
    const Workshop workshop;
    ExtractOptions options = workshop.options("new/folders/store");
    options.min_count = 100'000;
    EXPECT_TRUE(contains(error_of([&] { extract(options); }), "usable occurrences"));
    EXPECT_FALSE(fs::exists(workshop.path("new")));
    options.out = workshop.path("there");
    fs::create_directory(options.out);
    EXPECT_TRUE(contains(error_of([&] { extract(options); }), "usable occurrences"));
    EXPECT_TRUE(fs::is_empty(options.out));
}

TEST(Extract, SaysThatThereIsNoStoreToResume) {
    const Workshop workshop;
    const std::string error = error_of([&] { extract(resumed(workshop.path("nope"))); });
    EXPECT_TRUE(error.starts_with(workshop.path("nope") + ": there is no store to resume")) << error;
    EXPECT_FALSE(fs::exists(workshop.path("nope")));
}

// A lock of a process that is no more, and files that it had begun.
void leave_things(const std::string& folder) {
    store::LockOwner owner = store::this_process();
    owner.started = "1";
    fs::create_directories(folder);
    write_file(store::lock_path(folder), to_text(owner));
    write_file(folder + "/store.sqlite.part-1", "half a plan");
    write_file(folder + "/clouds.safetensors.part-1", "half a cloud");
    write_file(folder + "/clouds.2.safetensors.part-1", "half a cloud");
    write_file(folder + "/store.index.part-1", "half an index");
    write_file(folder + "/store.lock.part-1", "half a lock");
}

TEST(Extract, ClearsAwayWhatAKilledProcessLeftBeforeItStarts) {
    const Workshop workshop;
    extract(workshop.options("whole"));
    leave_things(workshop.path("killed"));
    extract(workshop.options("killed"));  // in the place of it: nothing of worth is in there
    EXPECT_EQ(files_in(workshop.path("whole")), files_in(workshop.path("killed")));

    ExtractOptions planned = workshop.options("planned");
    planned.plan_only = true;
    extract(planned);
    leave_things(planned.out);
    fs::create_directory(store::shards_folder(planned.out));
    write_file(store::shard_path(planned.out, 0) + ".part-1", "half a shard");
    planned.resume = true;
    extract(planned);  // and makes nothing
    EXPECT_EQ(files_in(planned.out).size(), 1U);
}

}  // namespace
}  // namespace wordbreadth::extraction
