#include "engine/cuda/residents.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "engine/cuda/kernels.h"
#include "geometry/vector_math.h"

namespace wordbreadth::engine::cuda {

int padded_dimension(std::size_t d) {
    return static_cast<int>((d + column_unit - 1) / column_unit * column_unit);
}

void Residents::require(Clouds clouds, const Stream& stream) {
    const auto missing = [&] {
        std::set<const geometry::UnitRows*> list;
        for (const geometry::UnitRows* cloud : clouds)
            if (!residents_.contains(cloud)) list.insert(cloud);
        return std::vector<const geometry::UnitRows*>(list.begin(), list.end());
    };
    try {
        upload(missing(), stream);
    } catch (const OutOfMemory&) {
        if (residents_.empty()) throw;
        clear();
        upload(missing(), stream);
    }
}

void Residents::upload(Clouds clouds, const Stream& stream) {
    if (clouds.empty()) return;
    std::size_t doubles = 0;
    std::size_t floats = 0;
    std::size_t rows = 0;
    std::size_t facts = 0;
    for (const geometry::UnitRows* cloud : clouds) {
        rows += cloud->size();
        doubles += (cloud->size() + 1) * cloud->dimension();
        floats += cloud->size() * static_cast<std::size_t>(padded_dimension(cloud->dimension()));
        if (cloud->block_sums() != nullptr) facts += 2 * cloud->size();
    }
    struct Upload {
        Buffer<double> full;  // of every cloud its rows and their sum
        Buffer<float> rounded;
        Buffer<double> of_blocks;
    };
    const auto memory =
        std::make_shared<const Upload>(Upload{Buffer<double>(doubles), Buffer<float>(floats), Buffer<double>(facts)});
    Buffer<float> off2(rows);
    staging_.copy(clouds, memory->full.data(), stream);
    const double* at_full = memory->full.data();
    float* at_rounded = memory->rounded.data();
    float* at_off2 = off2.data();
    double* at_facts = memory->of_blocks.data();
    const auto send = [&](const std::vector<double>& values) {
        WORDBREADTH_CUDA(cudaMemcpyAsync(at_facts, values.data(), values.size() * sizeof(double),
                                         cudaMemcpyHostToDevice, stream.get()));
        return std::exchange(at_facts, at_facts + values.size());
    };
    std::map<const geometry::UnitRows*, Resident> fresh;
    for (const geometry::UnitRows* cloud : clouds) {
        const int dp = padded_dimension(cloud->dimension());
        Resident resident;
        resident.full = at_full;
        resident.sum = at_full + cloud->size() * cloud->dimension();
        resident.rows = at_rounded;
        resident.length = geometry::norm(cloud->sum());
        resident.upload = memory;
        if (const geometry::BlockSums* blocks = cloud->block_sums()) {
            resident.counts = send(blocks->counts);
            resident.squares = send(blocks->squares);
        }
        to_float(resident.full, static_cast<int>(cloud->size()), static_cast<int>(cloud->dimension()), dp, at_rounded,
                 at_off2, stream.get());
        at_full = resident.sum + cloud->dimension();
        at_rounded += cloud->size() * static_cast<std::size_t>(dp);
        at_off2 += cloud->size();
        fresh[cloud] = resident;
    }
    std::vector<float> distances(rows);
    off2.download(distances, stream);
    stream.wait();
    auto first = distances.begin();
    for (const geometry::UnitRows* cloud : clouds) {
        const auto last = first + static_cast<std::ptrdiff_t>(cloud->size());
        fresh[cloud].rounding = 1.0001 * std::sqrt(static_cast<double>(*std::max_element(first, last)));
        first = last;
    }
    residents_.merge(fresh);
}

}  // namespace wordbreadth::engine::cuda
