#include <gtest/gtest.h>

#include <future>

#include "support/small_store.h"
#include "wordbreadth/store.h"

namespace wordbreadth::store {
namespace {

std::string text_of(const Store& store, std::size_t index) {
    const StoredWord word = store.word(index);
    std::string text = word.word + " " + std::to_string(store.find(word.word)) + " " + store.setting("model");
    for (const float value : store.rows(index)) text += " " + std::to_string(value);
    for (const std::uint64_t document : store.documents(index)) text += " " + std::to_string(document);
    return text + store.occurrences(index).back().text;
}

// One of them asks for all words while the others look some up.
TEST(Store, IsSharedByThreads) {
    const TemporaryFolder folder;
    std::vector<PlannedWord> words;
    for (std::size_t w = 0; w < 120; ++w) words.push_back({"word" + std::to_string(100 + w), 9, 2 + w % 5});
    write_store(folder.path() + "/store", words, 5, 3);
    const auto all_of = [](const Store& store, bool lists) {
        std::string text;
        for (std::size_t i = 0; i < store.size(); ++i) {
            if (lists && i == 40) text += store.words()[0].word;
            text += text_of(store, i);
        }
        return text;
    };
    const Store alone(folder.path() + "/store"), shared(folder.path() + "/store");
    std::vector<std::future<std::string>> found;
    for (int thread = 0; thread < 4; ++thread)
        found.push_back(std::async(std::launch::async, [&, thread] { return all_of(shared, thread == 3); }));
    for (std::size_t thread = 0; thread < 4; ++thread) EXPECT_EQ(found[thread].get(), all_of(alone, thread == 3));
}

}  // namespace
}  // namespace wordbreadth::store
