// The paper's Algorithm 2 as it is written, for comparison: a matrix of signs, its product with the pooled rows in half
// precision by cuBLAS with float32 sums, splits in chunks, exceedances counted as they come. Pairs follow one another,
// and each draws its signs anew.
//
// APPROXIMATE, which no other backend is. The splits are those of all engines, but the rows are rounded to half
// precision (11 bits) and lengths and T to float32: a split near the observed one may fall on its wrong side, and ties
// are broken by rounding. `cuda` is exact, and faster.
#include <cuda_fp16.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "cuda/library.h"
#include "engine/cuda/cuda.h"
#include "engine/cuda/device.cuh"
#include "engine/cuda/prepared.h"
#include "engine/sweep.h"
#include "geometry/tolerances.h"
#include "wordbreadth/error.h"

namespace wordbreadth::engine::cuda {
namespace {

namespace cublas = wordbreadth::cuda::cublas;
using Count = unsigned long long;  // what atomicAdd takes

// ---- on the device

constexpr int warp_size = 32;
constexpr int warps = 8;  // a block of the kernels that give every row or split a warp
constexpr int block_threads = warps * warp_size;
constexpr int wide_block = 1024;  // threads of the kernel that is one block
constexpr int draw_block = 64;  // small, since a thread takes a split, and there are few splits for the many processors

// u of the reflection X' = X - 2 (X u) u^T (zeros: nothing is turned) and the total t = 1^T Z, from the sums of both
// clouds; (width) each, zeros beyond d. One block.
__global__ void find_mirror_and_total(const double* sum_x, const double* sum_y, int d, int width, bool align, float* u,
                                      float* t) {
    __shared__ double partial[wide_block / warp_size];
    const int begin = static_cast<int>(threadIdx.x);
    double xx = 0;
    double yy = 0;
    for (int k = begin; k < d; k += wide_block) {
        xx += sum_x[k] * sum_x[k];
        yy += sum_y[k] * sum_y[k];
    }
    const double length_x = sqrt(sum_of_block(xx, partial));
    const double length_y = sqrt(sum_of_block(yy, partial));
    const auto difference = [&](int k) { return sum_x[k] / length_x - sum_y[k] / length_y; };

    double squares = 0;
    double along = 0;  // of the difference: X's sum
    for (int k = begin; k < d; k += wide_block) {
        squares += difference(k) * difference(k);
        along += difference(k) * sum_x[k];
    }
    const double length = sqrt(sum_of_block(squares, partial));
    along = sum_of_block(along, partial);
    const double scale = align && length >= geometry::equal_directions ? 1 / length : 0;

    for (int k = begin; k < width; k += wide_block) {
        const double u_k = k < d ? difference(k) * scale : 0;
        u[k] = static_cast<float>(u_k);
        t[k] = static_cast<float>(k < d ? sum_x[k] - 2 * along * scale * u_k + sum_y[k] : 0);
    }
}

// Z (N, width): the rows of X', then those of Y, zeros beyond d. One warp per row.
__global__ void pool_rows(const float* x, const float* y, const float* u, int n, int N, int d, int width, __half* z) {
    const int i = static_cast<int>(blockIdx.x) * warps + static_cast<int>(threadIdx.x) / warp_size;
    const int lane = static_cast<int>(threadIdx.x) % warp_size;
    if (i >= N) return;
    const float* row = i < n ? x + static_cast<std::size_t>(i) * d : y + static_cast<std::size_t>(i - n) * d;
    float along = 0;
    if (i < n)
        for (int k = lane; k < d; k += warp_size) along += row[k] * u[k];
    along = sum_of_warp(along);
    for (int k = lane; k < width; k += warp_size)
        z[static_cast<std::size_t>(i) * width + k] = __float2half(k < d ? row[k] - 2 * along * u[k] : 0.0F);
}

// The signs are kept on their side, (N, stride), a column a split: threads that are neighbours then write to
// neighbouring places. cuBLAS takes either way.
__device__ void write_sign(__half* signs, std::size_t stride, unsigned i, unsigned b, bool taken) {
    signs[i * stride + b] = __float2half(taken ? 1.0F : -1.0F);
}

// Splits first, first + 1, ... by the rule of permutation/splits.cc. One thread per split.
__global__ void draw_signs(std::uint64_t seed, std::uint64_t first, unsigned splits, unsigned N, unsigned n,
                           std::size_t stride, __half* signs) {
    const unsigned b = blockIdx.x * draw_block + threadIdx.x;
    if (b >= splits) return;
    const uint2 key{static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32)};
    std::uint32_t left = N;
    std::uint32_t wanted = n;
    for (unsigned i = 0; i < N; i += 4) {
        const std::uint32_t taken = draw_four(first + b, i / 4, key, left, wanted);
        for (unsigned j = 0; j < min(4U, N - i); ++j) write_sign(signs, stride, i + j, b, (taken >> j & 1U) != 0);
    }
}

// The same from masks (splits, N) that the host has written. One thread per split.
__global__ void read_signs(const std::uint8_t* masks, unsigned splits, unsigned N, std::size_t stride, __half* signs) {
    const unsigned b = blockIdx.x * draw_block + threadIdx.x;
    if (b >= splits) return;
    for (unsigned i = 0; i < N; ++i) write_sign(signs, stride, i, b, masks[static_cast<std::size_t>(b) * N + i] != 0);
}

// log v of a group from the square of its sum's length.
__device__ float log_breadth(float squared_sum, float size, float d) {
    const float r = fminf(sqrtf(squared_sum) / size, 1.0F);
    return logf((1 - r * r) / (r * (d - r * r)));
}

struct Bar {
    double low, high;        // of the pair's Exceedance
    float n, m, d;           // sizes of the groups, dimensions
    bool first_is_observed;  // split 0 of this chunk is the observed one, which exceeds however it is rounded
};

// Group sums (t + U) / 2 and (t - U) / 2 of every split, their lengths, T, and whether it exceeds. One warp per split.
// `flags` (splits) may be null.
__global__ void count_exceedances(const float* sums, const float* total, unsigned splits, int width, Bar bar,
                                  Count* count, std::uint8_t* flags) {
    const unsigned b = blockIdx.x * warps + threadIdx.x / warp_size;
    const int lane = static_cast<int>(threadIdx.x) % warp_size;
    bool exceeds = false;
    if (b < splits) {
        const auto* U = reinterpret_cast<const float4*>(sums + static_cast<std::size_t>(b) * width);
        const auto* t = reinterpret_cast<const float4*>(total);
        float first = 0;  // squared lengths
        float second = 0;
        const auto add = [&](float t_k, float U_k) {
            const float one = (t_k + U_k) / 2;
            const float other = (t_k - U_k) / 2;
            first += one * one;
            second += other * other;
        };
        for (int k = lane; k < width / 4; k += warp_size) {
            add(t[k].x, U[k].x);
            add(t[k].y, U[k].y);
            add(t[k].z, U[k].z);
            add(t[k].w, U[k].w);
        }
        const float T = log_breadth(sum_of_warp(first), bar.n, bar.d) - log_breadth(sum_of_warp(second), bar.m, bar.d);
        exceeds = T >= bar.high || T <= bar.low || T != T || (bar.first_is_observed && b == 0);
        if (flags != nullptr && lane == 0) flags[b] = exceeds;
    }
    const int of_block = __syncthreads_count(exceeds && lane == 0);
    if (threadIdx.x == 0 && of_block != 0) atomicAdd(count, static_cast<Count>(of_block));
}

// ---- cuBLAS, for the one product. Opened when it is asked for and never linked, so that the program starts, and
// `cuda` runs, where it is not installed.

struct cublasContext;

struct CublasFunctions {
    using Status = int;
    Status (*create)(cublasContext**);
    Status (*destroy)(cublasContext*);
    Status (*set_stream)(cublasContext*, cudaStream_t);
    const char* (*status_string)(Status);
    Status (*gemm)(cublasContext*, int transpose_a, int transpose_b, int m, int n, int k, const void* alpha,
                   const void* a, int type_a, int stride_a, const void* b, int type_b, int stride_b, const void* beta,
                   void* c, int type_c, int stride_c, int compute_type, int algorithm);
};

CublasFunctions open_cublas(std::span<const std::string> files) {
    const wordbreadth::cuda::Library library(files, {"cuBLAS", "cuda-paper", "use device cuda, which does without"});
    CublasFunctions functions{};
    library.find("cublasCreate_v2", functions.create);
    library.find("cublasDestroy_v2", functions.destroy);
    library.find("cublasSetStream_v2", functions.set_stream);
    library.find("cublasGetStatusString", functions.status_string);
    library.find("cublasGemmEx", functions.gemm);
    return functions;
}

// A handle that works in one stream, which must outlive it.
class Cublas {
  public:
    explicit Cublas(cudaStream_t stream)
        : functions_(open_cublas(cublas_files())), handle_(nullptr, functions_.destroy) {
        cublasContext* handle = nullptr;
        cublas::check(functions_.create(&handle), "cublasCreate", functions_.status_string);
        handle_.reset(handle);
        cublas::check(functions_.set_stream(handle, stream), "cublasSetStream", functions_.status_string);
    }

    // U (splits, width) in float32 = S Z, products of half-precision numbers added up in float32. `signs` is S on its
    // side, (rows, stride) with stride >= splits, and `pooled` is Z, (rows, width).
    //
    // cuBLAS is column-major: it sees our row-major arrays as their transposes. U^T = Z^T S^T is then the product of
    // Z^T as stored with the transpose of `signs` as stored.
    void multiply(int splits, int rows, int width, int stride, const __half* signs, const __half* pooled,
                  float* sums) const {
        constexpr int algorithm_of_choice = -1;  // CUBLAS_GEMM_DEFAULT
        const float one = 1, zero = 0;
        cublas::check(functions_.gemm(handle_.get(), cublas::not_transposed, cublas::transposed, width, splits, rows,
                                      &one, pooled, cublas::float16, width, signs, cublas::float16, stride, &zero, sums,
                                      cublas::float32, width, cublas::compute_in_float32, algorithm_of_choice),
                      "cublasGemmEx", functions_.status_string);
    }

  private:
    CublasFunctions functions_;
    std::unique_ptr<cublasContext, decltype(CublasFunctions::destroy)> handle_;
};

// ---- on the host

// The chunk is as large as this allows. All 20,000 splits of 256 rows in 1,024 dimensions take 92 MB.
constexpr std::size_t chunk_bytes = std::size_t{512} << 20;
constexpr std::size_t smallest_chunk = 64;
constexpr std::size_t largest_chunk = std::size_t{1} << 30;  // cuBLAS counts in int
// Splits between two checks of whether a pair may stop early.
constexpr std::size_t adaptive_chunk = 4096;
// Waiting for the device now and then keeps progress true and a request to stop answered; some milliseconds of work.
constexpr double operations_between_waits = 1e12;
// To draw a row's sign, and write it, takes as long as so many columns of the product.
constexpr std::size_t columns_of_a_sign = 512;

constexpr std::size_t rounded_up(std::size_t value, std::size_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

unsigned blocks(std::size_t items, std::size_t a_block) {
    return static_cast<unsigned>((items + a_block - 1) / a_block);
}

struct Sizes {
    std::size_t n, N, d;
    std::size_t width;  // d rounded up to what tensor cores and float4 like

    explicit Sizes(const Job& job)
        : n(job.splits.n), N(job.splits.N), d(job.pairs[0].x->dimension()), width(rounded_up(d, 8)) {}

    // Of both clouds and their pooled rows.
    [[nodiscard]] std::size_t bytes_of_pair() const { return N * (d * sizeof(float) + width * sizeof(__half)); }
    // Of signs, sums, a flag and a mask.
    [[nodiscard]] std::size_t bytes_of_split() const { return N * sizeof(__half) + width * sizeof(float) + 1 + N; }
};

// A cloud on the device.
struct PooledCloud {
    Buffer<float> rows;  // (n, d)
    Buffer<double> sum;  // (d)

    PooledCloud(const geometry::UnitRows& cloud, const Stream& stream)
        : rows(cloud.size() * cloud.dimension()), sum(cloud.dimension()) {
        std::vector<float> rounded;
        std::vector<double> scratch;
        for (std::size_t i = 0; i < cloud.size(); ++i) {
            const std::span<const double> row = cloud.row(i, scratch);
            rounded.insert(rounded.end(), row.begin(), row.end());
        }
        rows.upload(rounded, stream);
        sum.upload(cloud.sum(), stream);
        stream.wait();
    }
};

struct Workspace {
    Buffer<__half> pooled;       // Z (N, width)
    Buffer<float> u, t;          // (width)
    Buffer<__half> signs;        // S on its side (N, stride)
    Buffer<float> sums;          // U (chunk, width)
    Buffer<std::uint8_t> flags;  // (chunk)
    Buffer<std::uint8_t> masks;  // (chunk, N), where the host writes them

    void reserve(const Sizes& sizes, std::size_t chunk, bool host_masks) {
        pooled.reserve(sizes.N * sizes.width);
        u.reserve(sizes.width);
        t.reserve(sizes.width);
        signs.reserve(sizes.N * rounded_up(chunk, 8));
        sums.reserve(chunk * sizes.width);
        flags.reserve(chunk);
        if (host_masks) masks.reserve(chunk * sizes.N);
    }
};

class Paper : public Backend {
  public:
    explicit Paper(const Execution& execution) : Backend(execution), block_(execution.block), cublas_(stream_.get()) {}

    [[nodiscard]] std::string label() const override { return "cuda-paper (float16)"; }

    [[nodiscard]] std::vector<permutation::Tally> count(const Job& job, base::Monitor& monitor) override try {
        const Timing::Stage stage(monitor.timing(), "waiting for the GPU");
        if (job.statistic != Statistic::plain)
            throw InputError(
                "device cuda-paper has no robust or block statistic: the paper's algorithm has only the plain one; use "
                "device "
                "cuda, or the plain statistic");
        if (job.pairs.empty()) return {};
        const Sizes sizes(job);
        const std::size_t wanted = block_ != 0 ? std::min(block_, largest_chunk)
                                               : std::max(chunk_bytes / sizes.bytes_of_split(), smallest_chunk);
        chunk_ = static_cast<std::size_t>(std::min<std::uint64_t>(wanted, job.splits.count));
        counts_.reserve(job.pairs.size());
        WORDBREADTH_CUDA(cudaMemsetAsync(counts_.data(), 0, counts_.bytes(), stream_.get()));
        return job.adaptive != 0 && !job.splits.enumerated ? count_with_stops(job, sizes, monitor)
                                                           : count_all(job, sizes, monitor);
    } catch (const OutOfMemory& error) {
        const Sizes sizes(job);
        throw does_not_fit(job, sizes.bytes_of_pair() + smallest_chunk * sizes.bytes_of_split(), error);
    }

    void forget(const geometry::UnitRows& cloud) override { clouds_.erase(&cloud); }

    [[nodiscard]] std::shared_ptr<const void> download(const std::string& label, const void* from,
                                                       std::size_t bytes) override {
        return copy_to_host(label, from, bytes);
    }

  private:
    std::vector<permutation::Tally> count_all(const Job& job, const Sizes& sizes, base::Monitor& monitor) {
        const double operations =
            2 * static_cast<double>(sizes.N) * static_cast<double>(sizes.width + columns_of_a_sign);  // a split
        double launched = 0;  // splits since the last wait
        for (std::size_t k = 0; k < job.pairs.size(); ++k) {
            prepare(job.pairs[k], job, sizes);
            for (std::uint64_t done = 0; done < job.splits.count; done += chunk_) {
                monitor.check();
                const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(chunk_, job.splits.count - done));
                run_chunk({done + 1, size}, job.pairs[k].exceeds, job.splits, sizes, counts_.data() + k, nullptr);
                launched += static_cast<double>(size);
                if (launched * operations < operations_between_waits) continue;
                stream_.wait();
                monitor.advance(std::exchange(launched, 0));
            }
        }
        std::vector<Count> counts(job.pairs.size());
        counts_.download(counts, stream_);
        stream_.wait();
        monitor.advance(launched);
        std::vector<permutation::Tally> tallies;
        for (const Count count : counts) tallies.push_back({count, job.splits.count, false});
        return tallies;
    }

    // Where a pair may stop early, the host has to see which splits exceed.
    std::vector<permutation::Tally> count_with_stops(const Job& job, const Sizes& sizes, base::Monitor& monitor) {
        std::vector<permutation::Tally> tallies;
        std::vector<std::uint8_t> flags;
        base::Workers this_thread(1);
        for (const PairTask& pair : job.pairs) {
            Job alone = job;
            alone.pairs = {&pair, 1};
            prepare(pair, alone, sizes);
            const auto decide = [&](const Block& chunk, std::span<const std::size_t>, std::size_t,
                                    const Report& report) {
                run_chunk(chunk, pair.exceeds, job.splits, sizes, counts_.data(), work_.flags.data());
                flags.resize(chunk.size);
                work_.flags.download(flags, stream_);
                stream_.wait();
                report(0, flags);
            };
            const std::size_t size = block_ != 0 ? chunk_ : std::min(chunk_, adaptive_chunk);
            tallies.push_back(sweep(alone, size, this_thread, monitor, decide).front());
        }
        return tallies;
    }

    void prepare(const PairTask& pair, const Job& job, const Sizes& sizes) {
        make_room(pair, job, sizes);
        const PooledCloud& x = clouds_.at(pair.x);
        const PooledCloud& y = clouds_.at(pair.y);
        const auto d = static_cast<int>(sizes.d);
        const auto width = static_cast<int>(sizes.width);
        launch("find_mirror_and_total", find_mirror_and_total, 1, wide_block, 0, stream_.get(), x.sum.data(),
               y.sum.data(), d, width, job.align == Alignment::householder, work_.u.data(), work_.t.data());
        launch("pool_rows", pool_rows, blocks(sizes.N, warps), block_threads, 0, stream_.get(), x.rows.data(),
               y.rows.data(), work_.u.data(), static_cast<int>(sizes.n), static_cast<int>(sizes.N), d, width,
               work_.pooled.data());
    }

    // Where the device's memory is short, the clouds of other pairs leave it first; then the chunks become smaller.
    void make_room(const PairTask& pair, const Job& job, const Sizes& sizes) {
        for (;;) {
            try {
                clouds_.try_emplace(pair.x, *pair.x, stream_);
                clouds_.try_emplace(pair.y, *pair.y, stream_);
                work_.reserve(sizes, chunk_, job.splits.enumerated);
                return;
            } catch (const OutOfMemory&) {
                if (!give_way(pair)) throw;
            }
        }
    }

    // False when nothing is left that could.
    bool give_way(const PairTask& pair) {
        const auto of_other_pairs = [&](const auto& entry) { return entry.first != pair.x && entry.first != pair.y; };
        stream_.wait();  // for kernels that still use it
        work_ = Workspace();
        if (std::erase_if(clouds_, of_other_pairs) != 0) return true;
        if (chunk_ <= smallest_chunk) return false;
        chunk_ /= 2;
        return true;
    }

    void run_chunk(const Block& chunk, const permutation::Exceedance& exceeds, const permutation::Splits& splits,
                   const Sizes& sizes, Count* count, std::uint8_t* flags) {
        const std::size_t stride = rounded_up(chunk.size, 8);
        write_signs(chunk, splits, stride);
        cublas_.multiply(static_cast<int>(chunk.size), static_cast<int>(sizes.N), static_cast<int>(sizes.width),
                         static_cast<int>(stride), work_.signs.data(), work_.pooled.data(), work_.sums.data());
        const Bar bar{exceeds.low,
                      exceeds.high,
                      static_cast<float>(sizes.n),
                      static_cast<float>(sizes.N - sizes.n),
                      static_cast<float>(sizes.d),
                      splits.enumerated && chunk.first == 1};
        launch("count_exceedances", count_exceedances, blocks(chunk.size, warps), block_threads, 0, stream_.get(),
               work_.sums.data(), work_.t.data(), static_cast<unsigned>(chunk.size), static_cast<int>(sizes.width), bar,
               count, flags);
    }

    void write_signs(const Block& chunk, const permutation::Splits& splits, std::size_t stride) {
        const auto size = static_cast<unsigned>(chunk.size);
        const auto N = static_cast<unsigned>(splits.N);
        if (!splits.enumerated) {
            launch("draw_signs", draw_signs, blocks(chunk.size, draw_block), draw_block, 0, stream_.get(), splits.seed,
                   chunk.first, size, N, static_cast<unsigned>(splits.n), stride, work_.signs.data());
            return;
        }
        upload_masks(chunk, splits);
        launch("read_signs", read_signs, blocks(chunk.size, draw_block), draw_block, 0, stream_.get(),
               work_.masks.data(), size, N, stride, work_.signs.data());
    }

    void upload_masks(const Block& chunk, const permutation::Splits& splits) {
        stream_.wait();  // the copy of the chunk before may still read host_masks_
        host_masks_.resize(chunk.size * splits.N);
        splits.write_enumerated(chunk.first, chunk.size, splits.N, host_masks_);
        work_.masks.upload(host_masks_, stream_);
    }

    std::size_t block_;      // splits at a time that the caller asked for; 0: ours to choose
    std::size_t chunk_ = 0;  // splits at a time
    Stream stream_;
    Cublas cublas_;
    std::unordered_map<const geometry::UnitRows*, PooledCloud> clouds_;
    Workspace work_;
    Buffer<Count> counts_;  // one per pair
    std::vector<std::uint8_t> host_masks_;
};

}  // namespace

std::vector<std::string> cublas_files() {
    return wordbreadth::cuda::library_files("libcublas");
}

void check_cublas(std::span<const std::string> files) {
    static_cast<void>(open_cublas(files));
}

Device paper_device() {
    Device paper{"cuda-paper", "the paper's Algorithm 2 on the GPU, in half precision: approximate, for comparison",
                 false,        device().unavailable_because,
                 {"float16"},  "float16",
                 false};
    if (!paper.unavailable_because.empty()) return paper;
    try {
        check_cublas(cublas_files());
        paper.available = true;
    } catch (const InputError& error) {
        paper.unavailable_because = error.what();
    }
    return paper;
}

std::unique_ptr<Backend> make_paper(const Execution& execution) try {
    return std::make_unique<Paper>(execution);
} catch (const OutOfMemory& error) {
    throw cannot_start(error);
}

}  // namespace wordbreadth::engine::cuda
