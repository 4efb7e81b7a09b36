// Opening by ending, and what is said about files and names that are not there.
#include "arrays/array_file.h"

#include <gtest/gtest.h>

#include "base/names.h"
#include "support/array_testing.h"
#include "support/temporary.h"

namespace wordbreadth::arrays {
namespace {

std::string error_opening(const std::string& path) {
    return error_of([&] { (void)open_array_file(path); });
}

std::string error_missing(const std::string& name, const std::vector<std::string>& available) {
    return error_of([&] { base::fail_missing("f.npz", name, available); });
}

TEST(ArrayFile, SaysThatThereIsNoFile) {
    EXPECT_EQ(error_opening("none.npz"), "none.npz: no such file");
}

TEST(ArrayFile, RefusesAFolder) {
    EXPECT_NE(error_opening(fixture("")).find("not a regular file"), std::string::npos);
}

TEST(ArrayFile, RefusesAnUnknownEnding) {
    EXPECT_NE(error_opening(fixture("make.py")).find("expected .npy, .npz or .safetensors"), std::string::npos);
}

TEST(ArrayFile, NamesTheFormatThatAFileReallyHas) {
    const TemporaryFile file(".npz", content_of(fixture("types.safetensors")));
    EXPECT_EQ(error_opening(file.path()), file.path() + ": says .npz but holds .safetensors; rename it");
}

TEST(ArrayFile, SuggestsCloseNamesNearestFirst) {
    EXPECT_EQ(error_missing("bank", {"banks", "bench", "bunk", "river"}),
              "f.npz: has no array \"bank\"; did you mean \"banks\", \"bunk\"?");
}

TEST(ArrayFile, ListsSomeNamesWhenNoneIsClose) {
    EXPECT_EQ(error_missing("zygote", {"a", "b", "c", "d", "e", "f", "g"}),
              "f.npz: has no array \"zygote\"; it holds \"a\", \"b\", \"c\", \"d\", \"e\" and 2 more");
}

TEST(ArrayFile, EveryFormatSuggestsNames) {
    for (const auto& [path, name] :
         {std::pair{"f4_c_v1.npy", "f4_c_v2"}, std::pair{"stored.npz", "f5"}, std::pair{"types.safetensors", "F62"}}) {
        const auto file = open_array_file(fixture(path));
        EXPECT_NE(error_of([&] { (void)file->read(name); }).find("did you mean"), std::string::npos) << path;
    }
}

TEST(ArrayFile, RefusesANameThatIsNotUtf8) {
    const TemporaryFile file("\xFF.npy", content_of(fixture("f4_c_v1.npy")));
    EXPECT_NE(error_opening(file.path()).find("is not UTF-8"), std::string::npos);
}

}  // namespace
}  // namespace wordbreadth::arrays
