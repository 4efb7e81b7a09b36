// Spoils files for readers. Seeded, so that a failure comes back.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "support/errors.h"
#include "support/temporary.h"

namespace wordbreadth {

// Half of the bytes it writes are `telling`, those that a format gives meaning to, and half of its changes hit the
// front or the back, where the structure is; some repeat or move what is there.
class Mutator {
  public:
    Mutator(unsigned seed, std::string_view telling) : random_(seed), telling_(telling) {}

    std::string changed(std::string content) {
        const std::size_t times = 1 + below(4);
        for (std::size_t i = 0; i < times && !content.empty(); ++i) change(content);
        return content;
    }

  private:
    std::size_t below(std::size_t bound) { return random_() % bound; }

    char byte() { return below(2) == 0 ? telling_[below(telling_.size())] : static_cast<char>(below(256)); }

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
                content.erase(at, 1 + below(16));
                break;
            case 3:
                content.insert(below(content.size()), content.substr(at, 1 + below(64)));
                break;
            default:
                content[at] = byte();
        }
    }

    std::mt19937 random_;
    std::string_view telling_;
};

// Each of these files, changed so many times, is read or raises InputError, and nothing else happens. How many were
// refused: few, if the changes do not reach what is checked.
template <typename Read>
int refused_of_changed(const std::vector<std::string>& paths, int changes, std::string_view telling, const Read& read) {
    int refused = 0;
    unsigned seed = 0;
    for (const std::string& path : paths) {
        const std::string content = content_of(path);
        const TemporaryFile file(std::filesystem::path(path).extension().string(), content);
        Mutator mutator(++seed, telling);
        for (int i = 0; i < changes; ++i) {
            file.write(mutator.changed(content));
            std::string error;
            EXPECT_NO_THROW(error = error_of([&] { read(file.path()); })) << path << " change " << i;
            if (error != "no error") ++refused;
        }
    }
    return refused;
}

}  // namespace wordbreadth
