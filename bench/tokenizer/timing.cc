// How fast a tokenizer is: wordbreadth_tokenizer_bench FOLDER TEXTS THREADS [MECAB_DICTIONARY] encodes every line of
// the file TEXTS and prints the number of tokens and the seconds it took, loading not counted. table.py compares.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <exception>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "encoder/tokenizer/tokenizer.h"
#include "timing.h"

namespace {

using wordbreadth::encoder::tokenizer::Tokenizer;

std::vector<std::string> lines_of(const char* path) {
    std::ifstream file(path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
}

// Threads take portions of the lines until none is left.
std::size_t count_tokens(const Tokenizer& tokenizer, const std::vector<std::string>& lines, int threads) {
    constexpr std::size_t portion = 256;
    std::atomic<std::size_t> next = 0;
    std::atomic<std::size_t> tokens = 0;
    const auto work = [&] {
        for (std::size_t begin = next.fetch_add(portion); begin < lines.size(); begin = next.fetch_add(portion)) {
            std::size_t count = 0;
            const std::size_t end = std::min(begin + portion, lines.size());
            for (std::size_t i = begin; i < end; ++i) count += tokenizer.encode(lines[i]).size();
            tokens += count;
        }
    };
    std::vector<std::jthread> workers;
    for (int i = 0; i < threads; ++i) workers.emplace_back(work);
    workers.clear();
    return tokens;
}

int run(int count, char** arguments) {
    const Tokenizer tokenizer =
        wordbreadth::encoder::tokenizer::load_tokenizer(arguments[1], count > 4 ? arguments[4] : "");
    const auto lines = lines_of(arguments[2]);
    std::size_t tokens = 0;
    const double seconds =
        wordbreadth::bench::seconds_of([&] { tokens = count_tokens(tokenizer, lines, std::stoi(arguments[3])); });
    std::printf("%zu %.6f\n", tokens, seconds);
    return 0;
}

}  // namespace

int main(int count, char** arguments) try {
    if (count >= 4) return run(count, arguments);
    std::fprintf(stderr, "usage: wordbreadth_tokenizer_bench FOLDER TEXTS THREADS [MECAB_DICTIONARY]\n");
    return 2;
} catch (const std::exception& error) {
    std::fprintf(stderr, "wordbreadth_tokenizer_bench: %s\n", error.what());
    return 1;
}
