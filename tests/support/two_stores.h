// Two stores to compare: "loose" is broader in A, "tight" in B, "even" is alike in both.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "support/small_store.h"

namespace wordbreadth {

class TwoStores {
  public:
    // With `per_document` rows in each document; 0: one document, which is as good as none.
    explicit TwoStores(std::size_t per_document = 0) {
        store::write_store(a(),
                           {{"even", 90, 30, 1.0}, {"loose", 50, 30, 2.0}, {"only", 7, 9, 1.0}, {"tight", 70, 25, 0.4}},
                           8, per_document);
        store::write_store(b(),
                           {{"even", 80, 26, 1.0}, {"loose", 60, 30, 0.4}, {"one", 5, 1, 1.0}, {"tight", 9, 30, 2.0}},
                           8, per_document);
    }

    [[nodiscard]] std::string a() const { return folder_.path() + "/first"; }
    [[nodiscard]] std::string b() const { return folder_.path() + "/second"; }
    [[nodiscard]] const std::string& folder() const { return folder_.path(); }

  private:
    TemporaryFolder folder_;
};

// A store of one word, "bank", made with these settings.
inline void write_store_made_with(const std::string& folder,
                                  const std::vector<std::pair<std::string, std::string>>& settings,
                                  std::size_t dimension = 3) {
    store::PlanWriter plan(folder);
    for (const auto& [name, value] : settings) plan.add_setting(name, value);
    plan.add_document(0, "document");
    plan.add_word({"bank", 2, 2, 2});
    const std::vector<std::int32_t> tokens = {101, 7, 102};
    std::vector<float> rows;
    for (std::uint64_t i = 0; i < 2; ++i) {
        plan.add_sentence({i, 0, "bank", tokens});
        plan.add_occurrence({0, i, i, 0, 4, 1, 1});
        for (std::size_t k = 0; k < dimension; ++k) rows.push_back(k == i ? 2.0F : 1.0F);
    }
    plan.add_shard({0, 1, 6, 2});
    plan.keep();
    store::Plan written(folder);
    store::write_shard(written, 0, dimension, rows);
    store::join_shards(written);
}

}  // namespace wordbreadth
