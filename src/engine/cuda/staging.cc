#include "engine/cuda/staging.h"

#include <algorithm>
#include <numeric>

namespace wordbreadth::engine::cuda {
namespace {

constexpr std::size_t stretch = std::size_t{1} << 15;  // doubles that a thread writes at a time, in whole rows

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

// By all threads.
void Staging::fill(std::span<const Piece> pieces, double* to) {
    std::vector<std::size_t> places(pieces.size());
    std::transform_exclusive_scan(pieces.begin(), pieces.end(), places.begin(), std::size_t{0}, std::plus<>(),
                                  [](const Piece& piece) { return piece.doubles(); });
    workers_.run(pieces.size(), [&](std::size_t i, std::size_t) {
        const auto& [cloud, first, count] = pieces[i];
        const std::size_t rows = std::min(count, cloud->size() - first);
        cloud->write(first, rows, to + places[i]);
        if (rows < count) std::ranges::copy(cloud->sum(), to + places[i] + rows * cloud->dimension());
    });
}

// For a little: pinned memory takes longer to get, 10 ms.
void Staging::copy_directly(std::span<const geometry::UnitRows* const> clouds, double* to, const Stream& stream) {
    const auto send = [&](std::span<const double> values) {
        WORDBREADTH_CUDA(cudaMemcpyAsync(to, values.data(), values.size_bytes(), cudaMemcpyHostToDevice, stream.get()));
        to += values.size();
    };
    std::vector<double> unit;
    for (const geometry::UnitRows* cloud : clouds) {
        if (cloud->kept().empty()) {
            stream.wait();  // for the copy that reads `unit`
            unit.resize(cloud->size() * cloud->dimension());
            cloud->write(0, cloud->size(), unit.data());
        }
        send(cloud->kept().empty() ? unit : cloud->kept());
        send(cloud->sum());
    }
    stream.wait();
}

void Staging::copy(std::span<const geometry::UnitRows* const> clouds, double* to, const Stream& stream) {
    std::vector<Piece> pieces;
    std::size_t all = 0;
    for (const geometry::UnitRows* cloud : clouds) {
        const std::size_t together = std::max<std::size_t>(stretch / cloud->dimension(), 1);
        for (std::size_t first = 0; first <= cloud->size(); first += together) {
            pieces.push_back({cloud, first, std::min(together, cloud->size() + 1 - first)});
            all += pieces.back().doubles();
        }
    }
    if (all <= room || !prepare()) return copy_directly(clouds, to, stream);
    std::size_t half = 0;
    for (std::span<const Piece> rest(pieces); !rest.empty(); half ^= 1) {
        std::size_t count = 0, doubles = 0;
        while (count < rest.size() && doubles + rest[count].doubles() <= room) doubles += rest[count++].doubles();
        sent_[half].wait();  // the copy that used this half before
        fill(rest.first(count), halves_[half]);
        WORDBREADTH_CUDA(
            cudaMemcpyAsync(to, halves_[half], doubles * sizeof(double), cudaMemcpyHostToDevice, stream.get()));
        sent_[half].record(stream);
        to += doubles;
        rest = rest.subspan(count);
    }
}

}  // namespace wordbreadth::engine::cuda
