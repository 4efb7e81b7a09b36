// The unit rows of clouds on the device, with every operation and the order of additions of geometry/unit_rows.cc and
// vector_math.h, so that all bits are those of the host. Intrinsics keep the compiler from fusing products and sums.
//
// All clouds of a call go through each kernel together, and divisions are done once, by as many threads as there are
// values: 25 clouds of 128 x 1024 took 4.6 ms on an H200 with kernels of their own, in which eight threads of a row, or
// one of a column, divided one value after the other.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <vector>

#include "engine/cuda/prepared.h"
#include "engine/cuda/remote.h"
#include "geometry/tolerances.h"

namespace wordbreadth::engine::cuda {
namespace {

constexpr int lanes = 8;  // partial sums of a row: geometry::dot
constexpr int rows_of_block = 16;
constexpr int columns_of_block = 32;
constexpr int threads_of_row = 256;
constexpr unsigned whole_warp = 0xffffffff;

enum Finding : unsigned { unusual = 1, differs = 2 };

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

// The sum of a row's partial sums, in every lane.
__device__ double total(double partial) {
    for (int step = 1; step < lanes; step *= 2)
        partial = __dadd_rn(partial, __shfl_xor_sync(whole_warp, partial, step));
    return partial;
}

template <class T>
__device__ geometry::RowScale scale_of(const T* row, int d, int lane) {
    double largest = 0;
#pragma unroll 8  // loads that are under way together
    for (int k = lane; k < d; k += lanes) largest = fmax(largest, fabs(widened(row[k])));
    for (int step = 1; step < lanes; step *= 2) largest = fmax(largest, __shfl_xor_sync(whole_warp, largest, step));
    const bool usual = largest > 0 && isfinite(largest) && abs(ilogb(largest)) <= geometry::largest_exponent;
    geometry::RowScale found{usual ? ilogb(largest) : 0, 0};
    const double power = scalbn(1.0, -found.exponent);
    double partial = 0;
#pragma unroll 8
    for (int k = lane; k < d; k += lanes) {
        const double value = __dmul_rn(widened(row[k]), power);
        partial = __dadd_rn(partial, __dmul_rn(value, value));
    }
    const double length = __dsqrt_rn(total(partial));
    found.length = usual ? length : 0;
    return found;
}

// ---- kernels: each has a column of blocks per cloud, which share the cloud's rows or columns

template <class Run>
__device__ void with_elements(const RemoteCloud& cloud, const Run& run) {
    switch (cloud.element) {
        case Element::f32:
            return run(static_cast<const float*>(cloud.rows));
        case Element::f64:
            return run(static_cast<const double*>(cloud.rows));
        case Element::f16:
            return run(static_cast<const __half*>(cloud.rows));
        case Element::bf16:
            return run(static_cast<const __nv_bfloat16*>(cloud.rows));
    }
}

// Eight lanes per row. Rows past the last are the last again: every thread of a warp takes part.
template <class Run>
__device__ void for_rows(const RemoteCloud& cloud, const Run& run) {
    const int lane = static_cast<int>(threadIdx.x) % lanes;
    const int step = static_cast<int>(gridDim.y) * rows_of_block;
    for (int first = static_cast<int>(blockIdx.y) * rows_of_block; first < cloud.n; first += step)
        run(min(first + static_cast<int>(threadIdx.x) / lanes, cloud.n - 1), lane);
}

__global__ void find_scales(const RemoteCloud* clouds) {
    const RemoteCloud cloud = clouds[blockIdx.x];
    with_elements(cloud, [&](const auto* rows) {
        for_rows(cloud, [&](int i, int lane) {
            const geometry::RowScale found = scale_of(rows + static_cast<std::size_t>(i) * cloud.d, cloud.d, lane);
            if (lane != 0) return;
            cloud.scales[i] = found;
            if (cloud.findings != nullptr && !(found.length > 0)) atomicOr(cloud.findings, unusual);  // NaN too
        });
    });
}

__global__ void divide_rows(const RemoteCloud* clouds) {
    const RemoteCloud cloud = clouds[blockIdx.x];
    with_elements(cloud, [&](const auto* rows) {
        for (int i = static_cast<int>(blockIdx.y); i < cloud.n; i += static_cast<int>(gridDim.y)) {
            const geometry::RowScale scale = cloud.scales[i];
            const double power = scalbn(1.0, -scale.exponent);
            const std::size_t first = static_cast<std::size_t>(i) * cloud.d;
            for (int k = static_cast<int>(threadIdx.x); k < cloud.d; k += threads_of_row)
                cloud.unit[first + k] = __ddiv_rn(__dmul_rn(widened(rows[first + k]), power), scale.length);
        }
    });
}

// A thread per column, since rows are added in their order.
__global__ void add_rows(const RemoteCloud* clouds) {
    const RemoteCloud cloud = clouds[blockIdx.x];
    for (int k = static_cast<int>(blockIdx.y * blockDim.x + threadIdx.x); k < cloud.d;
         k += static_cast<int>(gridDim.y * blockDim.x)) {
        double sum = 0;
#pragma unroll 16  // loads that are under way together
        for (int i = 0; i < cloud.n; ++i) sum = __dadd_rn(sum, cloud.unit[static_cast<std::size_t>(i) * cloud.d + k]);
        cloud.sum[k] = sum;
    }
}

// Row by row its product with the sum, and whether one clearly points another way than the first.
__global__ void multiply_by_sum(const RemoteCloud* clouds) {
    const RemoteCloud cloud = clouds[blockIdx.x];
    for_rows(cloud, [&](int i, int lane) {
        const double* const row = cloud.unit + static_cast<std::size_t>(i) * cloud.d;
        double product = 0, distance = 0;
#pragma unroll 8
        for (int k = lane; k < cloud.d; k += lanes) {
            product = __dadd_rn(product, __dmul_rn(row[k], cloud.sum[k]));
            const double off = row[k] - cloud.unit[k];
            distance += off * off;
        }
        product = total(product);
        distance = total(distance);
        if (lane != 0) return;
        cloud.products[i] = product;
        if (sqrt(distance) > 2 * geometry::same_direction) atomicOr(cloud.findings, differs);
    });
}

struct Grid {
    dim3 of_rows, of_row_groups, of_columns;

    explicit Grid(std::span<const RemoteCloud> clouds) {
        of_rows.x = of_row_groups.x = of_columns.x = static_cast<unsigned>(clouds.size());
        const auto take = [](dim3& grid, int things, int of_block) {
            constexpr int most = 65535;  // blocks of a column
            grid.y = std::max(grid.y, static_cast<unsigned>(std::min((things + of_block - 1) / of_block, most)));
        };
        for (const RemoteCloud& cloud : clouds) {
            take(of_rows, cloud.n, 1);
            take(of_row_groups, cloud.n, rows_of_block);
            take(of_columns, cloud.d, columns_of_block);
        }
    }
};

void make_unit_rows(const Grid& grid, const RemoteCloud* clouds, cudaStream_t stream) {
    find_scales<<<grid.of_row_groups, rows_of_block * lanes, 0, stream>>>(clouds);
    divide_rows<<<grid.of_rows, threads_of_row, 0, stream>>>(clouds);
    wordbreadth::cuda::check_launch("make_unit_rows");
}

void make_sums(const Grid& grid, const RemoteCloud* clouds, cudaStream_t stream) {
    add_rows<<<grid.of_columns, columns_of_block, 0, stream>>>(clouds);
    multiply_by_sum<<<grid.of_row_groups, rows_of_block * lanes, 0, stream>>>(clouds);
    wordbreadth::cuda::check_launch("make_sums");
}

// ---- on the host

std::size_t values_of(const Rows& rows) {
    return rows.n * rows.dimension;
}

// Where a cloud's measures are: findings (1), in eight bytes; scales (n), sum (d), products (n).
std::size_t bytes_of_measures(const Rows& rows) {
    return 8 + rows.n * sizeof(geometry::RowScale) + (rows.n + rows.dimension) * sizeof(double);
}

RemoteCloud with_measures(const Rows& rows, double* unit, std::byte* at) {
    RemoteCloud cloud = remote_cloud(rows, unit, reinterpret_cast<geometry::RowScale*>(at + 8));
    cloud.findings = reinterpret_cast<unsigned*>(at);
    cloud.sum = reinterpret_cast<double*>(cloud.scales + rows.n);
    cloud.products = cloud.sum + rows.dimension;
    return cloud;
}

// How many of the clouds are measured at a time: as many as the cache holds the unit rows of, and at least one.
std::size_t clouds_together(std::span<const Rows> clouds) {
    constexpr std::size_t values_together = std::size_t{1} << 22;
    std::size_t count = 0, values = 0;
    while (count < clouds.size() && (count == 0 || values + values_of(clouds[count]) <= values_together))
        values += values_of(clouds[count++]);
    return count;
}

// Of what was measured and has come to the host.
std::optional<geometry::RemoteRows> remote_rows(const Rows& rows, std::byte* measures) {
    const RemoteCloud here = with_measures(rows, nullptr, measures);
    if (*here.findings != differs) return std::nullopt;
    geometry::RemoteRows remote;
    remote.scales.assign(here.scales, here.scales + rows.n);
    remote.sum.assign(here.sum, here.sum + rows.dimension);
    remote.products.assign(here.products, here.products + rows.n);
    return remote;
}

}  // namespace

RemoteCloud remote_cloud(const Rows& rows, double* unit, geometry::RowScale* scales) {
    RemoteCloud cloud{};
    cloud.rows = rows.data;
    cloud.element = rows.element;
    cloud.n = static_cast<int>(rows.n);
    cloud.d = static_cast<int>(rows.dimension);
    cloud.unit = unit;
    cloud.scales = scales;
    return cloud;
}

std::vector<std::optional<geometry::RemoteRows>> Measuring::measure(std::span<const Rows> clouds,
                                                                    const Stream& stream) {
    std::vector<std::optional<geometry::RemoteRows>> all(clouds.size());
    std::vector<Rows> there;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < clouds.size(); ++i) {
        if (!is_on_device(clouds[i].data)) continue;
        there.push_back(clouds[i]);
        places.push_back(i);
    }
    if (there.empty()) return all;
    try {
        reserve(there);
    } catch (const OutOfMemory&) {
        return all;
    }
    start(there, stream);
    stream.wait();
    std::byte* at = here_.data();
    for (std::size_t k = 0; k < there.size(); at += bytes_of_measures(there[k++]))
        all[places[k]] = remote_rows(there[k], at);
    return all;
}

void Measuring::reserve(std::span<const Rows> clouds) {
    bytes_ = 0;
    for (const Rows& rows : clouds) bytes_ += bytes_of_measures(rows);
    std::size_t most_values = 0;
    for (std::span<const Rows> rest = clouds; !rest.empty();) {
        std::size_t values = 0;
        const std::size_t together = clouds_together(rest);
        for (const Rows& rows : rest.first(together)) values += values_of(rows);
        most_values = std::max(most_values, values);
        rest = rest.subspan(together);
    }
    unit_.reserve(most_values);
    there_.reserve(bytes_);
    here_.reserve(bytes_);
    clouds_.reserve(clouds.size());
}

void Measuring::start(std::span<const Rows> clouds, const Stream& stream) {
    list_.clear();
    std::byte* at = there_.data();
    for (std::span<const Rows> rest = clouds; !rest.empty();) {
        double* unit = unit_.data();
        const std::size_t together = clouds_together(rest);
        for (const Rows& rows : rest.first(together)) {
            list_.push_back(with_measures(rows, unit, at));
            unit += values_of(rows);
            at += bytes_of_measures(rows);
        }
        rest = rest.subspan(together);
    }
    WORDBREADTH_CUDA(cudaDeviceSynchronize());
    WORDBREADTH_CUDA(cudaMemsetAsync(there_.data(), 0, bytes_, stream.get()));  // the findings
    clouds_.upload(list_, stream);
    for (std::size_t first = 0; first < clouds.size();) {
        const std::size_t together = clouds_together(clouds.subspan(first));
        const std::span<const RemoteCloud> some = std::span<const RemoteCloud>(list_).subspan(first, together);
        const Grid grid(some);
        make_unit_rows(grid, clouds_.data() + first, stream.get());
        make_sums(grid, clouds_.data() + first, stream.get());
        first += together;
    }
    wordbreadth::cuda::download(there_.data(), {here_.data(), bytes_}, stream);
}

void write_unit_rows(std::span<const RemoteCloud> clouds, RemoteCloud* there, const Stream& stream) {
    if (clouds.empty()) return;
    wordbreadth::cuda::upload(clouds, there, stream);
    make_unit_rows(Grid(clouds), there, stream.get());
}

}  // namespace wordbreadth::engine::cuda
