// Stores of a few words, for tests: the plan, its shards and the clouds joined from them.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "store/plan.h"
#include "store/shards.h"
#include "support/temporary.h"

namespace wordbreadth::store {

inline constexpr std::size_t small_dimension = 4;

// Three sentences of two documents in two shards. "bank" has 3 rows, "money" 1, "river" 2; the positions are true.
inline void write_small_plan(const std::string& folder, const std::string& seed = "0") {
    const std::vector<std::string> sentences = {"The bank is closed.", "A river and its bank.",
                                                "Money in the bank of\na river."};
    PlanWriter plan(folder);
    plan.add_setting("model", "a model");
    plan.add_setting("layers", "4");
    plan.add_setting("seed", seed);
    plan.add_source("corpus.txt", "text", 70);
    plan.add_skipped({"too long", 2});
    plan.add_skipped({"seldom", 5});
    plan.add_document(0, "first");
    plan.add_document(1, "second");
    plan.add_word({"bank", 30, 20, 3});
    plan.add_word({"money", 10, 1, 1});
    plan.add_word({"river", 40, 40, 2});
    const std::vector<std::int32_t> tokens = {101, 7, 8, 9, 10, 11, 12, 102};
    for (std::uint64_t i = 0; i < 3; ++i) plan.add_sentence({i, i / 2, sentences[i], tokens});
    plan.add_occurrence({0, 0, 0, 4, 8, 2, 1});
    plan.add_occurrence({0, 1, 1, 16, 20, 5, 1});
    plan.add_occurrence({0, 2, 2, 13, 17, 4, 2});
    plan.add_occurrence({1, 0, 2, 0, 5, 1, 1});
    plan.add_occurrence({2, 0, 1, 2, 7, 2, 1});
    plan.add_occurrence({2, 1, 2, 23, 28, 6, 1});
    plan.add_shard({0, 1, 16, 3});
    plan.add_shard({2, 2, 8, 3});
    plan.keep();
}

// Row k of a shard: its own direction, so that every row can be told from the others.
inline std::vector<float> small_rows(std::size_t shard) {
    std::vector<float> rows;
    for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t c = 0; c < small_dimension; ++c)
            rows.push_back(static_cast<float>(1 + 3 * shard + k) / static_cast<float>(1 + (c + k) % small_dimension));
    return rows;
}

inline void write_small_shard(const std::string& folder, std::size_t shard) {
    write_shard(Plan(folder), shard, small_dimension, small_rows(shard));
}

inline void write_small_store(const std::string& folder) {
    write_small_plan(folder);
    for (const std::size_t shard : {0, 1}) write_small_shard(folder, shard);
    Plan plan(folder);
    join_shards(plan);
}

// What a store that is read from has to say for a word of it.
struct PlannedWord {
    std::string word;
    std::uint64_t frequency = 0;
    std::size_t rows = 0;
    double spread = 0.5;  // of the rows around a direction of their own: larger is broader
};

// A store of one shard in which sentence i holds row i, word after word, as "w x w" does. Every `per_document`
// sentences are a document; 0: all of them are one.
inline void write_store(const std::string& folder, const std::vector<PlannedWord>& words, std::size_t dimension,
                        std::size_t per_document = 0, const FileLimits& limits = {}) {
    std::mt19937 bits(7);
    const auto uniform = [&] { return static_cast<double>(bits()) / 4294967296.0 - 0.5; };
    std::vector<float> rows;
    const std::vector<std::int32_t> tokens = {101, 7, 102};
    PlanWriter plan(folder);
    plan.add_setting("model", "a model");
    const auto document_of = [&](std::uint64_t sentence) { return per_document == 0 ? 0 : sentence / per_document; };
    std::uint64_t sentences = 0;
    for (const PlannedWord& word : words) sentences += word.rows;
    for (std::uint64_t id = 0; id <= document_of(sentences - 1); ++id)
        plan.add_document(id, id == 0 ? "document" : "document " + std::to_string(id));
    std::uint64_t sentence = 0;
    for (std::size_t w = 0; w < words.size(); ++w) {
        plan.add_word({words[w].word, words[w].frequency, words[w].frequency, words[w].rows});
        std::vector<double> centre(dimension);
        for (double& value : centre) value = uniform();
        for (std::size_t i = 0; i < words[w].rows; ++i, ++sentence) {
            plan.add_sentence({sentence, document_of(sentence),
                               "left " + std::to_string(i) + " of " + words[w].word + " right.", tokens});
            plan.add_occurrence({w, i, sentence, 0, 4, 1, 1});
            for (const double value : centre) rows.push_back(static_cast<float>(value + words[w].spread * uniform()));
        }
    }
    plan.add_shard({0, sentence - 1, 3 * sentence, sentence});
    plan.keep();
    Plan written(folder);
    write_shard(written, 0, dimension, rows);
    join_shards(written, 1, limits);
}

}  // namespace wordbreadth::store
