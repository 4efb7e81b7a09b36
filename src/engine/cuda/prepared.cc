#include "engine/cuda/prepared.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <set>
#include <utility>

#include "geometry/vector_math.h"

namespace wordbreadth::engine::cuda {
namespace {

constexpr std::size_t stretch = std::size_t{1} << 15;  // doubles that a thread writes at a time, in whole rows

// Measured at 128 + 128 x 1024 on an H200: without leading columns 1 pair takes 0.13 ms and 16 pairs 0.16 ms; with them
// 1 pair takes 0.15 ms, 17 pairs 0.21 and 32 pairs 0.22.
constexpr std::size_t few_pairs = 32;

// The robust statistic needs more than they tell; and with unequal sizes an error of Q does not cancel, so that they
// leave nearly everything open.
bool leading_is_worth_it(const Shape& shape, std::size_t pairs) {
    return !shape.robust && pairs > few_pairs && 100 * std::abs(shape.n - shape.m) <= shape.N;
}

PairSource source_of(const PairTask& task, const Residents& residents) {
    const Resident& x = residents.at(task.x);
    const Resident& y = residents.at(task.y);
    return {.x = x.rows,
            .y = y.rows,
            .x_full = x.full,
            .y_full = y.full,
            .sum_x = x.sum,
            .sum_y = y.sum,
            .length_x = x.length,
            .length_y = y.length,
            .rounding = std::max(x.rounding, y.rounding),
            .low = task.exceeds.low_or_infinity(),
            .high = task.exceeds.high_or_infinity(),
            .counts_x = x.counts,
            .counts_y = y.counts,
            .squares_x = x.squares,
            .squares_y = y.squares};
}

int rounded_up(int value, int unit) {
    return (value + unit - 1) / unit * unit;
}

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
void Staging::copy_directly(Clouds clouds, double* to, const Stream& stream) {
    const auto send = [&](std::span<const double> values) {
        wordbreadth::cuda::upload(values, to, stream);
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

void Staging::copy(Clouds clouds, double* to, const Stream& stream) {
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
        wordbreadth::cuda::upload({halves_[half], doubles}, to, stream);
        sent_[half].record(stream);
        to += doubles;
        rest = rest.subspan(count);
    }
}

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
        add(missing(), stream);
    } catch (const OutOfMemory&) {
        if (residents_.empty()) throw;
        clear();
        add(missing(), stream);
    }
}

void Residents::add(Clouds clouds, const Stream& stream) {
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
        wordbreadth::cuda::upload(values, at_facts, stream);
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

Shape shape_of(const Job& job) {
    const geometry::UnitRows& x = *job.pairs[0].x;
    Shape shape{};
    shape.n = static_cast<int>(x.size());
    shape.N = static_cast<int>(job.splits.N);
    shape.m = shape.N - shape.n;
    shape.d = static_cast<int>(x.dimension());
    shape.Np = rounded_up(shape.N, row_unit);
    shape.dp = padded_dimension(x.dimension());
    shape.words = shape.Np / row_unit;
    shape.robust = job.statistic != Statistic::plain;
    shape.blocks = job.statistic == Statistic::blocks;
    shape.align = job.align == Alignment::householder;
    return shape;
}

bool has_gram(const Job& job, std::size_t shared_bytes) {
    const Shape shape = shape_of(job);
    // Half precision has no room for K beyond that. Few blocks are that large, so that the vectors are soon added up.
    constexpr double most_rows_of_block = 128;
    for (const PairTask& task : job.pairs)
        for (const geometry::UnitRows* cloud : {task.x, task.y})
            if (shape.blocks && std::ranges::max(cloud->block_sums()->counts) > most_rows_of_block) return false;
    const std::size_t besides = (shape.blocks ? 28 : 16) * 1024;  // what the kernel itself declares
    return shape.N <= largest_gram && gram_screen_bytes(shape) + besides <= shared_bytes;
}

std::size_t bytes_of_pair(const Shape& shape, bool gram) {
    const auto Np = static_cast<std::size_t>(shape.Np);
    const auto dp = static_cast<std::size_t>(shape.dp);
    const std::size_t vectors = 4 * dp * sizeof(double) + 4096;
    return gram ? vectors + Np * dp * 2 + Np * Np * 2 + Np * 256 : vectors;
}

void Prepared::lay_out(Arena& arena, const Shape& shape, std::size_t pairs, bool gram) {
    const auto Np = static_cast<std::size_t>(shape.Np);
    const auto dp = static_cast<std::size_t>(shape.dp);
    batch_ = Batch{};
    batch_.shape = shape;
    batch_.pairs = static_cast<int>(pairs);
    batch_.leading = leading_is_worth_it(shape, pairs);
    batch_.source = source_ = arena.take<PairSource>(pairs);
    batch_.facts = arena.take<PairFacts>(pairs);
    batch_.mirror = arena.take<double>(pairs * dp);
    batch_.sum = arena.take<double>(pairs * dp);
    if (!gram) return;
    batch_.sum_for_x = arena.take<double>(pairs * dp);
    batch_.short_mirror = arena.take<float>(pairs * dp);
    batch_.short_mean = arena.take<float>(pairs * dp);
    batch_.c = arena.take<double>(pairs * Np);
    batch_.row_rounding2 = arena.take<float>(pairs * Np);
    batch_.Z = arena.take<__half>(pairs * Np * dp);
    batch_.K = arena.take<__half>(pairs * Np * Np);
    batch_.K_squares = arena.take<double>(pairs * static_cast<std::size_t>(gram_tiles(shape.Np)) * 2);
    batch_.K_sums = arena.take<float>(pairs * Np);
    batch_.block_columns = arena.take<BlockColumns>(shape.blocks ? pairs * Np : 0);
    const std::size_t rows_outside = shape.Np > rows_in_shared ? pairs * Np : 0;
    batch_.columns = arena.take<float>(rows_outside * column_stride);
    batch_.basis = arena.take<__half>(rows_outside == 0 ? 0 : pairs * panel_columns * (Np + 8));
    batch_.linear_bytes = sizeof(LinearHead) + static_cast<std::size_t>(shape.words) * linear_word_bytes;
    batch_.linear = arena.take<unsigned char>(pairs * batch_.linear_bytes);
    batch_.panel_bytes = sizeof(PanelHead) + static_cast<std::size_t>(shape.words) * panel_word_bytes;
    batch_.panels = arena.take<unsigned char>(pairs * batch_.panel_bytes);
}

void Prepared::prepare(const Job& job, std::span<const PairTask> pairs, bool gram) {
    const Shape shape = shape_of(job);
    std::vector<const geometry::UnitRows*> clouds;
    for (const PairTask& task : pairs) {
        clouds.push_back(task.x);
        clouds.push_back(task.y);
    }
    // The arena first: where it does not fit, no upload is wasted.
    arena_.fill([&](Arena& arena) { lay_out(arena, shape, pairs.size(), gram); });
    residents_.require(clouds, stream_);
    uploaded_.clear();
    for (const PairTask& task : pairs) uploaded_.push_back(source_of(task, residents_));
    wordbreadth::cuda::upload(uploaded_, source_, stream_);
    align_pairs(batch_, stream_.get());
    if (gram) centre_rows(batch_, stream_.get());
    if (shape.blocks) measure_blocks(batch_, stream_.get());
    if (!gram) return;
    multiply_rows(batch_, stream_.get());
    find_leading(batch_, stream_.get());
}

}  // namespace wordbreadth::engine::cuda
