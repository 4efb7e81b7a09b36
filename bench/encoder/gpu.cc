// How fast the encoder is on a GPU, and how near to the CPU's: gpu.py runs it beside transformers.
//
//     wordbreadth_gpu_encoder MODEL TOKENS LAYER f32|bf16|f16 all|one BATCH THREADS CHECKED
//
// encodes the sentences of the file TOKENS (32-bit numbers: of each sentence its length, then its ids) up to LAYER,
// BATCH tokens per call, keeping all tokens or one of each sentence. Ids and vectors are in the host's memory, whole
// calls are timed. Prints one JSON object: tokens, seconds of every round, and, for CHECKED tokens of the beginning,
// the smallest cosine with the CPU's float32 vectors and the ratio of the breadths of all of them.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "encoder/encoder.h"
#include "timing.h"
#include "tokens.h"
#include "wordbreadth/breadth.h"

namespace {

using namespace wordbreadth::bench;
using namespace wordbreadth::encoder;
using wordbreadth::Precision;

constexpr int rounds = 5;

struct Arguments {
    std::string model, tokens;
    std::size_t layer = 0;
    Precision precision = Precision::bf16;
    bool keeps_all = false;
    std::size_t batch_tokens = 0;
    unsigned threads = 1;
    std::size_t checked = 0;
};

Precision precision_of(const std::string& name) {
    return name == "f32" ? Precision::f32 : name == "f16" ? Precision::f16 : Precision::bf16;
}

double seconds_of_a_round(Encoder& encoder, const std::vector<Tokens>& batches, std::vector<float>& vectors) {
    return seconds_of([&] {
        for (const Tokens& batch : batches)
            encoder.encode(batch.batch(), std::span(vectors).first(batch.kept.size() * encoder.config().hidden));
    });
}

nlohmann::json timing(Encoder& encoder, const Arguments& arguments) {
    const std::vector<Tokens> batches = read_batches(arguments.tokens, arguments.keeps_all, arguments.batch_tokens);
    std::size_t tokens = 0;
    std::size_t kept = 0;
    for (const Tokens& batch : batches) tokens += batch.ids.size(), kept = std::max(kept, batch.kept.size());
    std::vector<float> vectors(kept * encoder.config().hidden);
    std::vector<double> seconds;
    for (int round = 0; round <= rounds; ++round) seconds.push_back(seconds_of_a_round(encoder, batches, vectors));
    seconds.erase(seconds.begin());  // the first takes the memory
    return {{"tokens", tokens}, {"seconds", seconds}};
}

double smallest_cosine(const std::vector<float>& a, const std::vector<float>& b, std::size_t width) {
    double smallest = 1;
    for (std::size_t row = 0; row + width <= a.size(); row += width) {
        double ab = 0;
        double aa = 0;
        double bb = 0;
        for (std::size_t i = row; i < row + width; ++i) {
            ab += double{a[i]} * b[i];
            aa += double{a[i]} * a[i];
            bb += double{b[i]} * b[i];
        }
        smallest = std::min(smallest, ab / std::sqrt(aa * bb));
    }
    return smallest;
}

nlohmann::json comparison(Encoder& encoder, const Arguments& arguments) {
    const Tokens some = read_batches(arguments.tokens, arguments.keeps_all, SIZE_MAX, arguments.checked).front();
    const auto cpu = open_cpu_encoder(arguments.model,
                                      {.layers = {{arguments.layer, arguments.layer}}, .threads = arguments.threads});
    const std::size_t hidden = cpu->config().hidden;
    std::vector<float> theirs(some.kept.size() * hidden);
    std::vector<float> ours(theirs.size());
    cpu->encode(some.batch(), theirs);
    encoder.encode(some.batch(), ours);
    const auto v = [&](const std::vector<float>& vectors) {
        return wordbreadth::breadth({"all", {vectors.begin(), vectors.end()}, hidden}).v;
    };
    return {{"cosine", smallest_cosine(ours, theirs, hidden)}, {"breadth_ratio", v(ours) / v(theirs)}};
}

int run(char** words) {
    const Arguments arguments{.model = words[1],
                              .tokens = words[2],
                              .layer = std::stoul(words[3]),
                              .precision = precision_of(words[4]),
                              .keeps_all = std::string(words[5]) == "all",
                              .batch_tokens = std::stoul(words[6]),
                              .threads = static_cast<unsigned>(std::stoul(words[7])),
                              .checked = std::stoul(words[8])};
    const auto encoder = open_cuda_encoder(arguments.model, {.layers = {{arguments.layer, arguments.layer}},
                                                             .precision = arguments.precision,
                                                             .threads = arguments.threads});
    nlohmann::json result = timing(*encoder, arguments);
    if (arguments.checked > 0) result.update(comparison(*encoder, arguments));
    std::printf("%s\n", result.dump().c_str());
    return 0;
}

}  // namespace

int main(int count, char** words) try {
    if (count == 9) return run(words);
    std::fprintf(stderr,
                 "usage: wordbreadth_gpu_encoder MODEL TOKENS LAYER f32|bf16|f16 all|one BATCH THREADS CHECKED\n");
    return 2;
} catch (const std::exception& error) {
    std::fprintf(stderr, "wordbreadth_gpu_encoder: %s\n", error.what());
    return 1;
}
