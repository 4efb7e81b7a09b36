// The cascade of screens that decides the splits of one pair, cheapest first. A split is decided by the first step that
// can prove on which side of the threshold it lies:
//
//   1. LowRank   int8, 16 or 32 columns                             takes all but a few splits in a hundred
//   2. Dense     int8, N columns; built once enough were left        takes all but a few in ten thousand of the rest
//   3. K itself, in float32                                         takes all but near ties
//   4. Pooled    the definition                                      takes everything
//
// Steps 2 and 3 need K, (N, N). When N is above d the first step does without it, and K is made when the
// splits that are left would cost more than it does; above `largest_gram` it is never made.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "engine/backend.h"
#include "engine/cpu/kernels.h"
#include "engine/cpu/onednn.h"
#include "engine/cpu/screens.h"
#include "permutation/pooled.h"

namespace wordbreadth::engine::cpu {

inline constexpr std::size_t largest_gram = 4096;  // N; K takes 64 MiB there

// What all pairs of a job share.
struct JobContext {
    const Kernels& kernels;
    const Job& job;
    std::size_t stride;                        // of the masks, in bytes
    MaskProduct low_rank;                      // a block of masks
    std::unique_ptr<const MaskProduct> dense;  // a few masks that were left; none above largest_gram
    PreparedClouds& clouds;

    JobContext(const Kernels& kernels, const Job& job, PreparedClouds& clouds, std::size_t block);
};

// Of one thread.
struct Workspace {
    std::vector<std::uint8_t> masks;  // (block, stride)
    std::vector<std::uint8_t> flags;  // (block)
    std::vector<std::int32_t> products;
    std::vector<double> A, Q, V1_low, V1_high, V2_low, V2_high, shared;
    std::vector<std::uint8_t> verdicts;
    std::vector<std::size_t> left;       // splits that are still undecided, by place in the block
    std::vector<std::uint8_t> gathered;  // their masks
    std::vector<std::int32_t> dense_products;
    std::vector<double> e;
    std::vector<float> q, Kq;
    std::vector<double> sums;  // for Pooled

    Workspace(const JobContext& context, std::size_t block);
    [[nodiscard]] Estimates estimates(double A_error, double radius, double q2) const;
};

class Cascade {
  public:
    Cascade(JobContext& context, const PairTask& task);

    // space.flags[i] = 1 when the split of row i of `masks` (block, stride) exceeds, else 0, for the first `count` of
    // them. May be called from several threads at once.
    void decide(const std::uint8_t* masks, std::size_t count, Workspace& space);

    [[nodiscard]] static std::size_t bytes(std::size_t N, std::size_t d);

  private:
    void screen_low_rank(const std::uint8_t* masks, std::size_t count, Workspace& space) const;
    void screen_dense(const std::uint8_t* masks, Workspace& space) const;
    void measure(const std::vector<double>& e, const std::uint8_t* mask, std::size_t place, Workspace& space) const;
    void judge(std::size_t first, std::size_t count, double radius, Workspace& space) const;
    void by_gram(const std::uint8_t* masks, Workspace& space) const;
    void by_definition(const std::uint8_t* masks, Workspace& space);
    void keep_undecided(Workspace& space) const;
    void consider_building(std::size_t left, std::size_t count);
    void make_gram();

    JobContext& context_;
    const PairTask& task_;
    PairGeometry pair_;
    Shape shape_;
    NearMatrix gram_;  // K, once gram_ready_
    double gram_trace_ = 0;
    std::unique_ptr<const LowRank> low_rank_;
    std::unique_ptr<const Dense> dense_;  // once dense_ready_
    std::unique_ptr<const permutation::Pooled> pooled_;
    std::atomic<bool> gram_ready_ = false;
    std::atomic<bool> dense_ready_ = false;
    std::atomic<std::size_t> left_so_far_ = 0;
    std::atomic<std::size_t> seen_so_far_ = 0;
    std::mutex building_;
    std::once_flag pooling_;
};

}  // namespace wordbreadth::engine::cpu
