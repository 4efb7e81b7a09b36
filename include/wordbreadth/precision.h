// How exactly a model computes.
#pragma once

namespace wordbreadth {

// Of the model's matrix products. automatic: f32 on the CPU, f16 on a GPU. A CPU without fast bf16 computes in f32.
enum class Precision { automatic, f32, bf16, f16 };

}  // namespace wordbreadth
