#include "extraction/model.h"

#include <gtest/gtest.h>

#include "support/errors.h"

namespace wordbreadth::extraction {
namespace {

// A model whose numbers are too large for it.
class Overflowing : public encoder::Encoder {
  public:
    explicit Overflowing(Precision precision) : precision_(precision) { config_.hidden = 4; }
    [[nodiscard]] const encoder::snapshot::ModelConfig& config() const override { return config_; }
    [[nodiscard]] Precision precision() const override { return precision_; }
    [[nodiscard]] std::string device() const override { return "cpu"; }
    [[nodiscard]] std::string instruction_set() const override { return "generic"; }
    void encode(const encoder::Batch&, std::span<float>) override { throw encoder::NotFinite(); }

  private:
    encoder::snapshot::ModelConfig config_;
    Precision precision_;
};

std::string error_in(Precision precision) {
    Overflowing encoder(precision);
    const store::ShardWork work{{{{101, 7, 102}, {{0, 0, 0, 0, 1, 1, 1}}}}};
    return error_of([&] { (void)embed(work, encoder, [](std::size_t) {}, {}); });
}

// The rows of one store are of one precision: there is nothing to resume.
TEST(Embed, SaysToStartAnewWhenThePrecisionDoesNotHoldTheNumbers) {
    EXPECT_EQ(
        error_in(Precision::f16),
        "the model's numbers are too large for f16: a store has one precision, so extract anew into another folder "
        "with bf16 or f32");
    EXPECT_TRUE(error_in(Precision::bf16).ends_with("another folder with f32"));
    EXPECT_TRUE(error_in(Precision::f32).ends_with("fetch it again"));
}

}  // namespace
}  // namespace wordbreadth::extraction
