// How fast the encoder is: wordbreadth_encoder_bench FOLDER TOKENS LAYER f32|bf16 THREADS all|one encodes the sentences
// of the file TOKENS (32-bit numbers: of each sentence its length, then its ids) up to LAYER, keeps all tokens or one
// of each sentence, and prints the number of tokens and the seconds it took, loading not counted.
// bench/encoder_table.py compares.
#include <chrono>
#include <cstdio>
#include <exception>
#include <fstream>
#include <string>
#include <vector>

#include "encoder/encoder.h"

namespace {

using namespace wordbreadth::encoder;

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

int run(char** arguments) {
    const std::size_t layer = std::stoul(arguments[3]);
    const bool bf16 = std::string(arguments[4]) == "bf16";
    const auto encoder = open_cpu_encoder(arguments[1], {.layers = {layer, layer},
                                                         .precision = bf16 ? Precision::bf16 : Precision::f32,
                                                         .threads = static_cast<unsigned>(std::stoul(arguments[5]))});
    const auto batches = batches_of(arguments[2], std::string(arguments[6]) == "all");
    std::vector<float> vectors;
    std::size_t tokens = 0;
    const auto start = std::chrono::steady_clock::now();
    for (const Tokens& batch : batches) {
        vectors.resize(batch.kept.size() * encoder->config().hidden);
        encoder->encode({batch.ids, {}, batch.ends, batch.kept}, vectors);
        tokens += batch.ids.size();
    }
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    std::printf("%zu %.6f\n", tokens, taken.count());
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
