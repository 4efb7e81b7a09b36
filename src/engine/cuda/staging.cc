#include "engine/cuda/staging.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace wordbreadth::engine::cuda {
namespace {

constexpr std::size_t stretch = std::size_t{1} << 15;  // doubles that a thread copies at a time

}  // namespace

Staging::~Staging() {
    for (double* half : halves_) static_cast<void>(cudaFreeHost(half));
}

bool Staging::prepare() try {
    for (double*& half : halves_)
        if (half == nullptr)
            WORDBREADTH_CUDA(
                cudaHostAlloc(reinterpret_cast<void**>(&half), room * sizeof(double), cudaHostAllocDefault));
    return true;
} catch (const OutOfMemory&) {
    return false;
}

// Doubles first .. first + count - 1 of all pieces, by all threads.
void Staging::fill(std::span<const std::span<const double>> pieces, std::size_t first, double* to, std::size_t count) {
    struct Part {
        const double* from;
        std::size_t size;
        double* to;
    };
    std::vector<Part> parts;
    std::size_t before = 0;
    for (const std::span<const double> piece : pieces) {
        const std::size_t begin = std::max(first, before);
        const std::size_t end = std::min(first + count, before + piece.size());
        for (std::size_t at = begin; at < end; at += stretch)
            parts.push_back({piece.data() + (at - before), std::min(stretch, end - at), to + (at - first)});
        before += piece.size();
    }
    workers_.run(parts.size(),
                 [&](std::size_t i, std::size_t) { std::copy_n(parts[i].from, parts[i].size, parts[i].to); });
}

void Staging::copy_directly(std::span<const std::span<const double>> pieces, double* to, const Stream& stream) {
    for (const std::span<const double> piece : pieces) {
        WORDBREADTH_CUDA(cudaMemcpyAsync(to, piece.data(), piece.size_bytes(), cudaMemcpyHostToDevice, stream.get()));
        to += piece.size();
    }
    stream.wait();
}

void Staging::copy(std::span<const std::span<const double>> pieces, double* to, const Stream& stream) {
    const std::size_t all =
        std::accumulate(pieces.begin(), pieces.end(), std::size_t{0},
                        [](std::size_t sum, std::span<const double> piece) { return sum + piece.size(); });
    if (all <= room || !prepare()) return copy_directly(pieces, to, stream);
    for (std::size_t first = 0, half = 0; first < all; first += room, half ^= 1) {
        const std::size_t count = std::min(room, all - first);
        sent_[half].wait();  // the copy that used this half before
        fill(pieces, first, halves_[half], count);
        WORDBREADTH_CUDA(
            cudaMemcpyAsync(to + first, halves_[half], count * sizeof(double), cudaMemcpyHostToDevice, stream.get()));
        sent_[half].record(stream);
    }
}

}  // namespace wordbreadth::engine::cuda
