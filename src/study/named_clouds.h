// Clouds of a file or a store by their names, each by itself: one that is none does not stop the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arrays/array_file.h"
#include "wordbreadth/cloud.h"

namespace wordbreadth {

// Which rows of a cloud to take: so many, drawn by the seed as all studies draw them (see sample.h).
struct Cut {
    std::size_t rows = 0;  // 0: all
    std::uint64_t seed = 0;
};

// A cloud, or why there is none.
struct NamedCloud {
    std::string name, origin;
    std::size_t rows = 0, dimension = 0;  // that the cloud has, or else the array; 0 where it could not be read
    std::optional<Cloud> cloud;
    std::string reason;
};

class CloudSource {
  public:
    // A file of arrays, or the folder of a store. Throws InputError when it cannot be read.
    explicit CloudSource(std::string path);

    [[nodiscard]] const std::string& path() const { return path_; }

    // In byte order.
    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

    // The cloud of that name, unless it has fewer rows than are to be taken, cannot be read or is none (see Cloud).
    // Throws InputError, listing close names, when there is none of that name.
    [[nodiscard]] NamedCloud read(const std::string& name, const Cut& cut) const;

  private:
    std::string path_;
    std::unique_ptr<arrays::ArrayFile> file_;
    std::vector<std::string> names_;
};

// The one cloud that `where` names, as for load_cloud. Throws InputError when there is none.
[[nodiscard]] Cloud cloud_at(const std::string& where, const Cut& cut);

}  // namespace wordbreadth
