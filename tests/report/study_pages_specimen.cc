// Writes two stores of made-up words, a hostile one among them, for the pages that rank, triage and compare write and
// for their timing: study_pages_specimen FOLDER [WORDS ROWS DIMENSION]
#include <filesystem>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "support/small_store.h"

namespace {

using Words = std::vector<wordbreadth::store::PlannedWord>;

// Numbers of equally many digits, so that the words come in byte order.
std::size_t first_number(std::size_t words) {
    std::size_t first = 100;
    while (9 * first < words) first *= 10;
    return first;
}

// The second store has fewer rows of each word, and spreads of its own.
Words words_of(std::size_t count, std::size_t rows, std::size_t cycle) {
    Words words = {{"<img src=x onerror=\"document.title='owned'\">", 100, rows, 0.5}};
    for (std::size_t i = first_number(count); words.size() <= count; ++i)
        words.push_back({"word" + std::to_string(i), 100 + 37 * i, rows, 0.8 + 0.03 * static_cast<double>(i % cycle)});
    return words;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2 && argc != 5) {
        std::cerr << "usage: study_pages_specimen FOLDER [WORDS ROWS DIMENSION]\n";
        return 2;
    }
    const std::string folder = argv[1];
    const std::size_t words = argc == 5 ? std::stoul(argv[2]) : 300;
    const std::size_t rows = argc == 5 ? std::stoul(argv[3]) : 30;
    const std::size_t dimension = argc == 5 ? std::stoul(argv[4]) : 16;
    for (const auto& [name, cycle] : {std::pair("/first", std::size_t{17}), std::pair("/second", std::size_t{13})}) {
        std::filesystem::remove_all(folder + name);
        wordbreadth::store::write_store(folder + name, words_of(words, cycle == 17 ? rows : rows - rows / 5, cycle),
                                        dimension);
    }
}
