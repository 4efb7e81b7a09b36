// How fast the encoder is: wordbreadth_encoder_bench FOLDER TOKENS LAYER f32|bf16 THREADS all|one encodes the sentences
// of the file TOKENS (32-bit numbers: of each sentence its length, then its ids) up to LAYER and keeps all tokens or
// one of each sentence. It runs them once, prints "ready: ", and then, for every line it is sent, the seconds that all
// of them take. bench/encoder_table.py compares.
#include <chrono>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "encoder/encoder.h"

namespace {

using namespace wordbreadth::encoder;
using wordbreadth::Precision;

struct Tokens {
    std::vector<std::int32_t> ids;
    std::vector<std::size_t> ends, kept;
};

// Batches of so many tokens are plenty: pieces of them are what a thread works on.
constexpr std::size_t batch_tokens = 16'384;

std::vector<Tokens> batches_of(const char* path, bool keep_all) {
    std::ifstream file(path, std::ios::binary);
    std::vector<Tokens> batches(1);
    for (std::int32_t length = 0; file.read(reinterpret_cast<char*>(&length), sizeof length);) {
        if (batches.back().ids.size() >= batch_tokens) batches.emplace_back();
        Tokens& batch = batches.back();
        const std::size_t begin = batch.ids.size();
        batch.ids.resize(begin + static_cast<std::size_t>(length));
        file.read(reinterpret_cast<char*>(batch.ids.data() + begin), 4L * length);
        batch.ends.push_back(batch.ids.size());
        if (!keep_all) batch.kept.push_back(begin + static_cast<std::size_t>(length) / 2);
        for (std::size_t i = begin; keep_all && i < batch.ids.size(); ++i) batch.kept.push_back(i);
    }
    return batches;
}

double seconds(Encoder& encoder, const std::vector<Tokens>& batches) {
    std::vector<float> vectors;
    const auto start = std::chrono::steady_clock::now();
    for (const Tokens& batch : batches) {
        vectors.resize(batch.kept.size() * encoder.config().hidden);
        encoder.encode({batch.ids, {}, batch.ends, batch.kept}, vectors);
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

int run(char** arguments) {
    const std::size_t layer = std::stoul(arguments[3]);
    const bool bf16 = std::string(arguments[4]) == "bf16";
    const auto encoder = open_cpu_encoder(arguments[1], {.layers = {layer, layer},
                                                         .precision = bf16 ? Precision::bf16 : Precision::f32,
                                                         .threads = static_cast<unsigned>(std::stoul(arguments[5]))});
    const auto batches = batches_of(arguments[2], std::string(arguments[6]) == "all");
    seconds(*encoder, batches);
    std::cout << "ready: \n" << std::flush;
    for (std::string line; std::getline(std::cin, line);) std::cout << seconds(*encoder, batches) << '\n' << std::flush;
    return 0;
}

}  // namespace

int main(int count, char** arguments) try {
    if (count == 7) return run(arguments);
    std::fprintf(stderr, "usage: wordbreadth_encoder_bench FOLDER TOKENS LAYER f32|bf16 THREADS all|one\n");
    return 2;
} catch (const std::exception& error) {
    std::fprintf(stderr, "wordbreadth_encoder_bench: %s\n", error.what());
    return 1;
}
