#include "engine/cuda/residents.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/cuda/kernels.h"
#include "geometry/vector_math.h"

namespace wordbreadth::engine::cuda {

int padded_dimension(std::size_t d) {
    return static_cast<int>((d + column_unit - 1) / column_unit * column_unit);
}

void Residents::require(std::span<const Cloud* const> clouds, const Stream& stream) {
    const auto missing = [&] {
        std::set<const Cloud*> list;
        for (const Cloud* cloud : clouds)
            if (!residents_.contains(cloud)) list.insert(cloud);
        return std::vector<const Cloud*>(list.begin(), list.end());
    };
    try {
        upload(missing(), stream);
    } catch (const OutOfMemory&) {
        if (residents_.empty()) throw;
        clear();
        upload(missing(), stream);
    }
}

void Residents::clear() {
    residents_.clear();
    full_.clear();
    rounded_.clear();
}

void Residents::upload(std::span<const Cloud* const> clouds, const Stream& stream) {
    if (clouds.empty()) return;
    std::size_t doubles = 0;
    std::size_t floats = 0;
    std::size_t rows = 0;
    for (const Cloud* cloud : clouds) {
        rows += cloud->size();
        doubles += (cloud->size() + 1) * cloud->dimension();
        floats += cloud->size() * static_cast<std::size_t>(padded_dimension(cloud->dimension()));
    }
    Buffer<double> full(doubles);
    Buffer<float> rounded(floats);
    Buffer<float> off2(rows);
    std::vector<std::span<const double>> pieces;
    for (const Cloud* cloud : clouds) {
        pieces.push_back(cloud->unit_rows());
        pieces.push_back(cloud->sum());
    }
    staging_.copy(pieces, full.data(), stream);
    const double* at_full = full.data();
    float* at_rounded = rounded.data();
    float* at_off2 = off2.data();
    std::map<const Cloud*, Resident> fresh;
    for (const Cloud* cloud : clouds) {
        const int dp = padded_dimension(cloud->dimension());
        Resident resident;
        resident.full = at_full;
        resident.sum = at_full + cloud->unit_rows().size();
        resident.rows = at_rounded;
        resident.length = geometry::norm(cloud->sum());
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
    for (const Cloud* cloud : clouds) {
        const auto last = first + static_cast<std::ptrdiff_t>(cloud->size());
        fresh[cloud].rounding = 1.0001 * std::sqrt(static_cast<double>(*std::max_element(first, last)));
        first = last;
    }
    residents_.merge(fresh);
    full_.push_back(std::move(full));
    rounded_.push_back(std::move(rounded));
}

}  // namespace wordbreadth::engine::cuda
