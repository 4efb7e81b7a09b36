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
    int refused = 0;
    unsigned seed = 0;
    for (const std::string& path : good_files()) {
        const std::string content = content_of(path);
        const TemporaryFile file(std::filesystem::path(path).extension().string(), content);
        Mutator mutator(++seed, telling);
        for (int i = 0; i < changes_of_a_file; ++i) {
            file.write(mutator.changed(content));
            std::string error;
            EXPECT_NO_THROW(error = error_of([&] { read_everything(file.path()); })) << path << " change " << i;
            if (error != "no error") ++refused;
        }
    }
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
