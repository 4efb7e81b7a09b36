// What decides the splits of one pair: of rows, and at the end of this file of blocks.
//
// Rows have a cascade of screens, cheapest first. A split is decided by the first step that
// can prove on which side of the threshold it lies:
//
//   1. LowRank   int8, 16 or 32 columns                             takes all but a few splits in a hundred
//   2. Dense     int8, N columns; built once enough were left        takes all but a few in ten thousand of the rest
//   3. K itself, or the rows, in float32                            takes all but a few in a hundred of the rest
//   4. the vectors in float64                                       takes all but ties
//   5. Pooled    the definition                                     takes everything
//
// Where N is above d nothing but step 2 needs K, (N, N): the first step takes the scatter matrix instead, the third two
// products with the centred rows, (N, d), or for the plain statistic one. Above `largest_gram` K is never made.
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
#include "engine/verdict.h"
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
    std::vector<float> q, Zq, Kq;
    std::vector<double> sums, row;  // of vectors
    std::vector<double> low, high;  // what a split has to reach to matter to its family

    Workspace(const JobContext& context, std::size_t block);
    // Of one split: A, Q, V1 and V2.
    void set(std::size_t place, const double* moments);
    [[nodiscard]] Estimates estimates(double A_error, double radius, double q2) const;
};

// How many of a job's splits a step leaves, going by those that it has seen.
class Forecast {
  public:
    explicit Forecast(const Job& job) : job_(job) {}

    // Of `count` splits more `left` were left. May be called from several threads at once, like all that follows.
    void add(std::size_t left, std::size_t count);

    [[nodiscard]] double share() const;
    // How many it will have left in the end.
    [[nodiscard]] double expected() const;

  private:
    const Job& job_;
    std::atomic<std::size_t> left_ = 0;
    std::atomic<std::size_t> seen_ = 0;
};

class Cascade {
  public:
    Cascade(JobContext& context, const PairTask& task);

    // space.flags[i] = 1 when the split of row i of `masks` (block, stride) exceeds, else 0, for the first `count` of
    // them. May be called from several threads at once.
    void decide(const std::uint8_t* masks, std::size_t count, Workspace& space);

    // Lowers `attained`, one rank per split, by the pair as a test of rank `rank` (permutation::StepDown::lowered). The
    // first screen leaves the splits that may matter to K in float32, which encloses their statistics.
    void lower(const std::uint8_t* masks, std::span<std::uint32_t> attained, const permutation::StepDown& family,
               std::uint32_t rank, Workspace& space);

    [[nodiscard]] static std::size_t bytes(std::size_t N, std::size_t d);

  private:
    void screen_low_rank(const std::uint8_t* masks, std::size_t count, bool own_thresholds, Workspace& space) const;
    void multiply_few(const std::uint8_t* masks, std::size_t first, std::size_t count, Workspace& space) const;
    [[nodiscard]] Enclosure<double> enclose(std::size_t place, double radius, const Workspace& space) const;
    [[nodiscard]] double product_radius() const;
    [[nodiscard]] double statistic(const std::uint8_t* mask, Workspace& space);
    void screen_dense(const std::uint8_t* masks, Workspace& space) const;
    void add_rows(const permutation::Pooled* pooled, const std::uint8_t* mask, std::uint8_t group,
                  std::span<double> sum, Workspace& space) const;
    void measure_vectors(const permutation::Pooled* pooled, const std::uint8_t* mask, std::size_t place,
                         Workspace& space) const;
    void judge(std::size_t first, std::size_t count, double radius, Workspace& space) const;
    void judge(std::size_t first, std::size_t count, const Estimates& estimates, Workspace& space) const;
    void by_product(const std::uint8_t* masks, Workspace& space);
    void by_vectors(const std::uint8_t* masks, Workspace& space);
    void by_definition(const std::uint8_t* masks, Workspace& space);
    void keep_undecided(Workspace& space) const;
    void consider_dense(std::size_t left, std::size_t count);
    void make_gram();
    void prepare_product();
    [[nodiscard]] const permutation::Pooled& pooled_rows();
    [[nodiscard]] std::size_t few_at_once() const;
    void add_up(const std::uint8_t* mask, std::size_t place, Workspace& space) const;

    JobContext& context_;
    const PairTask& task_;
    PairGeometry pair_;
    Shape shape_;
    bool has_gram_;            // K from the beginning; else the rows, once they are needed
    bool adds_up_;             // Q from the part of K within the smaller group
    NearMatrix gram_;          // K
    double trace_ = 0;         // of K
    std::vector<float> rows_;  // (N, d), centred
    double row_squares_ = 0;   // the sum of their squares
    std::unique_ptr<const LowRank> low_rank_;
    std::unique_ptr<const Dense> dense_;  // once dense_ready_
    std::unique_ptr<const permutation::Pooled> pooled_;
    std::atomic<bool> dense_ready_ = false;
    std::atomic<bool> is_low_rank_vain_ = false;
    Forecast forecast_;
    std::mutex building_;
    std::once_flag pooling_, making_rows_;
};

// The screen that decides the splits of one pair whose blocks are permuted (method, section 9).
//
// D_k is the sum of the aligned rows of a block, c_k their number, mu the mean of all rows, D~_k = D_k - c_k mu. A
// split z takes some of the K blocks; in each of its groups, of n rows with the sum S,
//
//   a_k = D_k . S - |D_k|^2 - R0 c_k (n - c_k)
//
// for R0, the mean cosine of the pairs of rows from different blocks of both clouds. With e = K~ z, K~_jk = D~_j .
// D~_k, a_k is e_k plus what is linear in n and in the sum of the group's D~_k . mu, and
//
//   R = R0 + delta,  delta = sum of a_k / C;   e_k of the method = a_k - delta c_k (n - c_k).
//
// R0 is near every R, so that nothing large cancels. Four steps, each for what the one before left:
//
//   1. LowRank   int8: every sum that is linear in z, from which all but e follows, and the leading directions of K~,
//                alone and times the influences without e. Not where there are few splits
//   2. Dense     int8: the whole of K~; built once enough were left
//   3. K~ itself, in float32, in short stretches
//   4. Pooled    the definition
//
// CPU time of whole calls against the robust statistic with as many rows as blocks, 100 + 100 x 384, with AVX-512 and
// with AVX2: words of a real corpus in single rows 1.4 and 1.5 times, by their documents 1.3 and 1.3; isotropic clouds
// in single rows 1.4 and 1.5, in blocks of two 1.2 and 1.2, of one to five rows 1.5 and 1.5. Isotropic clouds cost 3.2
// and 3.9 times as long as e and what the mean cosines take from it were bounded one by one (they are an oblique
// projection of e, no longer than e where blocks are alike), nothing was known of e but its length, and the first step
// left its splits to float32.
//
// One large block among single ones in each cloud costs more: of 10 rows 2.0 times, of 20 rows 3.0, of 50 rows 4.0 and
// 3.8. L y is then mostly that block's own, as long as all other influences, and the first step knows only its length
// and its product with t: it leaves 0.2, 0.6 and all of the splits, and the second is what takes the time (products a
// fifth, their moments a quarter). What did not help: large entries of the diagonal apart, the rest by columns with
// signs (the rest reached further below 0 than K~ above it; 0.36 of real documents' splits were left, not 0.03); that
// part of L y which lies along t apart (as many were left, and the compiler made no more vector code of the kernel).
class BlockScreen {
  public:
    // What all pairs of a job share.
    struct Context {
        const Kernels& kernels;
        const Job& job;
        std::size_t stride;                           // of the masks, in bytes
        std::unique_ptr<const MaskProduct> low_rank;  // none where the first step is left out
        std::unique_ptr<const MaskProduct> dense;     // the same, of the second

        Context(const Kernels& kernels, const Job& job, std::size_t block);
    };

    // Of one thread.
    struct Workspace {
        std::vector<std::uint8_t> masks, flags;
        std::vector<std::int32_t> products;
        std::vector<std::size_t> left;       // splits that are still undecided, by place in the block
        std::vector<std::uint8_t> gathered;  // their masks
        std::vector<std::int32_t> dense_products;
        std::vector<float> z, e;        // (splits of a product, blocks)
        std::vector<double> sums;       // for the definition
        std::vector<double> low, high;  // what a split has to reach to matter to its family

        Workspace(const Context& context, std::size_t block);
    };

    BlockScreen(const Context& context, const PairTask& task);

    // As those of Cascade.
    void decide(const std::uint8_t* masks, std::size_t count, Workspace& space);
    void lower(const std::uint8_t* masks, std::span<std::uint32_t> attained, const permutation::StepDown& family,
               std::uint32_t rank, Workspace& space) const;

    [[nodiscard]] static std::size_t bytes(std::size_t K, std::size_t d);

  private:
    void prepare();
    void prepare_low_rank(double mean2);
    void screen_low_rank(const std::uint8_t* masks, std::size_t count, bool own_thresholds, Workspace& space) const;
    void consider_building(std::size_t left, std::size_t count);
    void screen_dense(const std::uint8_t* masks, Workspace& space) const;
    template <class Use>
    void by_gram(const std::uint8_t* masks, Workspace& space, const Use& use) const;
    [[nodiscard]] double statistic(const std::uint8_t* mask, Workspace& space) const {
        return pooled_.statistic(Statistic::blocks, {mask, K_}, space.sums);
    }
    [[nodiscard]] BlockColumns columns() const {
        return {pooled_.counts().data(), p_.data(), slope_.data(), constant_.data(), rows_};
    }
    [[nodiscard]] Enclosure<double> enclose(const BlockSplit& sums, double off) const;

    const Context& context_;
    const PairTask task_;
    permutation::Pooled pooled_;
    std::size_t K_, first_;  // blocks: of both clouds, of the first group
    bool screens_;           // false: the definition decides everything
    Thresholds<double> thresholds_;
    double rows_ = 0;                  // of all blocks
    double c2_ = 0, c3_ = 0, c4_ = 0;  // sums of the powers of c
    double R0_ = 0;
    double error_ = 0;  // of e by K~, for each unit of |z|
    double q2_;         // |q|^2, the same for every split
    std::vector<double> p_, slope_, constant_;
    NearMatrix gram_;  // (K, K): K~
    std::unique_ptr<const LowRank> low_rank_;
    std::atomic<bool> is_low_rank_vain_ = false;
    BlockLayout layout_;                  // of low_rank_
    std::unique_ptr<const Dense> dense_;  // once dense_ready_
    std::atomic<bool> dense_ready_ = false;
    Forecast forecast_;
    std::mutex building_;
};

}  // namespace wordbreadth::engine::cpu
