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
// R0 is near every R, so that nothing large cancels. K~ z is computed in float32, in short stretches; what its rounding
// leaves undecided, a few splits in ten thousand, the definition decides.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/backend.h"
#include "engine/cpu/kernels.h"
#include "engine/verdict.h"
#include "permutation/pooled.h"

namespace wordbreadth::engine::cpu {

class BlockScreen {
  public:
    // Of one thread.
    struct Workspace {
        std::vector<std::uint8_t> masks, flags;
        std::vector<float> z, e;   // (splits of a product, blocks)
        std::vector<double> sums;  // for the definition

        Workspace(const Job& job, std::size_t block);
    };

    BlockScreen(const Kernels& kernels, const Job& job, const PairTask& task);

    // As Cascade::decide.
    void decide(const std::uint8_t* masks, std::size_t count, Workspace& space) const;

    [[nodiscard]] static std::size_t bytes(std::size_t K, std::size_t d);

  private:
    void prepare();
    [[nodiscard]] engine::Verdict judge(const BlockSplit& sums) const;

    const Kernels& kernels_;
    const Job& job_;
    const PairTask task_;
    permutation::Pooled pooled_;
    std::size_t K_, first_;  // blocks: of both clouds, of the first group
    bool screens_;           // false: the definition decides everything
    Thresholds<double> thresholds_;
    double rows_ = 0;                  // of all blocks
    double c2_ = 0, c3_ = 0, c4_ = 0;  // sums of the powers of c
    double R0_ = 0;
    double error_ = 0;  // of e, for each unit of |z|
    std::vector<double> p_, slope_, constant_;
    std::vector<float> gram_;  // (K, K): K~
};

}  // namespace wordbreadth::engine::cpu
