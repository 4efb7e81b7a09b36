#include "engine/cuda/prepared.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <unordered_set>
#include <utility>

#include "cuda/gpu_names.h"
#include "geometry/vector_math.h"

namespace wordbreadth::engine::cuda {
namespace {

constexpr std::size_t stretch = std::size_t{1} << 15;  // doubles that a thread writes at a time, in whole rows

// Measured at 128 + 128 x 1024 on an H200: without leading columns 1 pair takes 0.13 ms and 16 pairs 0.16 ms; with them
// 1 pair takes 0.15 ms, 17 pairs 0.21 and 32 pairs 0.22.
constexpr std::size_t few_pairs = 32;

// With unequal sizes an error of Q does not cancel, so that they leave nearly everything open; the robust statistic
// bears more of it. By a simulation of its bounds at N = 200 they leave 0.13 of the benchmark's splits with equal
// sizes, 0.2 at 110 + 90, 0.5 at 120 + 80 and 0.85 at 130 + 70.
bool leading_is_worth_it(const Shape& shape, std::size_t pairs) {
    const int apart = std::abs(shape.n - shape.m);
    return !shape.blocks && pairs > few_pairs && (shape.robust ? 5 : 100) * apart <= shape.N;
}

PairSource source_of(const PairTask& task, const Resident& x, const Resident& y) {
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

// Each once.
std::vector<const geometry::UnitRows*> clouds_of(std::span<const PairTask> pairs) {
    std::unordered_set<const geometry::UnitRows*> seen;
    std::vector<const geometry::UnitRows*> clouds;
    for (const PairTask& task : pairs)
        for (const geometry::UnitRows* cloud : {task.x, task.y})
            if (seen.insert(cloud).second) clouds.push_back(cloud);
    return clouds;
}

int rounded_up(int value, int unit) {
    return (value + unit - 1) / unit * unit;
}

constexpr std::size_t chunk_cells = std::size_t{1} << 25;   // pairs x splits of a chunk
constexpr std::size_t bits_bytes = std::size_t{256} << 20;  // of a chunk's masks
constexpr std::size_t longest_chunk = std::size_t{1} << 22;
// Splits of a chunk, or all of the job's, that many pairs must leave room for. Every chunk sends each pair through the
// later screens, for however few splits: 1,024 at a time, those of 32,768 pairs, took 6 us per pair, not 1.5.
constexpr std::size_t long_chunk = std::size_t{1} << 15;
constexpr std::size_t largest_batch = 32768;  // a launch has no more rows of blocks than 65535
constexpr double memory_share = 0.6;          // of the device's, for the pairs of a batch

// Whatever else is in the device's memory is found out by trying.
std::size_t pairs_that_may_fit(const Job& job, bool gram, std::size_t memory) {
    const double room = memory_share * static_cast<double>(memory);
    const double pairs = room / static_cast<double>(bytes_of_pair(shape_of(job), gram));
    const std::size_t splits = std::min<std::uint64_t>(job.splits.count, long_chunk);
    const std::size_t most = std::min(largest_batch, chunk_cells / std::max<std::size_t>(splits, 1));
    return std::clamp<std::size_t>(static_cast<std::size_t>(pairs), 1, most);
}

std::size_t bytes_of_cloud(const geometry::UnitRows& cloud) {
    const auto dp = static_cast<std::size_t>(padded_dimension(cloud.dimension()));
    return (cloud.size() + 1) * cloud.dimension() * sizeof(double) + cloud.size() * (dp + 1) * sizeof(float);
}

std::string in_mib(std::size_t bytes) {
    constexpr std::size_t mib = std::size_t{1} << 20;
    return std::to_string((bytes + mib - 1) / mib) + " MiB";
}

std::string what_is_free() {
    std::size_t free = 0;
    std::size_t total = 0;
    if (cudaMemGetInfo(&free, &total) == cudaSuccess) return in_mib(free) + " of " + in_mib(total) + " are free";
    static_cast<void>(cudaGetLastError());
    return "how much is free is not known";
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
        cloud->write(first, count, to + places[i]);
    });
}

// For a little: pinned memory takes longer to get, 10 ms.
void Staging::copy_directly(Clouds clouds, double* to, const Stream& stream) {
    std::vector<double> unit;
    for (const geometry::UnitRows* cloud : clouds) {
        if (cloud->kept().empty()) {
            stream.wait();  // for the copy that reads `unit`
            unit.resize(cloud->size() * cloud->dimension());
            cloud->write(0, cloud->size(), unit.data());
        }
        wordbreadth::cuda::upload(cloud->kept().empty() ? unit : cloud->kept(), to, stream);
        to += cloud->size() * cloud->dimension();
    }
    stream.wait();
}

void Staging::copy(Clouds clouds, double* to, const Stream& stream, const base::Monitor& monitor) {
    std::vector<Piece> pieces;
    std::size_t all = 0;
    for (const geometry::UnitRows* cloud : clouds) {
        const std::size_t together = std::max<std::size_t>(stretch / cloud->dimension(), 1);
        for (std::size_t first = 0; first < cloud->size(); first += together) {
            pieces.push_back({cloud, first, std::min(together, cloud->size() - first)});
            all += pieces.back().doubles();
        }
    }
    if (all <= room || !prepare()) return copy_directly(clouds, to, stream);
    std::size_t half = 0;
    for (std::span<const Piece> rest(pieces); !rest.empty(); half ^= 1) {
        std::size_t count = 0, doubles = 0;
        while (count < rest.size() && doubles + rest[count].doubles() <= room) doubles += rest[count++].doubles();
        monitor.check();
        sent_[half].wait();  // the copy that used this half before
        fill(rest.first(count), halves_[half]);
        wordbreadth::cuda::upload({halves_[half], doubles}, to, stream);
        sent_[half].record(stream);
        to += doubles;
        rest = rest.subspan(count);
    }
}

// Through the pinned memory where copy() needed it.
void Staging::copy_sums(Clouds clouds, double* to, const Stream& stream) {
    std::vector<std::size_t> places;
    std::size_t all = 0;
    for (const geometry::UnitRows* cloud : clouds) {
        places.push_back(all);
        all += cloud->dimension();
    }
    const bool pinned = halves_[0] != nullptr && all <= room;
    if (!pinned) sums_.resize(all);
    if (pinned) sent_[0].wait();
    double* const from = pinned ? halves_[0] : sums_.data();
    for (std::size_t k = 0; k < clouds.size(); ++k) std::ranges::copy(clouds[k]->sum(), from + places[k]);
    wordbreadth::cuda::upload({from, all}, to, stream);
    if (pinned) sent_[0].record(stream);
}

int padded_dimension(std::size_t d) {
    return static_cast<int>((d + column_unit - 1) / column_unit * column_unit);
}

void Residents::require(Clouds clouds, const Stream& stream, const base::Monitor& monitor) {
    const auto missing = [&] {
        std::vector<const geometry::UnitRows*> list;
        for (const geometry::UnitRows* cloud : clouds)
            if (!residents_.contains(cloud)) list.push_back(cloud);
        return list;
    };
    try {
        add(missing(), stream, monitor);
    } catch (const OutOfMemory&) {
        if (residents_.empty() && spare_.empty()) throw;
        clear();
        add(missing(), stream, monitor);
    }
}

void Residents::forget(const geometry::UnitRows& cloud) {
    const auto found = residents_.extract(&cloud);
    if (found.empty() || found.mapped().upload.use_count() > 1) return;
    constexpr std::size_t most = std::size_t{1} << 30;  // bytes of all
    spare_.push_back(std::move(found.mapped().upload));
    std::size_t bytes = 0;
    for (const auto& memory : spare_) bytes += memory->bytes();
    for (; bytes > most; spare_.erase(spare_.begin())) bytes -= spare_.front()->bytes();
}

// The smallest that has room, unless it would be wasted on so little.
std::shared_ptr<Arena> Residents::memory_for(std::size_t bytes) {
    const auto suits = [&](const std::shared_ptr<Arena>& memory) {
        return memory->bytes() >= bytes && memory->bytes() / 4 <= bytes;
    };
    auto best = spare_.end();
    for (auto memory = spare_.begin(); memory != spare_.end(); ++memory)
        if (suits(*memory) && (best == spare_.end() || (*memory)->bytes() < (*best)->bytes())) best = memory;
    if (best == spare_.end()) return std::make_shared<Arena>();
    std::shared_ptr<Arena> found = std::move(*best);
    spare_.erase(best);
    return found;
}

struct Residents::Layout {
    double* full = nullptr;  // of every cloud its rows,
    double* sums = nullptr;  // and their sum
    float* rounded = nullptr;
    float* off2 = nullptr;
    double* of_blocks = nullptr;
    Arrival* arrivals = nullptr;
    RemoteCloud* remote = nullptr;
    geometry::RowScale* scales = nullptr;  // of those

    Layout(Arena& arena, Clouds clouds) {
        std::size_t values = 0, padded = 0, dimensions = 0, rows = 0, facts = 0;
        for (const geometry::UnitRows* cloud : clouds) {
            rows += cloud->size();
            values += cloud->size() * cloud->dimension();
            padded += cloud->size() * static_cast<std::size_t>(padded_dimension(cloud->dimension()));
            dimensions += cloud->dimension();
            if (cloud->block_sums() != nullptr) facts += 2 * cloud->size();
        }
        full = arena.take<double>(values);
        sums = arena.take<double>(dimensions);
        rounded = arena.take<float>(padded);
        off2 = arena.take<float>(rows);
        of_blocks = arena.take<double>(facts);
        arrivals = arena.take<Arrival>(clouds.size());
        remote = arena.take<RemoteCloud>(clouds.size());
        scales = arena.take<geometry::RowScale>(rows);
    }
};

// Those of the host through its memory, those on the device by a kernel.
void Residents::copy_rows(Clouds clouds, const Layout& at, const Stream& stream, const base::Monitor& monitor) {
    remote_.clear();
    std::vector<const geometry::UnitRows*> of_host;
    double* to = at.full;
    const auto copy_those = [&] {
        if (!of_host.empty()) staging_.copy(of_host, to, stream, monitor);
        for (const geometry::UnitRows* cloud : of_host) to += cloud->size() * cloud->dimension();
        of_host.clear();
    };
    geometry::RowScale* scales = at.scales;
    for (const geometry::UnitRows* cloud : clouds) {
        if (cloud->on_device() == nullptr) {
            of_host.push_back(cloud);
            continue;
        }
        copy_those();
        remote_.push_back(remote_cloud(*cloud->on_device(), to, scales));
        to += cloud->size() * cloud->dimension();
        scales += cloud->size();
    }
    copy_those();
    write_unit_rows(remote_, at.remote, stream);
}

void Residents::add(Clouds clouds, const Stream& stream, const base::Monitor& monitor) {
    if (clouds.empty()) return;
    Arena measure;
    static_cast<void>(Layout(measure, clouds));
    const std::shared_ptr<Arena> memory = memory_for(measure.used());
    std::optional<Layout> at;
    memory->fill([&](Arena& arena) { at.emplace(arena, clouds); });
    copy_rows(clouds, *at, stream, monitor);
    staging_.copy_sums(clouds, at->sums, stream);
    const auto send = [&](const std::vector<double>& values) {
        wordbreadth::cuda::upload(values, at->of_blocks, stream);
        return std::exchange(at->of_blocks, at->of_blocks + values.size());
    };
    std::vector<Arrival> arrivals;
    std::vector<Resident> residents;
    std::size_t rows = 0;
    for (const geometry::UnitRows* cloud : clouds) {
        const std::size_t n = cloud->size(), d = cloud->dimension();
        const int dp = padded_dimension(d);
        arrivals.push_back({at->full, at->rounded, at->off2 + rows, static_cast<int>(n), static_cast<int>(d), dp});
        Resident& resident = residents.emplace_back();
        resident.full = std::exchange(at->full, at->full + n * d);
        resident.sum = std::exchange(at->sums, at->sums + d);
        resident.rows = std::exchange(at->rounded, at->rounded + n * static_cast<std::size_t>(dp));
        resident.length = geometry::norm(cloud->sum());
        resident.upload = memory;
        if (const geometry::BlockSums* blocks = cloud->block_sums()) {
            resident.counts = send(blocks->counts);
            resident.squares = send(blocks->squares);
        }
        rows += n;
    }
    wordbreadth::cuda::upload(arrivals, at->arrivals, stream);
    to_float(arrivals, at->arrivals, stream.get());
    std::vector<float> distances(rows);
    wordbreadth::cuda::download(at->off2, distances, stream);
    stream.wait();
    auto first = distances.begin();
    for (std::size_t k = 0; k < clouds.size(); ++k) {
        const auto last = first + static_cast<std::ptrdiff_t>(clouds[k]->size());
        residents[k].rounding = 1.0001 * std::sqrt(static_cast<double>(*std::max_element(first, last)));
        residents_.insert_or_assign(clouds[k], std::move(residents[k]));
        first = last;
    }
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
    // Screens before K see little of the robust statistic; and with unequal sizes an error of Q does not cancel. By a
    // simulation of the bounds, A leaves a third of the benchmark's splits at 105 + 95 rows, nearly all at 115 + 85.
    shape.precise = shape.robust || 25 * std::abs(shape.n - shape.m) > shape.N;
    return shape;
}

bool has_gram(const Job& job, std::size_t shared_bytes) {
    const Shape shape = shape_of(job);
    // Half precision has no room for K beyond that. Few blocks are that large, so that the vectors are soon added up.
    constexpr double most_rows_of_block = 128;
    for (const PairTask& task : job.pairs)
        for (const geometry::UnitRows* cloud : {task.x, task.y})
            if (shape.blocks && std::ranges::max(cloud->block_sums()->counts) > most_rows_of_block) return false;
    const std::size_t besides = (shape.blocks ? 28 : 20) * 1024;  // what the kernel itself declares
    return shape.N <= largest_gram && gram_screen_bytes(shape) + besides <= shared_bytes;
}

std::size_t bytes_of_pair(const Shape& shape, bool gram) {
    const auto Np = static_cast<std::size_t>(shape.Np);
    const auto dp = static_cast<std::size_t>(shape.dp);
    const std::size_t vectors = 4 * dp * sizeof(double) + 4096;
    const auto Ep = static_cast<std::size_t>(tiled_rows(shape.Np));
    const std::size_t powers = shape.robust && !shape.blocks ? 4 * Ep * Ep : 0;
    return gram ? vectors + (Np * dp + Np * Np) * (shape.precise ? 4 : 2) + Np * 256 + powers : vectors;
}

void Prepared::lay_out(Arena& arena, const Shape& shape, std::size_t pairs, bool gram) {
    const auto Np = static_cast<std::size_t>(shape.Np);
    const auto dp = static_cast<std::size_t>(shape.dp);
    batch_ = Batch{};
    batch_.shape = shape;
    batch_.pairs = static_cast<int>(pairs);
    batch_.stop = stop_;
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
    batch_.Z_rest = shape.precise ? arena.take<__half>(pairs * Np * dp) : nullptr;
    batch_.K = arena.take<__half>(pairs * Np * Np);
    batch_.K_rest = shape.precise ? arena.take<__half>(pairs * Np * Np) : nullptr;
    batch_.K_squares = arena.take<double>(pairs * static_cast<std::size_t>(gram_tiles(shape.Np)) * 3);
    batch_.K_sums = arena.take<float>(2 * pairs * Np);
    batch_.block_columns = arena.take<BlockColumns>(shape.blocks ? pairs * Np : 0);
    const std::size_t rows_outside = shape.Np > rows_in_shared ? pairs * Np : 0;
    batch_.columns = arena.take<float>(rows_outside * column_stride);
    batch_.basis = arena.take<__half>(rows_outside == 0 ? 0 : pairs * panel_columns * (Np + 8));
    batch_.linear_bytes = sizeof(LinearHead) + static_cast<std::size_t>(shape.words) * linear_word_bytes;
    batch_.linear = arena.take<unsigned char>(pairs * batch_.linear_bytes);
    batch_.panel_bytes = panel_bytes_of(shape);
    batch_.panels = arena.take<unsigned char>(pairs * batch_.panel_bytes);
    if (!(shape.robust && batch_.leading)) return;
    const auto Ep = static_cast<std::size_t>(tiled_rows(shape.Np));
    batch_.E = arena.take<__half>(2 * pairs * Ep * Ep);
    batch_.E_squares = arena.take<double>(2 * pairs * static_cast<std::size_t>(gram_tiles(tiled_rows(shape.Np))) * 3);
}

// By all threads, since the device waits for it. False when a cloud is not there.
bool Prepared::describe(std::span<const PairTask> pairs) {
    constexpr std::size_t together = 2048;
    std::atomic<bool> complete = true;
    uploaded_.resize(pairs.size());
    residents_.workers().run((pairs.size() + together - 1) / together, [&](std::size_t piece, std::size_t) {
        const std::size_t end = std::min((piece + 1) * together, pairs.size());
        for (std::size_t i = piece * together; i < end; ++i) {
            const Resident* x = residents_.find(pairs[i].x);
            const Resident* y = residents_.find(pairs[i].y);
            if (x == nullptr || y == nullptr) {
                complete = false;
                return;
            }
            uploaded_[i] = source_of(pairs[i], *x, *y);
        }
    });
    return complete;
}

void Prepared::prepare(const Job& job, std::span<const PairTask> pairs, bool gram, const base::Monitor& monitor) {
    const Shape shape = shape_of(job);
    // The arena first: where it does not fit, no upload is wasted.
    arena_.fill([&](Arena& arena) { lay_out(arena, shape, pairs.size(), gram); });
    if (!describe(pairs)) {
        residents_.require(clouds_of(pairs), stream_, monitor);
        static_cast<void>(describe(pairs));
    }
    wordbreadth::cuda::upload(uploaded_, source_, stream_);
    align_pairs(batch_, stream_.get());
    if (gram) centre_rows(batch_, stream_.get());
    if (shape.blocks) measure_blocks(batch_, stream_.get());
    if (!gram) return;
    multiply_rows(batch_, stream_.get());
    find_leading(batch_, stream_.get());
    if (shape.robust && batch_.leading) bound_remainder(batch_, stream_.get());
}

Portion::Portion(const Job& job, bool gram, std::size_t memory, std::size_t block)
    : job_(job),
      gram_(gram),
      most_pairs_(pairs_that_may_fit(job, gram, memory)),
      most_splits_(block == 0 ? longest_chunk : std::min(block, longest_chunk)),
      one_at_a_time_(job.adaptive != 0 && !job.splits.enumerated) {}

std::span<const PairTask> Portion::batch(std::size_t done) const {
    return job_.pairs.subspan(done, std::min(most_pairs_, job_.pairs.size() - done));
}

std::size_t Portion::splits(std::size_t pairs) const {
    const std::size_t words = (job_.splits.N + 31) / 32;
    const std::uint64_t size = std::min({chunk_cells / pairs, bits_bytes / (words * 4), most_splits_});
    const auto blocks = (std::min(size, job_.splits.count) + block_of_splits - 1) / block_of_splits;
    return static_cast<std::size_t>(std::max<std::uint64_t>(blocks, 1)) * block_of_splits;
}

std::size_t Portion::chunks_at_once(std::size_t pairs) const {
    return one_at_a_time_ || splits(pairs) >= job_.splits.count ? 1 : 2;
}

std::size_t Portion::bytes_of_pairs(std::span<const PairTask> batch) const {
    std::size_t bytes = batch.size() * bytes_of_pair(shape_of(job_), gram_);
    for (const geometry::UnitRows* cloud : clouds_of(batch)) bytes += bytes_of_cloud(*cloud);
    return bytes;
}

std::size_t Portion::bytes_of_chunks(std::size_t pairs) const {
    const Shape shape = shape_of(job_);
    const std::size_t of_lists = pairs * (list_count * sizeof(int) * 8 + 2) / 8;  // two bits besides
    const std::size_t of_masks = static_cast<std::size_t>(shape.words) * sizeof(std::uint32_t);
    return chunks_at_once(pairs) * splits(pairs) * (of_lists + of_masks) + rows_scratch(shape) * sizeof(double);
}

bool Portion::shrink(std::span<const PairTask> batch) {
    if (chunks_at_once(batch.size()) > 1) {
        one_at_a_time_ = true;
        return true;
    }
    const std::size_t now = splits(batch.size());
    const bool one_pair = batch.size() == 1;
    const bool one_block = now == block_of_splits;
    if (one_pair && one_block) return false;
    if (one_block || (!one_pair && bytes_of_pairs(batch) >= bytes_of_chunks(batch.size())))
        most_pairs_ = batch.size() / 2;
    else
        most_splits_ = now / 2;
    return true;
}

InputError does_not_fit(const Job& job, std::size_t needed, const OutOfMemory& error) {
    const geometry::UnitRows& x = *job.pairs[0].x;
    return InputError("the GPU's memory does not hold one pair of " + std::to_string(x.size()) + " and " +
                      std::to_string(job.splits.N - x.size()) + " rows in " + std::to_string(x.dimension()) +
                      " dimensions: " + in_mib(needed) + " are needed, " + what_is_free() + " (" + error.what() +
                      "); use device cpu, or stop what else uses the GPU");
}

InputError cannot_start(const OutOfMemory& error) {
    return InputError("the GPU's memory is too full to begin: " + what_is_free() + " (" + error.what() +
                      "); use device cpu, or stop what else uses the GPU");
}

namespace {

using wordbreadth::cuda::gpu_name;

// Whose memory the address is in.
std::optional<int> gpu_of(const void* address) {
    cudaPointerAttributes found{};
    const bool known = cudaPointerGetAttributes(&found, address) == cudaSuccess;
    static_cast<void>(cudaGetLastError());
    if (!known || (found.type != cudaMemoryTypeDevice && found.type != cudaMemoryTypeManaged)) return {};
    return found.device;
}

}  // namespace

bool is_on_device(const void* address) {
    return gpu_of(address) == wordbreadth::cuda::current_gpu();
}

std::shared_ptr<const void> copy_to_host(const std::string& label, const void* from, std::size_t bytes) {
    const std::optional<int> gpu = gpu_of(from);
    if (!gpu) throw InputError(label + ": its rows are not in the memory of the GPU");
    if (*gpu != wordbreadth::cuda::current_gpu())
        throw InputError(label + ": its rows are in the memory of " + gpu_name(*gpu) + "; expected " +
                         gpu_name(wordbreadth::cuda::current_gpu()) + ", the device in use: move them, or use device " +
                         gpu_name(*gpu));
    auto copy = std::make_shared<std::vector<std::byte>>(bytes);
    WORDBREADTH_CUDA(cudaMemcpy(copy->data(), from, bytes, cudaMemcpyDeviceToHost));
    return {copy, copy->data()};
}

}  // namespace wordbreadth::engine::cuda
