// A whole snapshot for tests: the small random BERT of tests/data/models with a vocabulary of a few words, and a corpus
// made of them.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "support/small_store.h"
#include "wordbreadth/extract.h"

namespace wordbreadth::extraction {

inline const std::vector<std::string>& snapshot_words() {
    static const std::vector<std::string> words = {"the",  "bank",  "river", "money", "of",  "a",  "is", "on",
                                                   "deep", "water", "flows", "old",   "new", "by", "in"};
    return words;
}

// What every file of a folder holds, by its path in there.
inline std::map<std::string, std::string> files_in(const std::string& folder) {
    namespace fs = std::filesystem;
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file())
            files[fs::relative(entry.path(), folder).string()] = content_of(entry.path().string());
    return files;
}

// Copies a model of tests/data/models into `folder` and gives it a tokenizer.
inline void write_snapshot(const std::string& folder, const std::string& model = "bert") {
    std::filesystem::create_directories(folder);
    const std::string source = std::string(TESTS_DIR) + "/data/models/" + model + "/";
    for (const char* name : {"config.json", "model.safetensors", "pytorch_model.bin"})
        if (std::filesystem::exists(source + name)) std::filesystem::copy_file(source + name, folder + "/" + name);
    std::string vocabulary = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n##s\n.\n,\n";
    for (const std::string& word : snapshot_words()) vocabulary += word + "\n";
    write_file(folder + "/vocab.txt", vocabulary);
    write_file(folder + "/tokenizer_config.json", R"({"do_lower_case": true, "tokenizer_class": "BertTokenizer"})");
}

// Sentences of 4 to 12 words, one per line.
inline std::string random_lines(std::size_t sentences, unsigned seed = 1) {
    std::mt19937 random(seed);
    std::string text;
    for (std::size_t i = 0; i < sentences; ++i) {
        const std::size_t length = 4 + random() % 9;
        for (std::size_t j = 0; j < length; ++j) text += snapshot_words()[random() % snapshot_words().size()] + " ";
        text += ".\n";
    }
    return text;
}

// A folder with a model, a corpus and a place for stores.
struct Workshop {
    TemporaryFolder folder;

    explicit Workshop(const std::string& lines = random_lines(400)) {
        write_snapshot(path("model"));
        write_file(path("corpus.txt"), lines);
    }

    [[nodiscard]] std::string path(const std::string& name) const { return folder.path() + "/" + name; }

    [[nodiscard]] ExtractOptions options(const std::string& out = "store") const {
        ExtractOptions options;
        options.model = path("model");
        options.corpus = {path("corpus.txt")};
        options.out = path(out);
        options.corpus_format = "lines";
        options.max_tokens = 40;
        options.min_count = 20;
        options.per_word = 30;
        options.device = "cpu";
        options.threads = 1;
        return options;
    }
};

}  // namespace wordbreadth::extraction
