// The unit rows of clouds on the device, with every operation and the order of additions of geometry/unit_rows.cc and
// vector_math.h, so that all bits are those of the host. Intrinsics keep the compiler from fusing products and sums.
//
// Bound by memory: two passes over the elements and one division per value. 100 x 384 take 20 us, mostly the launches.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstring>
#include <vector>

#include "engine/cuda/prepared.h"
#include "engine/cuda/remote.h"
#include "geometry/tolerances.h"

namespace wordbreadth::engine::cuda {
namespace {

constexpr int lanes = 8;  // partial sums of a row: geometry::dot
constexpr int rows_of_block = 16;
constexpr int columns_of_block = 32;
constexpr unsigned whole_warp = 0xffffffff;

enum Finding : unsigned { unusual = 1, differs = 2 };

// What is measured, one after another in the scratch memory.
struct Measured {
    unsigned* findings;          // (1), in 8 bytes
    geometry::RowScale* scales;  // (n)
    double* sum;                 // (d)
    double* products;            // (n)

    Measured(std::byte* at, std::size_t n, std::size_t d)
        : findings(reinterpret_cast<unsigned*>(at)),
          scales(reinterpret_cast<geometry::RowScale*>(at + 8)),
          sum(reinterpret_cast<double*>(scales + n)),
          products(sum + d) {}

    [[nodiscard]] static std::size_t bytes(std::size_t n, std::size_t d) {
        return 8 + n * sizeof(geometry::RowScale) + (n + d) * sizeof(double);
    }
};

__device__ double widened(float value) {
    return value;
}
__device__ double widened(double value) {
    return value;
}
__device__ double widened(__half value) {
    return __half2float(value);
}
__device__ double widened(__nv_bfloat16 value) {
    return __bfloat162float(value);
}

template <class T>
__device__ double scaled(T value, int exponent) {
    return __dmul_rn(widened(value), scalbn(1.0, -exponent));
}

// The sum of a row's partial sums, in every lane.
__device__ double total(double partial) {
    for (int step = 1; step < lanes; step *= 2)
        partial = __dadd_rn(partial, __shfl_xor_sync(whole_warp, partial, step));
    return partial;
}

template <class T>
__device__ geometry::RowScale scale_of(const T* row, int d, int lane) {
    double largest = 0;
    for (int k = lane; k < d; k += lanes) largest = fmax(largest, fabs(widened(row[k])));
    for (int step = 1; step < lanes; step *= 2) largest = fmax(largest, __shfl_xor_sync(whole_warp, largest, step));
    const bool usual = largest > 0 && isfinite(largest) && abs(ilogb(largest)) <= geometry::largest_exponent;
    geometry::RowScale found{usual ? ilogb(largest) : 0, 0};
    double partial = 0;
    for (int k = lane; k < d; k += lanes) {
        const double value = scaled(row[k], found.exponent);
        partial = __dadd_rn(partial, __dmul_rn(value, value));
    }
    const double length = __dsqrt_rn(total(partial));
    found.length = usual ? length : 0;
    return found;
}

// Rows past the last are the last again: every thread of a warp takes part.
__device__ int row_of_thread(int n) {
    return min(static_cast<int>(blockIdx.x) * rows_of_block + static_cast<int>(threadIdx.x) / lanes, n - 1);
}

template <class T>
__global__ void find_scales(const T* rows, int n, int d, Measured to) {
    const int i = row_of_thread(n), lane = static_cast<int>(threadIdx.x) % lanes;
    const geometry::RowScale found = scale_of(rows + static_cast<std::size_t>(i) * d, d, lane);
    if (lane != 0) return;
    to.scales[i] = found;
    if (!(found.length > 0)) atomicOr(to.findings, unusual);  // NaN too
}

template <class T>
__device__ double unit_value(const T* rows, std::size_t place, const geometry::RowScale& scale) {
    return __ddiv_rn(scaled(rows[place], scale.exponent), scale.length);
}

// A thread per column, since rows are added in their order.
template <class T>
__global__ void add_rows(const T* rows, int n, int d, Measured to) {
    const int k = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (k >= d) return;
    double sum = 0;
#pragma unroll 8  // loads and divisions of several rows at a time
    for (int i = 0; i < n; ++i)
        sum = __dadd_rn(sum, unit_value(rows, static_cast<std::size_t>(i) * d + k, to.scales[i]));
    to.sum[k] = sum;
}

// Row by row its product with the sum, and whether one clearly points another way than the first.
template <class T>
__global__ void multiply_by_sum(const T* rows, int n, int d, Measured to) {
    const int i = row_of_thread(n), lane = static_cast<int>(threadIdx.x) % lanes;
    double product = 0, distance = 0;
    for (int k = lane; k < d; k += lanes) {
        const double value = unit_value(rows, static_cast<std::size_t>(i) * d + k, to.scales[i]);
        product = __dadd_rn(product, __dmul_rn(value, to.sum[k]));
        const double off = value - unit_value(rows, k, to.scales[0]);
        distance += off * off;
    }
    product = total(product);
    distance = total(distance);
    if (lane != 0) return;
    to.products[i] = product;
    if (sqrt(distance) > 2 * geometry::same_direction) atomicOr(to.findings, differs);
}

template <class T>
__global__ void make_unit_rows(const T* rows, int n, int d, double* to) {
    const int i = row_of_thread(n), lane = static_cast<int>(threadIdx.x) % lanes;
    const std::size_t first = static_cast<std::size_t>(i) * d;
    const geometry::RowScale scale = scale_of(rows + first, d, lane);
    for (int k = lane; k < d; k += lanes) to[first + k] = unit_value(rows, first + k, scale);
}

template <class Run>
void with_elements(const Rows& rows, const Run& run) {
    switch (rows.element) {
        case Element::f32:
            return run(static_cast<const float*>(rows.data));
        case Element::f64:
            return run(static_cast<const double*>(rows.data));
        case Element::f16:
            return run(static_cast<const __half*>(rows.data));
        case Element::bf16:
            return run(static_cast<const __nv_bfloat16*>(rows.data));
    }
}

unsigned blocks_for(std::size_t things, int of_block) {
    return static_cast<unsigned>((things + of_block - 1) / of_block);
}

void measure(const Rows& rows, std::byte* to, const Stream& stream) {
    const Measured there(to, rows.n, rows.dimension);
    const int n = static_cast<int>(rows.n), d = static_cast<int>(rows.dimension);
    with_elements(rows, [&](const auto* elements) {
        const unsigned of_rows = blocks_for(rows.n, rows_of_block);
        find_scales<<<of_rows, rows_of_block * lanes, 0, stream.get()>>>(elements, n, d, there);
        add_rows<<<blocks_for(rows.dimension, columns_of_block), columns_of_block, 0, stream.get()>>>(elements, n, d,
                                                                                                      there);
        multiply_by_sum<<<of_rows, rows_of_block * lanes, 0, stream.get()>>>(elements, n, d, there);
        wordbreadth::cuda::check_launch("measure");
    });
}

// Of what was measured, on the host.
std::optional<geometry::RemoteRows> remote_rows(const Rows& rows, std::byte* measured) {
    const Measured here(measured, rows.n, rows.dimension);
    unsigned findings = 0;
    std::memcpy(&findings, here.findings, sizeof findings);
    if (findings != differs) return std::nullopt;
    geometry::RemoteRows remote;
    remote.scales.assign(here.scales, here.scales + rows.n);
    remote.sum.assign(here.sum, here.sum + rows.dimension);
    remote.products.assign(here.products, here.products + rows.n);
    return remote;
}

}  // namespace

std::vector<std::optional<geometry::RemoteRows>> measure_rows(std::span<const Rows> clouds, Buffer<std::byte>& scratch,
                                                              const Stream& stream) {
    std::vector<std::optional<geometry::RemoteRows>> all(clouds.size());
    std::vector<std::size_t> begins;  // of each cloud in the scratch memory; the last: its end
    std::size_t end = 0;
    for (const Rows& rows : clouds) {
        begins.push_back(end);
        if (is_on_device(rows.data)) end += Measured::bytes(rows.n, rows.dimension);
    }
    begins.push_back(end);
    if (end == 0) return all;
    try {
        scratch.reserve(end);
    } catch (const OutOfMemory&) {
        return all;
    }
    WORDBREADTH_CUDA(cudaDeviceSynchronize());
    WORDBREADTH_CUDA(cudaMemsetAsync(scratch.data(), 0, end, stream.get()));  // the findings
    for (std::size_t i = 0; i < clouds.size(); ++i)
        if (begins[i] < begins[i + 1]) measure(clouds[i], scratch.data() + begins[i], stream);
    std::vector<std::byte> found(end);
    wordbreadth::cuda::download(scratch.data(), found, stream);
    stream.wait();
    for (std::size_t i = 0; i < clouds.size(); ++i)
        if (begins[i] < begins[i + 1]) all[i] = remote_rows(clouds[i], found.data() + begins[i]);
    return all;
}

void write_unit_rows(const Rows& rows, double* to, const Stream& stream) {
    with_elements(rows, [&](const auto* elements) {
        make_unit_rows<<<blocks_for(rows.n, rows_of_block), rows_of_block * lanes, 0, stream.get()>>>(
            elements, static_cast<int>(rows.n), static_cast<int>(rows.dimension), to);
        wordbreadth::cuda::check_launch("make_unit_rows");
    });
}

}  // namespace wordbreadth::engine::cuda
