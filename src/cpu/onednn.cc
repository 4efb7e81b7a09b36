#include "cpu/onednn.h"

// Of the OpenMP runtime that oneDNN brings. Its header belongs to a compiler, and clang-tidy does not find GCC's.
extern "C" void omp_set_num_threads(int threads);

namespace wordbreadth::onednn {

const dnnl::engine& engine() {
    static const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
    return cpu;
}

void run_alone() {
    thread_local const bool done = (omp_set_num_threads(1), true);
    static_cast<void>(done);
}

}  // namespace wordbreadth::onednn
