// Writes a store as large as one of the BNC is: WordNet's words with clouds of random directions whose breadths,
// frequencies and documents are spread as those of real words, for the time that `experiment` takes and for the size of
// its page: many_words_specimen FOLDER [WORDS ROWS DIMENSION]
#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "wordbreadth/lexicon.h"
#include "wordbreadth/write.h"

namespace {

constexpr std::size_t documents = 4000;  // the BNC has 4,049

// Single words of the nouns, spread over the alphabet.
std::vector<std::string> names(std::size_t count) {
    std::set<std::string> found;
    for (const char* const part : {"noun", "verb", "adj", "adv"}) {
        std::ifstream index(std::string(wordbreadth::WordNet::debian_folder) + "/index." + part);
        for (std::string line; std::getline(index, line);)
            if (const std::string word = line.substr(0, line.find(' '));
                !word.empty() && word.find_first_not_of("abcdefghijklmnopqrstuvwxyz") == std::string::npos)
                found.insert(word);
    }
    std::vector<std::string> all(found.begin(), found.end());
    std::ranges::shuffle(all, std::mt19937_64(1));
    if (all.size() < count) throw std::runtime_error("WordNet has too few single words");
    all.resize(count);
    return all;
}

// A mean of its own, and noise whose axes fall in size as those of real clouds do.
std::vector<float> rows_of(std::size_t rows, std::size_t d, double noise, std::mt19937_64& random) {
    std::normal_distribution<float> normal;
    std::vector<float> mean(d), scale(d), values(rows * d);
    for (float& value : mean) value = normal(random);
    double squares = 0;
    for (std::size_t k = 0; k < d; ++k) {
        scale[k] = 1 / std::sqrt(1 + 20 * static_cast<float>(k) / static_cast<float>(d));
        squares += static_cast<double>(scale[k] * scale[k]);
    }
    const auto unit = static_cast<float>(noise * std::sqrt(static_cast<double>(d) / squares));
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t k = 0; k < d; ++k) values[i * d + k] = mean[k] + unit * scale[k] * normal(random);
    return values;
}

wordbreadth::WordRows word_of(const std::string& name, std::size_t rank, std::size_t rows, std::size_t d) {
    std::mt19937_64 random(rank);
    const double frequency = 6e6 / std::pow(static_cast<double>(rank + 1), 1.0) + static_cast<double>(rows);
    const double noise = std::exp(0.35 * std::normal_distribution<double>()(random)) * std::pow(frequency, 0.03);
    wordbreadth::WordRows word{name, static_cast<std::uint64_t>(frequency), rows_of(rows, d, 0.7 * noise, random), {}};
    const std::string text = "A sentence of a novel in which the word " + name + " stands among a dozen others.";
    const std::size_t start = text.find(name);
    for (std::size_t i = 0; i < rows; ++i)
        word.occurrences.push_back(
            {0, "D" + std::to_string(random() % documents), 0, text, start, start + name.size()});
    std::ranges::sort(word.occurrences, {}, &wordbreadth::Occurrence::document);
    return word;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2 && argc != 5) {
        std::cerr << "usage: many_words_specimen FOLDER [WORDS ROWS DIMENSION]\n";
        return 2;
    }
    const std::size_t count = argc == 5 ? std::stoul(argv[2]) : 20000, rows = argc == 5 ? std::stoul(argv[3]) : 100,
                      dimension = argc == 5 ? std::stoul(argv[4]) : 768;
    std::vector<wordbreadth::WordRows> words;
    const std::vector<std::string> all = names(count);
    for (std::size_t i = 0; i < count; ++i) words.push_back(word_of(all[i], i, rows, dimension));
    wordbreadth::write_store(argv[1], dimension, std::move(words), {{"model", "random clouds"}});
}
