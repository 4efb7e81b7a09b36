// Named clouds of a store or a file of arrays, each by itself: one that cannot be used does not stop the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wordbreadth/cloud.h"
#include "wordbreadth/lists.h"
#include "wordbreadth/store.h"
#include "wordbreadth/test.h"

namespace wordbreadth {

// Which rows of a cloud to take, a sample by the seed, the same that every study draws; and what is known of them.
struct Cut {
    std::size_t rows = 0;  // 0: all
    std::uint64_t seed = 0;
    bool blocks = true;  // with their documents, or the labels below; false: rows stand for themselves
    // Instead of the documents that a store knows, by the cloud's name or, where names repeat, as
    // CloudPlace has it: FILE:name, FILE.npy. Null: none.
    const BlockLabels* labels = nullptr;
    std::string layer = {};  // of stores: as Store takes it
};

// Which of the `rows` rows of a cloud a cut takes, in ascending order. `origin` may be empty. Throws InputError when
// there are fewer than it takes.
[[nodiscard]] std::vector<std::size_t> rows_of_cut(const std::string& name, const std::string& origin, std::size_t rows,
                                                   const Cut& cut);

// A cloud, or why there is none.
struct NamedCloud {
    std::string name, origin;
    std::size_t rows = 0, dimension = 0;  // of the cloud, or else of the array; 0 where it could not be read
    std::optional<Cloud> cloud;
    std::string reason;
};

class CloudSource {
  public:
    // A file of arrays, or the folder of a store, of which `layer` is as Store takes it. Throws InputError when it
    // cannot be read, or a layer of a file is named.
    explicit CloudSource(const std::string& path, const std::string& layer = {});
    CloudSource(CloudSource&&) noexcept;
    CloudSource& operator=(CloudSource&&) noexcept;
    ~CloudSource();

    [[nodiscard]] const std::string& path() const;
    [[nodiscard]] const std::vector<std::string>& names() const;  // in byte order
    [[nodiscard]] std::shared_ptr<const Store> store() const;     // null where it is a file

    // The cloud of that name, unless it has fewer rows than are to be taken, cannot be read, has no breadth or lacks
    // its labels.
    // Throws InputError, listing close names, when there is none of that name.
    [[nodiscard]] NamedCloud read(const std::string& name, const Cut& cut = {}) const;

    // The clouds of these names, read side by side, on the threads of `execution`, of which also `stop` is looked at.
    // Throws as for one, and Cancelled.
    [[nodiscard]] std::vector<NamedCloud> read(std::span<const std::string> names, const Cut& cut,
                                               const Execution& execution) const;

  private:
    struct Contents;
    std::unique_ptr<Contents> contents_;
};

// The pairs that a list has, as places in the names of the source. Throws InputError as read_pair_list() does and,
// naming the line, for a name that the source lacks.
[[nodiscard]] std::vector<Pair> listed_pairs(const std::string& list, const CloudSource& source);

// The one cloud that `where` names, as for load_cloud, or of a store. Throws InputError when there is none.
[[nodiscard]] Cloud cloud_at(const std::string& where, const Cut& cut = {});

// The same for several, which opens each file or store once. `stores`: takes the store of each, null for one of a file.
[[nodiscard]] std::vector<Cloud> clouds_at(std::span<const std::string> where, const Cut& cut = {},
                                           std::vector<std::shared_ptr<const Store>>* stores = nullptr);

// One result per pair, as test_pairs gives it. For a pair that lacks a cloud, or whose clouds cannot be tested together
// (different dimensions, too many rows), `undefined` says why, and its numbers are NaN. Throws InputError for bad
// options, Cancelled when stopped.
[[nodiscard]] std::vector<TestResult> test_named_pairs(std::vector<NamedCloud> clouds, std::span<const Pair> pairs,
                                                       const TestOptions& options);

// The same of so many pairs that memory does not hold their results, which are made when they are asked for. The clouds
// are kept for that.
[[nodiscard]] TestResults test_many_named_pairs(std::vector<NamedCloud> clouds, std::span<const Pair> pairs,
                                                const TestOptions& options);

}  // namespace wordbreadth
