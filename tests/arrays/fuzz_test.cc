// Good files with some bytes changed, inserted or cut: each is read or raises InputError, and nothing else happens.
// Seeded, so that a failure comes back.
#include <gtest/gtest.h>

#include <string_view>

#include "support/array_testing.h"
#include "support/mutator.h"

namespace wordbreadth::arrays {
namespace {

using namespace std::string_view_literals;

constexpr int changes_of_a_file = 400;
constexpr auto telling = "\0\xFF\x7F\x80\"'{}[](),:019-LPK"sv;

TEST(Fuzz, ChangedFilesAreReadOrRefused) {
    const int refused = refused_of_changed(good_files(), changes_of_a_file, telling, read_everything);
    EXPECT_GT(refused, 1000);  // else the changes do not reach what is checked
}

TEST(Fuzz, CutFilesAreRefusedAtEveryLength) {
    for (const char* name : {"f4_c_v1.npy", "deflated.npz", "types.safetensors"}) {
        const std::string content = content_of(fixture(name));
        const TemporaryFile file(std::filesystem::path(name).extension().string(), {});
        for (std::size_t length = 0; length < content.size(); ++length) {
            file.write(std::string_view(content).substr(0, length));
            EXPECT_NE(error_of([&] { read_everything(file.path()); }), "no error") << name << " cut to " << length;
        }
    }
}

}  // namespace
}  // namespace wordbreadth::arrays
