#include "engine/cuda/memory.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "engine/cuda/prepared.h"

namespace wordbreadth::engine::cuda {
namespace {

constexpr std::size_t chunk_cells = std::size_t{1} << 25;   // pairs x splits of a chunk
constexpr std::size_t bits_bytes = std::size_t{256} << 20;  // of a chunk's masks
constexpr std::size_t longest_chunk = std::size_t{1} << 22;
constexpr std::size_t largest_batch = 32768;  // a launch has no more rows of blocks than 65535
constexpr double memory_share = 0.6;          // of the device's, for the pairs of a batch

// Whatever else is in the device's memory is found out by trying.
std::size_t pairs_that_may_fit(const Job& job, bool gram, std::size_t memory) {
    const double room = memory_share * static_cast<double>(memory);
    const double pairs = room / static_cast<double>(bytes_of_pair(shape_of(job), gram));
    return std::clamp<std::size_t>(static_cast<std::size_t>(pairs), 1, largest_batch);
}

std::size_t bytes_of_cloud(const geometry::UnitRows& cloud) {
    const auto dp = static_cast<std::size_t>(padded_dimension(cloud.dimension()));
    return (cloud.size() + 1) * cloud.dimension() * sizeof(double) + cloud.size() * (dp + 1) * sizeof(float);
}

}  // namespace

Portion::Portion(const Job& job, bool gram, std::size_t memory, std::size_t block)
    : job_(job),
      gram_(gram),
      most_pairs_(pairs_that_may_fit(job, gram, memory)),
      most_splits_(block == 0 ? longest_chunk : std::min(block, longest_chunk)) {}

std::span<const PairTask> Portion::batch(std::size_t done) const {
    return job_.pairs.subspan(done, std::min(most_pairs_, job_.pairs.size() - done));
}

std::size_t Portion::splits(std::size_t pairs) const {
    const std::size_t words = (job_.splits.N + 31) / 32;
    const std::uint64_t size = std::min({chunk_cells / pairs, bits_bytes / (words * 4), most_splits_});
    const auto blocks = (std::min(size, job_.splits.count) + block_of_splits - 1) / block_of_splits;
    return static_cast<std::size_t>(std::max<std::uint64_t>(blocks, 1)) * block_of_splits;
}

std::size_t Portion::bytes_of_pairs(std::span<const PairTask> batch) const {
    std::set<const geometry::UnitRows*> clouds;
    for (const PairTask& task : batch) clouds.insert({task.x, task.y});
    std::size_t bytes = batch.size() * bytes_of_pair(shape_of(job_), gram_);
    for (const geometry::UnitRows* cloud : clouds) bytes += bytes_of_cloud(*cloud);
    return bytes;
}

std::size_t Portion::bytes_of_chunk(std::size_t pairs) const {
    const Shape shape = shape_of(job_);
    const std::size_t of_lists = pairs * (list_count * sizeof(int) * 8 + 2) / 8;  // two bits besides
    const std::size_t of_masks = static_cast<std::size_t>(shape.words) * sizeof(std::uint32_t);
    return splits(pairs) * (of_lists + of_masks) + rows_scratch(shape) * sizeof(double);
}

bool Portion::shrink(std::span<const PairTask> batch) {
    const std::size_t now = splits(batch.size());
    const bool one_pair = batch.size() == 1;
    const bool one_block = now == block_of_splits;
    if (one_pair && one_block) return false;
    if (one_block || (!one_pair && bytes_of_pairs(batch) >= bytes_of_chunk(batch.size())))
        most_pairs_ = batch.size() / 2;
    else
        most_splits_ = now / 2;
    return true;
}

namespace {

std::string in_mib(std::size_t bytes) {
    constexpr std::size_t mib = std::size_t{1} << 20;
    return std::to_string((bytes + mib - 1) / mib) + " MiB";
}

std::string what_is_free() {
    std::size_t free = 0;
    std::size_t total = 0;
    if (cudaMemGetInfo(&free, &total) == cudaSuccess) return in_mib(free) + " of " + in_mib(total) + " are free";
    static_cast<void>(cudaGetLastError());
    return "how much is free cannot be found out";
}

}  // namespace

InputError does_not_fit(const Job& job, std::size_t needed, const OutOfMemory& error) {
    const geometry::UnitRows& x = *job.pairs[0].x;
    return InputError("the GPU's memory does not hold one pair of " + std::to_string(x.size()) + " and " +
                      std::to_string(job.splits.N - x.size()) + " rows in " + std::to_string(x.dimension()) +
                      " dimensions: " + in_mib(needed) + " are needed, " + what_is_free() + " (" + error.what() +
                      "); use device cpu, or end what else uses the GPU");
}

InputError cannot_start(const OutOfMemory& error) {
    return InputError("the GPU's memory is too full to begin: " + what_is_free() + " (" + error.what() +
                      "); use device cpu, or end what else uses the GPU");
}

std::shared_ptr<const void> copy_to_host(const std::string& label, const void* from, std::size_t bytes) {
    cudaPointerAttributes found{};
    const bool known = cudaPointerGetAttributes(&found, from) == cudaSuccess;
    static_cast<void>(cudaGetLastError());
    if (!known || (found.type != cudaMemoryTypeDevice && found.type != cudaMemoryTypeManaged))
        throw InputError(label + ": its rows are not in the memory of the GPU");
    if (found.device != 0)
        throw InputError(label + ": its rows are in the memory of GPU " + std::to_string(found.device) +
                         "; expected GPU 0, which is the one used");
    auto copy = std::make_shared<std::vector<std::byte>>(bytes);
    WORDBREADTH_CUDA(cudaMemcpy(copy->data(), from, bytes, cudaMemcpyDeviceToHost));
    return {copy, copy->data()};
}

}  // namespace wordbreadth::engine::cuda
