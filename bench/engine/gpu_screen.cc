#include "gpu_screen.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/workers.h"
#include "engine/cuda/prepared.h"

namespace wordbreadth::bench {
namespace {

using namespace engine::cuda;

constexpr int repeats = 51;

// Two points in a stream and the time between them.
class Stopwatch {
  public:
    Stopwatch() {
        WORDBREADTH_CUDA(cudaEventCreate(&begin_));
        WORDBREADTH_CUDA(cudaEventCreate(&end_));
    }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;
    ~Stopwatch() {
        (void)cudaEventDestroy(begin_);
        (void)cudaEventDestroy(end_);
    }

    template <class Work>
    double milliseconds(const Stream& stream, const Work& work) {
        WORDBREADTH_CUDA(cudaEventRecord(begin_, stream.get()));
        work();
        WORDBREADTH_CUDA(cudaEventRecord(end_, stream.get()));
        stream.wait();
        float spent = 0;
        WORDBREADTH_CUDA(cudaEventElapsedTime(&spent, begin_, end_));
        return static_cast<double>(spent);
    }

  private:
    cudaEvent_t begin_ = nullptr;
    cudaEvent_t end_ = nullptr;
};

}  // namespace

ScreenTime time_first_screen(const engine::Job& job) {
    base::Workers workers(4);
    const Stream stream;
    Residents residents(workers);
    Arena arena;
    Buffer<int> stop(1);
    stop.upload(std::vector<int>{0}, stream);
    const base::Monitor monitor(1, {}, {});
    Prepared prepared(residents, arena, stream, stop.data());
    prepared.prepare(job, job.pairs, true, monitor);

    const Shape& shape = prepared.batch().shape;
    const std::size_t pairs = job.pairs.size();
    const std::size_t capacity = (job.splits.count + 255) / 256 * 256;
    const Buffer<std::uint32_t> bits(static_cast<std::size_t>(shape.words) * capacity);
    const Buffer<std::uint32_t> flags(pairs * capacity / 32);
    const Buffer<std::uint32_t> open(pairs * capacity / 32);
    Buffer<int> active(pairs);
    std::vector<int> all(pairs);
    std::iota(all.begin(), all.end(), 0);
    active.upload(all, stream);
    Chunk chunk{};
    chunk.first = 1;
    chunk.count = static_cast<int>(job.splits.count);
    chunk.capacity = static_cast<int>(capacity);
    chunk.bits = bits.data();
    chunk.flags = flags.data();
    chunk.open = open.data();
    draw_splits(shape, {job.splits.seed, nullptr, 0}, chunk, stream.get());

    Stopwatch stopwatch;
    std::vector<double> times;
    for (int k = 0; k < repeats; ++k)
        times.push_back(stopwatch.milliseconds(stream, [&] {
            screen_linear(prepared.batch(), {active.data(), static_cast<int>(pairs)}, chunk, stream.get());
        }));
    std::ranges::nth_element(times, times.begin() + repeats / 2);
    return {times[repeats / 2], linear_word_bytes / row_unit};
}

}  // namespace wordbreadth::bench
