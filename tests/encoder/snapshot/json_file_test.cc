#include "encoder/snapshot/json_file.h"

#include <gtest/gtest.h>

#include "arrays/safetensors.h"
#include "corpus/file_reader.h"
#include "support/errors.h"
#include "support/temporary.h"

namespace wordbreadth {
namespace {

// nlohmann has a kind of exception of its own for it. Whoever reads JSON is here: models, tokenizers and the indices of
// their tensors by read_json_file().
TEST(Json, NumberThatIsTooLargeNamesTheFile) {
    const TemporaryFile file(".json", R"({"hidden_size": 1e999})");
    const std::string error = error_of([&] { (void)encoder::snapshot::read_json_file(file.path()); });
    EXPECT_EQ(error, file.path() + ": holds a number that is too large; copy or download the file again");
    EXPECT_TRUE(error_of([] {
                    (void)corpus::parse_json_record("corpus.jsonl", 7, R"({"text": "a", "n": 1e999})");
                }).starts_with("corpus.jsonl"));
    EXPECT_TRUE(error_of([] {
                    (void)arrays::parse_safetensors_header("x.safetensors", R"({"__metadata__": {"a": 1e999}})", 0);
                }).starts_with("x.safetensors: "));
}

}  // namespace
}  // namespace wordbreadth
