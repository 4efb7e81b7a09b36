// Good files with some bytes changed, inserted or cut: each is read or raises InputError, and nothing else happens.
// Seeded, so that a failure comes back.
#include <gtest/gtest.h>

#include <random>
#include <string_view>

#include "store/store_testing.h"
#include "store/temporary_file.h"

namespace wordbreadth::store {
namespace {

using namespace std::string_view_literals;

constexpr int changes_of_a_file = 400;

// Half of the changes are bytes that formats give meaning to, and half of them hit the front or the back, where the
// structure is.
class Mutator {
  public:
    explicit Mutator(unsigned seed) : random_(seed) {}

    std::string changed(std::string content) {
        const std::size_t times = 1 + below(4);
        for (std::size_t i = 0; i < times && !content.empty(); ++i) change(content);
        return content;
    }

  private:
    std::size_t below(std::size_t bound) { return random_() % bound; }

    char byte() {
        constexpr std::string_view telling = "\0\xFF\x7F\x80\"'{}[](),:019-LPK"sv;
        return below(2) == 0 ? telling[below(telling.size())] : static_cast<char>(below(256));
    }

    std::size_t place(std::size_t size) {
        const std::size_t edge = std::min<std::size_t>(size, 128);
        switch (below(4)) {
            case 0:
                return below(edge);
            case 1:
                return size - 1 - below(edge);
            default:
                return below(size);
        }
    }

    void change(std::string& content) {
        const std::size_t at = place(content.size());
        switch (below(8)) {
            case 0:
                content.resize(at);
                break;
            case 1:
                content.insert(at, 1, byte());
                break;
            case 2:
                content.erase(at, 1 + below(8));
                break;
            default:
                content[at] = byte();
        }
    }

    std::mt19937 random_;
};

TEST(Fuzz, ChangedFilesAreReadOrRefused) {
    int refused = 0;
    unsigned seed = 0;
    for (const std::string& path : good_files()) {
        const std::string content = content_of(path);
        const TemporaryFile file(std::filesystem::path(path).extension().string(), content);
        Mutator mutator(++seed);
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
}  // namespace wordbreadth::store
