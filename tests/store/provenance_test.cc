#include "wordbreadth/provenance.h"

#include <gtest/gtest.h>

#include "base/sha256.h"
#include "store/layout.h"
#include "support/errors.h"
#include "support/small_store.h"

namespace wordbreadth::store {
namespace {

TEST(Provenance, AFileIsKnownByItsBytes) {
    const TemporaryFile file(".txt", "abc");
    const InputFile found = identify_input(file.path());
    EXPECT_EQ(found.path, file.path());
    EXPECT_EQ(found.bytes, 3U);
    EXPECT_EQ(found.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_TRUE(contains(error_of([] { (void)identify_input("absent"); }), "absent: no such file"));
}

TEST(Provenance, AStoreIsKnownByWhatItHolds) {
    const TemporaryFolder folder;
    const std::string a = folder.path() + "/a", b = folder.path() + "/b", c = folder.path() + "/c";
    write_store(a, {{"bank", 9, 5, 1.0}}, 4);
    write_store(b, {{"bank", 9, 5, 1.0}}, 4);
    write_store(c, {{"bank", 9, 5, 1.1}}, 4);
    EXPECT_EQ(identify_input(a).sha256, identify_input(b).sha256);
    EXPECT_EQ(identify_input(a).bytes, identify_input(c).bytes);
    EXPECT_NE(identify_input(a).sha256, identify_input(c).sha256);  // other vectors, of the same plan
}

TEST(Provenance, AnUnfinishedStoreIsKnownByItsPlan) {
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/store";
    write_small_plan(path);
    EXPECT_EQ(identify_input(path).sha256, base::sha256_of_file(plan_path(path)));
}

TEST(Provenance, AFolderIsKnownByItsFiles) {
    const TemporaryFolder folder;
    folder.add("a", "1");
    folder.add("b", "23");
    const InputFile found = identify_input(folder.path());
    EXPECT_EQ(found.bytes, 3U);
    folder.add("b", "32");
    EXPECT_NE(identify_input(folder.path()).sha256, found.sha256);
}

}  // namespace
}  // namespace wordbreadth::store
