// Files with as many arrays as are accepted, and one more.
#include <gtest/gtest.h>

#include "arrays/announced_zip.h"
#include "arrays/safetensors.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::arrays {
namespace {

TEST(LargeNpz, AcceptsEntriesAtTheLimitAndNoMore) {
    EXPECT_EQ(error_opening(announcing(limits::archive_entries, 0, 0, 0)), "no error");
    EXPECT_NE(error_opening(announcing(limits::archive_entries + 1, 0, 0, 0)).find("at most 1000000 are accepted"),
              std::string::npos);
}

TEST(LargeSafetensors, AcceptsTensorsAtTheLimitAndNoMore) {
    const auto error_parsing = [](const std::string& json) {
        return error_of([&] { (void)parse_safetensors_json("file", json); });
    };
    std::string json = "{";
    for (std::size_t i = 0; i < limits::archive_entries; ++i) {
        json += "\"" + std::to_string(i) + R"(":{"dtype":"F32","shape":[0,2],"data_offsets":[0,0]},)";
    }
    json.back() = '}';
    EXPECT_EQ(error_parsing(json), "no error");
    json.back() = ',';
    EXPECT_NE(error_parsing(json + R"("one more":{}})").find("1000000 arrays accepted"), std::string::npos);
}

}  // namespace
}  // namespace wordbreadth::arrays
