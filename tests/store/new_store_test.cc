#include "store/new_store.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "store/layout.h"
#include "store/store_lock.h"
#include "support/errors.h"
#include "support/temporary.h"
#include "wordbreadth/store.h"

namespace wordbreadth::store {
namespace {

namespace fs = std::filesystem;

void write_files(const NewStore& made) {
    write_file(plan_path(made.temporary()), "plan");
    write_file(clouds_path(made.temporary()), "clouds");
}

std::ptrdiff_t files_in(const std::string& folder) {
    return std::distance(fs::directory_iterator(folder), {});
}

TEST(NewStore, IsNoStoreBeforeItIsKept) {
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/some/store/";
    NewStore made(path);
    write_files(made);
    EXPECT_FALSE(is_store(path));
    made.keep();
    EXPECT_TRUE(is_store(path));
    EXPECT_EQ(files_in(path), 2);
}

TEST(NewStore, LeavesNothingWhenItIsNotKept) {
    const TemporaryFolder folder;
    write_files(NewStore(folder.path() + "/some/new/store"));
    EXPECT_EQ(files_in(folder.path()), 0);
    fs::create_directory(folder.path() + "/empty");
    write_files(NewStore(folder.path() + "/empty"));
    EXPECT_EQ(files_in(folder.path() + "/empty"), 0);
}

TEST(NewStore, MayBeALinkToAnEmptyFolder) {
    const TemporaryFolder folder;
    fs::create_directory(folder.path() + "/real");
    fs::create_directory_symlink(folder.path() + "/real", folder.path() + "/link");
    NewStore made(folder.path() + "/link");
    write_files(made);
    made.keep();
    EXPECT_TRUE(fs::is_symlink(folder.path() + "/link"));
    EXPECT_TRUE(is_store(folder.path() + "/real"));
}

TEST(NewStore, RemovesWhatAKilledProcessLeft) {
    const TemporaryFolder folder;
    folder.add("store/store.part-999999999/store.sqlite", "");  // of no process of this machine
    folder.add("store/store.part-1-other-0/store.sqlite", "");  // perhaps of one of another
    const std::string path = folder.path() + "/store";
    {
        const NewStore abandoned(path);
        EXPECT_FALSE(fs::exists(path + "/store.part-999999999"));
        EXPECT_TRUE(fs::exists(path + "/store.part-1-other-0"));
    }
    NewStore made(path);
    write_files(made);
    made.keep();
    EXPECT_EQ(files_in(path), 2);
}

// Killed at any of the moves: the plan is moved last.
TEST(NewStore, RemovesWhatAProcessHadMovedWhenItWasKilled) {
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/store", part = "store/store.part-999999999";
    folder.add(part + "/store.sqlite", "");
    folder.add("store/store.index", "");
    folder.add("store/clouds.safetensors", "");
    { const NewStore made(path); }
    EXPECT_EQ(files_in(path), 0);
}

TEST(NewStore, KeepsFilesThatNoProcessHasMoved) {
    const TemporaryFolder folder;
    folder.add("store/store.part-999999999/store.sqlite", "");
    folder.add("store/store.part-999999999/clouds.safetensors.part-999999999", "");  // it had not come so far
    folder.add("store/clouds.safetensors", "");
    const std::string path = folder.path() + "/store";
    EXPECT_EQ(error_of([&] { NewStore made(path); }), path + ": exists and is not an empty folder; name another");
    EXPECT_TRUE(fs::exists(path + "/clouds.safetensors"));
}

TEST(NewStore, RefusesAFolderThatIsNotEmpty) {
    const TemporaryFolder folder;
    folder.add("full/notes.txt", "");
    const std::string path = folder.path() + "/full";
    EXPECT_EQ(error_of([&] { NewStore made(path); }), path + ": exists and is not an empty folder; name another");
    EXPECT_EQ(error_of([&] { NewStore made(path + "/notes.txt"); }),
              path + "/notes.txt: exists and is not an empty folder; name another");
    EXPECT_EQ(error_of([&] { NewStore made(""); }), "no folder was named for the store");
    EXPECT_EQ(files_in(path), 1);
}

TEST(NewStore, RefusesAFolderToWhichAnotherWrites) {
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/store";
    const StoreLock lock(path);
    EXPECT_NE(error_of([&] { NewStore made(path); }), "no error");
}

// The first that is complete stays as it is.
TEST(NewStore, DoesNotReplaceOneThatWasMadeMeanwhile) {
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/store";
    {
        NewStore slow(path), quick(path);
        write_files(quick);
        quick.keep();
        EXPECT_TRUE(fs::exists(slow.temporary()));
        write_files(slow);
        EXPECT_EQ(error_of([&] { slow.keep(); }), path + ": is already a store; name another folder, or remove it");
    }
    EXPECT_EQ(files_in(path), 2);
}

}  // namespace
}  // namespace wordbreadth::store
