// Clouds and pairs on the device, ready to meet splits.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/workers.h"
#include "engine/backend.h"
#include "engine/cuda/kernels.h"
#include "engine/cuda/remote.h"
#include "geometry/unit_rows.h"
#include "wordbreadth/error.h"

namespace wordbreadth::engine::cuda {

using Clouds = std::span<const geometry::UnitRows* const>;

// Uploads of clouds through a little pinned memory, which the device reads itself and all threads fill with unit rows.
// Measured with 16 threads on 600 clouds of 1 MB: the whole call takes 44 ms, 114 when the driver copies the clouds
// from where they are.
class Staging {
  public:
    explicit Staging(base::Workers& workers) : workers_(workers) {}
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;
    ~Staging();

    // Copies the unit rows of each cloud, one after the other, to the device.
    void copy(Clouds clouds, double* to, const Stream& stream, const base::Monitor& monitor);
    // The sum of each, likewise.
    void copy_sums(Clouds clouds, double* to, const Stream& stream);

  private:
    // Rows first .. first + count - 1 of a cloud.
    struct Piece {
        const geometry::UnitRows* cloud;
        std::size_t first, count;
        [[nodiscard]] std::size_t doubles() const { return count * cloud->dimension(); }
    };
    // False when the driver has no pinned memory to give, as when the device's memory is full.
    bool prepare();
    void fill(std::span<const Piece> pieces, double* to);
    static void copy_directly(Clouds clouds, double* to, const Stream& stream);

    static constexpr std::size_t room = std::size_t{2} << 20;  // doubles of a half: one is filled, the other on its way
    base::Workers& workers_;
    std::array<double*, 2> halves_{};
    std::array<Event, 2> sent_;
    std::vector<double> sums_;  // on their way, where there is no pinned memory
};

// A cloud on the device.
struct Resident {
    const float* rows = nullptr;      // (n, dp) rounded, zeros after the last column
    const double* full = nullptr;     // (n, d)
    const double* sum = nullptr;      // (d)
    const double* counts = nullptr;   // of blocks: (n) their numbers of rows,
    const double* squares = nullptr;  // (n) and squared lengths
    double length = 0;                // of the sum
    double rounding = 0;              // largest distance of a rounded row from the full one
    std::shared_ptr<Arena> upload;    // their memory, that of all clouds uploaded together
};

// Columns of a float32 row on the device.
[[nodiscard]] int padded_dimension(std::size_t d);

class Residents {
  public:
    explicit Residents(base::Workers& workers) : workers_(workers), staging_(workers) {}

    // Uploads those of the clouds, each named once, that are not there yet. When there is no room, all others are
    // dropped; throws OutOfMemory when that is not enough either, and Cancelled when the monitor says so.
    void require(Clouds clouds, const Stream& stream, const base::Monitor& monitor);

    // Null where it is not there.
    [[nodiscard]] const Resident* find(const geometry::UnitRows* cloud) const {
        const auto found = residents_.find(cloud);
        return found == residents_.end() ? nullptr : &found->second;
    }
    [[nodiscard]] base::Workers& workers() const { return workers_; }

    void forget(const geometry::UnitRows& cloud);
    void clear() {
        residents_.clear();
        spare_.clear();
    }

  private:
    // What of an upload is where.
    struct Layout;
    void add(Clouds clouds, const Stream& stream, const base::Monitor& monitor);
    void copy_rows(Clouds clouds, const Layout& at, const Stream& stream, const base::Monitor& monitor);
    [[nodiscard]] std::shared_ptr<Arena> memory_for(std::size_t bytes);

    base::Workers& workers_;
    Staging staging_;
    std::unordered_map<const geometry::UnitRows*, Resident> residents_;
    // Memory of clouds that are gone, for the next ones: to get some and give it back takes longer than 300 tests.
    std::vector<std::shared_ptr<Arena>> spare_;
    std::vector<RemoteCloud> remote_;  // on their way
};

inline constexpr int largest_gram = 4096;  // N; K takes 32 MiB there

[[nodiscard]] Shape shape_of(const Job& job);

// Whether K is made for the pairs of a job, given how much shared memory a block may have. If not, every split is
// decided by the vectors themselves.
[[nodiscard]] bool has_gram(const Job& job, std::size_t shared_bytes);

// Device memory for one pair, its clouds left out.
[[nodiscard]] std::size_t bytes_of_pair(const Shape& shape, bool gram);

class Prepared {
  public:
    // `stop`, on the device, tells kernels to end.
    Prepared(Residents& residents, Arena& arena, const Stream& stream, const int* stop)
        : residents_(residents), arena_(arena), stream_(stream), stop_(stop) {}

    // Starts the preparing of `pairs`; what follows in the stream finds them ready. Nothing that uses those prepared
    // before may be at work any more. Throws Cancelled when the monitor says so.
    void prepare(const Job& job, std::span<const PairTask> pairs, bool gram, const base::Monitor& monitor);

    [[nodiscard]] const Batch& batch() const { return batch_; }

  private:
    void lay_out(Arena& arena, const Shape& shape, std::size_t pairs, bool gram);
    [[nodiscard]] bool describe(std::span<const PairTask> pairs);

    Residents& residents_;
    Arena& arena_;
    const Stream& stream_;
    const int* stop_;
    Batch batch_{};
    PairSource* source_ = nullptr;
    std::vector<PairSource> uploaded_;  // alive until the copy is done
};

// ---- the device's memory: how much of a job is there at a time (pairs of a batch, splits of a chunk; both shrink
// where they do not fit, down to one pair and one block of splits), messages for when it is full, and what callers have
// there

inline constexpr std::size_t block_of_splits = 256;  // chunks are whole blocks

class Portion {
  public:
    // `memory` is the device's. `block` is how many splits at a time the caller wants at most; 0: any number.
    Portion(const Job& job, bool gram, std::size_t memory, std::size_t block);

    // The pairs of the next batch, after the first `done`.
    [[nodiscard]] std::span<const PairTask> batch(std::size_t done) const;
    // Splits of a chunk for a batch of this many pairs.
    [[nodiscard]] std::size_t splits(std::size_t pairs) const;
    // How many chunks are in the memory: two, where there are several and none depends on what came of the one before.
    [[nodiscard]] std::size_t chunks_at_once(std::size_t pairs) const;

    // Device memory that the pairs of a batch take, with their clouds, and that the chunks take that are there at once.
    [[nodiscard]] std::size_t bytes_of_pairs(std::span<const PairTask> batch) const;
    [[nodiscard]] std::size_t bytes_of_chunks(std::size_t pairs) const;

    // From now on one chunk at a time; or half of what takes more of the memory for this batch. False when nothing can
    // be halved any more.
    [[nodiscard]] bool shrink(std::span<const PairTask> batch);

  private:
    const Job& job_;
    bool gram_;
    std::size_t most_pairs_;
    std::size_t most_splits_;
    bool one_at_a_time_;  // chunk
};

// One pair of the job, of `needed` bytes, does not fit, even when nothing else of ours is in the device's memory.
[[nodiscard]] InputError does_not_fit(const Job& job, std::size_t needed, const OutOfMemory& error);

// Not even an engine without clouds fits.
[[nodiscard]] InputError cannot_start(const OutOfMemory& error);

// Whether the address is in the memory of the thread's current device.
[[nodiscard]] bool is_on_device(const void* address);

// The bytes at an address in its memory, for Backend::download.
[[nodiscard]] std::shared_ptr<const void> copy_to_host(const std::string& label, const void* from, std::size_t bytes);

}  // namespace wordbreadth::engine::cuda
