// How fast the encoder is: wordbreadth_encoder_bench FOLDER TOKENS LAYER f32|bf16 THREADS all|one [INSTRUCTIONS]
// encodes the sentences of the file TOKENS (32-bit numbers: of each sentence its length, then its ids) up to LAYER and
// keeps all tokens or one of each sentence. It runs them once, prints "ready: ", and then, for every line it is sent,
// the seconds that all of them take. cpu.py compares.
#include <cstdio>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "encoder/encoder.h"
#include "timing.h"
#include "tokens.h"

namespace {

using namespace wordbreadth::bench;
using namespace wordbreadth::encoder;
using wordbreadth::Precision;

// Pieces of a batch are what a thread works on: there are plenty.
constexpr std::size_t batch_tokens = 16'384;

double seconds(Encoder& encoder, const std::vector<Tokens>& batches) {
    std::vector<float> vectors;
    return seconds_of([&] {
        for (const Tokens& batch : batches) {
            vectors.resize(batch.kept.size() * encoder.config().hidden);
            encoder.encode(batch.batch(), vectors);
        }
    });
}

int run(int count, char** arguments) {
    const std::size_t layer = std::stoul(arguments[3]);
    const bool bf16 = std::string(arguments[4]) == "bf16";
    const auto encoder = open_cpu_encoder(arguments[1], {.layers = {{layer, layer}},
                                                         .precision = bf16 ? Precision::bf16 : Precision::f32,
                                                         .threads = static_cast<unsigned>(std::stoul(arguments[5])),
                                                         .instruction_set = count == 8 ? arguments[7] : ""});
    const auto batches = read_batches(arguments[2], std::string(arguments[6]) == "all", batch_tokens);
    seconds(*encoder, batches);
    std::cout << "ready: \n" << std::flush;
    for (std::string line; std::getline(std::cin, line);) std::cout << seconds(*encoder, batches) << '\n' << std::flush;
    return 0;
}

}  // namespace

int main(int count, char** arguments) try {
    if (count == 7 || count == 8) return run(count, arguments);
    std::fprintf(stderr,
                 "usage: wordbreadth_encoder_bench FOLDER TOKENS LAYER f32|bf16 THREADS all|one [INSTRUCTIONS]\n");
    return 2;
} catch (const std::exception& error) {
    std::fprintf(stderr, "wordbreadth_encoder_bench: %s\n", error.what());
    return 1;
}
