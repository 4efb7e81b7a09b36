// .safetensors files by the safetensors library, and headers at the limits.
#include <gtest/gtest.h>

#include "arrays/safetensors.h"
#include "support/array_testing.h"
#include "support/temporary.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::arrays {
namespace {

TEST(Safetensors, HoldsEveryFloatType) {
    const auto file = open_array_file(fixture("types.safetensors"));
    for (const char* name : {"F16", "F32", "F64"}) expect_the_matrix(file->read(name), name);
    expect_the_matrix(open_array_file(fixture("bf16.safetensors"))->read("BF16"), "BF16");
}

TEST(Safetensors, ListsAllTensorsInByteOrderWithoutTheMetadata) {
    EXPECT_EQ(open_array_file(fixture("types.safetensors"))->names(),
              (std::vector<std::string>{"F16", "F32", "F64", "ids", "scalar", "vector", "zero_rows"}));
}

TEST(Safetensors, RefusesOnlyToReadWhatIsNoCloud) {
    const auto file = open_array_file(fixture("types.safetensors"));
    const auto error = [&](const char* name) { return error_of([&] { (void)file->read(name); }); };
    EXPECT_NE(error("ids").find("types.safetensors:ids: holds values of type \"I64\""), std::string::npos);
    EXPECT_NE(error("vector").find("has shape (4,)"), std::string::npos);
    EXPECT_NE(error("scalar").find("has shape ()"), std::string::npos);
}

TEST(Safetensors, ReadsAMatrixWithoutRows) {
    const Array array = open_array_file(fixture("types.safetensors"))->read("zero_rows");
    EXPECT_EQ(array.rows, 0U);
    EXPECT_EQ(array.columns, 3U);
}

TEST(Safetensors, SkipsMetadataOfAnyForm) {
    const std::string header = R"({"__metadata__":{"a":"b","a":[1,-2,3.5,null,true,{"shape":[9]}],"dtype":{}},)"
                               R"("x":{"dtype":"F32","shape":[0,2],"data_offsets":[0,0]}}   )";
    const TemporaryFile file(".safetensors", safetensors(header));
    EXPECT_EQ(open_array_file(file.path())->names(), std::vector<std::string>{"x"});
}

TEST(Safetensors, ReadsValuesThatAreNotAligned) {
    for (const std::size_t spaces : {0, 1, 2, 3, 4, 5, 6, 7}) {
        const std::string header =
            R"({"x":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}})" + std::string(spaces, ' ');
        const TemporaryFile file(".safetensors",
                                 safetensors(header, little_endian(std::uint64_t{0x40000000'3F800000})));
        const Array array = open_array_file(file.path())->read("x");
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array.values.get()) % sizeof(float), 0U);
        EXPECT_EQ(values_of(array), (std::vector<double>{1, 2}));
    }
}

std::string error_parsing(const std::string& json) {
    return error_of([&] { (void)parse_safetensors_json("file", json); });
}

TEST(Safetensors, AcceptsJsonDepthAtTheLimitAndNoMore) {
    const auto nested = [](std::size_t depth) {  // the header and the metadata are two levels
        return R"({"__metadata__":{"a":)" + std::string(depth - 2, '[') + std::string(depth - 2, ']') + "}}";
    };
    EXPECT_EQ(error_parsing(nested(limits::json_depth)), "no error");
    EXPECT_NE(error_parsing(nested(limits::json_depth + 1)).find("64 levels accepted"), std::string::npos);
}

TEST(Safetensors, AcceptsNamesAtTheLimitAndNoLonger) {
    const auto named = [](std::size_t bytes) {
        return "{\"" + std::string(bytes, 'n') + R"(":{"dtype":"F32","shape":[0,2],"data_offsets":[0,0]}})";
    };
    EXPECT_EQ(error_parsing(named(limits::name_bytes)), "no error");
    EXPECT_NE(error_parsing(named(limits::name_bytes + 1)).find("at most 4096 are accepted"), std::string::npos);
}

TEST(Safetensors, AcceptsRankAtTheLimitAndNoMore) {
    const auto shaped = [](std::size_t rank) {
        std::string shape = "1";
        for (std::size_t i = 1; i < rank; ++i) shape += ",1";
        return R"({"a":{"dtype":"F32","shape":[)" + shape + R"(],"data_offsets":[0,4]}})";
    };
    EXPECT_EQ(error_parsing(shaped(limits::array_rank)), "no error");
    EXPECT_NE(error_parsing(shaped(limits::array_rank + 1)).find("at most 8 are accepted"), std::string::npos);
}

TEST(Safetensors, TellsAHeaderLengthAtTheLimitFromOnePastIt) {
    const auto announcing = [](std::uint64_t length) {
        const TemporaryFile file(".safetensors", little_endian(length) + "{}");
        return error_of([&] { (void)open_array_file(file.path()); });
    };
    EXPECT_NE(announcing(limits::safetensors_header_bytes).find("but only 2 follow"), std::string::npos);
    EXPECT_NE(announcing(limits::safetensors_header_bytes + 1).find("at most 100000000 are accepted"),
              std::string::npos);
}

}  // namespace
}  // namespace wordbreadth::arrays
